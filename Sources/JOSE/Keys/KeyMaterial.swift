internal import CLibCrypto
internal import Wire

extension JSONWebKey.Material {
    /// Reads one PEM block: a public key (RFC 5280 §4.1.2.7, RFC 8017 appendix A.1.1), or that of a certificate.
    ///
    /// - Throws: `JOSEError.keyInvalid`; as ``init(of:)``.
    init(pem block: PEMBlock) throws(JOSEError) {
        try CryptoLibrary.load()
        defer { oap_forget_errors() }
        let bytes = Array(block.text.utf8)
        guard let pointer = oap_public_key_from_pem(bytes, bytes.count, block.label == "CERTIFICATE" ? 1 : 0) else {
            throw .keyInvalid("libcrypto cannot read its \(block.label)")
        }
        defer { oap_key_free(pointer) }
        try self.init(of: pointer)
    }

    /// The public half of a key of libcrypto.
    ///
    /// - Throws: `JOSEError.keyUnsupported` for another type or curve; `.keyWeak` for RSA under 2048 bits; `.library`.
    init(of key: OpaquePointer) throws(JOSEError) {
        if oap_key_is(key, "RSA") == 1 {
            let modulus = try KeyPart.number("n", of: key, length: (Int(oap_key_bits(key)) + 7) / 8)
            let exponent = try KeyPart.number("e", of: key, length: modulus.count).drop { $0 == 0 }
            self = try JSONWebKey.rsa(modulus: modulus, exponent: Array(exponent))
        } else if oap_key_is(key, "EC") == 1 {
            let curve = try Self.curve(of: key)
            // Not the point as it is, which may be compressed (SEC 1 §2.3.3).
            let length = curve.coordinateLength
            self = .ec(
                curve, x: try KeyPart.number("qx", of: key, length: length),
                y: try KeyPart.number("qy", of: key, length: length))
        } else if oap_key_is(key, "ED25519") == 1 {
            self = .ed25519(x: try KeyPart.octets("pub", of: key, count: 32))
        } else {
            throw .keyUnsupported("its type is none of RSA, EC and Ed25519")
        }
    }

    private static func curve(of key: OpaquePointer) throws(JOSEError) -> EllipticCurve {
        var name = [CChar](repeating: 0, count: 64)
        guard oap_key_curve(key, &name, name.count) == 1 else { throw .keyUnsupported("its curve has no name") }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let curve = EllipticCurve.allCases.first(where: { $0.names.contains(text) }) else {
            throw .keyUnsupported("its curve is \(text)")
        }
        return curve
    }
}
