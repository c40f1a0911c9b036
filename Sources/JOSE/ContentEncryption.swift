/// The content encryptions of a JWE; the raw value is `enc` (RFC 7518 §5.1).
enum ContentEncryption: String, Sendable, WireName {
    case cbc = "A128CBC-HS256"
    case gcm128 = "A128GCM"
    case gcm256 = "A256GCM"

    var keyLength: Int { self == .gcm128 ? 16 : 32 }
    var vectorLength: Int { self == .cbc ? 16 : 12 }

    /// Encrypts bytes with a vector that is never used twice with one key. `associated` is authenticated too.
    func seal(
        _ bytes: [UInt8], key: [UInt8], vector: [UInt8], associated: [UInt8]
    ) throws(JOSEError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        guard self == .cbc else {
            let made = try Cipher.encrypt(gcm, key: key, vector: vector, associated: associated, bytes)
            return (made.bytes, made.tag)
        }
        let ciphertext = try Cipher.encrypt(Self.blocks, key: Array(key.suffix(16)), vector: vector, bytes).bytes
        return (ciphertext, try Self.tag(of: ciphertext, key: key, vector: vector, associated: associated))
    }

    /// What ``seal(_:key:vector:associated:)`` encrypted; nil for another key, and for modified bytes.
    func open(
        _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], vector: [UInt8], associated: [UInt8]
    ) -> [UInt8]? {
        guard self == .cbc else {
            return Cipher.decrypt(gcm, key: key, vector: vector, tag: tag, associated: associated, ciphertext)
        }
        // The code is checked before anything is decrypted (RFC 7518 §5.2.2.2).
        guard let code = try? Self.tag(of: ciphertext, key: key, vector: vector, associated: associated),
            constantTimeEqual(code, tag)
        else { return nil }
        return Cipher.decrypt(Self.blocks, key: Array(key.suffix(16)), vector: vector, ciphertext)
    }

    private var gcm: String { "AES-\(keyLength * 8)-GCM" }
    private static let blocks = "AES-128-CBC"

    /// The tag of A128CBC-HS256 (RFC 7518 §5.2.2.1).
    private static func tag(
        of ciphertext: [UInt8], key: [UInt8], vector: [UInt8], associated: [UInt8]
    ) throws(JOSEError) -> [UInt8] {
        let signed = associated + vector + ciphertext + UInt64(associated.count * 8).bigEndianBytes
        return Array(try Digest.sha256.authenticationCode(of: signed, key: Array(key.prefix(16))).prefix(16))
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, the most significant one first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
