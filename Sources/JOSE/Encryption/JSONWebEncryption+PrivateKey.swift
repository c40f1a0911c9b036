internal import CLibCrypto
internal import Wire

/// What a server encrypts for a client's private key (RFC 7516, RFC 7518 §4, §5): with RSA-OAEP, RSA-OAEP-256, ECDH-ES alone
/// or with AES key wrapping, and every content encryption of RFC 7518.
extension JSONWebEncryption {
    package static let encryptions = ContentEncryption.allCases.map(\.rawValue)
    package static let algorithms =
        ["RSA-OAEP", "RSA-OAEP-256", KeyAgreement.direct] + KeyAgreement.wrapping.keys.sorted()

    package static func isOne(_ text: String) -> Bool { text.utf8.count { $0 == UInt8(ascii: ".") } == 4 }

    /// - Throws: `JOSEError.malformed`; `.header` for `zip`, `crit` and another `alg` or `enc`: RSA1_5 is an oracle for
    ///   whoever can try (RFC 8725 §3.2).
    package init(parsing text: String) throws(JOSEError) { try self.init(parsing: text, algorithms: Self.algorithms) }

    /// Decrypts it with the private key of a text.
    ///
    /// - Throws: `JOSEError.keyMismatch` for a key of another kind; `.decryption` for another key and for what was changed
    ///   on its way; as ``PrivateKeyText``.
    package func decrypt(with text: PrivateKeyText, passPhrase: String?) throws(JOSEError) -> [UInt8] {
        defer { oap_forget_errors() }
        let (keyID, type) = (header["kid"]?.string, Self.keyType(of: algorithm))
        return try text.withDecryptionKey(passPhrase: passPhrase, keyID: keyID, type: type) { key throws(JOSEError) in
            try open(by: key)
        }
    }

    /// Checks that a text has a key for an algorithm, and that each such key can be used.
    ///
    /// - Throws: `JOSEError.keyMismatch` for keys of another kind; as ``PrivateKeyText``.
    package static func check(
        _ text: PrivateKeyText, passPhrase: String?, for algorithm: String
    ) throws(JOSEError) {
        defer { oap_forget_errors() }
        let type = keyType(of: algorithm)
        try text.withDecryptionKey(passPhrase: passPhrase, keyID: nil, type: type) { key throws(JOSEError) in
            switch (try key.publicMaterial(), type) {
            case (.rsa, "RSA"), (.ec, "EC"): break
            default: throw .keyMismatch(algorithm)
            }
        }
    }

    static func keyType(of algorithm: String) -> String { algorithm.hasPrefix("RSA") ? "RSA" : "EC" }

    /// The digest of RSAES-OAEP (RFC 7518 §4.3).
    static func digest(of algorithm: String) -> String { algorithm == "RSA-OAEP" ? "SHA1" : "SHA256" }

    private func open(by key: borrowing PrivateKey) throws(JOSEError) -> [UInt8] {
        if algorithm.hasPrefix("RSA") {
            guard case .rsa = try key.publicMaterial() else { throw .keyMismatch(algorithm) }
            return try open(with: try key.decryptOAEP(encryptedKey, digest: Self.digest(of: algorithm)))
        }
        guard case .ec(let curve, _, _) = try key.publicMaterial() else { throw .keyMismatch(algorithm) }
        let sent = header["epk"]?.object ?? [:]
        let unfit = JOSEError.malformed("its epk is no key of a curve")
        guard sent["kty"] == .string("EC") else { throw unfit }
        // Before the coordinates, which may be longer: another key of a set may be on that curve.
        guard sent["crv"] == .string(curve.rawValue) else { throw .keyMismatch(algorithm) }
        guard let x = curve.coordinate("x", of: sent), let y = curve.coordinate("y", of: sent) else { throw unfit }
        let point = JSONWebKey.Material.ec(curve, x: x, y: y)
        let shared = try key.derive(with: PublicKey(point.parts), length: curve.coordinateLength)
        for secret in [shared, Array(shared.drop { $0 == 0 })] {
            let derived = try KeyAgreement.key(from: secret, header: header, algorithm, encryption)
            let isDirect = algorithm == KeyAgreement.direct
            let key = isDirect ? derived : Cipher.decrypt("AES-\(derived.count * 8)-WRAP", key: derived, encryptedKey)
            if let key, let content = try? open(with: key) { return content }
        }
        throw .decryption
    }
}

extension EllipticCurve {
    /// A coordinate of an `epk`. Servers with librhonabwy, such as Glewlwyd, leave out the zeros at its beginning, which RFC
    /// 7518 §6.2.1.2 wants, and those of the shared secret: without both, one login of 85 fails there.
    fileprivate func coordinate(_ name: String, of members: JSONObject) -> [UInt8]? {
        guard let bytes = members[name]?.string.flatMap({ Base64.decodeURL($0) }), !bytes.isEmpty,
            bytes.count <= coordinateLength
        else { return nil }
        return [UInt8](repeating: 0, count: coordinateLength - bytes.count) + bytes
    }
}
