internal import CLibCrypto
internal import Glibc

/// The library libcrypto, loaded when it is first needed.
package enum CryptoLibrary {
    /// Loads the library at the first call, once for all threads.
    ///
    /// - Throws: `JOSEError.library` at this and every later call, when it is missing or lacks a function.
    static func load() throws(JOSEError) {
        if let failure { throw .library("cannot load libcrypto (Debian package libssl3): \(failure)") }
    }

    /// Name, number and date of the library, for example `OpenSSL 3.0.15 3 Sep 2024`; nil if it is not installed.
    package static var version: String? { failure == nil ? String(cString: oap_crypto_version()) : nil }

    /// The dynamic linker's message, copied from its buffer.
    private static let failure = oap_crypto_load().map { String(cString: $0) }
}

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

/// Whether two secrets are the same bytes, in a time that depends only on their lengths (CRYPTO_memcmp).
func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && oap_memcmp(left, right, left.count) == 0
}

/// Whether two secrets are the same text, code point by code point; as `constantTimeEqual(_:_:)` for bytes.
package func constantTimeEqual(_ left: String, _ right: String) -> Bool {
    constantTimeEqual(Array(left.utf8), Array(right.utf8))
}
