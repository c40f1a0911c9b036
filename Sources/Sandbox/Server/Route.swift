internal import Wire

/// The handler of a path.
struct Route: Sendable {
    /// The handler: a method of the server.
    typealias Answer = @Sendable (SandboxServer) -> (SandboxRequest) throws(Refusal) -> SandboxResponse

    /// The endpoint, whose faults it shares.
    let endpoint: Endpoint
    /// The allowed methods; empty for any.
    let methods: [String]
    /// The handler.
    let answer: Answer

    private init(_ endpoint: Endpoint, _ methods: [String], _ answer: @escaping Answer) {
        self.endpoint = endpoint
        self.methods = methods
        self.answer = answer
    }

    /// The routes of fixed paths.
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
        Path.endSession: Route(.authorize, ["GET", "POST"], SandboxServer.endSession),
        Path.userinfo: Route(.userinfo, ["GET", "POST"], SandboxServer.userinfo),
    ]

    /// The route of a path; nil if there is none.
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

extension SandboxServer {
    /// Answers a request.
    ///
    /// - Parameter now: seconds since 1970.
    package func respond(to request: SandboxRequest, now: Int) -> SandboxResponse {
        self.now = now
        guard let route = Route.find(request.path) else {
            return Refusal("not_found", "there is nothing at this path", status: 404).response
        }
        guard let fault = faults.next(at: route.endpoint) else { return answer(request, by: route) }
        return fault.apply { refusal in refusal.map { refuse(request, $0) } ?? answer(request, by: route) }
    }

    /// The error response in the format of the endpoint.
    private func refuse(_ request: SandboxRequest, _ refusal: Refusal) -> SandboxResponse {
        switch request.path {
        case Path.authorization: authorize(request, failing: refusal)
        case Path.token: tokenError(refusal)
        default: refusal.response
        }
    }

    private func answer(_ request: SandboxRequest, by route: Route) -> SandboxResponse {
        let method = request.method == "HEAD" ? "GET" : request.method
        guard route.methods.isEmpty || route.methods.contains(method) else {
            let allowed = HTTPField("Allow", route.methods.joined(separator: ", "))
            return Refusal("invalid_request", "the method is not allowed here", status: 405, headers: [allowed])
                .response
        }
        do throws(Refusal) {
            return try route.answer(self)(request)
        } catch {
            return error.response
        }
    }
}
