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

    /// The content encryptions; the raw value is `enc` (RFC 7518 §5.1).
    private enum ContentEncryption: String, WireName, CaseIterable {
        case cbc = "A128CBC-HS256"
        case gcm128 = "A128GCM"
        case gcm256 = "A256GCM"

        var keyLength: Int { self == .gcm128 ? 16 : 32 }
        var vectorLength: Int { self == .cbc ? 16 : 12 }
    }

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
            guard secret.count == encryption.keyLength, let content = content(by: secret) else { throw .decryption }
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

    private static func keyType(of algorithm: String) -> String { algorithm.hasPrefix("RSA") ? "RSA" : "EC" }

    private func contentKey(by key: borrowing PrivateKey) throws(JOSEError) -> [UInt8] {
        if algorithm.hasPrefix("RSA") {
            guard case .rsa = try key.publicMaterial() else { throw .keyMismatch(algorithm) }
            return try key.decryptOAEP(parts[1], digest: algorithm == "RSA-OAEP" ? "SHA1" : "SHA256")
        }
        guard let members = header["epk"]?.object, let sent = try? JSONWebKey(members).material,
            case .ec(let curve, let x, let y) = sent
        else { throw .malformed("its epk is no key of a curve") }
        guard case .ec(let own, _, _) = try key.publicMaterial(), own == curve
        else { throw .keyMismatch(algorithm) }
        let shared = try key.derive(with: PublicKey.ec(curve, x: x, y: y), length: curve.coordinateLength)
        let isDirect = algorithm == "ECDH-ES"
        let length = isDirect ? encryption.keyLength : algorithm == "ECDH-ES+A128KW" ? 16 : 32
        let name = isDirect ? encryption.rawValue : algorithm
        let derived = try concatenated(shared, named: name, length: length)
        guard !isDirect else {
            guard parts[1].isEmpty else { throw .malformed("alg is ECDH-ES, but there is an encrypted key") }
            return derived
        }
        guard let secret = Self.decrypt("AES-\(length * 8)-WRAP", derived, nil, nil, [], parts[1]) else {
            throw .decryption
        }
        return secret
    }

    /// The Concat KDF with SHA-256, of which one round is enough (RFC 7518 §4.6.2).
    private func concatenated(_ shared: [UInt8], named name: String, length: Int) throws(JOSEError) -> [UInt8] {
        var input: [UInt8] = [0, 0, 0, 1] + shared + Self.counted(Array(name.utf8))
        for party in ["apu", "apv"] {
            guard let text = header[party] else {
                input += Self.counted([])
                continue
            }
            guard let bytes = text.string.flatMap({ Base64.decodeURL($0) }) else {
                throw .malformed("\(party) is not base64url")
            }
            input += Self.counted(bytes)
        }
        return Array(Digest.sha256(input + Self.bigEndian(UInt32(length * 8))).prefix(length))
    }

    private static func counted(_ bytes: [UInt8]) -> [UInt8] { bigEndian(UInt32(bytes.count)) + bytes }

    private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private func content(by key: [UInt8]) -> [UInt8]? {
        let (vector, ciphertext, tag) = (parts[2], parts[3], parts[4])
        guard encryption == .cbc else {
            return Self.decrypt("AES-\(key.count * 8)-GCM", key, vector, tag, associated, ciphertext)
        }
        // The code is checked before anything is decrypted (RFC 7518 §5.2.2.2).
        let signed = associated + vector + ciphertext + Self.bigEndian(UInt64(associated.count * 8))
        guard let code = try? Digest.sha256.authenticationCode(of: signed, key: Array(key.prefix(16))),
            constantTimeEqual(Array(code.prefix(16)), tag)
        else { return nil }
        return Self.decrypt("AES-128-CBC", Array(key.suffix(16)), vector, nil, [], ciphertext)
    }

    private static func decrypt(
        _ cipher: String, _ key: [UInt8], _ vector: [UInt8]?, _ tag: [UInt8]?, _ associated: [UInt8], _ bytes: [UInt8]
    ) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: bytes.count + 32)
        var length = 0
        guard
            oap_decrypt(
                cipher, key, vector, tag, associated, associated.count, bytes, bytes.count, &output, &length) == 1
        else { return nil }
        return Array(output.prefix(length))
    }
}
