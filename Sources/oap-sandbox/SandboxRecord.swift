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
                        details: "The command of `--run` and its arguments. Everything after its name is passed to it.")
                ],
                options: SandboxOption.all, stopsAtFirstOperand: true, examples: examples,
                sections: [clients, certificates, endpoints, faults, environment],
                seeAlso: [ManualReference("oap", 1), ManualReference("oap-authurl", 1)])
        ],
        options: [
            SandboxOption.help, SandboxOption.version, SandboxOption.completion, SandboxOption.manualPage,
        ],
        exitStatuses: Status.allCases.map { ExitStatus(Int($0.rawValue), $0.meaning, action: $0.action) })

    private static let description = """
        A small OAuth 2.0 and OpenID Connect server with an API. It is for trying `oap`, for tests, and for CI jobs \
        that need a server with known behaviour. It listens only on 127.0.0.1, keeps all data in memory, and grants \
        every login unless `--consent` says otherwise. Never use it for anything but tests.

        The first line that it prints is a client document, ready for `oap authurl` and `oap exchange`. It then runs \
        until SIGTERM, SIGINT or SIGHUP, or until the program that reads its standard output closes the pipe.
        """

    private static let examples = [
        Example(
            "A shell in which the examples of all pages work, beginning with those of `oap(1)`.",
            command: "oap-sandbox --run bash"),
        Example(
            "A whole login in one command; `curl` prints the redirect URL instead of following it.",
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
            "Find out from the log why a client is refused.",
            command: """
                oap-sandbox --log requests.ndjson --run sh -c '
                  oap exchange -n --grant client_credentials --scope mail 2> errors.txt' > token.json ||
                  jq -r .error_description requests.ndjson
                """, output: "the scope is unknown or not for this client: mail"),
        Example(
            "Test whether a client checks the `nonce` of an ID token.",
            command: """
                oap-sandbox --fault token:wrong=id_token.nonce --run sh -c '
                  oap login work --open 2> errors.txt' ||
                  grep nonce errors.txt | tail -n 1
                """, output: "oap: login: nonce of the ID token is not the one that was sent"),
        Example(
            "A server for older clients, which know neither PKCE nor `ES256`, with a user and a scope of your own.",
            command: """
                echo '{"sub":"7","preferred_username":"grace","groups":["navy"]}' > user.json
                oap-sandbox --pkce-optional --id-token-alg RS256 --user user.json --scope groups \\
                  --run sh -c 'oap exchange -n --grant client_credentials | oap call /user --jq .login -r'
                """, output: "grace"),
        Example(
            "A CI job whose first two token requests fail.",
            command: """
                oap-sandbox --fault token:503x2 --run sh -c '
                  for i in 1 2 3; do
                    oap exchange -n --grant client_credentials --jq .token_type -r
                  done 2> errors.txt'
                """, output: "Bearer"),
    ]

    private static let clients = ManualSection(
        "CLIENTS",
        [
            .text("Two clients exist from the start; others can be registered (RFC 7591)."),
            .list([
                ManualItem(
                    "`sandbox`",
                    """
                    The client of the printed document. It has the secret `sandbox-secret-for-tests-and-nothing-else`, \
                    may use every grant, and authenticates with `client_secret_basic`, `client_secret_post` or \
                    `client_secret_jwt`.
                    """),
                ManualItem(
                    "`sandbox-public`",
                    "A client without a secret, for the code, device and refresh grants."),
            ]),
            .text(
                """
                Both have the redirect URIs `http://127.0.0.1/callback`, `http://[::1]/callback` and \
                `http://localhost/callback`, with any port. PKCE with S256 is required, unless `--pkce-optional` is \
                given. The scope values are `openid`, `profile`, `email`, `offline_access`, `user`, `repo` and `gist`, \
                and those of `--scope`. An unknown scope value is refused; if `openid` is asked for too, it is \
                ignored. The user is `ada`, or one of `--user`. A registration keeps the requested metadata that the \
                sandbox supports, and its response has what is registered; a `jwks_uri` is not supported.
                """),
        ])

    private static let certificates = ManualSection(
        "CLIENT CERTIFICATES",
        [
            .text(
                """
                At the port of `--mtls-port`, a client may present a certificate in the TLS handshake (RFC 8705). \
                `mtls_endpoint_aliases` names the endpoints there, and the API is there too. A client of `--client`, \
                or one that registers, then may have:
                """),
            .list([
                ManualItem(
                    "`token_endpoint_auth_method` `tls_client_auth`",
                    """
                    It authenticates with a certificate that an issuer of `--mtls-ca-file` signed, and has one of \
                    `tls_client_auth_subject_dn` (as in RFC 4514: `CN=ci,O=Example`), `tls_client_auth_san_dns`, \
                    `tls_client_auth_san_uri`, `tls_client_auth_san_ip` and `tls_client_auth_san_email`.
                    """),
                ManualItem(
                    "`token_endpoint_auth_method` `self_signed_tls_client_auth`",
                    "It authenticates with the certificate in an `x5c` of its `jwks`."),
                ManualItem(
                    "`tls_client_certificate_bound_access_tokens`",
                    """
                    Its access tokens are bound to its certificate (`x5t#S256`): the API takes them only from a \
                    client that presents it.
                    """),
            ]),
        ])

    private static let endpoints = ManualSection(
        "ENDPOINTS",
        [
            .text(
                """
                `/.well-known/openid-configuration` and `/.well-known/oauth-authorization-server` name the endpoints \
                of the authorization server. The grants are the authorization code, the device code (RFC 8628), client \
                credentials, refresh, token exchange (RFC 8693) and the JWT bearer (RFC 7523). A client signs its \
                assertion with a key of its registered `jwks`, or with its secret (HMAC). Also supported: pushed \
                requests (RFC 9126), DPoP (RFC 9449), introspection, revocation, registration, userinfo, logout \
                (OpenID Connect RP-Initiated Logout). `/.well-known/oauth-protected-resource` describes the API (RFC \
                9728).

                Scripts of web pages may read the responses if their origin is on loopback or that of a \
                `--redirect-uri`. A request is refused with status 400 if its `Host` is not 127.0.0.1, `localhost` or \
                [::1] with the port, or that of `--issuer`; this prevents DNS rebinding by web pages. The status is \
                413 if the content of a request is larger than 64 KiB. The latest 256 pushed requests and 100 \
                registered clients are kept.

                Token exchange accepts access tokens, refresh tokens and ID tokens, and returns an access token with \
                the same scope, as far as the client is registered for it. For an ID token, which has no scope, the \
                scope is all that the client is registered for. The parameter `scope` can ask for less.

                The API requires an access token, with the scheme `Bearer`, `token` or `DPoP`. Its paths are:
                """),
            .list([
                ManualItem("`/user`", "The user of the token."),
                ManualItem(
                    "`/user/repos`", "Some hundred repositories, in pages of `per_page`; requires the scope `repo`."),
                ManualItem("`/gists/starred`", "Gists, in pages; requires the scope `gist`."),
                ManualItem("`/gists/public`", "Other gists, in pages; requires no token."),
                ManualItem(
                    "`/notifications`",
                    """
                    A page of `notifications`, with the `next_cursor` to send as the parameter `cursor` for the next \
                    page; null in the last page.
                    """),
                ManualItem(
                    "`/echo`",
                    """
                    The request as JSON, for any method; credentials are masked, and a repeated query parameter \
                    becomes an array.
                    """),
                ManualItem("`/status/`<N>", "A response with this status, from 200 to 599."),
                ManualItem("`/delay/`<SECONDS>", "A response after this time, 60 seconds at most."),
                ManualItem("`/bytes/`<N>", "This many bytes, 999999999 at most."),
                ManualItem("`/events`", "A list with a rate limit and rate-limit headers."),
            ]),
        ])

    private static let faults = ManualSection(
        "FAULTS",
        [
            .text(
                """
                A fault is written <ENDPOINT>:<KIND>, optionally followed by `x` and the number of requests that fail, \
                by ,after=<COUNT>, the number of requests that succeed before, and by ,retry-after=<SECONDS>, the \
                value of the header field `Retry-After`. The endpoints are `authorize`, `token`, `par`, `device`, \
                `introspect`, `revoke`, `register`, `discovery`, `jwks`, `userinfo` and `api`. The kinds:
                """),
            .list([
                ManualItem(
                    "`400` to `599`",
                    """
                    A response with this status; the request is not carried out. With 408, 429 and 500 or above, the \
                    body is an HTML page, as from a gateway. Otherwise it has an error code, and with 401 a challenge \
                    too.
                    """),
                ManualItem("`error=`<CODE>", "A response with this error code; the request is not carried out."),
                ManualItem(
                    "<STATUS>`+error=`<CODE>",
                    """
                    A response with this error code and this status; the request is not carried out.
                    """),
                ManualItem("`reset`", "The connection is reset; the request is not carried out."),
                ManualItem("`lost`", "The request is carried out, and the connection is reset before the response."),
                ManualItem("`html`", "An HTML page with status 200, as from a captive portal."),
                ManualItem("`truncated`", "Only the first half of the response."),
                ManualItem("`slow=`<SECONDS>", "The normal response, delayed by this time."),
                ManualItem(
                    "`without=`<MEMBER>",
                    """
                    The response without this member of its JSON object, or without this parameter of its redirect: \
                    `token:without=expires_in`, `authorize:without=iss`.
                    """),
                ManualItem(
                    "`wrong=`<MEMBER>",
                    """
                    The response with a wrong value of this member or parameter: `authorize:wrong=state`. \
                    `token:wrong=scope` grants less than was asked for, and `token:wrong=token_type` is `mac`. \
                    `id_token.aud`, `id_token.exp` and so on change a claim of the ID token, whose signature is right. \
                    `id_token.signature` makes the signature wrong, and `id_token.alg` uses the algorithm `none`.
                    """),
            ]),
        ])

    private static let environment = ManualSection(
        "ENVIRONMENT OF THE COMMAND",
        text: """
            The command of `--run` gets each member of the client document that has a single value as a variable: \
            `OAP_CLIENT_ID`, `OAP_CLIENT_SECRET`, `OAP_TOKEN_ENDPOINT`, `OAP_API_BASE` and so on. `OAP_SANDBOX_FILE` \
            is the path of a file with the client document, which is removed at the end.

            The command does not see your own profiles and tokens: `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, \
            `XDG_CACHE_HOME` and `XDG_DATA_HOME` name private folders, which are removed at the end. Other `OAP_` \
            variables are unset. `PS1` and `PROMPT_COMMAND` put `(oap-sandbox)` in front of the shell's prompt. Unless \
            `--consent page` is given, `BROWSER` names a program that completes a login without showing a page.
            """)
}
