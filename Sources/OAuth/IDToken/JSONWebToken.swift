package import JOSE
package import Wire

/// A signed JWT (RFC 7519 §3), parsed but not validated.
///
/// Between the two steps the caller fetches the issuer's keys, if `KeySet.mustFetch(for:allowing:known:)` says so.
package struct JSONWebToken: Sendable {
    package let profile: JWTProfile
    package let signature: JSONWebSignature
    /// The claims. Do not use them before they are validated.
    package let claims: JSONObject

    /// Refuses `crit`, `b64`, a `typ` of another kind of JWT (RFC 8725 §3.11), and an encrypted token.
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

    /// Checks the signature, then every claim that there is a rule for (OpenID Connect Core §3.1.3.7, §12.2; RFC 9068 §4).
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `id_token_alg`, `id_token_signature`, `id_token_expired`, `id_token_claim` with the claim as `member`,
    ///   `key_not_found`, `key_ambiguous`, `key_weak`, `key_invalid`, `unsupported`.
    package func validate(
        with keys: KeySet, expecting expected: JWTExpectation, now: Int
    ) throws(OAuthError) -> [OAuthWarning] {
        let warnings: [OAuthWarning]
        do throws(OAuthError) {
            warnings = try keys.verify(signature, allowing: expected.algorithms, secret: expected.clientSecret)
        } catch {
            var error = error
            switch error.kind {
            case .signature:
                let isBySecret = expected.usesSecret(for: signature)
                let hint = isBySecret ? nil : "the signature must be by a key of the issuer \(expected.issuer)"
                throw OAuthError(.idTokenSignature, error.message, hint: hint)
            case .keyNotFound: error.hint = "compare jwks_uri with the one in the metadata of \(expected.issuer)"
            case .idTokenAlgorithm: error = unexpectedAlgorithm(expected)
            default: break
            }
            throw error
        }
        let claims = JWTClaims(claims, of: profile, now: now)
        try claims.check(expected)
        guard profile == .idToken else { return warnings }
        let algorithm = try OAuthError.translating(try signature.algorithm(allowing: expected.algorithms))
        return try warnings + IDTokenClaims(claims, expected).check(hashesBy: algorithm)
    }

    /// The error for an algorithm that the document does not allow, with what would allow it.
    private func unexpectedAlgorithm(_ expected: JWTExpectation) -> OAuthError {
        let allowed = expected.algorithms
        let listed = allowed.isEmpty ? "none" : allowed.map(\.rawValue).sorted().joined(separator: ", ")
        let name = signature.algorithmName
        var error = OAuthError(
            .idTokenAlgorithm, "\(profile.name) is signed with \(JSON.string(name).text); allowed: \(listed)")
        if expected.securityProfile != nil, !SecurityProfile.names(among: []).contains(name) {
            error.hint = "FAPI 2.0 (section 5.4.1) does not allow \(name): \(SecurityProfile.registering)"
        } else if let member = profile.algorithmMembers?.registered, SignatureAlgorithm(named: name) != nil {
            let option = profile.isOfIDTokens ? ", or use \(Member.option(for: member)) \(name)" : ""
            error.hint = "if \(name) is right for the client, set the member \"\(member)\"\(option)"
        }
        return error
    }

    /// What a signed answer says: its claims, or one of them (RFC 9701 §5).
    package var content: JSONObject {
        profile == .introspection ? claims["token_introspection"]?.object ?? [:] : claims
    }
}
