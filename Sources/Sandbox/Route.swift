internal import Wire

/// What a path leads to.
struct Route: Sendable {
    /// What answers: a method of the server.
    typealias Answer = @Sendable (SandboxServer) -> (SandboxRequest) throws(Refusal) -> SandboxResponse

    /// The endpoint, whose faults it shares.
    let endpoint: Endpoint
    /// The methods that it takes; empty for any.
    let methods: [String]
    /// What answers.
    let answer: Answer

    private init(_ endpoint: Endpoint, _ methods: [String], _ answer: @escaping Answer) {
        self.endpoint = endpoint
        self.methods = methods
        self.answer = answer
    }

    /// The paths that stand for themselves.
    private static let table: [String: Route] = [
        Path.authorization: Route(.authorize, ["GET", "POST"], SandboxServer.authorize),
        Path.consent: Route(.authorize, ["POST"], SandboxServer.decide),
        Path.token: Route(.token, ["POST"], SandboxServer.token),
        Path.push: Route(.par, ["POST"], SandboxServer.push),
        Path.deviceAuthorization: Route(.device, ["POST"], SandboxServer.authorizeDevice),
        Path.device: Route(.device, ["GET"], SandboxServer.verifyDevice),
        Path.introspection: Route(.introspect, ["POST"], SandboxServer.introspect),
        Path.revocation: Route(.revoke, ["POST"], SandboxServer.revoke),
        Path.registration: Route(.register, ["POST"], SandboxServer.register),
        Path.openIDConfiguration: Route(.discovery, ["GET"], SandboxServer.discover),
        Path.serverMetadata: Route(.discovery, ["GET"], SandboxServer.discover),
        Path.keys: Route(.jwks, ["GET"], SandboxServer.keySet),
        Path.userinfo: Route(.userinfo, ["GET", "POST"], SandboxServer.userinfo),
    ]

    /// The route of a path; nil where there is none.
    static func find(_ path: String) -> Route? {
        if let route = table[path] { return route }
        if path.hasPrefix(Path.registration + "/") {
            return Route(.register, ["GET", "PUT", "DELETE"], SandboxServer.manageRegistration)
        }
        guard let resource = Resource(path: path) else { return nil }
        return Route(.api, resource.methods) { server in
            { (request) throws(Refusal) in try server.serve(resource, request) }
        }
    }
}

/// The paths of the endpoints.
enum Path {
    /// RFC 6749 §3.1.
    static let authorization = "/authorize"
    /// Where the page that asks a person sends its form.
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
    /// RFC 7591 §3; with an identifier behind it RFC 7592 §2.
    static let registration = "/register"
    /// RFC 7517 §5.
    static let keys = "/jwks"
    /// OpenID Connect Core §5.3.
    static let userinfo = "/userinfo"
    /// OpenID Connect Discovery §4.
    static let openIDConfiguration = "/.well-known/openid-configuration"
    /// RFC 8414 §3.
    static let serverMetadata = "/.well-known/oauth-authorization-server"
}
