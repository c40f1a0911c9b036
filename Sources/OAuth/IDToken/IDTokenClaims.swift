internal import JOSE
internal import Wire

/// The claims of an ID token and what they are checked against; one function per rule.
struct IDTokenClaims {
    private let claims: JSONObject
    private let expected: IDToken.Expectation
    private let tolerance = Double(IDToken.Expectation.tolerance)
    private let toleranceBehind = Double(IDToken.Expectation.toleranceBehind)

    init(_ claims: JSONObject, _ expected: IDToken.Expectation) {
        self.claims = claims
        self.expected = expected
    }

    /// Checks every claim.
    ///
    /// - Parameter algorithm: the one that signed the token; `at_hash` uses its digest.
    /// - Returns: warnings.
    /// - Throws: `id_token_claim` with the claim as `member`, `id_token_expired`, `unsupported`.
    func check(hashesBy algorithm: SignatureAlgorithm) throws(OAuthError) -> [OAuthWarning] {
        try checkIssuer()
        var warnings = try checkAudience()
        warnings += try checkSubject()
        try checkTimes()
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
    private func checkIssuer() throws(OAuthError) {
        guard claims["iss"] == .string(expected.issuer) else {
            let named = claims["iss"].map { $0.string == nil ? $0.kind : $0.text } ?? "missing"
            var error = failure("iss", "is \(named), not the issuer \(JSON.string(expected.issuer).text)")
            error.hint = """
                if that is the right server, spell it so in the member "issuer" or \(Member.option(for: "issuer")), \
                character by character
                """
            throw error
        }
    }

    /// With more than one audience the token must say that it was issued to this client (OpenID Connect Core §2). A
    /// single audience and another `azp` is what Google's tokens across clients look like.
    private func checkAudience() throws(OAuthError) -> [OAuthWarning] {
        guard let audiences = claims["aud"]?.string.map({ [$0] }) ?? claims["aud"]?.strings else {
            throw failure("aud", "is neither a string nor an array of strings")
        }
        guard audiences.contains(where: { $0.isIdentical(to: expected.clientID) }) else {
            throw failure("aud", "does not name the client")
        }
        guard let party = claims["azp"] else {
            guard audiences.count == 1 else { throw failure("aud", "names others too, and azp does not say for whom") }
            return []
        }
        guard party != .string(expected.clientID) else { return [] }
        guard audiences.count == 1, party.string != nil else { throw failure("azp", "is not the client") }
        return [.foreignAuthorizedParty]
    }

    private func checkSubject() throws(OAuthError) -> [OAuthWarning] {
        guard let subject = claims["sub"]?.string, !subject.isEmpty else {
            throw failure("sub", "is not a string with something in it")
        }
        guard subject.utf8.count > 255 else { return [] }
        return [.subjectTooLong]
    }

    private func checkTimes() throws(OAuthError) {
        let now = Double(expected.now)
        guard now < (try requiredTime("exp")) + tolerance else {
            let age = Int(clamping: Int64(min(now - (try requiredTime("exp")), 1e15)))
            throw OAuthError(
                .idTokenExpired, "the ID token has expired, \(age) s ago", hint: "is the clock right?", member: "exp")
        }
        let ahead = try requiredTime("iat") - now
        guard ahead <= toleranceBehind else {
            var error = failure("iat", "lies \(Int64(min(ahead, 1e15))) s in the future")
            error.hint = "is the clock right? it may be \(IDToken.Expectation.toleranceBehind) s behind the server's"
            throw error
        }
        guard try (time("nbf") ?? now) <= now + tolerance else { throw failure("nbf", "lies in the future") }
    }

    /// `auth_time` and `acr` (OpenID Connect Core §3.1.3.7).
    private func checkAuthentication() throws(OAuthError) {
        let authenticated = try time("auth_time")
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
        else { throw failure("acr", "is none of those that were asked for") }
    }

    private func checkNonce(_ sent: String?) throws(OAuthError) {
        switch (claims["nonce"], sent) {
        case (nil, nil): return
        case (nil, _?): throw failure("nonce", "is missing, though one was sent")
        case (_?, nil): throw failure("nonce", "is there, though none was sent")
        case (let received?, let sent?):
            guard let text = received.string, constantTimeEqual(text, sent) else {
                throw failure("nonce", "is not the one that was sent")
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
            throw failure("aud", "lacks one that it had before the refresh")
        }
        let before = IDTokenClaims(original, expected)
        guard try requiredTime("iat") >= before.time("iat") ?? 0 else {
            throw failure("iat", "is earlier than before the refresh")
        }
        if let authenticated = try time("auth_time"), let first = try before.time("auth_time"), authenticated != first {
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

    /// A numeric date: seconds since 1970, with a fraction or not, however large (RFC 7519 §2).
    private func time(_ name: String) throws(OAuthError) -> Double? {
        guard let claim = claims[name] else { return nil }
        guard case .number(let text) = claim, let seconds = Double(text) else { throw failure(name, "is not a number") }
        return seconds
    }

    private func requiredTime(_ name: String) throws(OAuthError) -> Double {
        guard let seconds = try time(name) else { throw failure(name, "is missing") }
        return seconds
    }

    private func failure(_ name: String, _ reason: String) -> OAuthError {
        OAuthError(.idTokenClaim, "\(name) of the ID token \(reason)", member: name)
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
