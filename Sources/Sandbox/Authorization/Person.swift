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
