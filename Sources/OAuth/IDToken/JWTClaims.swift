internal import Wire

/// The claims that JWTs of every kind have (RFC 7519 §4.1); one function per rule.
struct JWTClaims {
    private let members: JSONObject
    private let profile: JWTProfile
    /// The one reading of the clock, in seconds since 1970.
    let now: Double
    let tolerance = Double(JWTExpectation.tolerance)
    let toleranceBehind = Double(Self.toleranceBehind)
    /// How far the clock of this machine may be behind that of the server, in seconds.
    static let toleranceBehind = 300
    /// The largest number of seconds in a message.
    private static let shownLimit = 1e15

    init(_ members: JSONObject, of profile: JWTProfile, now: Int) {
        (self.members, self.profile, self.now) = (members, profile, Double(now))
    }

    subscript(name: String) -> JSON? { members[name] }

    /// Checks the issuer, the audience, the times, and what the profile demands.
    ///
    /// - Throws: `id_token_claim` with the claim as `member`, `id_token_expired`.
    func check(_ expected: JWTExpectation) throws(OAuthError) {
        let issuer = expected.tenants?.issuer(of: members["tid"]) ?? expected.issuer
        try checkIssuer(KnownIssuer(issuer, accepting: expected.acceptedIssuer))
        // Whom an ID token is for has rules of its own.
        if profile != .idToken { try checkAudience(expected.audience) }
        try checkTimes()
        switch profile {
        case .accessToken: for name in ["sub", "client_id", "jti"] { try requiredText(name) }
        case .logoutToken: try checkLogout()
        case .userinfo: try requiredText("sub")
        case .introspection:
            guard members["token_introspection"]?.object != nil else {
                throw failure("token_introspection", "is not an object")
            }
        case .idToken, .authorizationResponse, .other: break
        }
    }

    /// Checks the issuer, character by character.
    private func checkIssuer(_ issuer: KnownIssuer) throws(OAuthError) {
        let announced = members["iss"]?.string
        guard announced.map(issuer.isNamed) != true else { return }
        let named = members["iss"].map { $0.string == nil ? $0.kind : $0.text } ?? "missing"
        let error = failure(
            "iss", "is \(named), not the issuer \(JSON.string(issuer.text).text)",
            hint: """
                if iss names the right server, copy iss to the member "issuer" or to \(Member.option(for: "issuer")), \
                character by character
                """)
        throw announced.map { issuer.namingSlash(in: error, from: $0) } ?? error
    }

    func audiences() throws(OAuthError) -> [String] {
        guard let audiences = members["aud"]?.string.map({ [$0] }) ?? members["aud"]?.strings else {
            throw failure("aud", "is neither a string nor an array of strings")
        }
        return audiences
    }

    private func checkAudience(_ audience: String) throws(OAuthError) {
        guard try audiences().contains(where: { $0.isIdentical(to: audience) }) else {
            throw failure("aud", "does not name \(JSON.string(audience).text)")
        }
    }

    /// Checks the times: `exp` and `iat`, which some profiles demand, and `nbf`.
    private func checkTimes() throws(OAuthError) {
        for name in profile.requiredTimes { _ = try requiredTime(name) }
        let end = try time("exp") ?? .infinity
        guard end > now - tolerance else {
            let date = Timestamp.text(Int(max(end, 0))).replacing("T", with: " ")
            throw OAuthError(
                .idTokenExpired, "\(profile.name) expired on \(date), \(Self.span(now - end)) ago",
                hint: "check whether the clock of this machine is right", cause: .clock, member: "exp")
        }
        let ahead = (try time("iat") ?? now) - now
        guard ahead <= toleranceBehind else {
            throw failure(
                "iat", "lies \(Self.span(ahead)) in the future",
                hint: now + ahead > Self.firstMilliseconds
                    ? Self.hintForMilliseconds
                    : """
                    check whether the clock of this machine is right: oap allows for a clock that is at most \
                    \(Self.toleranceBehind) s behind the server's
                    """, cause: .clock)
        }
        let begin = try time("nbf") ?? now
        guard begin <= now + tolerance else {
            let hint = begin > Self.firstMilliseconds ? Self.hintForMilliseconds : nil
            throw failure("nbf", "lies in the future", hint: hint)
        }
    }

    private static func span(_ seconds: Double) -> String { Timestamp.span(UInt(min(seconds, shownLimit))) }

    /// Times of our days in milliseconds are larger: this is a day of 1973 in them, and of the year 5138 in seconds.
    private static let firstMilliseconds = 1e11
    private static let hintForMilliseconds = "it may be in milliseconds, but a JWT has seconds: tell the issuer"

    /// A numeric date: seconds since 1970, with a fraction or not, however large (RFC 7519 §2).
    ///
    /// - Throws: `id_token_claim`.
    func time(_ name: String) throws(OAuthError) -> Double? {
        guard let claim = members[name] else { return nil }
        guard case .number(let text) = claim, let seconds = Double(text) else { throw failure(name, "is not a number") }
        return seconds
    }

    func requiredTime(_ name: String) throws(OAuthError) -> Double {
        guard let seconds = try time(name) else { throw failure(name, "is missing") }
        return seconds
    }

    /// A string that must be there and have something in it.
    ///
    /// - Throws: `id_token_claim`.
    @discardableResult
    func requiredText(_ name: String) throws(OAuthError) -> String {
        guard let text = members[name]?.string, !text.isEmpty else {
            throw failure(name, "is missing, empty or not a string")
        }
        return text
    }

    func failure(
        _ name: String, _ reason: String, hint: String? = nil, cause: OAuthError.Cause? = nil
    ) -> OAuthError {
        OAuthError(.idTokenClaim, "\(name) of \(profile.name) \(reason)", hint: hint, cause: cause, member: name)
    }
}

extension JWTClaims {
    /// OpenID Connect Back-Channel Logout §2.6.
    private func checkLogout() throws(OAuthError) {
        try requiredText("jti")
        guard members["events"]?.object?["http://schemas.openid.net/event/backchannel-logout"]?.object != nil else {
            throw failure("events", "does not name a back-channel logout")
        }
        guard members["nonce"] == nil else {
            throw failure("nonce", "is present, which a logout token must not have")
        }
        for name in ["sub", "sid"] where members[name] != nil { try requiredText(name) }
        guard members["sub"] != nil || members["sid"] != nil else {
            throw failure("sub", "is missing, and so is sid")
        }
    }
}
