package import JOSE
package import Wire

/// An ID token (OpenID Connect Core §2), parsed but not validated.
///
/// Between the two steps the caller fetches the issuer's keys, if `KeySet.mustFetch(for:allowing:known:)` says so.
package struct IDToken: Sendable {
    private let token: JSONWebToken

    /// The signature and the header.
    package var signature: JSONWebSignature { token.signature }

    /// Takes a token apart.
    ///
    /// - Throws: as ``JSONWebToken/init(parsing:as:)``: also for the `typ` of an access token (RFC 9068 §4).
    package init(parsing text: String) throws(OAuthError) {
        self.init(try JSONWebToken(parsing: text, as: .idToken))
    }

    /// A token that was parsed as an ID token.
    package init(_ token: JSONWebToken) { self.token = token }

    /// Checks the signature, then every claim that there is a rule for (OpenID Connect Core §3.1.3.7, §12.2).
    ///
    /// - Returns: the verified claims, and warnings.
    /// - Throws: `id_token_alg`, `id_token_signature`, `id_token_expired`, `id_token_claim` with the claim as `member`,
    ///   `key_not_found`, `key_ambiguous`, `key_weak`, `key_invalid`, `unsupported`.
    package func validate(
        with keys: KeySet, expecting expected: Expectation
    ) throws(OAuthError) -> (claims: JSONObject, warnings: [OAuthWarning]) {
        var warnings: [OAuthWarning]
        do throws(OAuthError) {
            warnings = try token.verify(with: keys, allowing: expected.algorithms, secret: expected.clientSecret)
        } catch {
            guard error.kind == .idTokenAlgorithm else { throw error }
            throw unexpectedAlgorithm(expected.algorithms)
        }
        let algorithm = try OAuthError.translating(try signature.algorithm(allowing: expected.algorithms))
        warnings += try IDTokenClaims(token.claims, expected).check(hashesBy: algorithm)
        return (token.claims, warnings)
    }

    /// The error for an algorithm that the document does not allow, with what would allow it.
    private func unexpectedAlgorithm(_ allowed: Set<SignatureAlgorithm>) -> OAuthError {
        let name = signature.algorithmName
        let listed = allowed.isEmpty ? "none" : allowed.map(\.rawValue).sorted().joined(separator: ", ")
        let member = "id_token_signed_response_alg"
        return OAuthError(
            .idTokenAlgorithm, "the ID token is signed with \(JSON.string(name).text); allowed: \(listed)",
            hint: SignatureAlgorithm(named: name).map {
                """
                if \($0.rawValue) is right for the client, set the member "\(member)", or use \
                \(Member.option(for: member)) \($0.rawValue)
                """
            })
    }
}
