internal import CLibCrypto
package import Wire

/// A JSON Web Encryption that a server made for a client's private key (RFC 7516, RFC 7518 §4, §5): RSA-OAEP,
/// RSA-OAEP-256, ECDH-ES alone or with AES key wrapping, with the content encryptions A128CBC-HS256, A128GCM and A256GCM.
package struct EncryptedToken: Sendable {
    package let header: JSONObject
    private let parts: [[UInt8]]
    private let associated: [UInt8]
    private let algorithm: String
    private let encryption: ContentEncryption

    package static func isOne(_ text: String) -> Bool { text.utf8.count { $0 == UInt8(ascii: ".") } == 4 }

    /// - Throws: `JOSEError.malformed`; `.header` for `zip`, `crit` and another `alg` or `enc`: RSA1_5 is an oracle for
    ///   whoever can try (RFC 8725 §3.2).
    package init(parsing text: String) throws(JOSEError) {
        let segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count == 5 else { throw .malformed("an encrypted one has 5 parts, not \(segments.count)") }
        parts = segments.compactMap { Base64.decodeURL(Substring($0)) }
        guard parts.count == 5, let header = (try? JSON(parsing: parts[0]))?.object else {
            throw .malformed("a part is not base64url, or the header is not a JSON object")
        }
        for name in ["zip", "crit"] where header[name] != nil { throw .header(name) }
        guard let encryption = header["enc"]?.string.flatMap(ContentEncryption.init(named:)) else {
            throw .header("enc")
        }
        guard let algorithm = header["alg"]?.string, Self.algorithms.contains(algorithm) else { throw .header("alg") }
        guard parts[2].count == encryption.vectorLength, parts[4].count == 16 else {
            throw .malformed("its initialization vector or its tag has another length")
        }
        (self.header, self.encryption, self.algorithm) = (header, encryption, algorithm)
        associated = Array(segments[0])
    }

    package static let encryptions = ContentEncryption.allCases.map(\.rawValue)
    package static let algorithms = ["RSA-OAEP", "RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW"]

    /// Decrypts it with the private key of a text.
    ///
    /// - Throws: `JOSEError.keyMismatch` for a key of another kind; `.decryption` for another key and for what was changed
    ///   on its way; as ``PrivateKeyText``.
    package func decrypt(with text: PrivateKeyText, passPhrase: String?) throws(JOSEError) -> [UInt8] {
        defer { oap_forget_errors() }
        let (keyID, type) = (header["kid"]?.string, Self.keyType(of: algorithm))
        return try text.withDecryptionKey(passPhrase: passPhrase, keyID: keyID, type: type) { key throws(JOSEError) in
            let secret = try contentKey(by: key)
            let (vector, ciphertext, tag) = (parts[2], parts[3], parts[4])
            guard secret.count == encryption.keyLength,
                let content = encryption.open(
                    ciphertext, tag: tag, key: secret, vector: vector, associated: associated)
            else { throw .decryption }
            return content
        }
    }

    /// Checks that a text has a key for an algorithm, and that each such key can be used.
    ///
    /// - Throws: `JOSEError.keyMismatch` for keys of another kind; as ``PrivateKeyText``.
    package static func check(
        _ text: PrivateKeyText, passPhrase: String?, for algorithm: String
    ) throws(JOSEError) {
        defer { oap_forget_errors() }
        try text.withDecryptionKey(
            passPhrase: passPhrase, keyID: nil, type: keyType(of: algorithm)
        ) { key throws(JOSEError) in
            switch try key.publicMaterial() {
            case .rsa: guard keyType(of: algorithm) == "RSA" else { throw .keyMismatch(algorithm) }
            case .ec: guard keyType(of: algorithm) == "EC" else { throw .keyMismatch(algorithm) }
            default: throw .keyMismatch(algorithm)
            }
        }
    }

    static func keyType(of algorithm: String) -> String { algorithm.hasPrefix("RSA") ? "RSA" : "EC" }

    /// The digest of RSAES-OAEP (RFC 7518 §4.3).
    static func digest(of algorithm: String) -> String { algorithm == "RSA-OAEP" ? "SHA1" : "SHA256" }

    private func contentKey(by key: borrowing PrivateKey) throws(JOSEError) -> [UInt8] {
        if algorithm.hasPrefix("RSA") {
            guard case .rsa = try key.publicMaterial() else { throw .keyMismatch(algorithm) }
            return try key.decryptOAEP(parts[1], digest: Self.digest(of: algorithm))
        }
        guard let members = header["epk"]?.object, let sent = try? JSONWebKey(members).material,
            case .ec(let curve, let x, let y) = sent
        else { throw .malformed("its epk is no key of a curve") }
        guard case .ec(let own, _, _) = try key.publicMaterial(), own == curve
        else { throw .keyMismatch(algorithm) }
        let shared = try key.derive(with: PublicKey.ec(curve, x: x, y: y), length: curve.coordinateLength)
        let derived = try KeyAgreement.key(from: shared, header: header, algorithm, encryption)
        guard algorithm != KeyAgreement.direct else {
            guard parts[1].isEmpty else { throw .malformed("alg is ECDH-ES, but there is an encrypted key") }
            return derived
        }
        guard let secret = Cipher.decrypt("AES-\(derived.count * 8)-WRAP", key: derived, parts[1]) else {
            throw .decryption
        }
        return secret
    }
}
