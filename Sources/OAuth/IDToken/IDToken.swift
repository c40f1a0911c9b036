package import JOSE
package import Wire

/// An ID token (OpenID Connect Core §2), parsed but not validated.
///
/// Between the two steps the caller fetches the issuer's keys, if `KeySet.mustFetch(for:allowing:known:)` says so.
package struct IDToken: Sendable {
    /// The signature and the header.
    package let signature: JSONWebSignature
    private let claims: JSONObject

    /// Takes a token apart.
    ///
    /// - Throws: `id_token_malformed`; `id_token_header` for `crit`, `b64`, and the `typ` of an access token (RFC 9068
    ///   §4); `unsupported` for an encrypted token.
    package init(parsing text: String) throws(OAuthError) {
        signature = try OAuthError.translating(try JSONWebSignature(parsing: text))
        claims = try Self.claims(signature.payload)
        let type = signature.header["typ"]?.string?.asciiLowercased
        guard type != "at+jwt", type != "application/at+jwt" else {
            throw OAuthError(.idTokenHeader, "the ID token is an access token by its typ", member: "typ")
        }
    }

    private static func claims(_ payload: [UInt8]) throws(OAuthError) -> JSONObject {
        let value: JSON
        do throws(JSONSyntaxError) {
            value = try JSON(parsing: payload, depth: JSON.maximumDepthOfPart)
        } catch {
            throw OAuthError(.idTokenMalformed, "the payload of the ID token is not JSON: \(error)")
        }
        guard let claims = value.object else {
            throw OAuthError(.idTokenMalformed, "the payload of the ID token is \(value.kind), not an object")
        }
        return claims
    }

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
            warnings = try keys.verify(signature, allowing: expected.algorithms, secret: expected.clientSecret)
        } catch {
            switch error.kind {
            case .signature: throw OAuthError(.idTokenSignature, error.message)
            case .idTokenAlgorithm: throw unexpectedAlgorithm(expected.algorithms)
            default: throw error
            }
        }
        let algorithm = try OAuthError.translating(try signature.algorithm(allowing: expected.algorithms))
        warnings += try IDTokenClaims(claims, expected).check(hashesBy: algorithm)
        return (claims, warnings)
    }

    /// The error for an algorithm that the document does not allow, with what would allow it.
    private func unexpectedAlgorithm(_ allowed: Set<SignatureAlgorithm>) -> OAuthError {
        let name = signature.algorithmName
        let listed = allowed.isEmpty ? "none" : allowed.map(\.rawValue).sorted().joined(separator: ", ")
        let member = "id_token_signed_response_alg"
        return OAuthError(
            .idTokenAlgorithm, "the ID token is signed with \(JSON.string(name).text); the document allows \(listed)",
            hint: SignatureAlgorithm(named: name).map {
                """
                if the server is meant to sign so for this client, set the member "\(member)" or \
                \(Member.option(for: member)) \($0.rawValue)
                """
            })
    }
}
