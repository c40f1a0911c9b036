/// The content encryptions of a JWE; the raw value is `enc` (RFC 7518 §5.1).
enum ContentEncryption: String, Sendable, WireName {
    case cbc128 = "A128CBC-HS256"
    case cbc192 = "A192CBC-HS384"
    case cbc256 = "A256CBC-HS512"
    case gcm128 = "A128GCM"
    case gcm192 = "A192GCM"
    case gcm256 = "A256GCM"

    /// The cipher of libcrypto, the bytes of its key, and the digest of the code that CBC needs beside it.
    private var parts: (cipher: String, length: Int, digest: Digest?) {
        switch self {
        case .cbc128: ("AES-128-CBC", 16, .sha256)
        case .cbc192: ("AES-192-CBC", 24, .sha384)
        case .cbc256: ("AES-256-CBC", 32, .sha512)
        case .gcm128: ("AES-128-GCM", 16, nil)
        case .gcm192: ("AES-192-GCM", 24, nil)
        case .gcm256: ("AES-256-GCM", 32, nil)
        }
    }

    /// With CBC, the first half of the key is that of the code (RFC 7518 §5.2.2.1).
    var keyLength: Int { parts.digest?.rawValue ?? parts.length }
    var vectorLength: Int { parts.digest == nil ? 12 : 16 }
    var tagLength: Int { parts.digest == nil ? 16 : parts.length }

    /// Encrypts bytes with a vector that is never used twice with one key. `associated` is authenticated too.
    func seal(
        _ bytes: [UInt8], key: [UInt8], vector: [UInt8], associated: [UInt8]
    ) throws(JOSEError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        let (cipher, length, digest) = parts
        guard let digest else {
            let made = try Cipher.encrypt(cipher, key: key, vector: vector, associated: associated, bytes)
            return (made.bytes, made.tag)
        }
        let ciphertext = try Cipher.encrypt(cipher, key: Array(key.suffix(length)), vector: vector, bytes).bytes
        return (ciphertext, try tag(of: ciphertext, digest, key: key, vector: vector, associated: associated))
    }

    /// The content that ``seal(_:key:vector:associated:)`` encrypted; nil for another key, and for modified bytes.
    func open(
        _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], vector: [UInt8], associated: [UInt8]
    ) -> [UInt8]? {
        let (cipher, length, digest) = parts
        guard let digest else {
            return Cipher.decrypt(cipher, key: key, vector: vector, tag: tag, associated: associated, ciphertext)
        }
        // The code is checked before anything is decrypted (RFC 7518 §5.2.2.2).
        guard let code = try? self.tag(of: ciphertext, digest, key: key, vector: vector, associated: associated),
            constantTimeEqual(code, tag)
        else { return nil }
        return Cipher.decrypt(cipher, key: Array(key.suffix(length)), vector: vector, ciphertext)
    }

    /// The tag of an encryption with CBC (RFC 7518 §5.2.2.1).
    private func tag(
        of ciphertext: [UInt8], _ digest: Digest, key: [UInt8], vector: [UInt8], associated: [UInt8]
    ) throws(JOSEError) -> [UInt8] {
        let signed = associated + vector + ciphertext + UInt64(associated.count * 8).bigEndianBytes
        let code = try digest.authenticationCode(of: signed, key: Array(key.prefix(parts.length)))
        return Array(code.prefix(tagLength))
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, the most significant one first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
