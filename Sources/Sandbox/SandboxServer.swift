internal import Wire

/// An authorization server and an API in miniature: requests in, responses out, and everything in between in memory. It
/// does no I/O; the clock and the random bytes are passed in.
package final class SandboxServer {
    /// The issuer identifier, which all its URLs begin with.
    package let issuer: String
    let settings: SandboxSettings
    var keys = SigningKeys()
    /// The one reading of the clock for the request under way, in seconds since 1970.
    private(set) var now = 0
    var clients: ClientRegistry
    var codes = ExpiringTable<Code>()
    var accessTokens = ExpiringTable<AccessToken>()
    var refreshTokens = ExpiringTable<RefreshToken>()
    var pushedRequests = ExpiringTable<PushedRequest>()
    var consents = ExpiringTable<PendingConsent>()
    var devices = ExpiringTable<DeviceAuthorization>()
    var userCodes = ExpiringTable<DeviceAuthorization>()
    /// The identifiers of proofs and assertions that have been used.
    var usedIdentifiers = ExpiringTable<Void>()
    var rate = RateWindow()
    private var faults: FaultPlan
    private let random: (Int) -> [UInt8]
    let nonceSecret: [UInt8]

    /// Makes a server with a new key and two clients.
    ///
    /// - Parameters:
    ///   - issuer: scheme, host and port, without a slash at the end.
    ///   - random: gives as many random bytes as it is asked for.
    /// - Throws: ``SandboxError``, when no key can be made.
    package init(
        issuer: String, settings: SandboxSettings, random: @escaping (Int) -> [UInt8]
    ) throws(SandboxError) {
        self.issuer = issuer
        self.settings = settings
        self.random = random
        clients = ClientRegistry(redirectURIs: settings.redirectURIs)
        faults = FaultPlan(settings.faults)
        nonceSecret = random(32)
        do throws(Refusal) {
            try keys.prepare(ClientRegistry.idTokenAlgorithm)
        } catch {
            throw SandboxError(message: "no key can be made; is libcrypto there (Debian package libssl3)?")
        }
    }

    /// Answers a request.
    ///
    /// - Parameter now: seconds since 1970.
    package func respond(to request: SandboxRequest, now: Int) -> SandboxResponse {
        self.now = now
        guard let route = Route.find(request.path) else {
            return Refusal("not_found", "there is nothing at this path", status: 404).response
        }
        guard let fault = faults.next(at: route.endpoint) else { return answer(request, by: route) }
        if case .error(let code) = fault.kind, request.path == Path.authorization {
            return authorize(request, failing: fault.refusal(code))
        }
        return fault.apply { answer(request, by: route) }
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

/// Why there is no sandbox.
package struct SandboxError: Error {
    /// What happened: lower case, no full stop.
    package let message: String
}

extension SandboxServer {
    /// A new secret that nobody can guess, with a word in front that says what it is.
    func secret(_ kind: String) -> String { "\(kind)_\(Base64.encodeURL(random(32)))" }

    /// Random bytes.
    func randomBytes(_ count: Int) -> [UInt8] { random(count) }

    /// The URL of a path.
    func url(_ path: String) -> String { issuer + path }

    /// Notes an identifier that serves once.
    ///
    /// - Returns: whether it is new.
    func use(identifier: String, for lifetime: Int) -> Bool {
        guard usedIdentifiers.value(identifier, now: now) == nil else { return false }
        usedIdentifiers.insert((), for: identifier, lifetime: lifetime, now: now)
        return true
    }
}
