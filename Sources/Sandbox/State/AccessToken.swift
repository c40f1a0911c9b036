internal import Wire

struct AccessToken {
    let authorization: Authorization
    /// Its scope, possibly narrower than that of the authorization.
    let scope: Scope
    let details: AuthorizationDetails
    /// Its resources; empty for any.
    let resources: [String]
    let issuedAt: Int
    let expiresAt: Int
    /// The thumbprint of the key that it is bound to (RFC 9449 §6).
    let keyThumbprint: String?
    /// The thumbprint of the certificate that it is bound to (RFC 8705 §3).
    let certificateThumbprint: String?

    /// Its `token_type`, which is also the authentication scheme (RFC 6750 §2.1, RFC 9449 §7.1).
    var type: String { keyThumbprint == nil ? "Bearer" : "DPoP" }

    /// The member `cnf` of what describes it (RFC 9449 §6, RFC 8705 §3.1); nil if it is not bound.
    var confirmation: JSON? {
        var members: JSONObject = [:]
        members["jkt"] = keyThumbprint.map { .string($0) }
        members["x5t#S256"] = certificateThumbprint.map { .string($0) }
        return members.members.isEmpty ? nil : .object(members)
    }
}
