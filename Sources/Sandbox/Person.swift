internal import Wire

/// The one person who uses the sandbox.
enum Person {
    /// The `sub` of tokens.
    static let subject = "1815"
    /// The name that the API has for her.
    static let login = "ada"
    /// The name for people.
    static let name = "Ada Lovelace"
    /// Her address.
    static let email = "ada@example.com"

    /// What `/userinfo` says under a scope (OpenID Connect Core §5.1, §5.4).
    static func claims(_ scope: Scope) -> JSONObject {
        var claims: JSONObject = ["sub": .string(subject)]
        if scope.contains("profile") {
            claims["name"] = .string(name)
            claims["given_name"] = .string("Ada")
            claims["family_name"] = .string("Lovelace")
            claims["preferred_username"] = .string(login)
            claims["locale"] = .string("en-GB")
        }
        if scope.contains("email") {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(true)
        }
        return claims
    }
}

extension SandboxServer {
    /// The userinfo endpoint (OpenID Connect Core §5.3).
    func userinfo(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let token = try authorize(request, scope: "openid")
        guard token.authorization.subject == Person.subject else {
            throw challenge(token.type, "insufficient_scope", "the access token speaks of no person here", status: 403)
        }
        return SandboxResponse(json: .object(Person.claims(token.scope)))
    }
}
