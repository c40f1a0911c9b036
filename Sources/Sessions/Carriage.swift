internal import CommandSpec
internal import Engine
internal import Errands
internal import HTTP
internal import OAuth
internal import Shell
internal import Tokens
internal import Wire

/// The transfers of a process, as the options and variables of the transport say.
final class Carriage {
    private let settings: TransportSettings
    private let environment: Environment
    private let diagnostics: Diagnostics
    private let archive: ArchiveFile?
    /// What the requests of the process are sent with: it is read once, before something is used up.
    private var serverOptionsRead: TransportOptions?

    /// The file of `--har` is made.
    ///
    /// - Throws: exit 11 for that file.
    init(
        _ settings: TransportSettings, _ environment: Environment, _ diagnostics: Diagnostics
    ) throws(Failure) {
        archive = try settings.archive.map { (path) throws(Failure) in try ArchiveFile(path, diagnostics) }
        (self.settings, self.environment, self.diagnostics) = (settings, environment, diagnostics)
    }

    func open() throws(HTTPError) -> Transfers {
        let (redactor, verbosity) = (diagnostics.redactor, settings.verbosity)
        let trace = Trace(redactor: redactor, showsContent: verbosity > 1) { [diagnostics] in diagnostics.print($0) }
        return try Transfers(
            trace: verbosity > 0 ? trace : nil,
            archive: archive.map { file in HTTPArchive(redactor: redactor) { file.add($0) } },
            learn: { for secret in EndpointResponse($0).secrets { redactor.add(secret) } })
    }

    /// How to reach servers along a way.
    ///
    /// - Parameter maximumTime: how long a request may take without an option for it, in seconds; nil for no limit.
    /// - Throws: exit 2 for an option of the transport.
    func options(along route: Route, maximumTime: Double?) throws(Failure) -> TransportOptions {
        let options = try TransportOptions(settings, route: route, environment, maximumTime: maximumTime)
        guard settings.route.keyFile == nil || options.route.certificateFile != nil else {
            throw .usage(
                "\(GeneralOption.key.name) needs \(GeneralOption.certificate.name): it is the key of a certificate (TLS)",
                hint: "for the key of private_key_jwt: \(Member.option(for: "client_key_file")) FILE")
        }
        if let key = options.route.keyFile ?? options.route.certificateFile { try SecretFile.check(key, diagnostics) }
        return options
    }

    /// How to reach an authorization server where a request does not say.
    func serverOptions() throws(HTTPError) -> TransportOptions {
        if let serverOptionsRead { return serverOptionsRead }
        do throws(Failure) {
            let read = try options(along: settings.route, maximumTime: Transport.patience)
            serverOptionsRead = read
            return read
        } catch {
            throw .library(error.message)
        }
    }

    func carrier(by engine: Engine) -> Carrier {
        Carrier(
            route: { (route) throws(Failure) in
                try self.options(along: route, maximumTime: Transport.patience).route
            },
            check: { () throws(Failure) in
                if let reason = HTTPLibrary.loadFailure { throw Failure(.library(reason), stake: .repeatable) }
            },
            commandLine: { [diagnostics] in CurlCommand($0, redactor: diagnostics.redactor).text },
            output: { (errand) throws(Failure) in try engine.run(errand) })
    }
}

extension TransportOptions {
    /// A request may take `maximumTime` seconds without an option for it; nil for no limit.
    fileprivate init(
        _ settings: TransportSettings, route: Route, _ environment: Environment, maximumTime: Double?
    ) throws(Failure) {
        var found: [String: String] = [:]
        let proxies = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        for name in proxies + ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
            found[name] = try environment.value(name)
        }
        self.init { found[$0] }
        self.route = route.over(self.route)
        if let seconds = settings.connectTimeout, seconds > 0 { connectTimeout = seconds }
        let seconds = settings.maximumTime ?? maximumTime
        self.maximumTime = seconds == 0 ? nil : seconds
        userAgent = "oap/\(Version.number)"
    }
}
