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
    static let authorization = "/authorize"
    static let consent = "/consent"
    static let token = "/token"
    static let push = "/par"
    static let deviceAuthorization = "/device_authorization"
    static let device = "/device"
    static let introspection = "/introspect"
    static let revocation = "/revoke"
    static let registration = "/register"
    static let keys = "/jwks"
    static let userinfo = "/userinfo"
    static let openIDConfiguration = "/.well-known/openid-configuration"
    static let serverMetadata = "/.well-known/oauth-authorization-server"
}
