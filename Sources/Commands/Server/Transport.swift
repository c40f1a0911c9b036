internal import Calls
internal import CommandSpec
internal import HTTP
internal import OAuth
internal import Wire

/// The connections of a process to servers, with the options and variables of the transport.
final class Transport {
    /// Where warnings go, and the redactor.
    let diagnostics: Diagnostics
    private let arguments: Arguments
    private let environment: Environment
    private let archive: ArchiveFile?
    private var engine: Transfers?
    private var shared: HTTPClient?
    /// The metadata that was found, by issuer.
    var metadata: [String: KnownMetadata] = [:]

    /// No connection yet; libcurl is loaded for the first transfer. The file of `--har` is made.
    ///
    /// - Throws: exit 11 for that file.
    init(_ arguments: Arguments, _ environment: Environment, _ diagnostics: Diagnostics) throws(Failure) {
        if let path = arguments.value(GeneralOption.har) {
            guard !arguments.has(GeneralOption.dryRun) else { throw .usage("--har has no effect with --dry-run") }
            guard arguments.value(OutputOption.output) != path else { throw .usage("--har and -o name the same file") }
            archive = try ArchiveFile(path, diagnostics)
        } else {
            archive = nil
        }
        self.arguments = arguments
        self.environment = environment
        self.diagnostics = diagnostics
    }

    /// All transfers of the process.
    ///
    /// - Throws: exit 11 without libcurl.
    func transfers() throws(Failure) -> Transfers {
        if let engine { return engine }
        let (redactor, verbosity) = (diagnostics.redactor, arguments.occurrences(of: GeneralOption.verbose).count)
        let trace = Trace(redactor: redactor, showsContent: verbosity > 1) { [diagnostics] in diagnostics.print($0) }
        do throws(HTTPError) {
            let transfers = try Transfers(
                trace: verbosity > 0 ? trace : nil,
                archive: archive.map { file in HTTPArchive(redactor: redactor) { file.add($0) } },
                learn: { for secret in EndpointResponse($0).secrets { redactor.add(secret) } })
            engine = transfers
            return transfers
        } catch {
            throw Failure(error, stake: .repeatable)
        }
    }

    /// The client for the authorization server.
    ///
    /// - Throws: exit 2 for an option of the transport, exit 11 without libcurl.
    func client() throws(Failure) -> HTTPClient {
        if let shared { return shared }
        let options = try TransportOptions(arguments, environment, maximumTime: Self.patience)
        let client = HTTPClient(options: options, over: try transfers())
        shared = client
        return client
    }

    /// Sends a request to the authorization server, and again after a failure that may pass.
    ///
    /// - Throws: as `client()`.
    func send(_ request: ServerRequest) throws(Failure) -> ServerRequest.Result {
        var exchange = EndpointExchange(request.message, isRepeatable: request.isRepeatable, at: .now)
        while true {
            let result = try attempt(request)
            guard let planned = exchange.receive(result, at: .now) else { return result }
            diagnostics.tell(planned.retry)
            Pause.wait(until: planned.end)
        }
    }

    /// Sends a request to the authorization server once, and waits for the response.
    ///
    /// - Throws: as `client()`.
    func attempt(_ request: ServerRequest) throws(Failure) -> ServerRequest.Result {
        try showInstead(request)
        let client = try client()
        do throws(HTTPError) {
            return .success(
                try client.send(
                    request.message, maximumBody: ServerRequest.limit, withCertificate: request.withCertificate))
        } catch {
            return .failure(error)
        }
    }

    /// Sends a request to a server, and hands the response over as it arrives.
    ///
    /// - Returns: why it ended early; nil for a complete response.
    /// - Throws: as `client()`.
    func stream(_ request: ServerRequest, to receiver: any ResponseReceiver) throws(Failure) -> HTTPError? {
        try showInstead(request)
        let client = try client()
        do throws(HTTPError) {
            return try client.stream(request.message, withCertificate: request.withCertificate, to: receiver)
        } catch {
            return error
        }
    }

    /// Whether the first request is shown, and none is sent (`--dry-run`).
    var isDryRun: Bool { arguments.has(GeneralOption.dryRun) }

    /// Ends the command with the command line of the request, with `--dry-run`.
    private func showInstead(_ request: ServerRequest) throws(Failure) {
        guard isDryRun else { return }
        let line = CurlCommand(request.message, redactor: diagnostics.redactor).text
        throw .shown(line + curlOptions(withCertificate: request.withCertificate))
    }

    /// The certificates and the proxy of the options, for a curl command line: they are curl's own options.
    func curlOptions(withCertificate: Bool) -> String {
        let identity = withCertificate ? [GeneralOption.certificate, GeneralOption.key] : []
        let options = [GeneralOption.caCertificate] + identity + [GeneralOption.proxy, GeneralOption.noProxy]
        return options.compactMap { option in
            arguments.value(option).map { " \(option.name) \(diagnostics.redactor.redact(url: $0).shellWord)" }
        }.joined()
    }

    /// How to reach an API: without a time limit by default.
    ///
    /// - Throws: exit 2 for an option of the transport.
    func apiOptions() throws(Failure) -> TransportOptions {
        try TransportOptions(arguments, environment, maximumTime: nil)
    }

    /// The cache of metadata and keys; nil without `--cache` or a home, and with `--dry-run`.
    ///
    /// - Throws: exit 2 for what is no number of seconds.
    func cache() throws(Failure) -> MetadataCache? {
        guard !isDryRun else { return nil }
        return try arguments.seconds(GeneralOption.cache, takesZero: true)
            .flatMap { MetadataCache(environment.folders, maximumAge: $0) }
    }

    /// Whether endpoints that are missing may be looked for.
    var mayDiscover: Bool { !arguments.has(GeneralOption.noDiscovery) }

    /// Whether requests are shown.
    var isVerbose: Bool { arguments.has(GeneralOption.verbose) }

    /// How long a request to the authorization server may take, in whole seconds; nil for no limit.
    var longestRequest: Int? {
        let seconds = (try? arguments.seconds(GeneralOption.maxTime, takesZero: true)) ?? Self.patience
        return seconds > 0 ? max(Int(seconds.rounded(.up)), 1) : nil
    }

    /// How long such a request may take by default, in seconds.
    private static let patience: Double = 30

    /// Whether the command line limits the time of a request.
    var hasTimeLimit: Bool { arguments.has(GeneralOption.maxTime) }
}

extension TransportOptions {
    /// Reads the options and variables of the transport.
    ///
    /// - Parameter maximumTime: the seconds that a request may take without an option for it; nil for no limit.
    /// - Throws: exit 2 for an invalid time.
    fileprivate init(
        _ arguments: Arguments, _ environment: Environment, maximumTime: Double?
    ) throws(Failure) {
        var found: [String: String] = [:]
        let proxies = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        for name in proxies + ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
            found[name] = try environment.value(name)
        }
        self.init { found[$0] }
        caCertificateFile = arguments.value(GeneralOption.caCertificate) ?? caCertificateFile
        certificateFile = arguments.value(GeneralOption.certificate)
        keyFile = arguments.value(GeneralOption.key)
        proxy = arguments.value(GeneralOption.proxy) ?? proxy
        noProxy = arguments.value(GeneralOption.noProxy) ?? noProxy
        if let seconds = try arguments.seconds(GeneralOption.connectTimeout, takesZero: true), seconds > 0 {
            connectTimeout = seconds
        }
        let seconds = try arguments.seconds(GeneralOption.maxTime, takesZero: true) ?? maximumTime
        self.maximumTime = seconds == 0 ? nil : seconds
        userAgent = "oap/\(Version.number)"
    }
}
