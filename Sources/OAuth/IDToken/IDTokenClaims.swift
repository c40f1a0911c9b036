internal import JOSE
internal import Wire

/// The claims that ID tokens alone have (OpenID Connect Core §2), and what they are checked against; one function per rule.
struct IDTokenClaims {
    private let claims: JWTClaims
    private let expected: JWTExpectation

    init(_ claims: JWTClaims, _ expected: JWTExpectation) { (self.claims, self.expected) = (claims, expected) }

    /// Checks what is not the same for all JWTs.
    ///
    /// - Throws: `id_token_claim` with the claim as `member`.
    func check(hashesBy algorithm: SignatureAlgorithm) throws(OAuthError) -> [OAuthWarning] {
        let warnings = try checkAudience() + checkSubject() + contextWarnings
        // Back-Channel Logout §2.4: what says that somebody logged out proves no login.
        guard claims["events"]?.object?["http://schemas.openid.net/event/backchannel-logout"] == nil else {
            throw claims.failure("events", "shows that the token is a logout token")
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
        guard audiences.contains(where: { $0.isIdentical(to: expected.audience) }) else {
            throw claims.failure("aud", "does not name the client")
        }
        guard let party = claims["azp"] else {
            guard audiences.count == 1 else {
                throw claims.failure("aud", "names other audiences too, and azp is missing")
            }
            return []
        }
        guard party != .string(expected.audience) else { return [] }
        guard audiences.count == 1, party.string != nil else { throw claims.failure("azp", "is not the client") }
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
            guard let authenticated else { throw claims.failure("auth_time", "is missing, though it was asked for") }
            guard expected.maximumAge == nil || authenticated <= claims.now + claims.toleranceBehind
            else { throw claims.failure("auth_time", "lies in the future") }
            let age = claims.now - claims.tolerance - authenticated
            guard age <= expected.maximumAge.map(Double.init) ?? .infinity else {
                throw claims.failure("auth_time", "is longer ago than max_age allows")
            }
        }
        guard !expected.essentialContexts.isEmpty else { return }
        guard let context = claims["acr"]?.string,
            expected.essentialContexts.contains(where: { $0.isIdentical(to: context) })
        else { throw claims.failure("acr", "is not one of the values that were asked for") }
    }

    /// The login may be weaker than was asked for: `acr_values` is a wish.
    private var contextWarnings: [OAuthWarning] {
        let wanted = expected.wantedContexts
        guard !wanted.isEmpty, !wanted.contains(where: { claims["acr"] == .string($0) }) else { return [] }
        return [.contextNotMet(wanted: wanted.joined(separator: " "), claims["acr"]?.string)]
    }

    private func checkNonce(_ sent: String?) throws(OAuthError) {
        switch (claims["nonce"], sent) {
        case (nil, nil): return
        case (nil, _?): throw claims.failure("nonce", "is missing, though the request sent a nonce")
        case (_?, nil): throw claims.failure("nonce", "is present, though the request sent no nonce")
        case (let received?, let sent?):
            guard let text = received.string, constantTimeEqual(text, sent) else {
                throw claims.failure("nonce", "is not the nonce that the request sent")
            }
        }
    }

    /// OpenID Connect Core §12.2: a refresh speaks of the same login.
    private func checkRefresh(of original: JSONObject) throws(OAuthError) {
        for name in ["iss", "sub", "azp"] where claims[name] != original[name] {
            throw claims.failure(name, "is not what it was before the refresh")
        }
        let audiences = { (claim: JSON?) in claim?.array ?? claim.map { [$0] } ?? [] }
        guard audiences(original["aud"]).allSatisfy(audiences(claims["aud"]).contains) else {
            throw claims.failure("aud", "lacks an audience that it had before the refresh")
        }
        let before = JWTClaims(original, of: .idToken, now: Int(claims.now))
        guard try claims.requiredTime("iat") >= before.time("iat") ?? 0 else {
            throw claims.failure("iat", "is earlier than before the refresh")
        }
        if let authenticated = try claims.time("auth_time"), let first = try before.time("auth_time"),
            authenticated != first
        {
            throw claims.failure("auth_time", "is not what it was before the refresh")
        }
        guard claims["nonce"] == nil || claims["nonce"] == original["nonce"] else {
            throw claims.failure("nonce", "is not what it was before the refresh")
        }
    }
}

extension IDTokenClaims {
    /// `at_hash` is optional in a response of the token endpoint, but must be right if present (OpenID Connect Core
    /// §3.1.3.8).
    private func checkAccessTokenHash(by algorithm: SignatureAlgorithm) throws(OAuthError) {
        guard let hash = claims["at_hash"], let token = expected.accessToken else { return }
        guard hash == .string(algorithm.halfHash(of: token)) else {
            throw claims.failure("at_hash", "does not fit the access token")
        }
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

/// The ID token of a login (OpenID Connect Core §2).
package enum IDToken {
    /// Checks before the user logs in that the ID token can be checked afterwards.
    ///
    /// - Returns: whether that needs the client secret.
    /// - Throws: `metadata_missing` where the issuer or its keys are not named, `usage`.
    package static func check(_ document: Document) throws(OAuthError) -> Bool {
        guard try Scope(of: document).contains("openid") else { return false }
        return try JWTExpectation(.unknown, of: document).usesSecret
    }

    /// The members of server metadata that a client needs for it.
    ///
    /// - Throws: `usage` for a scope that is no string.
    package static func metadata(for client: Document) throws(OAuthError) -> [String] {
        try Scope(of: client).contains("openid") && !usesSecret(client) ? ["jwks_uri"] : []
    }

    /// Whether the client secret is the key of a document's ID tokens.
    package static func usesSecret(_ document: Document) -> Bool {
        let algorithms = JWTProfile.idToken.algorithms(for: document.members)
        return !algorithms.isEmpty && algorithms.allSatisfy(\.isSymmetric)
    }
}
