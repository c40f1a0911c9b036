/// The paths of the server. The section of an RFC stands at the method that answers there (see `Route`).
enum Path {
    static let authorization = "/authorize"
    static let consent = "/consent"
    static let token = "/token"
    static let push = "/par"
    static let deviceAuthorization = "/device_authorization"
    static let device = "/device"
    static let backchannelAuthentication = "/bc-authorize"
    static let backchannel = "/ciba"
    static let introspection = "/introspect"
    static let revocation = "/revoke"
    static let registration = "/register"
    static let keys = "/jwks"
    static let userinfo = "/userinfo"
    static let endSession = "/logout"
    static let jobIdentity = "/job-identity"
    static let openIDConfiguration = "/.well-known/openid-configuration"
    static let serverMetadata = "/.well-known/oauth-authorization-server"
    static let resourceMetadata = "/.well-known/oauth-protected-resource"
}

/// The endpoints; the raw value is the name in a fault.
package enum Endpoint: String, Sendable, CaseIterable {
    case authorize
    case token
    case par
    case device
    case ciba
    case introspect
    case revoke
    case register
    case discovery
    case jwks
    case userinfo
    case logout
    case identity
    case api
}
