internal import Wire

/// The only user of the sandbox.
enum Person {
    /// The `sub` of tokens.
    static let subject = "1815"
    /// The login name in the API.
    static let login = "ada"
    /// The display name.
    static let name = "Ada Lovelace"
    /// The email address.
    static let email = "ada@example.com"

    /// The claims of `/userinfo` for a scope (OpenID Connect Core §5.1, §5.4).
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
