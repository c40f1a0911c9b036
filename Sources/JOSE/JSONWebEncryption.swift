package import Wire

/// A JSON Web Encryption in the compact serialization (RFC 7516 §7.1), with a key that both sides have (`dir`, RFC 7518
/// §4.5) and AES-GCM with 256 bits (`A256GCM`, §5.3).
package struct JSONWebEncryption: Sendable {
    /// The protected header. Not authenticated before `decrypt`.
    package let header: JSONObject
    private let associated: [UInt8]
    private let vector: [UInt8]
    private let ciphertext: [UInt8]
    private let tag: [UInt8]

    /// Encrypts bytes with a new random initialization vector.
    ///
    /// - Parameter header: members of the protected header beside `alg` and `enc`: readable by all, and bound to the
    ///   bytes.
    /// - Returns: the compact serialization.
    package static func encrypt(
        _ bytes: [UInt8], key: SymmetricKey, header: JSONObject = [:]
    ) throws(JOSEError) -> String {
        var members: JSONObject = ["alg": .string("dir"), "enc": .string("A256GCM")]
        for member in header.members { members[member.name] = member.value }
        let protected = Base64.encodeURL(JSON.object(members).bytes)
        let vector = try SecureRandom.bytes(AESGCM.vectorLength)
        let (ciphertext, tag) = try AESGCM.encrypt(bytes, key: key, vector: vector, associated: Array(protected.utf8))
        return [protected, "", Base64.encodeURL(vector), Base64.encodeURL(ciphertext), Base64.encodeURL(tag)]
            .joined(separator: ".")
    }

    /// Parses a compact JWE.
    ///
    /// - Throws: `DecryptionError.malformed`; `.header` for another `alg` or `enc`, for `zip`, and for `crit`, of which
    ///   nothing is supported (RFC 7516 §4.1.13).
    package init(parsing text: String) throws(DecryptionError) {
        let segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count == 5 else { throw .malformed("it must have 5 parts, not \(segments.count)") }
        associated = Array(segments[0])
        guard let json = Base64.decodeURL(Substring(segments[0])), let header = (try? JSON(parsing: json))?.object
        else {
            throw .malformed("the header is not a JSON object in base64url")
        }
        for (name, value) in [("alg", "dir"), ("enc", "A256GCM")] {
            guard header[name]?.string?.isIdentical(to: value) == true else { throw .header(name) }
        }
        for name in ["zip", "crit"] where header[name] != nil { throw .header(name) }
        self.header = header
        guard segments[1].isEmpty else { throw .malformed("alg is dir, but there is an encrypted key") }
        vector = try Self.bytes(segments[2], count: AESGCM.vectorLength, "the initialization vector")
        ciphertext = try Self.bytes(segments[3], count: nil, "the ciphertext")
        tag = try Self.bytes(segments[4], count: AESGCM.tagLength, "the tag")
    }

    /// Decrypts and authenticates it.
    package func decrypt(with key: SymmetricKey) throws(DecryptionError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(JOSEError) {
            bytes = try AESGCM.decrypt(ciphertext, tag: tag, key: key, vector: vector, associated: associated)
        } catch {
            throw .library(error)
        }
        guard let bytes else { throw .authentication }
        return bytes
    }

    private static func bytes(
        _ segment: Substring.UTF8View, count: Int?, _ name: String
    ) throws(DecryptionError) -> [UInt8] {
        guard let bytes = Base64.decodeURL(Substring(segment)), bytes.count == count ?? bytes.count else {
            throw .malformed("\(name) is not base64url, or has the wrong length")
        }
        return bytes
    }
}
