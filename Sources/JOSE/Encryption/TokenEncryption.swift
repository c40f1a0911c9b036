internal import CLibCrypto
package import Wire

/// How a JWT is encrypted for the public key of its reader (RFC 7516 §5.1): the other side of
/// ``JSONWebEncryption/decrypt(with:passPhrase:)``.
package struct TokenEncryption: Sendable, Equatable {
    /// The `alg`.
    package let algorithm: String
    private let content: ContentEncryption

    /// - Parameter encryption: the `enc`.
    /// - Returns: nil for an algorithm that ``JSONWebEncryption`` does not have.
    package init?(algorithm: String, encryption: String) {
        guard JSONWebEncryption.algorithms.contains(algorithm), let content = ContentEncryption(named: encryption)
        else { return nil }
        (self.algorithm, self.content) = (algorithm, content)
    }

    /// The `enc`.
    package var encryption: String { content.rawValue }

    /// Whether a public JSON Web Key may be used: by its type, and by its `use` and `alg` if it has them.
    package func fits(_ key: JSONObject) -> Bool {
        key["kty"]?.string == JSONWebEncryption.keyType(of: algorithm)
            && key["use"].map { $0 == .string("enc") } ?? true && key["alg"].map { $0 == .string(algorithm) } ?? true
    }

    /// Encrypts bytes into the compact serialization (RFC 7516 §7.1).
    ///
    /// - Parameters:
    ///   - key: the public JSON Web Key; its `kid` is in the header.
    ///   - header: further members of the protected header, for example `cty`.
    /// - Throws: `JOSEError.keyMismatch` for a key of another type; as `JSONWebKey`; `.library`.
    package func encrypt(
        _ bytes: [UInt8], for key: JSONObject, header more: JSONObject = [:]
    ) throws(JOSEError) -> String {
        defer { oap_forget_errors() }
        var header: JSONObject = [:]
        header["kid"] = key["kid"]
        header = header.changed(by: more)
        let (secret, wrapped) = try contentKey(for: key, &header)
        return try JSONWebEncryption.seal(
            bytes, algorithm, content, header: header, key: secret, encryptedKey: wrapped)
    }

    /// A new content key, and what the reader finds it by: the key encrypted, or a point in the header.
    private func contentKey(
        for key: JSONObject, _ header: inout JSONObject
    ) throws(JOSEError) -> (secret: [UInt8], wrapped: [UInt8]) {
        let random = try SecureRandom.bytes(content.keyLength)
        let material = try JSONWebKey(key).material
        switch material {
        case .rsa where JSONWebEncryption.keyType(of: algorithm) == "RSA":
            let key = try PublicKey(material.parts)
            return (random, try key.encryptOAEP(random, digest: JSONWebEncryption.digest(of: algorithm)))
        case .ec(let curve, _, _) where JSONWebEncryption.keyType(of: algorithm) == "EC":
            let ephemeral = try PrivateKey.generate(for: .ecdsa(curve))
            header["epk"] = .object(try ephemeral.publicMaterial().requiredMembers)
            let shared = try ephemeral.derive(with: PublicKey(material.parts), length: curve.coordinateLength)
            let derived = try KeyAgreement.key(from: shared, header: header, algorithm, content)
            guard algorithm != KeyAgreement.direct else { return (derived, []) }
            return (random, try Cipher.encrypt("AES-\(derived.count * 8)-WRAP", key: derived, random).bytes)
        default: throw .keyMismatch(algorithm)
        }
    }
}
