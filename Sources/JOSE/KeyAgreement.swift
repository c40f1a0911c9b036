internal import Wire

/// The key of ECDH-ES (RFC 7518 §4.6).
enum KeyAgreement {
    static let direct = "ECDH-ES"

    /// The length of the key that is derived: the content key, or the key that wraps it.
    static func keyLength(_ algorithm: String, _ encryption: ContentEncryption) -> Int {
        algorithm == direct ? encryption.keyLength : algorithm == "ECDH-ES+A128KW" ? 16 : 32
    }

    /// The Concat KDF with SHA-256, of which one round is enough (§4.6.2).
    static func key(
        from shared: [UInt8], header: JSONObject, _ algorithm: String, _ encryption: ContentEncryption
    ) throws(JOSEError) -> [UInt8] {
        let length = keyLength(algorithm, encryption)
        let name = algorithm == direct ? encryption.rawValue : algorithm
        var input: [UInt8] = [0, 0, 0, 1] + shared + counted(Array(name.utf8))
        for party in ["apu", "apv"] {
            guard let text = header[party] else {
                input += counted([])
                continue
            }
            guard let bytes = text.string.flatMap({ Base64.decodeURL($0) }) else {
                throw .malformed("\(party) is not base64url")
            }
            input += counted(bytes)
        }
        return Array(Digest.sha256(input + UInt32(length * 8).bigEndianBytes).prefix(length))
    }

    private static func counted(_ bytes: [UInt8]) -> [UInt8] { UInt32(bytes.count).bigEndianBytes + bytes }
}
