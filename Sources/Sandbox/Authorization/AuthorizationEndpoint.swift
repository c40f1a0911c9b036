internal import Wire

extension SandboxServer {
    func authorize(_ request: SandboxRequest) -> SandboxResponse { authorize(request, failing: nil) }

    /// The authorization endpoint (RFC 6749 §3.1). Errors in client or redirect URI are shown to the user, all others are
    /// sent to the client (§4.1.2.1).
    ///
    /// - Parameter fault: the error to send to the client in any case.
    func authorize(_ request: SandboxRequest, failing fault: Refusal?) -> SandboxResponse {
        do throws(Refusal) {
            let parameters =
                request.method == "POST" ? try request.formParameters() : try request.queryParameters()
            if let uri = parameters["request_uri"] { return try authorize(uri, parameters, failing: fault) }
            let client = try clientOfAuthorization(parameters)
            let object: RequestObject?
            do throws(Refusal) {
                object = try requestObject(in: parameters, of: client)
            } catch {
                return try refuse(parameters, of: client, error)
            }
            let asked = object?.parameters ?? parameters
            let reply = try self.reply(to: asked, of: client)
            do throws(Refusal) {
                if let fault { throw fault }
                guard !settings.requiresPushedRequests, !client.requiresPushedRequests else {
                    throw .invalidRequest("the request must be pushed (RFC 9126)")
                }
                try object?.check(for: client, issuer: issuer, now: now)
                return proceed(try AuthorizationRequest(asked, of: client, reply: reply, settings: settings))
            } catch {
                return reply.response(error)
            }
        } catch {
            return errorPage(error)
        }
    }

    /// The response to a request by reference: to a pushed request (RFC 9126 §4). Request objects are not fetched (RFC
    /// 9101 §5.2).
    private func authorize(
        _ uri: String, _ parameters: FormParameters, failing fault: Refusal?
    ) throws(Refusal) -> SandboxResponse {
        let client = try clientOfAuthorization(parameters)
        guard parameters["request"] == nil else {
            return try refuse(
                parameters, of: client, .invalidRequest("request and request_uri do not go together"))
        }
        guard uri.hasPrefix(PushedRequest.prefix) else {
            let reason = "a request_uri must come from the pushed authorization request endpoint; no other is fetched"
            return try refuse(parameters, of: client, Refusal("request_uri_not_supported", reason))
        }
        let pushed = try takePushedRequest(uri, clientID: client.id)
        return fault.map { pushed.reply.response($0) } ?? proceed(pushed)
    }

    /// Refuses a request whose own parameters are not known. The redirect URI beside them is good enough for the error,
    /// if it is registered.
    private func refuse(
        _ parameters: FormParameters, of client: Client, _ refusal: Refusal
    ) throws(Refusal) -> SandboxResponse {
        guard parameters["redirect_uri"] != nil, let reply = try? reply(to: parameters, of: client) else {
            throw refusal
        }
        return reply.response(refusal)
    }

    /// The client of an authorization request, not authenticated.
    func clientOfAuthorization(_ parameters: FormParameters) throws(Refusal) -> Client {
        let id = try parameters.required("client_id")
        guard let client = clients[id] else {
            let known = ClientRegistry.builtIn.map(\.id) + settings.clients.map(\.id)
            throw .invalidRequest(
                "the client is not known",
                shows: [
                    ("client_id of the request", id),
                    ("known clients, besides those that registered themselves", known.joined(separator: ", ")),
                ])
        }
        trace.clientID = client.id
        return client
    }

    /// The redirect to the client.
    ///
    /// - Throws: `invalid_request`, which must not be sent to the redirect URI.
    func reply(to parameters: FormParameters, of client: Client) throws(Refusal) -> AuthorizationReply {
        let asked = parameters["redirect_uri"]
        guard let uri = asked ?? (client.redirectURIs.count == 1 ? client.redirectURIs.first : nil) else {
            throw parameters.missing("redirect_uri")
        }
        guard let url = WebURL(uri), asked == nil || client.accepts(redirectURI: uri) else {
            throw .invalidRequest(
                "redirect_uri is not registered for this client",
                shows: [
                    ("redirect_uri of the request", uri), ("client_id", client.id),
                    ("registered", client.redirectURIs.joined(separator: ", ")),
                ])
        }
        let mode = parameters["response_mode"].flatMap { AuthorizationReply.Mode(rawValue: $0) } ?? .query
        return AuthorizationReply(redirectURI: url, mode: mode, state: parameters["state"], issuer: issuer) {
            [unowned self] claims in
            Result { () throws(Refusal) in try sign(claims, for: client) }
        }
    }

    /// A signed response (JWT Secured Authorization Response Mode §2.1), perhaps encrypted (§2.2).
    private func sign(_ response: JSONObject, for client: Client) throws(Refusal) -> String {
        var claims = response
        claims["aud"] = .string(client.id)
        claims["exp"] = .integer(now + settings.codeLifetime)
        guard let text = try protect(claims, .authorization, for: client) else {
            preconditionFailure("an authorization response is signed by default")
        }
        return text
    }

    private func proceed(_ request: AuthorizationRequest) -> SandboxResponse {
        switch settings.consent {
        case .automatic: return grant(request)
        case .deny: return request.reply.response(.accessDenied)
        case .page:
            guard !request.forbidsPages else {
                return request.reply.response(
                    Refusal("consent_required", "prompt=none is not possible: the user must decide"))
            }
            return ask(.request(request))
        }
    }

    func ask(_ matter: PendingConsent) -> SandboxResponse {
        let ticket = secret("ticket")
        consents.insert(matter, for: ticket, lifetime: PendingConsent.lifetime, now: now)
        switch matter {
        case .request(let request):
            return Page.consent(
                clientID: request.clientID, clientName: clients[request.clientID]?.name, name: request.person.name,
                scope: request.scope, details: request.details, ticket: ticket,
                destination: request.reply.redirectURI)
        case .device(let device):
            return Page.deviceConsent(
                device, clientName: clients[device.clientID]?.name, name: (device.person ?? settings.people[0]).name,
                ticket: ticket)
        }
    }

    /// Handles the form of the consent page. Its ticket is known only to that page and can be used once; forms of
    /// another origin are refused.
    func decide(_ request: SandboxRequest) -> SandboxResponse {
        do throws(Refusal) {
            guard isOwnOrigin(request) else {
                throw Refusal("access_denied", "the decision comes from another site", status: 403)
            }
            let parameters = try request.formParameters()
            let decision = try parameters.required("decision")
            guard ["allow", "deny"].contains(decision) else {
                throw .invalidRequest("the decision must be allow or deny")
            }
            guard let matter = consents.remove(try parameters.required("ticket"), now: now) else {
                throw .invalidRequest("the page is too old, or has been used")
            }
            return try decide(matter, allows: decision == "allow")
        } catch {
            return errorPage(error)
        }
    }

    /// Whether a form comes from a page of this server. A proxy in front of it may have changed the host.
    private func isOwnOrigin(_ request: SandboxRequest) -> Bool {
        guard let origin = request.headers.first("Origin"), let own = WebURL(issuer) else { return true }
        return origin == own.origin || origin == request.headers.first("Host").map { "\(own.scheme)://\($0)" }
    }

    private func decide(_ matter: PendingConsent, allows: Bool) throws(Refusal) -> SandboxResponse {
        switch matter {
        case .request(let request): return allows ? grant(request) : request.reply.response(.accessDenied)
        case .device(let device): return try decide(device, allows: allows)
        }
    }

    private func grant(_ request: AuthorizationRequest) -> SandboxResponse {
        let authorization = Authorization(
            clientID: request.clientID, subject: request.person.subject, scope: request.scope,
            details: request.details, resources: request.resources, authenticationTime: now, nonce: request.nonce)
        trace.clientID = request.clientID
        let code = secret("code")
        codes.insert(
            Code(request: request, authorization: authorization), for: code, lifetime: settings.codeLifetime, now: now)
        return request.reply.response([("code", code)])
    }
}

extension Refusal {
    /// The user, or `--consent deny`, refuses.
    static var accessDenied: Refusal { Refusal("access_denied", "the request was refused") }
}
