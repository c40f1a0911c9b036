internal import Wire

/// An access token or a refresh token.
struct IssuedToken {
    let authorization: Authorization
    /// The scope of the token, possibly narrower than that of the authorization.
    let scope: Scope
    let details: AuthorizationDetails
    /// The resources of the token; empty for any.
    var resources: [String] = []
    let issuedAt: Int
    let expiresAt: Int
    let binding: TokenBinding
    /// Whether the token is a refresh token that has been rotated.
    var isUsed = false

    /// The `token_type` of an access token, which is also the authentication scheme (RFC 6750 §2.1, RFC 9449 §7.1).
    var type: String { binding.key == nil ? "Bearer" : "DPoP" }
}

/// An authorization code (RFC 6749 §4.1.2).
struct Code {
    let request: AuthorizationRequest
    let authorization: Authorization
    var isUsed = false
}

/// What tokens are bound to; without either, to nothing.
struct TokenBinding {
    /// The thumbprint of the key of the DPoP proof (RFC 9449 §5, §6).
    var key: String?
    /// The thumbprint of the certificate (RFC 8705 §3, §4).
    var certificate: String?

    /// The member `cnf` of what describes a token (RFC 9449 §6, RFC 8705 §3.1); nil if it is not bound.
    var confirmation: JSON? {
        var members: JSONObject = [:]
        members["jkt"] = key.map { .string($0) }
        members["x5t#S256"] = certificate.map { .string($0) }
        return members.members.isEmpty ? nil : .object(members)
    }
}
