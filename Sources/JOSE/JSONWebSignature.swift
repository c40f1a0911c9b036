package import Wire

/// A JSON Web Signature in the compact serialization (RFC 7515 §7.1), parsed but not verified.
package struct JSONWebSignature: Sendable {
    package let header: JSONObject
    /// The header's `alg`, verbatim.
    package let algorithmName: String
    /// The header's `kid`, which names the key.
    package let keyID: String?
    /// The payload. Do not use it before `verify`.
    package let payload: [UInt8]
    private let signingInput: [UInt8]
    private let signature: [UInt8]

    /// Parses a compact JWS.
    ///
    /// - Throws: `JOSEError.malformed`; `.encrypted` for a JWE; `.header` for `crit` and `b64`, which are not
    ///   supported (RFC 7515 §4.1.11, RFC 7797 §3).
    package init(parsing text: String) throws(JOSEError) {
        let segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count != 5 else { throw .encrypted }
        guard segments.count == 3 else { throw .malformed("it must have 3 parts, not \(segments.count)") }
        header = try Self.parseHeader(Substring(segments[0]))
        guard let name = header["alg"]?.string else { throw .malformed("the header has no alg") }
        algorithmName = name
        switch header["kid"] {
        case nil: keyID = nil
        case .string(let id)?: keyID = id
        default: throw .malformed("the header's kid is not a string")
        }
        guard let payload = Base64.decodeURL(Substring(segments[1])) else {
            throw .malformed("the payload is not base64url")
        }
        guard let signature = Base64.decodeURL(Substring(segments[2])) else {
            throw .malformed("the signature is not base64url")
        }
        self.payload = payload
        self.signature = signature
        signingInput = Array(text.utf8[..<segments[1].endIndex])
    }

    private static func parseHeader(_ segment: Substring) throws(JOSEError) -> JSONObject {
        guard let bytes = Base64.decodeURL(segment) else { throw .malformed("the header is not base64url") }
        guard let header = (try? JSON(parsing: bytes))?.object else {
            throw .malformed("the header is not a JSON object")
        }
        for name in ["crit", "b64"] where header[name] != nil { throw .header(name) }
        return header
    }
}

extension JSONWebSignature {
    /// Whether it is an unsecured JWS: `alg` is `none`, and the signature is empty (RFC 7515 appendix A.5, RFC 7518
    /// §3.6). It has no proof of origin.
    package var isUnsecured: Bool { algorithmName.isIdentical(to: "none") && signature.isEmpty }

    /// The algorithm, when it is one of those that the caller allows. The token cannot choose another (RFC 8725 §3.1).
    package func algorithm(allowing allowed: Set<SignatureAlgorithm>) throws(JOSEError) -> SignatureAlgorithm {
        guard let algorithm = SignatureAlgorithm(named: algorithmName), allowed.contains(algorithm) else {
            throw .algorithm(algorithmName)
        }
        return algorithm
    }

    /// Checks the signature.
    ///
    /// - Throws: `JOSEError.signature` when it is wrong; `.algorithm`; `.keyMismatch`; `.keyInvalid`; `.keyWeak` for
    ///   HMAC with a key that is shorter than the digest (RFC 7518 §3.2); `.library`.
    package func verify(
        with key: JSONWebKey, allowing allowed: Set<SignatureAlgorithm>
    ) throws(JOSEError) {
        let algorithm = try algorithm(allowing: allowed)
        let isRight =
            switch (algorithm.scheme, key.material) {
            case (.hmac, .secret(let secret)): try verify(secret: secret, algorithm.digest)
            case (.rsaPKCS1, .rsa(let modulus, let exponent)), (.rsaPSS, .rsa(let modulus, let exponent)):
                try PublicKey.rsa(modulus: modulus, exponent: exponent)
                    .verify(signature, over: signingInput, algorithm: algorithm)
            case (.ecdsa(let wanted), .ec(let curve, let x, let y)) where wanted == curve:
                try verify(PublicKey.ec(curve, x: x, y: y), curve, algorithm)
            case (.ed25519, .ed25519(let x)):
                try PublicKey.ed25519(x: x).verify(signature, over: signingInput, algorithm: algorithm)
            default: throw .keyMismatch(algorithm.rawValue)
            }
        guard isRight else { throw .signature }
    }

    private func verify(secret: [UInt8], _ digest: Digest) throws(JOSEError) -> Bool {
        try digest.checkKey(secret)
        return constantTimeEqual(try digest.authenticationCode(of: signingInput, key: secret), signature)
    }

    /// The JWS has r and s side by side (RFC 7518 §3.4), libcrypto wants them in DER (RFC 3279 §2.2.3).
    private func verify(
        _ key: borrowing PublicKey, _ curve: EllipticCurve, _ algorithm: SignatureAlgorithm
    ) throws(JOSEError) -> Bool {
        guard signature.count == 2 * curve.coordinateLength else { return false }
        let der = DER.sequence(
            DER.integer(Array(signature.prefix(curve.coordinateLength))),
            DER.integer(Array(signature.suffix(curve.coordinateLength))))
        return try key.verify(der, over: signingInput, algorithm: algorithm)
    }
}
