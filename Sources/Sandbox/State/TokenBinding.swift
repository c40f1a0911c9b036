internal import Wire

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
