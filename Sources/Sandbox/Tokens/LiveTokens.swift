internal import JOSE
internal import Wire

extension SandboxServer {
    /// A valid access token: known, not expired and not revoked.
    func liveAccessToken(_ text: String) -> AccessToken? {
        accessTokens.value(text, now: now).flatMap { $0.authorization.isRevoked ? nil : $0 }
    }

    func liveRefreshToken(_ text: String) -> RefreshToken? {
        refreshTokens.value(text, now: now).flatMap { $0.authorization.isRevoked || $0.isUsed ? nil : $0 }
    }

    /// Introspection (RFC 7662), for confidential clients.
    func introspect(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let parameters = try request.formParameters()
        let client = try authenticate(request, parameters)
        guard !client.isPublic else { throw .invalidClient("a client without a secret may not introspect") }
        let text = try parameters.required("token")
        if let token = liveAccessToken(text) { return SandboxResponse(members: description(of: token)) }
        if let token = liveRefreshToken(text) { return SandboxResponse(members: description(of: token)) }
        return SandboxResponse(members: ["active": .bool(false)])
    }

    private func description(of token: AccessToken) -> JSONObject {
        var members = description(of: token.authorization, scope: token.scope)
        members["token_type"] = .string(token.type)
        members["exp"] = .integer(token.expiresAt)
        members["iat"] = .integer(token.issuedAt)
        if !token.resources.isEmpty { members["aud"] = .array(token.resources.map { .string($0) }) }
        members["cnf"] = token.binding.confirmation
        members["authorization_details"] = token.details.member
        return members
    }

    private func description(of token: RefreshToken) -> JSONObject {
        var members = description(of: token.authorization, scope: token.authorization.scope)
        members["exp"] = .integer(token.issuedAt + settings.refreshTokenLifetime)
        members["iat"] = .integer(token.issuedAt)
        return members
    }

    private func description(of authorization: Authorization, scope: Scope) -> JSONObject {
        var members: JSONObject = [
            "active": .bool(true), "scope": .string(scope.text), "client_id": .string(authorization.clientID),
            "sub": .string(authorization.subject), "iss": .string(issuer),
        ]
        members["username"] = settings.person(of: authorization.subject).map { .string($0.login) }
        return members
    }

    /// Revocation (RFC 7009). Revoking a refresh token revokes all tokens of the login.
    func revoke(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let parameters = try request.formParameters()
        let client = try authenticate(request, parameters)
        let text = try parameters.required("token")
        let access = accessTokens.value(text, now: now)
        let refresh = refreshTokens.value(text, now: now)
        let owner = (access?.authorization ?? refresh?.authorization)?.clientID
        guard owner == nil || owner == client.id else {
            throw .invalidGrant("the token was given to another client")
        }
        if access != nil { _ = accessTokens.remove(text, now: now) }
        refresh?.authorization.revoke()
        return SandboxResponse(status: 200)
    }
}
