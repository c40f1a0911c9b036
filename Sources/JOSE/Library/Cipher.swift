internal import CLibCrypto

/// The ciphers of libcrypto by name.
enum Cipher {
    /// The decrypted bytes; nil for another key, and for modified bytes.
    static func decrypt(
        _ name: String, key: [UInt8], vector: [UInt8]? = nil, tag: [UInt8]? = nil, associated: [UInt8] = [],
        _ bytes: [UInt8]
    ) -> [UInt8]? {
        var tag = tag
        return run(name, key, vector, &tag, associated, bytes, encrypts: false)
    }

    /// The encrypted bytes and their tag; without `associated` there is none.
    static func encrypt(
        _ name: String, key: [UInt8], vector: [UInt8]? = nil, associated: [UInt8]? = nil, _ bytes: [UInt8]
    ) throws(JOSEError) -> (bytes: [UInt8], tag: [UInt8]) {
        var tag = associated.map { _ in [UInt8](repeating: 0, count: 16) }
        guard let output = run(name, key, vector, &tag, associated ?? [], bytes, encrypts: true) else {
            throw .library("libcrypto does not encrypt with \(name)")
        }
        return (output, tag ?? [])
    }

    private static func run(
        _ name: String, _ key: [UInt8], _ vector: [UInt8]?, _ tag: inout [UInt8]?, _ associated: [UInt8],
        _ bytes: [UInt8], encrypts: Bool
    ) -> [UInt8]? {
        guard (try? CryptoLibrary.load()) != nil else { return nil }
        // A block of padding, or of a wrapped key.
        var output = [UInt8](repeating: 0, count: bytes.count + 32)
        var length = 0
        var made = tag ?? []
        let isDone = made.withUnsafeMutableBufferPointer { buffer in
            oap_cipher(
                name, key, vector, tag == nil ? nil : buffer.baseAddress, associated, associated.count, bytes,
                bytes.count, &output, &length, encrypts ? 1 : 0)
        }
        guard isDone == 1 else { return nil }
        if tag != nil { tag = made }
        return Array(output.prefix(length))
    }
}
