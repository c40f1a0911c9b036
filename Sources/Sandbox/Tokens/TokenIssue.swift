internal import JOSE
internal import Wire

extension SandboxServer {
    /// Makes an access token and its response (RFC 6749 §5.1). Without a scope or resources, they are those of the
    /// authorization.
    func issue(
        _ request: TokenRequest, for authorization: Authorization, scope: Scope? = nil, resources: [String]? = nil
    ) throws(Refusal) -> JSONObject {
        let scope = scope ?? authorization.scope
        let details = try authorization.details.narrowed(to: request.client.details(request.parameters, settings))
        let record = IssuedToken(
            authorization: authorization, scope: scope, details: details,
            resources: resources ?? authorization.resources, issuedAt: now,
            expiresAt: now + settings.accessTokenLifetime, binding: request.binding)
        let token = try settings.makesJWTAccessTokens ? accessToken(record) : secret("access")
        accessTokens.insert(record, for: token, lifetime: settings.accessTokenLifetime, now: now)
        var answer: JSONObject = [
            "access_token": .string(token), "token_type": .string(record.type),
            "expires_in": .integer(settings.accessTokenLifetime), "scope": .string(scope.text),
        ]
        answer["authorization_details"] = details.member
        return answer
    }

    /// Issues as `issue`, with a refresh token if the client may use one, and an ID token if the scope has `openid`.
    func issueForPerson(
        _ request: TokenRequest, for authorization: Authorization, resources: [String]? = nil
    ) throws(Refusal) -> JSONObject {
        var answer = try issue(request, for: authorization, resources: resources)
        if request.client.grantTypes.contains(.refreshToken) {
            answer["refresh_token"] = .string(newRefreshToken(request, for: authorization))
        }
        answer["id_token"] = try idToken(for: authorization, request.client, beside: answer, nonce: authorization.nonce)
        return answer
    }

    /// An access token as a JWT (RFC 9068 §2). Without a resource it is for the API.
    private func accessToken(_ record: IssuedToken) throws(Refusal) -> String {
        let authorization = record.authorization
        let audience = record.resources.isEmpty ? [issuer] : record.resources
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(authorization.subject),
            "aud": audience.count == 1 ? .string(audience[0]) : .strings(audience),
            "exp": .integer(record.expiresAt), "iat": .integer(record.issuedAt), "jti": .string(secret("jwt")),
            "client_id": .string(authorization.clientID), "scope": .string(record.scope.text),
        ]
        for claim in settings.person(of: authorization.subject)?.authorizations.members ?? [] {
            claims[claim.name] = claim.value
        }
        claims["auth_time"] = authorization.authenticationTime.map { .integer($0) }
        claims["cnf"] = record.binding.confirmation
        claims["act"] = authorization.actor
        claims["authorization_details"] = record.details.member
        return try keys.sign(claims, algorithm: settings.idTokenAlgorithm, type: "at+jwt")
    }

    /// Makes a refresh token. For a public client it is bound to the key of the DPoP proof (RFC 9449 §5) and to the
    /// certificate (RFC 8705 §4).
    func newRefreshToken(_ request: TokenRequest, for authorization: Authorization) -> String {
        let token = secret("refresh")
        let record = IssuedToken(
            authorization: authorization, scope: authorization.scope, details: authorization.details, issuedAt: now,
            expiresAt: now + settings.refreshTokenLifetime,
            binding: request.client.isPublic ? request.binding : TokenBinding())
        refreshTokens.insert(record, for: token, lifetime: settings.refreshTokenLifetime, now: now)
        return token
    }

    /// The ID token of a response (OpenID Connect Core §2); nil if the scope has no `openid`.
    func idToken(
        for authorization: Authorization, _ client: Client, beside answer: JSONObject, nonce: String?
    ) throws(Refusal) -> JSON? {
        guard authorization.scope.contains("openid"), let token = answer["access_token"]?.string else { return nil }
        let hash = client.idTokenAlgorithm.digest(Array(token.utf8))
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(authorization.subject), "aud": .string(client.id),
            "exp": .integer(now + settings.accessTokenLifetime), "iat": .integer(now),
        ]
        if let person = settings.person(of: authorization.subject), person.isInIDToken {
            for claim in person.claims(authorization.scope).members where claims[claim.name] == nil {
                claims[claim.name] = claim.value
            }
        }
        claims["auth_time"] = authorization.authenticationTime.map { .integer($0) }
        claims["nonce"] = nonce.map { .string($0) }
        // §3.1.3.6: the left half of the digest of the algorithm.
        claims["at_hash"] = .string(Base64.encodeURL(hash.prefix(hash.count / 2)))
        return try protect(claims, .idToken, for: client).map { .string($0) }
    }
}
