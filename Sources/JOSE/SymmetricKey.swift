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
