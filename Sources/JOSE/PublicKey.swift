internal import CLibCrypto

/// A public key of libcrypto (EVP_PKEY).
struct PublicKey: ~Copyable {
    private let pointer: OpaquePointer

    /// Passes a key to libcrypto, in DER (RFC 5280 §4.1.2.7).
    ///
    /// - Throws: `JOSEError.keyInvalid`, for a point that is not on its curve; `.library`.
    init(subjectPublicKeyInfo der: [UInt8]) throws(JOSEError) {
        try CryptoLibrary.load()
        defer { oap_forget_errors() }
        guard let pointer = oap_public_key(der, der.count) else {
            throw .keyInvalid("libcrypto rejects the key; its point may not be on the curve")
        }
        self.pointer = pointer
    }

    deinit { oap_key_free(pointer) }

    func withPointer<Value>(_ body: (OpaquePointer) -> Value) -> Value { body(pointer) }

    /// Encrypts a few bytes with RSAES-OAEP (RFC 8017 §7.1.1).
    func encryptOAEP(_ bytes: [UInt8], digest: String) throws(JOSEError) -> [UInt8] {
        // As long as an RSA key of 16384 bits.
        var output = [UInt8](repeating: 0, count: 2048)
        var length = output.count
        guard oap_oaep(pointer, digest, bytes, bytes.count, &output, &length, 1) == 1 else {
            throw .library("libcrypto does not encrypt with RSA-OAEP")
        }
        return Array(output.prefix(length))
    }

    /// Whether a signature over some bytes is valid: ECDSA in DER, EdDSA and RSA as it is (EVP_DigestVerify).
    func verify(
        _ signature: [UInt8], over bytes: [UInt8], algorithm: SignatureAlgorithm
    ) throws(JOSEError) -> Bool {
        let context = oap_context_new()
        defer {
            oap_context_free(context)
            oap_forget_errors()
        }
        var options: OpaquePointer?
        // EdDSA has a fixed digest (RFC 8032), and libcrypto refuses another.
        let digest = algorithm.scheme == .ed25519 ? nil : algorithm.digest.name
        guard context != nil, oap_verify_init(context, &options, digest, pointer) == 1,
            algorithm.scheme != .rsaPSS || oap_use_pss(options) == 1
        else { throw .library("libcrypto does not verify \(algorithm.rawValue)") }
        return oap_verify(context, signature, signature.count, bytes, bytes.count) == 1
    }
}

extension PublicKey {
    /// An RSA key (RFC 3279 §2.3.1).
    static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(JOSEError) -> PublicKey {
        try PublicKey(
            algorithm: DER.sequence(DER.objectIdentifier(rsaEncryption), DER.null),
            key: DER.sequence(DER.integer(modulus), DER.integer(exponent)))
    }

    /// A point on a curve, not compressed (RFC 5480 §2).
    static func ec(_ curve: EllipticCurve, x: [UInt8], y: [UInt8]) throws(JOSEError) -> PublicKey {
        try PublicKey(
            algorithm: DER.sequence(DER.objectIdentifier(ecPublicKey), DER.objectIdentifier(curve.objectIdentifier)),
            key: [0x04] + x + y)
    }

    /// An Ed25519 key (RFC 8410 §4).
    static func ed25519(x: [UInt8]) throws(JOSEError) -> PublicKey {
        try PublicKey(algorithm: DER.sequence(DER.objectIdentifier(ed25519)), key: x)
    }

    private init(algorithm: [UInt8], key: [UInt8]) throws(JOSEError) {
        try self.init(subjectPublicKeyInfo: DER.sequence(algorithm, DER.bitString(key)))
    }

    /// 1.2.840.113549.1.1.1
    private static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    /// 1.2.840.10045.2.1
    private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// 1.3.101.112
    private static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]
}
