enum Path {
    /// RFC 6749 §3.1.
    static let authorization = "/authorize"
    /// The target of the form of the consent page.
    static let consent = "/consent"
    /// RFC 6749 §3.2.
    static let token = "/token"
    /// RFC 9126 §2.
    static let push = "/par"
    /// RFC 8628 §3.1.
    static let deviceAuthorization = "/device_authorization"
    /// The verification URI (RFC 8628 §3.3).
    static let device = "/device"
    /// RFC 7662 §2.
    static let introspection = "/introspect"
    /// RFC 7009 §2.
    static let revocation = "/revoke"
    /// RFC 7591 §3; with an identifier after it RFC 7592 §2.
    static let registration = "/register"
    /// RFC 7517 §5.
    static let keys = "/jwks"
    /// OpenID Connect Core §5.3.
    static let userinfo = "/userinfo"
    /// OpenID Connect RP-Initiated Logout §2.
    static let endSession = "/logout"
    /// OpenID Connect Discovery §4.
    static let openIDConfiguration = "/.well-known/openid-configuration"
    /// RFC 8414 §3.
    static let serverMetadata = "/.well-known/oauth-authorization-server"
    /// RFC 9728 §3.
    static let resourceMetadata = "/.well-known/oauth-protected-resource"
}
