internal import CommandSpec
internal import Sandbox

/// The options of the program.
enum SandboxOption {
    static let port = Option(
        "port", argument: "PORT", otherwise: "a free one", section: "Server", summary: "listen on this port",
        details: """
            The port of 127.0.0.1 to listen on. The default is a free port. The URLs in the client document contain \
            the port.
            """
    )
    static let run = Option(
        "run", section: "Server", summary: "run a command, and end with it",
        details: """
            Runs the `COMMAND`. The command gets the client document in environment variables and in a file; see \
            ENVIRONMENT OF THE COMMAND. When the command ends, the sandbox ends with the command's exit status. The \
            sandbox itself prints nothing to standard output.
            """)
    static let issuer = Option(
        "issuer", argument: "URL", otherwise: "the sandbox's own address", section: "Server",
        summary: "the issuer, for a proxy in front",
        details: """
            Uses this URL, instead of the sandbox's own address, as the issuer. The URLs of the endpoints and of the \
            API begin with this URL. Use this option if a proxy is in front of the sandbox, or if the certificate of \
            the sandbox names another host than 127.0.0.1. If the issuer URL has a path, the sandbox answers requests \
            with and without this path.
            """)
    static let certificate = Option(
        "tls-certificate-file", argument: "FILE", completes: .files, section: "Server",
        summary: "serve TLS with this certificate",
        details: """
            Serves https with the certificate in this PEM file. Intermediate certificates may follow in the same file. \
            The `subjectAltName` of the certificate must name 127.0.0.1. With `--issuer`, the `subjectAltName` must \
            name the host of the issuer URL instead. If the `subjectAltName` does not name the required host, the \
            sandbox prints a warning. This option requires `--tls-key-file`.
            """)
    static let key = Option(
        "tls-key-file", argument: "FILE", completes: .files, section: "Server", summary: "the key of the certificate",
        details: """
            The PEM file with the private key of the certificate in `--tls-certificate-file`. The key must not be \
            encrypted.
            """)
    static let certificatePort = Option(
        "mtls-port", argument: "PORT", section: "Server", summary: "ask for client certificates at this port",
        details: """
            A second port, at which the sandbox asks clients for a certificate (RFC 8705); see CLIENT CERTIFICATES. \
            With 0, the sandbox chooses a free port. This option requires `--tls-certificate-file`.
            """)
    static let clientAuthorities = Option(
        "mtls-ca-file", argument: "FILE", completes: .files, section: "Server",
        summary: "trust client certificates of these issuers",
        details: """
            A PEM file with the certificates of CAs. One of these CAs must have signed the certificate of a client \
            that uses `tls_client_auth`. Without this option, the sandbox refuses all clients that use \
            `tls_client_auth`. This option requires `--mtls-port`.
            """)
    static let log = Option(
        "log", argument: "FILE", completes: .files, section: "Server",
        summary: "append a line to FILE for each request",
        details: """
            Appends a line with a JSON object to this file for each request. The members are `time`, `method`, `path`, \
            `status`, `client`, `grant_type`, `authorization`, `parameters`, `request_object`, `error`, \
            `error_description` and `fault`. Members that do not apply to the request are left out. Secrets, codes and \
            tokens are masked. A new file is created with mode 0600. FILE can be a pipe that a program reads. In a \
            folder that others can write to, another user's file or link is refused.
            """)
    static let verbose = Option(
        "verbose", short: "v", section: "Server", summary: "print a line for each request",
        details: "Prints a line for each request to standard error, in the format of `--log`.")
    static let consent = Option(
        "consent", argument: "WHO", choices: SandboxSettings.Consent.allCases.map(\.rawValue), standard: "auto",
        section: "Login",
        summary: "how logins are decided",
        details: """
            How the sandbox decides about logins. With `auto`, the sandbox grants every login at once. With `deny`, it \
            refuses every login. With `page`, it shows a page on which the user decides. In the device flow, `auto` \
            and `deny` take effect as soon as the user opens the verification page with the user code. If the client \
            polls before that, its first poll gets the error `authorization_pending`, and `auto` and `deny` take \
            effect after this poll.
            """)
    static let redirectURI = Option(
        "redirect-uri", argument: "URI", isRepeatable: true, section: "Login", summary: "another redirect URI",
        details: """
            Adds a redirect URI to those of the two built-in clients (see CLIENTS). The `redirect_uri` of an \
            authorization request must equal a registered URI exactly. Only the port of a loopback address may differ. \
            The printed client document does not contain the added URI. To use the URI with `oap`, run `oap login \
            --redirect-uri URI`.
            """)
    static let client = Option(
        "client", argument: "FILE", isRepeatable: true, completes: .files, section: "Login",
        summary: "add the client in this file",
        details: """
            Adds the client in this file: a JSON object of client metadata (RFC 7591 section 2) with a `client_id`. If \
            the client authenticates with a secret, the object must also have a `client_secret`.
            """)
    static let user = Option(
        "user", argument: "FILE", isRepeatable: true, completes: .files, section: "Login",
        summary: "a user, in place of ada",
        details: """
            Adds the user in this file: a JSON object of claims (OpenID Connect Core section 5.1) with a `sub`. With \
            this option, the built-in user `ada` does not exist. Some claims belong to a scope value: for example, \
            `name` belongs to `profile`. The claims of a scope value are in ID tokens and userinfo responses only if \
            the scope value is granted. Claims that belong to no scope value are always in ID tokens and userinfo \
            responses. Without this option, the ID tokens of `ada` never contain claims such as `email` and `name`, \
            even if their scope values are granted; only userinfo responses contain these claims. If there are several \
            users, the sandbox logs in the first user. To log in another user, send the `preferred_username`, `email` \
            or `sub` of this user as `login_hint` in the authorization request.
            """)
    static let scope = Option(
        "scope", argument: "VALUE", isRepeatable: true, section: "Login", summary: "another scope value",
        details: "Adds a scope value to those that the section CLIENTS lists.")
    static let optionalPKCE = Option(
        "pkce-optional", section: "Login", summary: "accept requests without PKCE",
        details: """
            Accepts authorization requests without PKCE, for older clients. By default, the sandbox refuses these \
            requests.
            """)
    static let plainPKCE = Option(
        "pkce-plain", section: "Login", summary: "accept the plain PKCE challenge too",
        details: "Accepts `code_challenge_method=plain` (RFC 7636 section 4.2), which is refused by default.")
    static let requirePushed = Option(
        "require-par", section: "Login", summary: "accept only pushed authorization requests",
        details: "Refuses every authorization request that the client did not push first (RFC 9126 section 5).")
    static let interval = Option(
        "interval", argument: "SECONDS", standard: "1", section: "Login",
        summary: "seconds between polls of the device grant",
        details:
            """
            The `interval` of the device flow (RFC 8628 section 3.2): the seconds that a client must wait between two \
            polls. A client that polls more often gets the error `slow_down`.
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
            Issues access tokens that are signed JWTs (RFC 9068). Their audience is the `resource` of the request, or \
            the sandbox's API if the request names no `resource`.
            """)
    static let idTokenAlgorithm = Option(
        "id-token-alg", argument: "ALG", choices: SandboxSettings.idTokenAlgorithms, standard: "ES256",
        section: "Tokens",
        summary: "the algorithm of ID tokens for the built-in clients",
        details: """
            The signature algorithm of ID tokens for the built-in clients. Some client libraries expect `RS256`. With \
            `RS256`, the sandbox starts more slowly, because it must make an RSA key.
            """)
    static let rotate = Option(
        "rotate", section: "Tokens", summary: "rotate refresh tokens",
        details: """
            Issues a new refresh token at each refresh, and makes the old refresh token invalid. If a client uses a \
            refresh token twice, the sandbox revokes all tokens of the login (RFC 9700 section 4.14.2). Without this \
            option, the sandbox rotates a refresh token only if the client is public and the token is not bound to a \
            DPoP key.
            """)
    static let nonce = Option(
        "dpop-nonce", section: "Tokens", summary: "require a nonce in every DPoP proof",
        details: "Refuses a DPoP proof that does not contain the server's nonce (RFC 9449 section 8).")
    static let rateLimit = Option(
        "rate-limit", argument: "COUNT", standard: "60", section: "API", summary: "requests for /events per minute",
        details: "The number of requests for `/events` that are allowed in a minute.")
    static let fault = Option(
        "fault", argument: "FAULT", isRepeatable: true, completes: .words(Fault.words), section: "Faults",
        summary: """
            inject a fault, such as token:503x2
            """,
        details: """
            Injects a fault, for example `token:503x2` or `api:429,retry-after=1`; see FAULTS. If several faults apply \
            to a request, the sandbox uses the fault that was given first.
            """)
    static let formEncoded = Option(
        "form-encoded", section: "Faults", summary: "answer token requests form-encoded",
        details: """
            Form-encodes the responses of the token endpoint, even if a request has `Accept: application/json`. GitHub \
            form-encodes the response only if the request does not have this header field.
            """)
    static let error200 = Option(
        "error-200", section: "Faults", summary: "give errors of the token endpoint status 200",
        details: "Sends the errors of the token endpoint with status 200, as GitHub does.")
    static let help = Option(
        "help", short: "h", section: "General", summary: "show the options",
        details: "Lists the options. `man oap-sandbox` shows the whole manual page.")
    static let version = Option(
        "version", section: "General", summary: "show the versions",
        details: "Prints the versions of the program and of the libraries that it uses.")
    static let completion = Option(
        "completion", argument: "SHELL", choices: ["bash", "zsh", "fish"], section: "General",
        summary: "print a completion script for a shell",
        details: "Prints the completion script of `oap-sandbox` for a shell; see `oap-completion(1)`.")
    static let manualPage = Option(
        "man-page", section: "General", summary: "print the manual page",
        details: "Prints the source of this manual page, in the mdoc format.")

    /// All except `--help`, `--version` and `--man-page`.
    static let all = [
        port, run, issuer, certificate, key, certificatePort, clientAuthorities, log, verbose, consent, client, user,
        scope, redirectURI, optionalPKCE,
        plainPKCE, requirePushed, interval, codeLifetime, deviceCodeLifetime, expiresIn, refreshTokenLifetime, rotate,
        jwtAccessTokens, idTokenAlgorithm, nonce, rateLimit, fault, formEncoded, error200,
    ]
}
