struct AccessToken {
    let authorization: Authorization
    /// Its scope, possibly narrower than that of the authorization.
    let scope: Scope
    let details: AuthorizationDetails
    /// Its resources; empty for any.
    let resources: [String]
    let issuedAt: Int
    let expiresAt: Int
    let binding: TokenBinding

    /// Its `token_type`, which is also the authentication scheme (RFC 6750 §2.1, RFC 9449 §7.1).
    var type: String { binding.key == nil ? "Bearer" : "DPoP" }
}
