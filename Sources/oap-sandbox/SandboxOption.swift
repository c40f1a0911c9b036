internal import CommandSpec
internal import Sandbox

/// The options of the program.
enum SandboxOption {
    static let port = Option(
        "port", argument: "PORT", section: "Server", summary: "listen on this port",
        details: "The port of 127.0.0.1 to listen on. By default a free one is taken, and the client document names it."
    )
    static let run = Option(
        "run", section: "Server", summary: "run a command, and end with it",
        details: """
            Runs the `COMMAND` with the client document in its environment and in a file, and ends with it and with its \
            exit status. Nothing but the command writes to standard output then.
            """)
    static let consent = Option(
        "consent", argument: "WHO", choices: SandboxSettings.Consent.allCases.map(\.rawValue), section: "Login",
        summary: "who lets clients in: auto, deny or page",
        details: """
            `auto`, the default, grants whatever is asked for at once; `deny` refuses it; `page` shows a page on which a \
            person decides. The device grant is decided after the first poll, unless it is `page`.
            """)
    static let redirectURI = Option(
        "redirect-uri", argument: "URI", isRepeatable: true, section: "Login", summary: "another redirect URI",
        details: """
            A redirect URI of both clients, besides `/callback` on loopback. It must match to the letter, but for the port \
            of a loopback address.
            """)
    static let plainPKCE = Option(
        "pkce-plain", section: "Login", summary: "take the plain challenge of PKCE too",
        details: "Takes `code_challenge_method=plain` (RFC 7636 section 4.2), which is refused otherwise.")
    static let requirePushed = Option(
        "require-par", section: "Login", summary: "take pushed authorization requests only",
        details: "Refuses every authorization request that was not pushed first (RFC 9126 section 5).")
    static let interval = Option(
        "interval", argument: "SECONDS", section: "Login", summary: "seconds between polls of the device grant",
        details:
            "The `interval` of the device grant (RFC 8628 section 3.2); by default 1. Who polls faster is slowed down.")
    static let expiresIn = Option(
        "expires-in", argument: "SECONDS", section: "Tokens", summary: "how long access tokens live",
        details: "The lifetime of access tokens; by default 3600.")
    static let rotate = Option(
        "rotate", section: "Tokens", summary: "give a new refresh token at each refresh",
        details: """
            Uses up a refresh token at each refresh and gives a new one. A refresh token that is used twice takes with it \
            all that came of the login (RFC 9700 section 4.14.2).
            """)
    static let nonce = Option(
        "dpop-nonce", section: "Tokens", summary: "demand a nonce in every proof",
        details: "Refuses a proof of possession without the nonce of the server (RFC 9449 section 8).")
    static let rateLimit = Option(
        "rate-limit", argument: "COUNT", section: "API", summary: "requests for /events in a minute",
        details: "How many requests for `/events` are answered in a minute; by default 60.")
    static let fault = Option(
        "fault", argument: "FAULT", isRepeatable: true, section: "Faults", summary: "let something go wrong",
        details: """
            Lets something go wrong, for example `token:503x2` or `api:429,retry-after=1`; see FAULTS. Of several, the \
            first that is due counts.
            """)
    static let formEncoded = Option(
        "form-encoded", section: "Faults", summary: "answer token requests form-encoded",
        details: "The token endpoint answers form-encoded, as GitHub's does to those who do not ask for JSON.")
    static let error200 = Option(
        "error-200", section: "Faults", summary: "give errors of the token endpoint status 200",
        details: "The token endpoint gives its errors status 200, as GitHub's does.")
    static let help = Option(
        "help", short: "h", section: "General", summary: "show the options",
        details: "Shows the options in short; `man oap-sandbox` shows everything.")
    static let version = Option(
        "version", section: "General", summary: "show the versions",
        details: "Prints the version of the program, and those of the libraries that it uses.")
    static let manualPage = Option(
        "man-page", section: "General", summary: "print the manual page",
        details: "Prints the source of the manual page, in mdoc.")

    /// All but those that answer by themselves.
    static let all = [
        port, run, consent, redirectURI, plainPKCE, requirePushed, interval, expiresIn, rotate, nonce, rateLimit, fault,
        formEncoded, error200,
    ]
}
