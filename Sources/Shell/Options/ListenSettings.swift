package import CommandSpec
package import Loopback
internal import Wire

/// The options of `listen`, and those by which any command opens a browser.
package enum ListenOption {
    package static let browser = "Browser"
    private static let listening = "Listening"

    package static let open = Option("open", section: browser, summary: "open the URL in a browser")
    package static let ephemeral = Option("ephemeral", section: browser, summary: "open the URL in a private window")
    package static let qrCode = Option("qr", section: browser, summary: "show the URL as a QR code")
    static let standardTimeout = 300
    package static let timeout = Option(
        "timeout", argument: "SECONDS", form: .seconds(takesZero: false), standard: String(standardTimeout),
        section: listening, summary: "time limit for the redirect")
    package static let bind = Option(
        "bind", argument: "ADDRESS", section: listening, summary: "listen on this address instead")
    package static let certificate = Option.file(
        "tls-certificate-file", section: listening, summary: "the certificate for an https redirect URI")
    package static let key = Option.file("tls-key-file", section: listening, summary: "the key of the certificate")

    package static let all = [open, ephemeral, qrCode, timeout, bind, certificate, key]

    package static let rules: [OptionRule] = [.needs([certificate], anyOf: [key]), .needs([key], anyOf: [certificate])]
}

/// What the options say about receiving a redirect.
package struct ListenSettings {
    /// Where to listen instead of where the redirect URI leads; nil without `--bind`.
    package let bind: (address: LoopbackAddress, port: Int?)?
    /// The files of the certificate and its key: both or neither.
    package let (certificate, key): (String?, String?)
    /// How long to wait, in seconds.
    package let timeout: Double

    /// Reads the options.
    ///
    /// - Throws: exit 2 for a `--bind` that is no address.
    package init(_ arguments: Arguments) throws(Failure) {
        bind = try arguments.value(ListenOption.bind).map { text throws(Failure) in try Self.parse(bind: text) }
        certificate = arguments.value(ListenOption.certificate)
        key = arguments.value(ListenOption.key)
        timeout = arguments.seconds(ListenOption.timeout) ?? Double(ListenOption.standardTimeout)
    }

    /// `ADDRESS`, `ADDRESS:PORT` or `[ADDRESS]:PORT`.
    private static func parse(bind text: String) throws(Failure) -> (address: LoopbackAddress, port: Int?) {
        if let address = LoopbackAddress(anywhere: text) { return (address, nil) }
        if let url = WebURL("http://\(text)/"), url.text == "http://\(text)/", let host = url.host,
            let address = LoopbackAddress(anywhere: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host),
            url.port != 0
        {
            return (address, url.port)
        }
        throw .usage("--bind takes a numeric IP address, with or without a port")
    }
}
