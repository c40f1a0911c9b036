internal import CommandSpec
internal import Sandbox

/// The options of the program.
enum SandboxOption {
    static let port = Option(
        "port", argument: "PORT", otherwise: "a free one", section: "Server", summary: "listen on this port",
        details: """
            The port of 127.0.0.1 to listen on. The default is a free port, which is in the URLs of the client document.
            """
    )
    static let run = Option(
        "run", section: "Server", summary: "run a command, and end with it",
        details: """
            Runs the `COMMAND` with the client document in its environment and in a file. When the command ends, the \
            sandbox ends too, with the same exit status. Only the command writes to standard output.
            """)
    static let issuer = Option(
        "issuer", argument: "URL", otherwise: "the own address", section: "Server",
        summary: "the issuer, for a proxy in front",
        details: """
            Uses this URL instead of the sandbox's own address as the issuer and as the beginning of all URLs. This is \
            for a proxy in front of the sandbox, or for the name in a certificate. If the URL has a path, requests are \
            answered with and without it.
            """)
    static let certificate = Option(
        "tls-certificate-file", argument: "FILE", completes: .files, section: "Server",
        summary: "serve TLS with this certificate",
        details: """
            Serves https with the certificate in this file (PEM), which may be followed by intermediate certificates. \
            Its `subjectAltName` must name 127.0.0.1, or the host of `--issuer`; else a warning says so. This requires \
            `--tls-key-file`.
            """)
    static let key = Option(
        "tls-key-file", argument: "FILE", completes: .files, section: "Server", summary: "the key of the certificate",
        details: "The private key of the certificate, in PEM, not encrypted.")
    static let certificatePort = Option(
        "mtls-port", argument: "PORT", section: "Server", summary: "ask for client certificates at this port",
        details: """
            A second port, at which clients are asked for a certificate (RFC 8705), 0 for a free one; see CLIENT \
            CERTIFICATES. Needs `--tls-certificate-file`.
            """)
    static let clientAuthorities = Option(
        "mtls-ca-file", argument: "FILE", completes: .files, section: "Server",
        summary: "trust client certificates of these issuers",
        details: """
            The CA certificates, in PEM, that sign the certificates of clients with `tls_client_auth`. Without this \
            option, these clients are refused.
            """)
    static let log = Option(
        "log", argument: "FILE", completes: .files, section: "Server",
        summary: "append a line to FILE for each request",
        details: """
            Appends a JSON object for each request to this file, which is made with mode 0600: `time`, `method`, \
            `path`, `status`, `client`, `grant_type`, `parameters`, `error`, `error_description` and `fault`, if they \
            apply. Secrets, codes and tokens are masked.
            """)
    static let verbose = Option(
        "verbose", short: "v", section: "Server", summary: "print a line for each request",
        details: "Prints the lines of `--log` to standard error.")
    static let consent = Option(
        "consent", argument: "WHO", choices: SandboxSettings.Consent.allCases.map(\.rawValue), standard: "auto",
        section: "Login",
        summary: "how logins are decided",
        details: """
            How a login is decided: `auto` grants it at once, `deny` refuses it, and `page` shows a page on which the \
            user decides. In the device flow, `auto` and `deny` decide after the client's first poll.
            """)
    static let redirectURI = Option(
        "redirect-uri", argument: "URI", isRepeatable: true, section: "Login", summary: "another redirect URI",
        details: """
            A redirect URI of the two built-in clients (see CLIENTS), in addition to `/callback` on loopback. It must \
            match exactly, except for the port of a loopback address. The printed client document does not change; \
            `oap login --redirect-uri URI` uses the additional URI.
            """)
    static let client = Option(
        "client", argument: "FILE", isRepeatable: true, completes: .files, section: "Login",
        summary: "add the client in this file",
        details: """
            Adds a client: a JSON object of client metadata (RFC 7591 section 2) with its `client_id`, and a \
            `client_secret` if it authenticates with one.
            """)
    static let user = Option(
        "user", argument: "FILE", isRepeatable: true, completes: .files, section: "Login",
        summary: "a user, in place of ada",
        details: """
            A user: a JSON object of claims (OpenID Connect Core section 5.1) with a `sub`. ID tokens and the userinfo \
            endpoint contain the claims whose scope value is granted, and those that belong to no scope value. A login \
            is for the first user, unless the `login_hint` of the request is the `preferred_username`, `email` or \
            `sub` of another.
            """)
    static let scope = Option(
        "scope", argument: "VALUE", isRepeatable: true, section: "Login", summary: "another scope value",
        details: "A scope value in addition to those that the section CLIENTS lists.")
    static let optionalPKCE = Option(
        "pkce-optional", section: "Login", summary: "accept requests without PKCE",
        details: """
            Accepts authorization requests without PKCE, such as those of older clients. By default they are refused.
            """)
    static let plainPKCE = Option(
        "pkce-plain", section: "Login", summary: "accept the plain PKCE challenge too",
        details: "Accepts `code_challenge_method=plain` (RFC 7636 section 4.2), which is refused by default.")
    static let requirePushed = Option(
        "require-par", section: "Login", summary: "accept only pushed authorization requests",
        details: "Refuses every authorization request that was not pushed first (RFC 9126 section 5).")
    static let interval = Option(
        "interval", argument: "SECONDS", standard: "1", section: "Login",
        summary: "seconds between polls of the device grant",
        details:
            """
            The `interval` of the device grant (RFC 8628 section 3.2). A client that polls more often gets the error \
            `slow_down`.
            """
    )
    static let codeLifetime = Option(
        "code-lifetime", argument: "SECONDS", standard: "60", section: "Login", summary: "lifetime of codes",
        details: "The lifetime of authorization codes.")
    static let deviceCodeLifetime = Option(
        "device-code-lifetime", argument: "SECONDS", standard: "600", section: "Login",
        summary: "lifetime of device codes",
        details: "The lifetime of device codes.")
    static let expiresIn = Option(
        "expires-in", argument: "SECONDS", standard: "3600", section: "Tokens", summary: "lifetime of access tokens",
        details: "The lifetime of access tokens.")
    static let refreshTokenLifetime = Option(
        "refresh-token-lifetime", argument: "SECONDS", standard: "1209600", section: "Tokens",
        summary: "lifetime of refresh tokens",
        details: "The lifetime of refresh tokens.")
    static let jwtAccessTokens = Option(
        "jwt-access-tokens", section: "Tokens", summary: "make access tokens that are JWTs",
        details: """
            Makes access tokens that are signed JWTs (RFC 9068). If a request names no `resource`, their audience is \
            the sandbox's API.
            """)
    static let idTokenAlgorithm = Option(
        "id-token-alg", argument: "ALG", choices: SandboxSettings.idTokenAlgorithms, standard: "ES256",
        section: "Tokens",
        summary: "the algorithm of ID tokens for the built-in clients",
        details: """
            The signature algorithm of ID tokens for the built-in clients. Some client libraries expect `RS256`; the \
            sandbox needs some time to make its key.
            """)
    static let rotate = Option(
        "rotate", section: "Tokens", summary: "rotate refresh tokens",
        details: """
            Issues a new refresh token at each refresh; the old one becomes invalid. If a refresh token is used twice, \
            all tokens of that login are revoked (RFC 9700 section 4.14.2). Refresh tokens of clients without a secret \
            are always rotated.
            """)
    static let nonce = Option(
        "dpop-nonce", section: "Tokens", summary: "require a nonce in every DPoP proof",
        details: "Refuses a DPoP proof without the nonce of the server (RFC 9449 section 8).")
    static let rateLimit = Option(
        "rate-limit", argument: "COUNT", standard: "60", section: "API", summary: "requests for /events per minute",
        details: "How many requests for `/events` are allowed in a minute.")
    static let fault = Option(
        "fault", argument: "FAULT", isRepeatable: true, completes: .words(Fault.words), section: "Faults",
        summary: """
            inject a fault, such as token:503x2
            """,
        details: """
            Injects a fault, for example `token:503x2` or `api:429,retry-after=1`; see FAULTS. If several faults apply \
            to a request, the first is used.
            """)
    static let formEncoded = Option(
        "form-encoded", section: "Faults", summary: "answer token requests form-encoded",
        details: """
            Form-encodes the responses of the token endpoint, whatever a request accepts. GitHub's token endpoint does \
            so by default.
            """)
    static let error200 = Option(
        "error-200", section: "Faults", summary: "give errors of the token endpoint status 200",
        details: "Gives the errors of the token endpoint status 200, as at GitHub.")
    static let help = Option(
        "help", short: "h", section: "General", summary: "show the options",
        details: "Lists the options; `man oap-sandbox` shows everything.")
    static let version = Option(
        "version", section: "General", summary: "show the versions",
        details: "Prints the version of the program, and those of the libraries that it uses.")
    static let completion = Option(
        "completion", argument: "SHELL", choices: ["bash", "zsh", "fish"], section: "General",
        summary: "print a completion script for a shell",
        details: "Prints the completion script of `oap-sandbox` for a shell; see `oap-completion(1)`.")
    static let manualPage = Option(
        "man-page", section: "General", summary: "print the manual page",
        details: "Prints the source of the manual page, in mdoc.")

    /// All except `--help`, `--version` and `--man-page`.
    static let all = [
        port, run, issuer, certificate, key, certificatePort, clientAuthorities, log, verbose, consent, client, user,
        scope, redirectURI, optionalPKCE,
        plainPKCE, requirePushed, interval, codeLifetime, deviceCodeLifetime, expiresIn, refreshTokenLifetime, rotate,
        jwtAccessTokens, idTokenAlgorithm, nonce, rateLimit, fault, formEncoded, error200,
    ]
}
