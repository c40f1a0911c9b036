package import Wire

/// A key of 256 bits for AES-GCM, as a JSON Web Key of type `oct` (RFC 7518 §6.4).
package struct SymmetricKey: Sendable {
    let bytes: [UInt8]

    private static let length = 32

    package init() throws(JOSEError) { bytes = try SecureRandom.bytes(Self.length) }

    /// Reads a JSON Web Key (RFC 7517 §4).
    ///
    /// - Throws: `JOSEError.keyInvalid` for another type or length, and for a key that is meant for something else than
    ///   encryption; what `JSONWebKey` throws.
    package init(_ members: JSONObject) throws(JOSEError) {
        let isOfAlgorithm = members["alg"].map { [.string("dir"), .string("A256GCM")].contains($0) } ?? true
        guard isOfAlgorithm, members["use"].map({ $0 == .string("enc") }) ?? true,
            members["key_ops"]?.strings.map({ Set($0).isSuperset(of: ["encrypt", "decrypt"]) }) ?? true
        else { throw .keyInvalid("alg, use or key_ops says that the key is not for A256GCM") }
        guard case .secret(let bytes) = try JSONWebKey(members).material, bytes.count == Self.length else {
            throw .keyInvalid("kty must be oct, and k must have \(Self.length) bytes")
        }
        self.bytes = bytes
    }

    /// The JSON Web Key: `kty` and `k`.
    package var members: JSONObject { ["kty": .string("oct"), "k": .string(Base64.encodeURL(bytes))] }
}

extension SymmetricKey {
    /// Encrypts bytes with the key itself (`dir`, RFC 7518 §4.5) and AES-GCM with 256 bits (`A256GCM`, §5.3) into the compact
    /// serialization (RFC 7516 §7.1).
    ///
    /// - Parameter header: members of the protected header beside `alg` and `enc`: readable by all, and bound to the
    ///   bytes.
    package func encrypt(_ bytes: [UInt8], header: JSONObject = [:]) throws(JOSEError) -> String {
        try JSONWebEncryption.seal(bytes, "dir", .gcm256, header: header, key: self.bytes)
    }

    /// The content that ``encrypt(_:header:)`` has encrypted, with its header.
    ///
    /// - Throws: `JOSEError.malformed`; `.header`; `.decryption` for another key, and for what was changed; `.library`.
    package func decrypt(_ text: String) throws(JOSEError) -> (header: JSONObject, content: [UInt8]) {
        let encryption = try JSONWebEncryption(parsing: text, algorithms: ["dir"], encryptions: [.gcm256])
        return (encryption.header, try encryption.open(with: bytes))
    }
}
