internal import Calls
internal import CommandSpec

/// What the options say about how requests are sent.
final class TransportSettings: Sendable {
    /// The file of the trusted certificates, of the client certificate and of its key; the proxy and the hosts without it.
    let caCertificate, certificate, key, proxy, noProxy: String?
    /// The time limits for connecting and for a request, in seconds; 0 for none, nil for the default.
    let (connectTimeout, maximumTime): (Double?, Double?)
    /// How often requests are to be shown: with their content from 2.
    let verbosity: Int
    let archive: String?
    let isDryRun: Bool
    let mayDiscover: Bool
    /// How old metadata and keys may be, in seconds; nil for no cache.
    let cacheAge: Double?
    /// How often a request is sent again; nil without an option for that.
    let retries: RetryPolicy?

    /// Reads the options.
    ///
    /// - Throws: exit 2 for an archive in the file of the result.
    init(_ arguments: Arguments) throws(Failure) {
        caCertificate = arguments.value(GeneralOption.caCertificate)
        certificate = arguments.value(GeneralOption.certificate)
        key = arguments.value(GeneralOption.key)
        proxy = arguments.value(GeneralOption.proxy)
        noProxy = arguments.value(GeneralOption.noProxy)
        connectTimeout = arguments.seconds(GeneralOption.connectTimeout)
        maximumTime = arguments.seconds(GeneralOption.maxTime)
        verbosity = arguments.occurrences(of: GeneralOption.verbose).count
        archive = arguments.value(GeneralOption.har)
        isDryRun = arguments.has(GeneralOption.dryRun)
        mayDiscover = !arguments.has(GeneralOption.noDiscovery)
        cacheAge = arguments.seconds(GeneralOption.cache)
        retries = RetryPolicy(arguments, over: .lasting)
        guard archive == nil || arguments.value(OutputOption.output) != archive else {
            throw .usage("--har and -o name the same file")
        }
    }

    /// The certificates and the proxy as options of curl, whose names are the same.
    ///
    /// - Parameter withCertificate: whether the client certificate is sent.
    func curlOptions(withCertificate: Bool) -> [(name: String, value: String)] {
        var options: [(name: String, value: String)] = []
        let add = { (option: Option, value: String?) in if let value { options.append((option.name, value)) } }
        add(GeneralOption.caCertificate, caCertificate)
        if withCertificate { add(GeneralOption.certificate, certificate) }
        if withCertificate { add(GeneralOption.key, key) }
        add(GeneralOption.proxy, proxy)
        add(GeneralOption.noProxy, noProxy)
        return options
    }
}

extension RetryPolicy {
    /// Another policy with what the options say.
    ///
    /// - Returns: nil without an option.
    init?(_ arguments: Arguments, over other: RetryPolicy) {
        guard RetryOption.all.contains(where: arguments.has) else { return nil }
        self = other
        limit = arguments.number(RetryOption.retry) ?? limit
        delay = arguments.seconds(RetryOption.retryDelay)
        if let seconds = arguments.seconds(RetryOption.retryMaxTime) {
            maximumTime = seconds == 0 ? .infinity : seconds
        }
    }
}
