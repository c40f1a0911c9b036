internal import CLibCrypto

/// A public key of libcrypto (EVP_PKEY).
struct PublicKey: ~Copyable {
    private let pointer: OpaquePointer

    /// Passes a key to libcrypto.
    ///
    /// - Throws: `JOSEError.keyInvalid`, for a point that is not on its curve; `.library`.
    init(_ key: (type: String, parts: [KeyPart])?) throws(JOSEError) {
        guard let (type, parts) = key else { throw .keyUnsupported("it is a secret that both sides share") }
        try CryptoLibrary.load()
        defer { oap_forget_errors() }
        guard let pointer = KeyPart.key(type, parts) else {
            throw .keyInvalid("libcrypto rejects the key; its point may not be on the curve")
        }
        self.pointer = pointer
    }

    deinit { oap_key_free(pointer) }

    func withPointer<Value>(_ body: (OpaquePointer) -> Value) -> Value { body(pointer) }

    /// Encrypts a few bytes with RSAES-OAEP (RFC 8017 §7.1.1).
    func encryptOAEP(_ bytes: [UInt8], digest: String) throws(JOSEError) -> [UInt8] {
        guard let encrypted = Self.oaep(bytes, by: pointer, digest: digest, encrypts: true) else {
            throw .library("libcrypto does not encrypt with RSA-OAEP")
        }
        return encrypted
    }

    /// The bytes that RSAES-OAEP makes of a few, with either half of a key; nil if libcrypto refuses them.
    static func oaep(_ bytes: [UInt8], by key: OpaquePointer, digest: String, encrypts: Bool) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: longestNumber)
        var length = output.count
        guard oap_oaep(key, digest, bytes, bytes.count, &output, &length, encrypts ? 1 : 0) == 1 else { return nil }
        return Array(output.prefix(length))
    }

    /// The bytes of what an RSA key of 16384 bits makes, the longest that libcrypto takes.
    static let longestNumber = 2048

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
