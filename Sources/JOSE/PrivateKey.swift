internal import CLibCrypto

/// A private key of libcrypto (EVP_PKEY).
struct PrivateKey: ~Copyable {
    private let pointer: OpaquePointer

    /// Makes a new key for an algorithm with a public key: RSA of 2048 bits, the curve of the algorithm, or Ed25519.
    ///
    /// - Throws: `JOSEError.library`; `.keyMismatch` for HMAC, whose keys are bytes.
    static func generate(for algorithm: SignatureAlgorithm) throws(JOSEError) -> PrivateKey {
        try CryptoLibrary.load()
        defer { oap_forget_errors() }
        let made =
            switch algorithm.scheme {
            case .hmac: throw .keyMismatch(algorithm.rawValue)
            case .rsaPKCS1, .rsaPSS: oap_generate_rsa(rsaLength * 8)
            case .ecdsa(let curve): oap_generate_ec(curve.rawValue)
            case .ed25519: oap_generate_ed25519()
            }
        guard let made else { throw .library("libcrypto makes no key for \(algorithm.rawValue)") }
        return PrivateKey(owning: made)
    }

    private init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { oap_key_free(pointer) }

    /// The public half of a key that was generated for the algorithm.
    func publicMaterial(for algorithm: SignatureAlgorithm) throws(JOSEError) -> JSONWebKey.Material {
        switch algorithm.scheme {
        case .hmac: throw .keyMismatch(algorithm.rawValue)
        case .rsaPKCS1, .rsaPSS:
            return .rsa(modulus: try number("n", length: Self.rsaLength), exponent: try number("e", length: 3))
        case .ecdsa(let curve):
            // The point as it is, not compressed: 4, x, y (SEC 1 §2.3.3).
            let point = try bytes("pub", count: 1 + 2 * curve.coordinateLength).dropFirst()
            return .ec(
                curve, x: Array(point.prefix(curve.coordinateLength)), y: Array(point.suffix(curve.coordinateLength)))
        case .ed25519: return .ed25519(x: try bytes("pub", count: 32))
        }
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
        var signature = [UInt8](repeating: 0, count: Self.longestSignature)
        var length = signature.count
        guard context != nil, oap_sign_init(context, &options, digest, pointer) == 1,
            algorithm.scheme != .rsaPSS || oap_use_pss(options) == 1,
            oap_sign(context, &signature, &length, bytes, bytes.count) == 1
        else { throw .library("libcrypto does not sign with \(algorithm.rawValue)") }
        return Array(signature.prefix(length))
    }

    private func bytes(_ name: String, count: Int) throws(JOSEError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var length = 0
        guard oap_key_bytes(pointer, name, &bytes, count, &length) == 1, length == count else {
            throw .library("libcrypto does not give the public half of a key")
        }
        return bytes
    }

    private func number(_ name: String, length: Int) throws(JOSEError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: length)
        guard oap_key_number(pointer, name, &bytes, length) == 1 else {
            throw .library("libcrypto does not give the public half of a key")
        }
        return bytes
    }

    /// The bytes of the modulus of an RSA key that is made here.
    private static let rsaLength = 256
    /// The bytes of a signature by an RSA key of 16384 bits, the longest that libcrypto takes.
    private static let longestSignature = 2048
}
