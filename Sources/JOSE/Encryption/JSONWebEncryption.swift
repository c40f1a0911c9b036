internal import CLibCrypto
package import Wire

/// A JSON Web Encryption in the compact serialization (RFC 7516 §7.1), taken apart.
package struct JSONWebEncryption: Sendable {
    /// The protected header. Not authenticated before the content is decrypted.
    package let header: JSONObject
    let algorithm: String
    let encryption: ContentEncryption
    /// The content key, encrypted; empty where both sides have or derive it.
    let encryptedKey: [UInt8]
    private let associated: [UInt8]
    private let vector: [UInt8]
    private let ciphertext: [UInt8]
    private let tag: [UInt8]

    /// Takes an encryption with one of these algorithms (`alg`) and content encryptions (`enc`).
    ///
    /// - Throws: `JOSEError.malformed`; `.header` for another `alg` or `enc`, for `zip`, and for `crit`, of which
    ///   nothing is supported (RFC 7516 §4.1.13).
    init(
        parsing text: String, algorithms: [String], encryptions: [ContentEncryption] = ContentEncryption.allCases
    ) throws(JOSEError) {
        let segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count == 5 else { throw .malformed("it must have 5 parts, not \(segments.count)") }
        guard let json = Base64.decodeURL(Substring(segments[0])), let header = (try? JSON(parsing: json))?.object
        else {
            throw .malformed("the header is not a JSON object in base64url")
        }
        for name in ["zip", "crit"] where header[name] != nil { throw .header(name) }
        func unsupported(_ name: String) -> JOSEError {
            .header(header[name].map { "\(name) \(String($0.text.prefix(60)))" } ?? "no \(name)")
        }
        guard let algorithm = header["alg"]?.string, algorithms.contains(algorithm) else { throw unsupported("alg") }
        guard let encryption = header["enc"]?.string.flatMap(ContentEncryption.init(named:)),
            encryptions.contains(encryption)
        else { throw unsupported("enc") }
        (self.header, self.algorithm, self.encryption) = (header, algorithm, encryption)
        associated = Array(segments[0])
        encryptedKey = try Self.bytes(segments[1], count: nil, "the encrypted key")
        guard encryptedKey.isEmpty || !["dir", KeyAgreement.direct].contains(algorithm) else {
            throw .malformed("alg is \(algorithm), but there is an encrypted key")
        }
        vector = try Self.bytes(segments[2], count: encryption.vectorLength, "the initialization vector")
        ciphertext = try Self.bytes(segments[3], count: nil, "the ciphertext")
        tag = try Self.bytes(segments[4], count: encryption.tagLength, "the tag")
    }

    private static func bytes(
        _ segment: Substring.UTF8View, count: Int?, _ name: String
    ) throws(JOSEError) -> [UInt8] {
        guard let bytes = Base64.decodeURL(Substring(segment)), bytes.count == count ?? bytes.count else {
            throw .malformed("\(name) is not base64url, or has the wrong length")
        }
        return bytes
    }

    /// Decrypts and authenticates the content.
    ///
    /// - Throws: `JOSEError.decryption` for another key, and for what was changed; `.library`.
    func open(with key: [UInt8]) throws(JOSEError) -> [UInt8] {
        try CryptoLibrary.load()
        defer { oap_forget_errors() }
        guard key.count == encryption.keyLength,
            let content = encryption.open(ciphertext, tag: tag, key: key, vector: vector, associated: associated)
        else { throw .decryption }
        return content
    }

    /// The compact serialization of bytes that are encrypted with a content key and a new random initialization vector.
    ///
    /// - Parameter header: members of the protected header beside `alg` and `enc`.
    static func seal(
        _ bytes: [UInt8], _ algorithm: String, _ encryption: ContentEncryption, header: JSONObject, key: [UInt8],
        encryptedKey: [UInt8] = []
    ) throws(JOSEError) -> String {
        try CryptoLibrary.load()
        defer { oap_forget_errors() }
        let own: JSONObject = ["alg": .string(algorithm), "enc": .string(encryption.rawValue)]
        let protected = Base64.encodeURL(JSON.object(own.changed(by: header)).bytes)
        let vector = try SecureRandom.bytes(encryption.vectorLength)
        let (ciphertext, tag) = try encryption.seal(
            bytes, key: key, vector: vector, associated: Array(protected.utf8))
        let parts = [encryptedKey, vector, ciphertext, tag].map { Base64.encodeURL($0) }
        return ([protected] + parts).joined(separator: ".")
    }
}
