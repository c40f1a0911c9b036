internal import CommandSpec

/// The options of `listen`, and those by which any command opens a browser.
enum ListenOption {
    static let browser = "Browser"
    private static let listening = "Listening"

    static let open = Option(
        "open", section: browser, summary: "open the URL in a browser",
        details: """
            Opens the login or logout URL with the first installed program that `BROWSER` lists, or else with \
            `xdg-open`. Without a display and without `BROWSER`, `oap` opens no browser.
            """)
    static let ephemeral = Option(
        "ephemeral", section: browser, summary: "open the URL in a private window",
        details: """
            Opens the login URL in a private window of Chromium, Chrome, Brave or Firefox, with a temporary browser \
            profile. The browser therefore uses no existing login session. When the browser ends, the temporary \
            browser profile is deleted, with the new session. This option implies `--open`. If \
            `oap` finds none of these browsers, the user must open the login URL. If there is no terminal either, a \
            command that waits for the redirect fails at once with exit status 6 and the error `cancelled`.
            """)
    static let qrCode = Option(
        "qr", section: browser, summary: "show the URL as a QR code",
        details: """
            Draws the login URL as a QR code on standard error, for the camera of a phone. The redirect of the phone's \
            browser must be able to reach this machine. This normally requires `--bind`.
            """)
    static let timeout = Option(
        "timeout", argument: "SECONDS", standard: "300", section: listening, summary: "time limit for the redirect",
        details:
            """
            How many seconds the command waits for the redirect. Fractions are allowed. After this time, the command \
            fails with exit status 6, or with 9 if only redirects of another login have arrived.
            """)
    static let bind = Option(
        "bind", argument: "ADDRESS", section: listening, summary: "listen on this address instead",
        details: """
            Listens on this numeric IP address instead of the address in the redirect URI. With `ADDRESS:PORT`, `oap` \
            listens on PORT instead of the port in the redirect URI. Use this option if the redirect arrives through a \
            tunnel or a proxy. With this option, the redirect URI may have any host, and `oap` does not check the \
            header field `Host` of the browser's request.
            """)
    static let certificate = Option(
        "tls-certificate-file", argument: "FILE", completes: .files, section: listening,
        summary: "the certificate for an https redirect URI",
        details: """
            The file with the server certificate (PEM) for an https redirect URI. Intermediate certificates may follow \
            in the same file.
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
