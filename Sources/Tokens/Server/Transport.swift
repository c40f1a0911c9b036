package import Calls
package import Errands
package import OAuth
internal import Redaction
internal import System
package import Wire
package import Shell

/// How requests are sent: the options and variables of the transport, what the document says that they are about, and what
/// is known of servers. It sends nothing: the engine does.
package final class Transport {
    package let diagnostics: Diagnostics
    package let world: World
    private let settings: TransportSettings
    private let environment: Environment
    private let carrier: Carrier
    /// What the document says of the way to its server.
    private let route: Route
    private let servers: KnownServers
    /// How often a request is sent again.
    private let retries: RetryPolicy
    /// Where uses of tokens are noted; nil for nowhere.
    package let log: UseLog?
    /// What that calls the token; nil for one that has no name.
    private let name: String?
    /// The way to the server, once it was checked.
    private var reached: Route?

    package init(
        _ settings: TransportSettings, _ environment: Environment, _ world: World, _ diagnostics: Diagnostics,
        _ carrier: Carrier, log: UseLog? = nil
    ) {
        (self.log, name) = (log, nil)
        (self.settings, self.environment, self.world, self.diagnostics) = (settings, environment, world, diagnostics)
        (self.carrier, route, servers, retries) = (carrier, Route(), KnownServers(), settings.retries ?? .brief)
    }

    private init(_ other: Transport, along route: Route, _ retries: RetryPolicy, name: String?, log: UseLog? = nil) {
        (self.log, self.name) = (log ?? other.log, name)
        (settings, environment, world, diagnostics) = (
            other.settings, other.environment, other.world, other.diagnostics
        )
        (carrier, servers, self.route, self.retries) = (other.carrier, other.servers, route, retries)
    }

    /// This transport for the requests about a document, which says how its server is reached where no option does. A
    /// command with several tokens sends each request as its own token says.
    package func serving(_ document: Document) -> Transport {
        let own = Route(of: document.members)
        return own == route ? self : Transport(self, along: own, retries, name: name)
    }

    /// This transport, as patient as `retries` says: it is brief at first, since a person may wait.
    package func retrying(_ retries: RetryPolicy) -> Transport {
        Transport(self, along: route, retries, name: name)
    }

    /// This transport for a token of this name, as the log has it.
    ///
    /// - Parameter other: another log than that of the command.
    package func logging(as name: String, to other: UseLog? = nil) -> Transport {
        log == nil && other == nil ? self : Transport(self, along: route, retries, name: name, log: other)
    }

    /// This transport, with the retries of requests that no person waits for.
    package var patient: Transport { retrying(lastingRetries) }

    /// The metadata that was found, by issuer: the process asks each address once.
    package var metadata: [String: KnownMetadata] {
        get { servers.metadata }
        set { servers.metadata = newValue }
    }

    /// Whether an option names a client certificate.
    package var hasCertificateOption: Bool { settings.route.certificateFile != nil }

    /// What tells the files of the client certificate from later ones.
    var certificateStamps: [String] {
        [ownRoute.certificateFile, ownRoute.keyFile].compactMap { $0.flatMap { try? FileStatus(at: $0) }?.stamp.text }
    }

    /// The way to servers that the options and the document say.
    package var ownRoute: Route { settings.route.over(route) }

    /// How to reach the authorization server.
    ///
    /// - Throws: exit 2 for an option of the transport.
    private func serverRoute() throws(Failure) -> Route {
        if let reached { return reached }
        let route = try carrier.route(ownRoute)
        reached = route
        return route
    }

    /// Checks what the options say of the way to the server, before anything that would be wrong for that alone.
    ///
    /// - Throws: exit 2.
    func checkRoute() throws(Failure) { _ = try serverRoute() }

    /// Checks, before something is used up, that requests can be sent.
    ///
    /// - Throws: exit 2 for an option of the transport, exit 11 without libcurl.
    package func check() throws(Failure) {
        _ = try serverRoute()
        try carrier.check()
    }

    /// A request to a server, sent again after a failure that may pass.
    ///
    /// - Parameters:
    ///   - token: what it is sent with; nil for a credential of its own, or none.
    ///   - task: what it is for, in the message before a pause.
    ///   - pausing: called before a pause.
    ///   - remake: see ``CollectedCall``.
    ///   - renew: gives another token for the one that is refused; nil if it fails.
    /// - Throws: as `check()`; with `--dry-run`, the end of the command that shows the request.
    package func asked(
        _ request: ServerRequest, with token: AccessToken? = nil, for task: String? = nil,
        pausing: @escaping () -> Void = {}, remake: CollectedCall.Remake? = nil,
        renew: ((AccessToken) -> Errand<AccessToken?>)? = nil
    ) throws(Failure) -> Errand<ServerRequest.Result> {
        let learn = { [redactor = diagnostics.redactor] in redactor.learn(sent: $0) }
        learn(request.message)
        try showInstead(request, with: token)
        try check()
        var request = request
        if !request.isForMetadata { request.route = try serverRoute() }
        let notify = { [diagnostics] (retry: Retry) in
            pausing()
            diagnostics.tell(retry, of: task)
        }
        let remade = remake.map { remake in
            { (result: ServerRequest.Result) in
                remake(result).then { message in
                    message.map(learn)
                    return .done(message)
                }
            }
        }
        let call = CollectedCall(
            request, with: token, retries: retries, notify: notify, remake: remade, renew: renew,
            clock: { [world] in world.seconds })
        let errand = call.errand(at: world.now)
        guard log != nil, request.sendsToken || token != nil else { return errand }
        let start = world.moment
        return errand.then { [self, message = request.message] result in
            note(message, result, since: start)
            return .done(result)
        }
    }

    /// Notes in the log that the token was given to another program, or sent with a request.
    package func note(_ request: TokenUse.Request? = nil) { log?.write(TokenUse(name: name, request: request)) }

    func note(_ message: HTTPRequest, _ result: ServerRequest.Result, since start: MonotonicTime) {
        var request = TokenUse.Request(message, at: start)
        let answer = try? result.get()
        (request.status, request.bytes) = (answer?.head.status, answer?.body.count ?? 0)
        note(request)
    }

    /// Has the next note say that the token was renewed.
    func noteRenewal() { log?.noteRenewal(of: name) }

    /// `endpoint` and `task` are for messages: where it is sent, and what it is for.
    package func response(
        to request: ServerRequest, from endpoint: Endpoint? = nil, for task: String? = nil,
        remake: CollectedCall.Remake? = nil
    ) -> Attempt<HTTPResponse, ServerFault> {
        attempting { () throws(ServerFault) in
            try ServerFault.doing(asked(request, for: task, remake: remake))
                .then { .done($0.mapError { .lost($0, from: endpoint) }) }
        }
    }

    /// The answer to a request. The redactor learns what it issues before anything is said about it: a server may repeat
    /// it anywhere.
    ///
    /// - Parameter endpoint: where it is sent, for messages.
    package func answer(
        to request: ServerRequest, from endpoint: Endpoint? = nil, remake: CollectedCall.Remake? = nil
    ) -> Attempt<EndpointResponse, ServerFault> {
        response(to: request, from: endpoint, remake: remake).reading { [redactor = diagnostics.redactor] (response) in
            redactor.learn(response)
        }
    }

    /// Whether the first request is shown, and none is sent (`--dry-run`).
    package var isDryRun: Bool { settings.isDryRun }

    /// Ends the command with the command line of the request, with `--dry-run`.
    private func showInstead(_ request: ServerRequest, with token: AccessToken?) throws(Failure) {
        guard isDryRun else { return }
        var message = request.message
        token?.authorize(&message, now: world.seconds)
        throw .shown(carrier.commandLine(message) + curlOptions(withCertificate: request.withCertificate))
    }

    /// The certificates and the proxy of the options and of the document, for a curl command line: they are curl's own
    /// options.
    package func curlOptions(withCertificate: Bool) -> String {
        ownRoute.curlOptions(withCertificate: withCertificate).map { name, value in
            " \(name) \(diagnostics.redactor.redact(url: value).shellWord)"
        }.joined()
    }

    /// What the options say of the way, as members of a document that later commands work on.
    ///
    /// - Throws: see `Route.members()`.
    package func routeMembers() throws(Failure) -> JSONObject { try settings.route.members() }

    /// The cache of metadata and keys; nil without `--cache` or a home, and with `--dry-run`.
    package var cache: MetadataCache? {
        isDryRun ? nil : settings.cacheAge.flatMap { MetadataCache(environment.folders, world, maximumAge: $0) }
    }

    package var mayDiscover: Bool { settings.mayDiscover }

    package var isVerbose: Bool { settings.verbosity > 0 }

    /// How long a request to the authorization server may take, in whole seconds; nil for no limit.
    var longestRequest: Int? {
        let seconds = settings.maximumTime ?? Self.patience
        return seconds > 0 ? max(Int(seconds.rounded(.up)), 1) : nil
    }

    /// How often a request is sent again where nobody waits, and where somebody may: by the options, if there are any. A
    /// command without these options is always brief.
    var lastingRetries: RetryPolicy { settings.retries ?? (settings.takesRetries ? .lasting : .brief) }
    var briefRetries: RetryPolicy { settings.retries ?? .brief }

    /// How long such a request may take by default, in seconds.
    package static let patience: Double = 30

    package var hasTimeLimit: Bool { settings.maximumTime != nil }
}

/// What a process knows of servers.
private final class KnownServers {
    var metadata: [String: KnownMetadata] = [:]
}

extension Redactor {
    /// An answer of a server, of whose secrets this takes note.
    package func learn(_ response: HTTPResponse) -> EndpointResponse {
        let response = EndpointResponse(response)
        for secret in response.secrets { add(secret) }
        return response
    }
}
