internal import Glibc

/// Random bytes for secrets: state, nonce, code verifier, `jti`.
package enum SecureRandom {
    /// Bytes from the system's generator: getentropy(3), which calls getrandom(2), again where a signal interrupts it,
    /// and waits, early at boot, until the generator is seeded. No library is loaded for it.
    package static func bytes(_ count: Int) throws(JOSEError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        for start in stride(from: 0, to: count, by: mostAtOnce) {
            let end = min(start + mostAtOnce, count)
            let result = bytes[start..<end].withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
            guard result == 0 else { throw .randomness(errno: errno) }
        }
        return bytes
    }

    /// The limit of getentropy(3) for one call, in bytes.
    private static let mostAtOnce = 256
}
