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

/// The claims of an ID token and what they are checked against; one function per rule.
struct IDTokenClaims {
    private let claims: JWTClaims
    private let expected: IDToken.Expectation
    private let tolerance = Double(JWTClaims.tolerance)
    private let toleranceBehind = Double(JWTClaims.toleranceBehind)

    init(_ claims: JSONObject, _ expected: IDToken.Expectation) {
        self.claims = JWTClaims(claims, of: .idToken, now: expected.now)
        self.expected = expected
    }

    /// Checks every claim.
    ///
    /// - Parameter algorithm: the one that signed the token; `at_hash` uses its digest.
    /// - Returns: warnings.
    /// - Throws: `id_token_claim` with the claim as `member`, `id_token_expired`, `unsupported`.
    func check(hashesBy algorithm: SignatureAlgorithm) throws(OAuthError) -> [OAuthWarning] {
        try claims.checkIssuer(expected.tenants?.issuer(of: claims) ?? expected.issuer)
        var warnings = try checkAudience()
        warnings += try checkSubject()
        try claims.checkTimes()
        // Back-Channel Logout §2.4: what says that somebody logged out proves no login.
        guard claims["events"]?.object?["http://schemas.openid.net/event/backchannel-logout"] == nil else {
            throw failure("events", "shows that the token is a logout token")
        }
        try checkAuthentication()
        switch expected.occasion {
        case .codeFlow(let nonce): try checkNonce(nonce)
        case .refresh(let original): try checkRefresh(of: original)
        case .unknown: break
        }
        try checkAccessTokenHash(by: algorithm)
        return warnings
    }
}

extension IDTokenClaims {
    /// With more than one audience the token must say that it was issued to this client (OpenID Connect Core §2). A
    /// single audience and another `azp` is what Google's tokens across clients look like.
    private func checkAudience() throws(OAuthError) -> [OAuthWarning] {
        let audiences = try claims.audiences()
        guard audiences.contains(where: { $0.isIdentical(to: expected.clientID) }) else {
            throw failure("aud", "does not name the client")
        }
        guard let party = claims["azp"] else {
            guard audiences.count == 1 else { throw failure("aud", "names other audiences too, and azp is missing") }
            return []
        }
        guard party != .string(expected.clientID) else { return [] }
        guard audiences.count == 1, party.string != nil else { throw failure("azp", "is not the client") }
        return [.foreignAuthorizedParty]
    }

    private func checkSubject() throws(OAuthError) -> [OAuthWarning] {
        guard try claims.requiredText("sub").utf8.count > 255 else { return [] }
        return [.subjectTooLong]
    }

    /// `auth_time` and `acr` (OpenID Connect Core §3.1.3.7).
    private func checkAuthentication() throws(OAuthError) {
        let authenticated = try claims.time("auth_time")
        if expected.requiresAuthenticationTime || expected.maximumAge != nil {
            guard let authenticated else { throw failure("auth_time", "is missing, though it was asked for") }
            guard expected.maximumAge == nil || authenticated <= Double(expected.now) + toleranceBehind
            else { throw failure("auth_time", "lies in the future") }
            let age = Double(expected.now) - tolerance - authenticated
            guard age <= expected.maximumAge.map(Double.init) ?? .infinity else {
                throw failure("auth_time", "is longer ago than max_age allows")
            }
        }
        guard !expected.essentialContexts.isEmpty else { return }
        guard let context = claims["acr"]?.string,
            expected.essentialContexts.contains(where: { $0.isIdentical(to: context) })
        else { throw failure("acr", "is not one of the values that were asked for") }
    }

    private func checkNonce(_ sent: String?) throws(OAuthError) {
        switch (claims["nonce"], sent) {
        case (nil, nil): return
        case (nil, _?): throw failure("nonce", "is missing, though the request sent a nonce")
        case (_?, nil): throw failure("nonce", "is present, though the request sent no nonce")
        case (let received?, let sent?):
            guard let text = received.string, constantTimeEqual(text, sent) else {
                throw failure("nonce", "is not the nonce that the request sent")
            }
        }
    }

    /// OpenID Connect Core §12.2: a refresh speaks of the same login.
    private func checkRefresh(of original: JSONObject) throws(OAuthError) {
        for name in ["iss", "sub", "azp"] where claims[name] != original[name] {
            throw failure(name, "is not what it was before the refresh")
        }
        let audiences = { (claim: JSON?) in claim?.array ?? claim.map { [$0] } ?? [] }
        guard audiences(original["aud"]).allSatisfy(audiences(claims["aud"]).contains) else {
            throw failure("aud", "lacks an audience that it had before the refresh")
        }
        let before = JWTClaims(original, of: .idToken, now: expected.now)
        guard try claims.requiredTime("iat") >= before.time("iat") ?? 0 else {
            throw failure("iat", "is earlier than before the refresh")
        }
        if let authenticated = try claims.time("auth_time"), let first = try before.time("auth_time"),
            authenticated != first
        {
            throw failure("auth_time", "is not what it was before the refresh")
        }
        guard claims["nonce"] == nil || claims["nonce"] == original["nonce"] else {
            throw failure("nonce", "is not what it was before the refresh")
        }
    }
}

extension IDTokenClaims {
    /// `at_hash` is optional in a response of the token endpoint, but must be right if present (OpenID Connect Core
    /// §3.1.3.8).
    private func checkAccessTokenHash(by algorithm: SignatureAlgorithm) throws(OAuthError) {
        guard let hash = claims["at_hash"], let token = expected.accessToken else { return }
        guard hash == .string(algorithm.halfHash(of: token)) else {
            throw failure("at_hash", "does not fit the access token")
        }
    }

    private func failure(_ name: String, _ reason: String) -> OAuthError {
        claims.failure(name, reason)
    }
}

extension SignatureAlgorithm {
    /// What `at_hash` holds of a value under the algorithm of the ID token: the left half of the value's digest in
    /// Base64url (OpenID Connect Core §3.1.3.6).
    func halfHash(of value: String) -> String {
        let hash = digest(Array(value.utf8))
        return Base64.encodeURL(hash.prefix(hash.count / 2))
    }
}
