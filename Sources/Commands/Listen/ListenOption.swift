internal import CommandSpec

/// The options of `listen`, and those by which any command opens a browser.
enum ListenOption {
    static let browser = "Browser"
    private static let listening = "Listening"

    static let open = Option(
        "open", section: browser, summary: "open the URL in a browser",
        details: """
            Opens the URL with the first installed program of `BROWSER`, else with `xdg-open`. With neither a display nor `BROWSER`, only the URL is printed.
            """)
    static let ephemeral = Option(
        "ephemeral", section: browser, summary: "open it in a private window",
        details: """
            Opens the URL in a private window of Chromium, Chrome, Brave or Firefox, with a temporary browser profile, \
            which is deleted afterwards: no existing session is used and none is left behind. Implies `--open`.
            """)
    static let qrCode = Option(
        "qr", section: browser, summary: "show the URL as a QR code",
        details: """
            Draws the URL as a QR code on standard error, for the camera of a phone. The redirect must still reach \
            this machine, so it is normally used with `--bind`.
            """)
    static let timeout = Option(
        "timeout", argument: "SECONDS", standard: "300", section: listening, summary: "time limit for the redirect",
        details:
            "Without a redirect, the command fails with exit status 6 after this many seconds. Fractions are allowed.")
    static let bind = Option(
        "bind", argument: "ADDRESS", section: listening, summary: "listen on this address instead",
        details: """
            A numeric address, with `:PORT` if the port differs from that of the redirect URI: for a redirect that \
            arrives through a tunnel or a proxy. Any redirect URI is then allowed, and the `Host` of a request is not \
            checked.
            """)
    static let certificate = Option(
        "tls-certificate-file", argument: "FILE", completes: .files, section: listening,
        summary: "the certificate for an https redirect URI",
        details: "The server certificate (PEM) for the browser, followed by its intermediate certificates.")
    static let key = Option(
        "tls-key-file", argument: "FILE", completes: .files, section: listening,
        summary: "the key of the certificate", details: "The private key (PEM) of `--tls-certificate-file`.")

    /// All options of `listen`.
    static let all = [open, ephemeral, qrCode, timeout, bind, certificate, key]
}
