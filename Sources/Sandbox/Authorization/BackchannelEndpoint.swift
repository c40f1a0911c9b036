internal import Wire

extension SandboxServer {
    /// The backchannel authentication endpoint (OpenID Connect CIBA Core §7), for clients that ask for their token (poll mode).
    func authenticateBackchannel(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let parameters = try request.formParameters()
        let client = try authenticate(request, parameters)
        guard client.grantTypes.contains(.ciba), !client.isPublic else {
            throw .unauthorizedClient("this client may not use CIBA")
        }
        let scope = try client.scope.granting(parameters["scope"], ignoringAllBut: settings.supportedScope)
        guard scope.contains("openid") else { throw Refusal("invalid_scope", "the scope must have openid") }
        let lifetime = try lifetime(asked: parameters["requested_expiry"])
        let message = try Self.bindingMessage(in: parameters)
        let person = try person(hintedIn: parameters, of: client)
        let login = DeviceAuthorization(
            .ciba, userCode: Self.place(of: person), clientID: client.id, scope: scope,
            details: try client.details(parameters, settings), expiresAt: now + lifetime,
            interval: settings.pollingInterval)
        (login.person, login.message) = (person, message)
        let identifier = secret("ciba")
        devices.insert(login, for: identifier, lifetime: lifetime + DeviceAuthorization.memory, now: now)
        userCodes.insert(login, for: login.userCode, lifetime: lifetime, now: now)
        return SandboxResponse(members: [
            "auth_req_id": .string(identifier), "expires_in": .integer(lifetime), "interval": .integer(login.interval),
        ])
    }

    /// The page that stands for the user's own device: the last question to the person that `login_hint` names.
    func showBackchannel(_ request: SandboxRequest) -> SandboxResponse {
        do throws(Refusal) {
            let person = settings.person(hinted: try request.queryParameters()["login_hint"])
            guard let login = userCodes.value(Self.place(of: person), now: now) else {
                throw .invalidRequest("no client asks \(person.name) for a login")
            }
            return ask(.device(login))
        } catch {
            return errorPage(error)
        }
    }

    /// The place of a person's request among device codes, which is no code that a person could type.
    private static func place(of person: Person) -> String { "ciba:\(person.subject)" }

    /// The person whom exactly one hint names (§7.1).
    private func person(hintedIn parameters: FormParameters, of client: Client) throws(Refusal) -> Person {
        let hints = ["login_hint", "login_hint_token", "id_token_hint"].filter { parameters[$0] != nil }
        guard hints.count == 1 else { throw .invalidRequest("there must be exactly one hint, not \(hints.count)") }
        if let hint = parameters["login_hint"] {
            let person = settings.person(hinted: hint)
            guard person.isNamed(by: hint) else { throw Refusal("unknown_user_id", "the login_hint names no user") }
            return person
        }
        guard let token = parameters["id_token_hint"] else {
            throw .invalidRequest("login_hint_token is not supported")
        }
        guard let claims = keys.claims(ofIDToken: token, issuer: issuer, now: 0), claims["aud"]?.string == client.id,
            let person = claims["sub"]?.string.flatMap({ settings.person(of: $0) })
        else { throw Refusal("unknown_user_id", "the id_token_hint is no ID token of this server for the client") }
        return person
    }

    private func lifetime(asked text: String?) throws(Refusal) -> Int {
        guard let text else { return settings.deviceCodeLifetime }
        guard let seconds = Int(text), seconds > 0 else {
            throw .invalidRequest("requested_expiry is not a positive integer")
        }
        return min(seconds, settings.deviceCodeLifetime)
    }

    private static func bindingMessage(in parameters: FormParameters) throws(Refusal) -> String? {
        guard let message = parameters["binding_message"] else { return nil }
        guard message.unicodeScalars.count <= 100, message.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
            throw Refusal("invalid_binding_message", "the binding_message cannot be shown: at most 100 characters")
        }
        return message
    }
}
