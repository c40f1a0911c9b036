internal import CLibCrypto
internal import Wire

/// A private key of libcrypto (EVP_PKEY).
struct PrivateKey: ~Copyable, @unchecked Sendable {
    // libcrypto lets several threads sign with one key.
    private let pointer: OpaquePointer

    /// Makes a new key: RSA of 2048 bits, one on a curve, or Ed25519.
    ///
    /// - Throws: `JOSEError.library`, also for HMAC, whose keys are bytes.
    static func generate(for scheme: SignatureAlgorithm.Scheme) throws(JOSEError) -> PrivateKey {
        try CryptoLibrary.load()
        defer { oap_forget_errors() }
        let made: OpaquePointer? =
            switch scheme {
            case .hmac: nil
            case .rsaPKCS1, .rsaPSS: oap_generate_rsa(rsaLength * 8)
            case .ecdsa(let curve): oap_generate_ec(curve.rawValue)
            case .ed25519: oap_generate_ed25519()
            }
        guard let made else { throw .library("libcrypto makes no key") }
        return PrivateKey(owning: made)
    }

    /// Reads one PEM block: PKCS#8, also encrypted, PKCS#1, or SEC 1. ``publicMaterial()`` refuses keys that no algorithm
    /// here signs with.
    ///
    /// - Throws: `JOSEError.keyInvalid`; `.passPhrase`; `.library`.
    init(pem block: PEMBlock, passPhrase: String?) throws(JOSEError) {
        if block.label == "ENCRYPTED PRIVATE KEY" { try KeyDerivation.check(block) }
        try CryptoLibrary.load()
        defer { oap_forget_errors() }
        let (bytes, phrase) = (Array(block.text.utf8), passPhrase.map { Array($0.utf8) })
        var asked: Int32 = 0
        guard let pointer = oap_key_from_pem(bytes, bytes.count, phrase, phrase?.count ?? 0, &asked) else {
            throw asked > 0
                ? .passPhrase(isGiven: phrase != nil) : .keyInvalid("libcrypto cannot read its \(block.label)")
        }
        self.init(owning: pointer)
    }

    /// Reads a private JSON Web Key (RFC 7518 §6.2.2 and §6.3.2, RFC 8037 §2). Whether its halves belong together shows
    /// when it signs.
    ///
    /// - Throws: as `JSONWebKey`; `JOSEError.keyInvalid` for one without a private half; `.library`.
    init(jwk members: JSONObject) throws(JOSEError) {
        let material = try JSONWebKey(members).material
        guard members["oth"] == nil else { throw .keyUnsupported("RSA with more than two primes") }
        let secret = { (name: String) throws(JOSEError) in
            guard let text = members[name]?.string, let bytes = Base64.decodeURL(text) else {
                throw JOSEError.keyInvalid("\(name) is missing, or is not base64url: it has no private half")
            }
            return bytes
        }
        guard case (let type, var parts)? = material.parts else {
            throw .keyUnsupported("kty oct: it is a secret that both sides share")
        }
        let number = try secret("d")
        switch material {
        case .rsa:
            parts.append(.number("d", number))
            if Self.rsaFactors.allSatisfy({ members[$0.jwk] != nil }) {
                for factor in Self.rsaFactors { parts.append(.number(factor.name, try secret(factor.jwk))) }
            }
        case .ec(let curve, _, _):
            guard number.count <= curve.coordinateLength else {
                throw .keyInvalid("d is too long for \(curve.rawValue)")
            }
            parts.append(.number("priv", number))
        case .ed25519:
            guard number.count == 32 else { throw .keyInvalid("d has \(number.count) bytes instead of 32") }
            parts.append(.octets("priv", number))
        case .secret: break
        }
        try CryptoLibrary.load()
        defer { oap_forget_errors() }
        guard let pointer = KeyPart.key(type, parts) else { throw .keyInvalid("libcrypto rejects its numbers") }
        self.init(owning: pointer)
    }

    private init(owning pointer: OpaquePointer) { self.pointer = pointer }

    private static let rsaFactors: [(jwk: String, name: String)] = [
        ("p", "rsa-factor1"), ("q", "rsa-factor2"), ("dp", "rsa-exponent1"), ("dq", "rsa-exponent2"),
        ("qi", "rsa-coefficient1"),
    ]

    deinit { oap_key_free(pointer) }

    /// The public half; throws as ``JSONWebKey/Material/init(of:)``.
    func publicMaterial() throws(JOSEError) -> JSONWebKey.Material { try JSONWebKey.Material(of: pointer) }

    /// The members of the private half (RFC 7518 §6.2.2 and §6.3.2, RFC 8037 §2).
    func privateMembers() throws(JOSEError) -> JSONObject {
        switch try publicMaterial() {
        case .rsa(let modulus, _):
            var members: JSONObject = ["d": .base64(try KeyPart.number("d", of: pointer, length: modulus.count))]
            let length = (modulus.count + 1) / 2
            for factor in Self.rsaFactors {
                members[factor.jwk] = .base64(try KeyPart.number(factor.name, of: pointer, length: length))
            }
            return members
        case .ec(let curve, _, _):
            return ["d": .base64(try KeyPart.number("priv", of: pointer, length: curve.coordinateLength))]
        case .ed25519: return ["d": .base64(try KeyPart.octets("priv", of: pointer, count: 32))]
        case .secret: return [:]
        }
    }

    /// The bytes that RSAES-OAEP decrypts (RFC 8017 §7.1.2).
    func decryptOAEP(_ bytes: [UInt8], digest: String) throws(JOSEError) -> [UInt8] {
        guard let plain = PublicKey.oaep(bytes, by: pointer, digest: digest, encrypts: false) else {
            throw .decryption
        }
        return plain
    }

    /// The secret that this key and another on its curve share (RFC 6090 §4).
    func derive(with other: borrowing PublicKey, length: Int) throws(JOSEError) -> [UInt8] {
        var secret = [UInt8](repeating: 0, count: length)
        var count = length
        guard other.withPointer({ oap_derive(pointer, $0, &secret, &count) }) == 1, count == length else {
            throw .decryption
        }
        return secret
    }

    /// A signature over some bytes: ECDSA in DER, EdDSA and RSA as it is (EVP_DigestSign).
    func sign(_ bytes: [UInt8], algorithm: SignatureAlgorithm) throws(JOSEError) -> [UInt8] {
        let context = oap_context_new()
        defer {
            oap_context_free(context)
            oap_forget_errors()
        }
        var options: OpaquePointer?
        // As in `PublicKey.verify`: EdDSA has a fixed digest.
        let digest = algorithm.scheme == .ed25519 ? nil : algorithm.digest.name
        var signature = [UInt8](repeating: 0, count: PublicKey.longestNumber)
        var length = signature.count
        guard context != nil, oap_sign_init(context, &options, digest, pointer) == 1,
            algorithm.scheme != .rsaPSS || oap_use_pss(options) == 1,
            oap_sign(context, &signature, &length, bytes, bytes.count) == 1
        else { throw .library("libcrypto does not sign with \(algorithm.rawValue)") }
        return Array(signature.prefix(length))
    }

    /// The signature of RSA as it is, or of ECDSA as r and s side by side (RFC 7518 §3.4).
    func signature(over input: [UInt8], algorithm: SignatureAlgorithm) throws(JOSEError) -> [UInt8] {
        let signature = try sign(input, algorithm: algorithm)
        guard case .ecdsa(let curve) = algorithm.scheme else { return signature }
        guard let halves = DER.signatureHalves(signature, length: curve.coordinateLength) else {
            throw .library("libcrypto returned an invalid ECDSA signature")
        }
        return halves
    }

    /// The bytes of the modulus of an RSA key that is made here.
    private static let rsaLength = 256
}
