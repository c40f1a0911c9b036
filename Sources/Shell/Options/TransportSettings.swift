package import Calls
package import CommandSpec
package import Errands
internal import Redaction
package import Wire

/// What the options say about how requests are sent.
package final class TransportSettings: Sendable {
    package let route: Route
    /// The time limits for connecting and for a request, in seconds; 0 for none, nil for the default.
    package let (connectTimeout, maximumTime): (Double?, Double?)
    /// How often requests are to be shown: with their content from 2.
    package let verbosity: Int
    package let archive: String?
    package let isDryRun: Bool
    package let mayDiscover: Bool
    /// How old metadata and keys may be, in seconds; nil for no cache.
    package let cacheAge: Double?
    /// How often a request is sent again; nil without an option for that.
    package let retries: RetryPolicy?
    /// Whether the command has these options.
    package let takesRetries: Bool

    /// Reads the options.
    ///
    /// - Throws: exit 2 for an archive in the file of the result.
    package init(_ arguments: Arguments) throws(Failure) {
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
    package init?(_ arguments: Arguments, over other: RetryPolicy) {
        guard RetryOption.all.contains(where: arguments.has) else { return nil }
        self = other
        limit = arguments.number(RetryOption.retry) ?? limit
        delay = arguments.seconds(RetryOption.retryDelay)
        if let seconds = arguments.seconds(RetryOption.retryMaxTime) {
            maximumTime = seconds == 0 ? .infinity : seconds
        }
    }
}

extension Route {
    /// What a document says of the way to its server (oap-documents(5)).
    package init(of document: JSONObject) {
        self.init()
        caCertificateFile = document["cacert_file"]?.string
        certificateFile = document["tls_client_certificate_file"]?.string
        keyFile = document["tls_client_key_file"]?.string
        proxy = document["proxy"]?.string
        noProxy = document["no_proxy"]?.string
    }

    /// The members of a document that say the same, with absolute paths; a null for one that must go. A descriptor means
    /// nothing to a later process, and a proxy with a user name or a password is not written down.
    ///
    /// - Throws: exit 11 without a working folder.
    package func members() throws(Failure) -> JSONObject {
        var members = JSONObject()
        let files = [
            ("cacert_file", caCertificateFile), ("tls_client_certificate_file", certificateFile),
            ("tls_client_key_file", keyFile),
        ]
        for case (let name, let path?) in files {
            members[name] = DescriptorPath.isOne(path) ? .null : .string(try InputFile.absolute(path))
        }
        // Without a file of its own, the key is in that of the certificate.
        if certificateFile != nil, keyFile == nil { members["tls_client_key_file"] = .null }
        if let proxy { members["proxy"] = proxyUser == nil ? .string(proxy) : .null }
        if let noProxy { members["no_proxy"] = .string(noProxy) }
        return members
    }

    /// The proxy without its user and password.
    package var shownProxy: String? {
        guard let proxy, let user = proxyUser else { return proxy }
        return proxy[..<user.startIndex] + Redactor.mask + proxy[user.endIndex...]
    }

    /// The certificates and the proxy as options of curl, whose names are the same.
    ///
    /// - Parameter withCertificate: whether the client certificate is sent.
    package func curlOptions(withCertificate: Bool) -> [(name: String, value: String)] {
        var options: [(name: String, value: String)] = []
        let add = { (option: Option, value: String?) in if let value { options.append((option.name, value)) } }
        add(GeneralOption.caCertificate, caCertificateFile)
        if withCertificate { add(GeneralOption.certificate, certificateFile) }
        if withCertificate { add(GeneralOption.key, keyFile) }
        add(GeneralOption.proxy, shownProxy)
        add(GeneralOption.noProxy, noProxy)
        return options
    }
}
