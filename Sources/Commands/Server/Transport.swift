internal import CommandSpec
internal import HTTP
internal import Wire

/// The connections of a process to servers, with the options and variables of the transport.
final class Transport {
    /// Where warnings go, and the redactor.
    let diagnostics: Diagnostics
    private let arguments: Arguments
    private let environment: Environment
    private var shared: HTTPClient?

    /// No connection yet; libcurl is loaded for the first client.
    init(_ arguments: Arguments, _ environment: Environment, _ diagnostics: Diagnostics) {
        self.arguments = arguments
        self.environment = environment
        self.diagnostics = diagnostics
    }

    /// The client for the authorization server: one for the process, which keeps its connections.
    ///
    /// - Throws: exit 2 for an option of the transport, exit 11 without libcurl.
    func client() throws(Failure) -> HTTPClient {
        if let shared { return shared }
        let client = try client(try TransportOptions(arguments, environment, maximumTime: 30))
        shared = client
        return client
    }

    /// A client for an API, without a time limit by default.
    ///
    /// - Parameter adjust: changes the options of the transport.
    /// - Throws: as `client()`.
    func apiClient(_ adjust: (inout TransportOptions) -> Void) throws(Failure) -> HTTPClient {
        var options = try TransportOptions(arguments, environment, maximumTime: nil)
        adjust(&options)
        return try client(options)
    }

    /// Whether the command line limits the time of a request.
    var hasTimeLimit: Bool { arguments.has(GeneralOption.maxTime) }

    private func client(_ options: TransportOptions) throws(Failure) -> HTTPClient {
        let trace =
            arguments.has(GeneralOption.verbose)
            ? Trace(redactor: diagnostics.redactor) { [diagnostics] in diagnostics.print($0) } : nil
        do throws(HTTPError) {
            return try HTTPClient(options: options, trace: trace)
        } catch {
            throw Failure(error, stake: .repeatable)
        }
    }
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
        for name in ["https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
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
