package import JOSE
package import Wire

/// A signed JWT (RFC 7519 §3), parsed but not validated.
///
/// Between the two steps the caller fetches the issuer's keys.
package struct JSONWebToken: Sendable {
    /// What it is used as.
    package let profile: JWTProfile
    /// The signature and the header.
    package let signature: JSONWebSignature
    /// The claims. Do not use them before they are validated.
    package let claims: JSONObject

    /// Takes a token apart.
    ///
    /// - Throws: `id_token_malformed`; `id_token_header` for `crit`, `b64`, and a `typ` of another kind of JWT (RFC 8725
    ///   §3.11); `unsupported` for an encrypted token.
    package init(parsing text: String, as profile: JWTProfile) throws(OAuthError) {
        self.profile = profile
        signature = try OAuthError.translating(try JSONWebSignature(parsing: text))
        claims = try Self.claims(signature.payload, of: profile)
        try profile.check(type: signature.header["typ"])
    }

    private static func claims(_ payload: [UInt8], of profile: JWTProfile) throws(OAuthError) -> JSONObject {
        let value: JSON
        do throws(JSONSyntaxError) {
            value = try JSON(parsing: payload, depth: JSON.maximumDepthOfPart)
        } catch {
            throw OAuthError(.idTokenMalformed, "the payload of \(profile.name) is not JSON: \(error)")
        }
        guard let claims = value.object else {
            throw OAuthError(.idTokenMalformed, "the payload of \(profile.name) is \(value.kindNoun), not an object")
        }
        return claims
    }

    /// Whether the key is a secret that both sides share, by the header.
    package var isSymmetric: Bool { SignatureAlgorithm(named: signature.algorithmName)?.isSymmetric ?? false }

    /// Checks the signature.
    ///
    /// - Returns: warnings about the key.
    /// - Throws: `id_token_alg`, `id_token_signature`, `key_not_found`, `key_ambiguous`, `key_weak`, `key_invalid`,
    ///   `unsupported`.
    func verify(
        with keys: KeySet, allowing algorithms: Set<SignatureAlgorithm>, secret: String?
    ) throws(OAuthError) -> [OAuthWarning] {
        do throws(OAuthError) {
            return try keys.verify(signature, allowing: algorithms, secret: secret)
        } catch {
            guard error.kind == .signature else { throw error }
            throw OAuthError(.idTokenSignature, error.message)
        }
    }
}

extension JSONWebToken {
    /// What a token is checked against.
    package struct Expectation: Sendable {
        /// The issuer.
        let issuer: String
        /// The one that the token must be for; nil for any.
        let audience: String?
        /// The algorithms that may have signed it.
        package let algorithms: Set<SignatureAlgorithm>
        /// The one reading of the clock, in seconds since 1970.
        let now: Int
        /// The client secret, for HMAC where `algorithms` has it.
        package var clientSecret: String?

        /// Makes an expectation.
        package init(issuer: String, audience: String?, algorithms: Set<SignatureAlgorithm>, now: Int) {
            (self.issuer, self.audience, self.algorithms, self.now) = (issuer, audience, algorithms, now)
        }
    }

    /// Checks an answer that the issuer of a document has signed for its client.
    ///
    /// - Returns: warnings.
    /// - Throws: as ``validate(with:expecting:)``; `metadata_missing` without `issuer` or `client_id`.
    func validate(
        with keys: KeySet, toClientOf document: Document, allowing algorithms: Set<SignatureAlgorithm>, now: Int,
        secret: String?
    ) throws(OAuthError) -> [OAuthWarning] {
        var expected = Expectation(
            issuer: try document.required("issuer"), audience: try document.required("client_id"),
            algorithms: algorithms, now: now)
        expected.clientSecret = secret
        return try validate(with: keys, expecting: expected)
    }

    /// Checks the signature, then the claims that its profile demands. An ID token has an ``IDToken/Expectation`` of its
    /// own.
    ///
    /// - Returns: warnings.
    /// - Throws: as ``IDToken/validate(with:expecting:)``.
    package func validate(
        with keys: KeySet, expecting expected: Expectation
    ) throws(OAuthError) -> [OAuthWarning] {
        let warnings = try verify(with: keys, allowing: expected.algorithms, secret: expected.clientSecret)
        let claims = JWTClaims(claims, of: profile, now: expected.now)
        try claims.checkIssuer(expected.issuer)
        if let audience = expected.audience { try claims.checkAudience(audience) }
        try claims.checkTimes()
        try profile.check(claims)
        return warnings
    }
}
