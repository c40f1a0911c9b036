internal import CommandSpec

/// The options of `listen`, and those by which any command opens a browser.
enum ListenOption {
    static let browser = "Browser"
    private static let listening = "Listening"

    static let open = Option("open", section: browser, summary: "open the URL in a browser")
    static let ephemeral = Option("ephemeral", section: browser, summary: "open the URL in a private window")
    static let qrCode = Option("qr", section: browser, summary: "show the URL as a QR code")
    static let standardTimeout = 300
    static let timeout = Option(
        "timeout", argument: "SECONDS", form: .seconds(takesZero: false), standard: String(standardTimeout),
        section: listening, summary: "time limit for the redirect")
    static let bind = Option("bind", argument: "ADDRESS", section: listening, summary: "listen on this address instead")
    static let certificate = Option.file(
        "tls-certificate-file", section: listening, summary: "the certificate for an https redirect URI")
    static let key = Option.file("tls-key-file", section: listening, summary: "the key of the certificate")

    static let all = [open, ephemeral, qrCode, timeout, bind, certificate, key]

    static let rules: [OptionRule] = [.needs([certificate], anyOf: [key]), .needs([key], anyOf: [certificate])]
}
