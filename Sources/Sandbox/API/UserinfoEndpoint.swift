internal import Wire

extension SandboxServer {
    /// The userinfo endpoint (OpenID Connect Core §5.3): JSON, or a JWT if the client has registered for one (§5.3.2).
    func userinfo(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let token = try authorize(request, scope: "openid", takesForm: true)
        guard let person = settings.person(of: token.authorization.subject) else {
            throw challenge(token.type, "insufficient_scope", "the access token belongs to no user", status: 403)
        }
        var claims = person.claims(token.scope)
        guard let client = clients[token.authorization.clientID] else { return SandboxResponse(json: .object(claims)) }
        if client.userinfoAlgorithm != nil {
            (claims["iss"], claims["aud"]) = (.string(issuer), .string(client.id))
        }
        guard let text = try protect(claims, .userinfo, for: client) else {
            return SandboxResponse(json: .object(claims))
        }
        return SandboxResponse(status: 200, type: "application/jwt", content: .bytes(Array(text.utf8)))
    }
}
