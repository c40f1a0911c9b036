internal import CommandSpec

/// The record of the program for the manual page, the help and the parser.
enum SandboxRecord {
    /// The record of the program.
    static let program = ProgramRecord(
        "oap-sandbox", summary: "an authorization server for tests, on this machine", description: description,
        date: Version.date,
        commands: [
            CommandRecord(
                "oap-sandbox", section: "Program", summary: "an authorization server for tests, on this machine",
                description: description,
                operands: [
                    Operand(
                        "COMMAND", isRequired: false, isRepeatable: true, completes: .program,
                        summary: "the command of --run",
                        details: """
                            The command that `--run` runs, and its arguments. Everything after the command's name is \
                            an argument of the command, even a word that looks like an option.
                            """)
                ],
                options: SandboxOption.all, stopsAtFirstOperand: true, examples: examples,
                sections: [clients, requestObjects, certificates, endpoints, faults, environment],
                seeAlso: [ManualReference("oap", 1), ManualReference("oap-authurl", 1)])
        ],
        options: [
            SandboxOption.help, SandboxOption.version, SandboxOption.completion, SandboxOption.manualPage,
        ],
        exitStatuses: Status.allCases.map { ExitStatus(Int($0.rawValue), $0.meaning, action: $0.action) })

    private static let description = """
        The sandbox is a small OAuth 2.0 and OpenID Connect server, with an example API that accepts its tokens. Use \
        it to try `oap`, to test a client, or in a CI job that needs a server with known behaviour. Never use it in \
        production. The sandbox listens only on 127.0.0.1, and keeps all data in memory. Without `--consent`, it \
        grants every login.

        When the sandbox starts, it prints a client document on one line. `oap authurl` and `oap exchange` can read \
        this document. The document describes a client that is registered at the sandbox, and contains the URLs of the \
        sandbox. The sandbox runs until it receives SIGTERM, SIGINT or SIGHUP, or until the program that reads its \
        standard output closes the pipe.
        """

    private static let examples = [
        Example(
            """
            Start a shell in which the examples of all pages work. In this shell, run the examples of `oap(1)` before \
            those of other pages.
            """,
            command: "oap-sandbox --run bash"),
        Example(
            """
            Log in and call the API. In place of a browser, `curl` requests the login page and prints the redirected URL.
            """,
            command: """
                oap-sandbox --run sh -c '
                  oap authurl < "$OAP_SANDBOX_FILE" > flow.json
                  url=$(jq -r .authorization_url flow.json)
                  curl -s -o page.html -w "%{redirect_url}" "$url" > redirect.txt
                  oap callback-parse --url-file redirect.txt < flow.json |
                    oap exchange -o token.json
                  oap call /user --jq .login -r < token.json'
                """, output: "ada"),
        Example(
            "Find out from the log why a request is refused; here the scope value `mail` is unknown.",
            command: """
                oap-sandbox --log requests.ndjson --run sh -c '
                  oap exchange -n --grant client_credentials --scope mail 2> errors.txt' > token.json ||
                  jq -r .error_description requests.ndjson
                """, output: "the scope value mail is unknown, or not available to this client"),
        Example(
            "Test whether a client, here `oap`, checks the `nonce` of an ID token.",
            command: """
                oap-sandbox --fault token:wrong=id_token.nonce --run sh -c '
                  oap login work --open 2> errors.txt' ||
                  grep nonce errors.txt | tail -n 1
                """, output: "oap: login: nonce of the ID token is not the nonce that the request sent"),
        Example(
            "Start a server for old clients that support neither PKCE nor `ES256`. Add a user and a scope value.",
            command: """
                echo '{"sub":"7","preferred_username":"grace","groups":["navy"]}' > user.json
                oap-sandbox --pkce-optional --id-token-alg RS256 --user user.json --scope groups \\
                  --run sh -c 'oap exchange -n --grant client_credentials | oap call /user --jq .login -r'
                """, output: "grace"),
        Example(
            "Test a job that repeats its token request: the first two requests fail.",
            command: """
                oap-sandbox --fault token:503x2 --run sh -c '
                  for i in 1 2 3; do
                    oap exchange -n --grant client_credentials --jq .token_type -r
                  done 2> errors.txt'
                """, output: "Bearer"),
    ]

    private static let certificates = ManualSection(
        "CLIENT CERTIFICATES",
        [
            .text(
                """
                At the port of `--mtls-port`, a client may present a certificate in the TLS handshake (RFC 8705). The \
                API and all endpoints are at this port as well as at the port of `--port`. In the server metadata, \
                `mtls_endpoint_aliases` has the URLs of the token endpoint and of most other endpoints at the port of \
                `--mtls-port`. A client that registers, or that `--client` adds, may have the following metadata:
                """),
            .list([
                ManualItem(
                    "`token_endpoint_auth_method` `tls_client_auth`",
                    """
                    The client authenticates with a certificate that a CA of `--mtls-ca-file` signed. The metadata \
                    must also have exactly one of the members `tls_client_auth_subject_dn` (as in RFC 4514: \
                    `CN=ci,O=Example`), `tls_client_auth_san_dns`, `tls_client_auth_san_uri`, `tls_client_auth_san_ip` \
                    and `tls_client_auth_san_email`. The certificate must contain the value of the member that is \
                    present.
                    """),
                ManualItem(
                    "`token_endpoint_auth_method` `self_signed_tls_client_auth`",
                    "The client authenticates with the first certificate in the `x5c` of one of its keys."),
                ManualItem(
                    "`tls_client_certificate_bound_access_tokens`",
                    """
                    With `true`, the sandbox binds the client's access tokens to the client's certificate \
                    (`x5t#S256`). The API accepts a bound token only if the client presents the certificate to which \
                    the token is bound.
                    """),
            ]),
        ])

    private static let endpoints = ManualSection(
        "ENDPOINTS",
        [
            .text(
                """
                The metadata at `/.well-known/openid-configuration` and `/.well-known/oauth-authorization-server` \
                lists the endpoints of the authorization server. The token endpoint supports the grants authorization \
                code, device code (RFC 8628), client credentials, refresh token, token exchange (RFC 8693) and JWT \
                bearer (RFC 7523). A client signs JWT assertions with one of its keys, or with its secret (HMAC). The \
                server also supports pushed authorization requests (RFC 9126), request objects (RFC 9101), DPoP (RFC \
                9449), introspection, revocation, registration, userinfo and logout (OpenID Connect RP-Initiated \
                Logout). The metadata at `/.well-known/oauth-protected-resource` describes the API (RFC 9728).

                If a web page comes from a loopback address or from the origin of a `--redirect-uri`, the sandbox lets \
                the scripts of the page read the responses (CORS). But these scripts cannot read the login and logout \
                pages. The `Host` of a request must name 127.0.0.1, `localhost`, [::1] or the host of `--issuer`, with \
                any port or without a port. If a request has another `Host`, the sandbox refuses it with status 400. \
                So no web page can reach the sandbox by DNS rebinding. If the content of a request is larger than 64 \
                KiB, the sandbox refuses it with status 413. The sandbox keeps only the latest 256 pushed requests and \
                the latest 100 registered clients.

                Token exchange accepts access tokens, refresh tokens and ID tokens, and returns an access token. If \
                the client exchanges an access token or a refresh token, the new token gets the scope of the exchanged \
                token. The new token gets no scope value for which the client is not registered. If the client \
                exchanges an ID token, the new token gets all scope values for which the client is registered. With \
                the parameter `scope`, the client can ask for fewer scope values.

                A request to the API needs an access token in the header field `Authorization`, with the scheme \
                `Bearer`, `token` or `DPoP`. The paths of the API are:
                """),
            .list([
                ManualItem(
                    "`/user`",
                    """
                    The user for whom the token was issued. For a token of the client credentials grant, the user of \
                    the first `--user`, or `ada`.
                    """),
                ManualItem(
                    "`/user/repos`",
                    """
                    A list of 321 repositories in pages; the parameter `per_page` sets the size of a page. Requires \
                    the scope `repo`.
                    """),
                ManualItem("`/gists/starred`", "A list of gists in pages. Requires the scope `gist`."),
                ManualItem("`/gists/public`", "A list of public gists in pages. Requires no token."),
                ManualItem(
                    "`/notifications`",
                    """
                    An object with a page of `notifications` and a `next_cursor`. To get the next page, send the \
                    `next_cursor` as the parameter `cursor`. In the last page, `next_cursor` is null.
                    """),
                ManualItem(
                    "`/echo`",
                    """
                    The request itself as JSON, for any method. Credentials are masked. If the request repeats a query \
                    parameter, the JSON has an array of its values.
                    """),
                ManualItem("`/status/`<N>", "A response with the status <N>, from 200 to 599."),
                ManualItem("`/delay/`<SECONDS>", "A response that comes after this many seconds, 60 at most."),
                ManualItem("`/bytes/`<N>", "A response with <N> bytes, 999999999 at most."),
                ManualItem(
                    "`/events`",
                    """
                    A list of events, with a rate limit (see `--rate-limit`). Header fields of the response show the \
                    limit and how many requests are left.
                    """),
            ]),
        ])

    private static let faults = ManualSection(
        "FAULTS",
        [
            .text(
                """
                A fault is written <ENDPOINT>:<KIND>. By default, a fault applies to every request to the endpoint. \
                With `x` and a number after the kind, a fault applies only to this number of requests. For example, \
                `token:503x2` applies to two requests. With `,after=`<COUNT> at the end, the fault begins only after \
                <COUNT> requests to the endpoint. With `,retry-after=`<SECONDS> at the end, the response has the \
                header field `Retry-After` with this number of seconds. <ENDPOINT> is `authorize`, `token`, `par`, \
                `device`, `introspect`, `revoke`, `register`, `discovery`, `jwks`, `userinfo` or `api`. The kinds are:
                """),
            .list([
                ManualItem(
                    "`400` to `599`",
                    """
                    A response with this status; the request is not carried out. For 408, 429 and 500 to 599, the \
                    content is an HTML page, like that of a gateway. For other statuses, the content has an error \
                    code. A response with 401 also has a challenge (`WWW-Authenticate`).
                    """),
                ManualItem(
                    "`error=`<CODE>",
                    """
                    A response with this error code, and with the endpoint's usual status for errors; the request is \
                    not carried out.
                    """),
                ManualItem(
                    "<STATUS>`+error=`<CODE>",
                    "A response with this error code and this status; the request is not carried out."),
                ManualItem("`reset`", "The connection is reset, and the request is not carried out."),
                ManualItem(
                    "`lost`",
                    "The request is carried out, but the connection is reset before the response is sent."),
                ManualItem(
                    "`html`",
                    """
                    An HTML page with status 200, like the login page of a public network (captive portal); the \
                    request is not carried out.
                    """),
                ManualItem("`truncated`", "The normal response, but only the first half of its content."),
                ManualItem("`slow=`<SECONDS>", "The normal response, delayed by this many seconds."),
                ManualItem(
                    "`without=`<MEMBER>",
                    """
                    The normal response without this member of its JSON object, or without this parameter of its \
                    redirect. Examples are `token:without=expires_in` and `authorize:without=iss`. If the response has \
                    no such member or parameter, the sandbox prints a warning.
                    """),
                ManualItem(
                    "`wrong=`<MEMBER>",
                    """
                    The normal response with a wrong value of this member or parameter, for example \
                    `authorize:wrong=state`. With `token:wrong=scope`, the last value of the granted scope is missing. \
                    If there is only one value, the scope is `other`. With `token:wrong=token_type`, the token type is \
                    `mac`. With `id_token.aud`, the claim `aud` of the ID token is wrong, but the signature is valid. \
                    Any other claim of the ID token can be wrong too, for example `exp` with `id_token.exp`. With \
                    `id_token.signature`, the signature of the ID token is invalid. With `id_token.alg`, the algorithm \
                    of the ID token is `none`.
                    """),
            ]),
        ])
}
