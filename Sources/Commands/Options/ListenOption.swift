internal import CommandSpec

/// The options of `listen`, and those by which any command opens a browser.
enum ListenOption {
    static let browser = "Browser"
    private static let listening = "Listening"

    static let open = Option(
        "open", section: browser, summary: "open the URL in a browser",
        details: Manual.options["--open"])
    static let ephemeral = Option(
        "ephemeral", section: browser, summary: "open the URL in a private window",
        details: Manual.options["--ephemeral"])
    static let qrCode = Option(
        "qr", section: browser, summary: "show the URL as a QR code",
        details: Manual.options["--qr"])
    static let timeout = Option(
        "timeout", argument: "SECONDS", standard: "300", section: listening, summary: "time limit for the redirect",
        details: Manual.options["--timeout"])
    static let bind = Option(
        "bind", argument: "ADDRESS", section: listening, summary: "listen on this address instead",
        details: Manual.options["--bind"])
    static let certificate = Option(
        "tls-certificate-file", argument: "FILE", completes: .files, section: listening,
        summary: "the certificate for an https redirect URI",
        details: Manual.options["--tls-certificate-file"])
    static let key = Option(
        "tls-key-file", argument: "FILE", completes: .files, section: listening,
        summary: "the key of the certificate",
        details: Manual.options["--tls-key-file"])

    /// All options of `listen`.
    static let all = [open, ephemeral, qrCode, timeout, bind, certificate, key]
}
