/// An access token.
struct AccessToken {
    /// What was allowed.
    let authorization: Authorization
    /// What it allows, which may be less than the authorization does.
    let scope: Scope
    /// What it is for; empty for anything.
    let resources: [String]
    /// When it was made, in seconds since 1970.
    let issuedAt: Int
    /// When it ends, in seconds since 1970.
    let expiresAt: Int
    /// The thumbprint of the key that it is bound to (RFC 9449 §6).
    let keyThumbprint: String?

    /// Its `token_type`, which is the scheme that it is used with, too (RFC 6750 §2.1, RFC 9449 §7.1).
    var type: String { keyThumbprint == nil ? "Bearer" : "DPoP" }
}
