internal import JOSE
internal import Wire

extension SandboxServer {
    /// A valid token: known, not expired, not revoked and not rotated.
    func live(_ text: String, in tokens: ExpiringTable<IssuedToken>) -> IssuedToken? {
        tokens.value(text, now: now).flatMap { $0.authorization.isRevoked || $0.isUsed ? nil : $0 }
    }

    /// Introspection (RFC 7662), for confidential clients.
    func introspect(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let parameters = try request.formParameters()
        let client = try authenticate(request, parameters)
        guard !client.isPublic else { throw .invalidClient("a client without a secret may not introspect") }
        let text = try parameters.required("token")
        let access = live(text, in: accessTokens)
        guard let token = access ?? live(text, in: refreshTokens) else {
            return SandboxResponse(members: ["active": .bool(false)])
        }
        var members: JSONObject = [
            "active": .bool(true), "scope": .string(token.scope.text),
            "client_id": .string(token.authorization.clientID), "sub": .string(token.authorization.subject),
            "iss": .string(issuer),
        ]
        members["username"] = settings.person(of: token.authorization.subject).map { .string($0.login) }
        if access != nil { members["token_type"] = .string(token.type) }
        members["exp"] = .integer(token.expiresAt)
        members["iat"] = .integer(token.issuedAt)
        if access != nil {
            if !token.resources.isEmpty { members["aud"] = .strings(token.resources) }
            members["cnf"] = token.binding.confirmation
            members["act"] = token.authorization.actor
            members["authorization_details"] = token.details.member
        }
        return SandboxResponse(members: members)
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
