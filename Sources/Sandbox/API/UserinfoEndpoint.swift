internal import Wire

extension SandboxServer {
    /// The userinfo endpoint (OpenID Connect Core §5.3).
    func userinfo(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let token = try authorize(request, scope: "openid", takesForm: true)
        guard let person = settings.person(of: token.authorization.subject) else {
            throw challenge(token.type, "insufficient_scope", "the access token belongs to no user", status: 403)
        }
        return SandboxResponse(json: .object(person.claims(token.scope)))
    }
}
