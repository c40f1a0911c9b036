internal import CommandSpec
internal import Sandbox

/// The options of the program.
enum SandboxOption {
    static let port = Option(
        "port", argument: "PORT", section: "Server", summary: "listen on this port",
        details: "The port of 127.0.0.1 to listen on. By default a free port; the client document names it."
    )
    static let run = Option(
        "run", section: "Server", summary: "run a command, and end with it",
        details: """
            Runs the `COMMAND` with the client document in its environment and in a file, and exits when it ends, with \
            its exit status. Only the command then writes to standard output.
            """)
    static let consent = Option(
        "consent", argument: "WHO", choices: SandboxSettings.Consent.allCases.map(\.rawValue), section: "Login",
        summary: "how logins are decided: auto, deny or page",
        details: """
            `auto`, the default, grants every request at once; `deny` refuses it; `page` shows a page on which the \
            user decides. With `auto` and `deny` the device grant is decided after the first poll.
            """)
    static let redirectURI = Option(
        "redirect-uri", argument: "URI", isRepeatable: true, section: "Login", summary: "another redirect URI",
        details: """
            A redirect URI of both clients, in addition to `/callback` on loopback. It must match exactly, except for \
            the port of a loopback address. The printed document keeps its own; `oap login --redirect-uri URI` uses \
            this one.
            """)
    static let plainPKCE = Option(
        "pkce-plain", section: "Login", summary: "accept the plain PKCE challenge too",
        details: "Accepts `code_challenge_method=plain` (RFC 7636 section 4.2), which is refused by default.")
    static let requirePushed = Option(
        "require-par", section: "Login", summary: "accept only pushed authorization requests",
        details: "Refuses every authorization request that was not pushed first (RFC 9126 section 5).")
    static let interval = Option(
        "interval", argument: "SECONDS", section: "Login", summary: "seconds between polls of the device grant",
        details:
            "The `interval` of the device grant (RFC 8628 section 3.2); by default 1. A client that polls faster gets `slow_down`."
    )
    static let expiresIn = Option(
        "expires-in", argument: "SECONDS", section: "Tokens", summary: "lifetime of access tokens",
        details: "The lifetime of access tokens; by default 3600.")
    static let rotate = Option(
        "rotate", section: "Tokens", summary: "rotate refresh tokens",
        details: """
            Issues a new refresh token at each refresh; the old one becomes invalid. If a refresh token is used twice, \
            all tokens of that login are revoked (RFC 9700 section 4.14.2).
            """)
    static let nonce = Option(
        "dpop-nonce", section: "Tokens", summary: "require a nonce in every DPoP proof",
        details: "Refuses a DPoP proof without the nonce of the server (RFC 9449 section 8).")
    static let rateLimit = Option(
        "rate-limit", argument: "COUNT", section: "API", summary: "requests for /events per minute",
        details: "The limit of requests for `/events` per minute; by default 60.")
    static let fault = Option(
        "fault", argument: "FAULT", isRepeatable: true, section: "Faults", summary: "inject a fault",
        details: """
            Injects a fault, for example `token:503x2` or `api:429,retry-after=1`; see FAULTS. If several apply, the \
            first is used.
            """)
    static let formEncoded = Option(
        "form-encoded", section: "Faults", summary: "answer token requests form-encoded",
        details: "The token endpoint answers form-encoded, as GitHub's does unless JSON is requested.")
    static let error200 = Option(
        "error-200", section: "Faults", summary: "give errors of the token endpoint status 200",
        details: "The token endpoint gives its errors status 200, as GitHub's does.")
    static let help = Option(
        "help", short: "h", section: "General", summary: "show the options",
        details: "Lists the options; `man oap-sandbox` shows everything.")
    static let version = Option(
        "version", section: "General", summary: "show the versions",
        details: "Prints the version of the program, and those of the libraries that it uses.")
    static let manualPage = Option(
        "man-page", section: "General", summary: "print the manual page",
        details: "Prints the source of the manual page, in mdoc.")

    /// All except `--help`, `--version` and `--man-page`.
    static let all = [
        port, run, consent, redirectURI, plainPKCE, requirePushed, interval, expiresIn, rotate, nonce, rateLimit, fault,
        formEncoded, error200,
    ]
}
