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
        keyID = header["kid"]?.keyID
        guard keyID != nil || header["kid"]?.isNull ?? true else {
            throw .malformed("the header's kid is not a string")
        }
        guard let payload = Base64.decodeURL(Substring(segments[1])) else {
            throw .malformed("the payload is not base64url")
        }
        guard let signature = Base64.decodeURL(Substring(segments[2])) else {
            throw .malformed("the signature is not base64url")
        }
        (self.payload, self.signature) = (payload, signature)
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
        guard let algorithm = SignatureAlgorithm(named: algorithmName),
            allowed.contains(where: { $0.isNamed(algorithmName) })
        else {
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
        guard try key.verifies(signature, over: signingInput, algorithm) else { throw .signature }
    }
}

extension JSON {
    /// The name of a key: a string (RFC 7515 §4.1.4), or a number, which some issuers send. Nil for anything else.
    package var keyID: String? {
        guard case .number(let text) = self else { return string }
        return text
    }
}
