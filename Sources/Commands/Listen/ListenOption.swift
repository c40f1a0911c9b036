internal import CommandSpec

/// The options of `listen`, and those by which any command opens a browser.
enum ListenOption {
    static let browser = "Browser"
    private static let listening = "Listening"

    static let open = Option(
        "open", section: browser, summary: "open the URL in a browser",
        details: """
            Opens the URL with the first program in `BROWSER` that is installed, or else with `xdg-open`. If there is \
            neither a display nor `BROWSER`, the URL is printed, but not opened.
            """)
    static let ephemeral = Option(
        "ephemeral", section: browser, summary: "open the URL in a private window",
        details: """
            Opens the URL in a private window of Chromium, Chrome, Brave or Firefox, with a temporary browser profile, \
            which is deleted afterwards. So no existing session of the browser is used, and no new one stays. This \
            implies `--open`.
            """)
    static let qrCode = Option(
        "qr", section: browser, summary: "show the URL as a QR code",
        details: """
            Draws the URL as a QR code on standard error, for the camera of a phone. The phone's browser must reach \
            this machine with its redirect, so this option is normally used with `--bind`.
            """)
    static let timeout = Option(
        "timeout", argument: "SECONDS", standard: "300", section: listening, summary: "time limit for the redirect",
        details:
            """
            How many seconds to wait for the redirect. Fractions are allowed. After this time the command fails with \
            exit status 6.
            """)
    static let bind = Option(
        "bind", argument: "ADDRESS", section: listening, summary: "listen on this address instead",
        details: """
            Listens on this numeric IP address instead of that of the redirect URI. With `ADDRESS:PORT`, the port is \
            replaced too. This is for a redirect that arrives through a tunnel or a proxy. So the redirect URI may \
            have any host, and the header field `Host` of the request is not checked.
            """)
    static let certificate = Option(
        "tls-certificate-file", argument: "FILE", completes: .files, section: listening,
        summary: "the certificate for an https redirect URI",
        details: """
            The certificate (PEM) that the browser gets if the redirect URI is https, followed by its intermediate \
            certificates.
            """)
    static let key = Option(
        "tls-key-file", argument: "FILE", completes: .files, section: listening,
        summary: "the key of the certificate",
        details: """
            The private key (PEM) of the certificate in `--tls-certificate-file`.
            """)

    /// All options of `listen`.
    static let all = [open, ephemeral, qrCode, timeout, bind, certificate, key]
}
