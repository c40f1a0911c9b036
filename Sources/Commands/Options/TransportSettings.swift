internal import Calls
internal import CommandSpec
internal import Errands

/// What the options say about how requests are sent.
final class TransportSettings: Sendable {
    let route: Route
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
    /// Whether the command has these options.
    let takesRetries: Bool

    /// Reads the options.
    ///
    /// - Throws: exit 2 for an archive in the file of the result.
    init(_ arguments: Arguments) throws(Failure) {
        var route = Route()
        route.caCertificateFile = arguments.value(GeneralOption.caCertificate)
        route.certificateFile = arguments.value(GeneralOption.certificate)
        route.keyFile = arguments.value(GeneralOption.key)
        route.proxy = arguments.value(GeneralOption.proxy)
        route.noProxy = arguments.value(GeneralOption.noProxy)
        self.route = route
        connectTimeout = arguments.seconds(GeneralOption.connectTimeout)
        maximumTime = arguments.seconds(GeneralOption.maxTime)
        verbosity = arguments.occurrences(of: GeneralOption.verbose).count
        archive = arguments.value(GeneralOption.har)
        isDryRun = arguments.has(GeneralOption.dryRun)
        mayDiscover = !arguments.has(GeneralOption.noDiscovery)
        cacheAge = arguments.seconds(GeneralOption.cache)
        takesRetries = arguments.command?.options.contains(RetryOption.retry) ?? false
        retries = RetryPolicy(arguments, over: .lasting)
        guard archive == nil || arguments.value(OutputOption.output) != archive else {
            throw .usage("--har and -o name the same file")
        }
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
