internal import Wire

extension Route {
    private static let table: [String: Route] = [
        Path.authorization: Route(.authorize, ["GET", "POST"], SandboxServer.authorize),
        Path.consent: Route(.authorize, ["POST"], SandboxServer.decide),
        Path.token: Route(.token, ["POST"], SandboxServer.token),
        Path.push: Route(.par, ["POST"], SandboxServer.push),
        Path.deviceAuthorization: Route(.device, ["POST"], SandboxServer.authorizeDevice),
        Path.device: Route(.device, ["GET"], SandboxServer.verifyDevice),
        Path.backchannelAuthentication: Route(.ciba, ["POST"], SandboxServer.authenticateBackchannel),
        Path.backchannel: Route(.ciba, ["GET"], SandboxServer.showBackchannel),
        Path.introspection: Route(.introspect, ["POST"], SandboxServer.introspect),
        Path.revocation: Route(.revoke, ["POST"], SandboxServer.revoke),
        Path.registration: Route(.register, ["POST"], SandboxServer.register),
        Path.openIDConfiguration: Route(.discovery, ["GET"], SandboxServer.discover),
        Path.serverMetadata: Route(.discovery, ["GET"], SandboxServer.discover),
        Path.keys: Route(.jwks, ["GET"], SandboxServer.keySet),
        Path.resourceMetadata: Route(.discovery, ["GET"], SandboxServer.describeResource),
        Path.endSession: Route(.logout, ["GET", "POST"], SandboxServer.endSession),
        Path.jobIdentity: Route(.identity, ["GET"], SandboxServer.identifyJob),
        Path.userinfo: Route(.userinfo, ["GET", "POST"], SandboxServer.userinfo),
    ]

    static func find(_ path: String) -> Route? {
        if let route = table[path] { return route }
        if path.hasPrefix(Path.registration + "/") {
            return Route(.register, ["GET", "PUT", "DELETE"], SandboxServer.manageRegistration)
        }
        if path.hasPrefix(Path.resourceMetadata + "/") { return table[Path.resourceMetadata] }
        guard let resource = Resource(path: path) else { return nil }
        return Route(.api, resource.methods) { server in
            { (request) throws(Refusal) in try server.serve(resource, request) }
        }
    }
}

extension SandboxServer {
    package func respond(to request: SandboxRequest, now: Int) -> SandboxResponse {
        self.now = now
        trace = RequestTrace()
        let request = request.at(ownPath(request.path))
        guard let route = Route.find(request.path) else {
            return Refusal("not_found", "there is nothing at this path", status: 404).response
        }
        if let preflight = preflight(request, route) { return open(preflight, to: request) }
        guard let number = faults.next(at: route.endpoint) else { return open(answer(request, by: route), to: request) }
        let fault = settings.faults[number]
        trace.fault = fault.text
        let response = apply(fault, to: request) { answer(request, by: route) }
        if !trace.hasIdleFault { faults.used.insert(number) }
        return open(response, to: request)
    }

    private func answer(_ request: SandboxRequest, by route: Route) -> SandboxResponse {
        let method = request.method == "HEAD" ? "GET" : request.method
        guard route.methods.isEmpty || route.methods.contains(method) else {
            let allowed = HTTPField("Allow", route.methods.joined(separator: ", "))
            return Refusal("invalid_request", "the method is not allowed at this path", status: 405, headers: [allowed])
                .response
        }
        do throws(Refusal) {
            return try route.answer(self)(request)
        } catch {
            return error.response
        }
    }
}
