internal import Wire

/// The key of ECDH-ES (RFC 7518 §4.6).
enum KeyAgreement {
    static let direct = "ECDH-ES"

    /// The algorithms that wrap the content key, and the length of the key that is derived for that.
    static let wrapping = ["ECDH-ES+A128KW": 16, "ECDH-ES+A192KW": 24, "ECDH-ES+A256KW": 32]

    /// The Concat KDF with SHA-256 (§4.6.2), for the content key or the key that wraps it.
    static func key(
        from shared: [UInt8], header: JSONObject, _ algorithm: String, _ encryption: ContentEncryption
    ) throws(JOSEError) -> [UInt8] {
        let length = wrapping[algorithm] ?? encryption.keyLength
        let name = algorithm == direct ? encryption.rawValue : algorithm
        var input = shared + counted(Array(name.utf8))
        for party in ["apu", "apv"] {
            guard let bytes = header[party].map({ $0.string.flatMap { Base64.decodeURL($0) } }) ?? [] else {
                throw .malformed("\(party) is not base64url")
            }
            input += counted(bytes)
        }
        input += UInt32(length * 8).bigEndianBytes
        let rounds: [UInt32] = [1, 2]
        return Array(rounds.flatMap { Digest.sha256($0.bigEndianBytes + input) }.prefix(length))
    }

    private static func counted(_ bytes: [UInt8]) -> [UInt8] { UInt32(bytes.count).bigEndianBytes + bytes }
}
