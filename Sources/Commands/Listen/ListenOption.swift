internal import CommandSpec

/// The options of `listen`, and those by which any command opens a browser.
enum ListenOption {
    static let browser = "Browser"
    private static let listening = "Listening"

    static let open = Option(
        "open", section: browser, summary: "open the URL in a browser",
        details: """
            Opens the URL with the first program of `BROWSER` that there is, else with `xdg-open`, and does not wait for \
            it. Where there is neither a display nor a `BROWSER`, only the URL is printed.
            """)
    static let ephemeral = Option(
        "ephemeral", section: browser, summary: "open it in a private window of a new profile",
        details: """
            Opens the URL in a private window of Chromium, Chrome, Brave or Firefox, with a profile that is removed when \
            that browser is closed; so nobody is logged in there, and nobody stays so. Implies `--open`.
            """)
    static let qrCode = Option(
        "qr", section: browser, summary: "show the URL as a QR code",
        details: """
            Draws the URL as a QR code on standard error, for the camera of a telephone. The redirect must reach this \
            machine all the same, so that it goes with `--bind`.
            """)
    static let timeout = Option(
        "timeout", argument: "SECONDS", section: listening, summary: "how long to wait for the redirect (300)",
        details: "After so many seconds it is exit status 6. Fractions are allowed.")
    static let bind = Option(
        "bind", argument: "ADDRESS", section: listening, summary: "listen on this address instead",
        details: """
            A numeric address, and a port behind a colon where it is not that of the redirect URI: for a redirect that \
            arrives through a tunnel or a proxy. Then the redirect URI may be any, and the `Host` of a request is not \
            checked.
            """)
    static let certificate = Option(
        "tls-certificate-file", argument: "FILE", completes: .files, section: listening,
        summary: "the certificate for an https redirect URI",
        details: "The certificate (PEM) that the browser is shown, with those that lead to its authority.")
    static let key = Option(
        "tls-key-file", argument: "FILE", completes: .files, section: listening,
        summary: "the key of the certificate", details: "The private key (PEM) of `--tls-certificate-file`.")

    /// All options of `listen`.
    static let all = [open, ephemeral, qrCode, timeout, bind, certificate, key]
}
