internal import Wire

extension SandboxServer {
    /// The device authorization endpoint (RFC 8628 §3.1).
    func authorizeDevice(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let parameters = try request.formParameters()
        let client = try authenticate(request, parameters)
        guard client.grantTypes.contains(.deviceCode) else {
            throw .unauthorizedClient("this client may not use the device grant")
        }
        let userCode = newUserCode()
        let lifetime = settings.deviceCodeLifetime
        let device = DeviceAuthorization(
            .deviceCode, userCode: userCode, clientID: client.id,
            scope: try client.scope.granting(parameters["scope"], ignoringAllBut: settings.supportedScope),
            details: try client.details(parameters, settings), expiresAt: now + lifetime,
            interval: settings.pollingInterval)
        let deviceCode = secret("device")
        devices.insert(device, for: deviceCode, lifetime: lifetime + DeviceAuthorization.memory, now: now)
        userCodes.insert(device, for: userCode, lifetime: lifetime, now: now)
        return SandboxResponse(members: [
            "device_code": .string(deviceCode), "user_code": .string(userCode),
            "verification_uri": .string(url(Path.device)),
            "verification_uri_complete": .string(url(Path.device) + "?user_code=\(userCode)"),
            "expires_in": .integer(lifetime), "interval": .integer(device.interval),
        ])
    }

    /// Eight consonants, so that they do not form words (RFC 8628 §6.1).
    private func newUserCode() -> String {
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        let code = random(8).map { letters[Int($0) % letters.count] }
        let text = String(code.prefix(4)) + "-" + String(code.suffix(4))
        return userCodes.value(text, now: now) == nil ? text : newUserCode()
    }

    /// The page to enter the code of a device (RFC 8628 §3.3).
    func verifyDevice(_ request: SandboxRequest) -> SandboxResponse {
        var code = ""
        do throws(Refusal) {
            guard let typed = try request.queryParameters()["user_code"] else { return Page.deviceCode() }
            code = typed
            let letters = typed.uppercased().filter { $0.isLetter }
            guard let device = userCodes.value("\(letters.prefix(4))-\(letters.dropFirst(4))", now: now) else {
                throw .badUserCode
            }
            switch settings.consent {
            case .page: return ask(.device(device))
            case .automatic: return try decide(device, allows: true)
            case .deny: return try decide(device, allows: false)
            }
        } catch {
            trace.refusal = error
            return Page.deviceCode(code, problem: error)
        }
    }

    /// Records the user's decision. The code stays valid until then, even if its page is loaded again.
    ///
    /// - Throws: `invalid_request` if another page has decided, or the code has expired.
    func decide(_ device: DeviceAuthorization, allows: Bool) throws(Refusal) -> SandboxResponse {
        guard userCodes.remove(device.userCode, now: now) != nil else { throw .badUserCode }
        device.decision = allows ? .allowed(at: now) : .denied
        return Page.deviceDone(device, allows: allows)
    }

    /// The device grant (RFC 8628 §3.4, §3.5), and that of CIBA (OpenID Connect CIBA Core §10.1, §11).
    func poll(_ token: TokenRequest, by grant: GrantType, with parameter: String) throws(Refusal) -> JSONObject {
        let text = try token.parameters.required(parameter)
        guard let device = devices.value(text, now: now), device.grant == grant,
            device.clientID.isIdentical(to: token.client.id)
        else {
            throw .invalidGrant("the \(parameter) is not known, has been used, or was given to another client")
        }
        guard device.expiresAt > now else { throw Refusal("expired_token", "the \(parameter) has expired") }
        defer { device.lastPoll = now }
        if let last = device.lastPoll, now - last < device.interval {
            device.interval += 5
            throw Refusal("slow_down", "the client must wait \(device.interval) seconds between polls")
        }
        switch device.decision {
        case .allowed(let time):
            _ = devices.remove(text, now: now)
            return try issueForPerson(
                token,
                for: Authorization(
                    clientID: device.clientID, subject: (device.person ?? settings.people[0]).subject,
                    scope: device.scope, details: device.details, authenticationTime: time))
        case .denied:
            _ = devices.remove(text, now: now)
            throw .accessDenied
        case .pending:
            decideByItself(device)
            throw Refusal("authorization_pending", "the user has not decided yet")
        }
    }

    /// With `auto` and `deny` no page has to be opened: the decision is made before the second poll.
    private func decideByItself(_ device: DeviceAuthorization) {
        switch settings.consent {
        case .page: break
        case .automatic: device.decision = .allowed(at: now)
        case .deny: device.decision = .denied
        }
    }
}

extension Refusal {
    fileprivate static var badUserCode: Refusal {
        .invalidRequest("the code is not known, has expired or has been used")
    }
}
