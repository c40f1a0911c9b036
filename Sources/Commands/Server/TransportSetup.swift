internal import CommandSpec
internal import HTTP

extension TransportOptions {
    /// Reads the options and variables of the transport.
    ///
    /// - Parameter maximumTime: the seconds that a request may take when no option says it; nil for no limit.
    /// - Throws: exit 2 for a time that is none.
    init(_ arguments: Arguments, environment: Environment, maximumTime: Double?) throws(Failure) {
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

extension Arguments {
    /// The value of an option as seconds.
    ///
    /// - Parameter takesZero: whether 0 is a value, for no limit, as curl has it.
    /// - Throws: exit 2.
    func seconds(_ option: Option, takesZero: Bool = false) throws(Failure) -> Double? {
        guard let text = value(option) else { return nil }
        guard let seconds = Double(text), takesZero ? seconds >= 0 : seconds > 0, seconds < 1e9 else {
            throw .usage(
                "\(option.name) must be a number of seconds\(takesZero ? "" : " above 0") and below 1000000000")
        }
        return seconds
    }
}
