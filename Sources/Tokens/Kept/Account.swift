package import Wire

/// The account of a token, as people know it (OpenID Connect Core §5.1).
package enum Account {
    /// The account of a stored token: what a login found, else what its ID token says.
    package static func name(of token: JSONObject) -> String? {
        let claims = token["id_token_claims"]?.object ?? [:]
        return token["logged_in_as"]?.string ?? name(in: claims) ?? claims["sub"]?.string
    }

    /// The name of an account in claims, or in what an API says of its user.
    package static func name(in members: JSONObject) -> String? {
        ["preferred_username", "login", "email", "name"].lazy.compactMap { members[$0]?.string }.first { !$0.isEmpty }
    }
}
