internal import CommandSpec

/// What the manual page, the help and the parser say of the program.
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
                        "COMMAND", isRequired: false, isRepeatable: true, summary: "the command of --run",
                        details: "The command of `--run` and its arguments. Everything behind its name belongs to it.")
                ],
                options: SandboxOption.all, stopsAtFirstOperand: true, examples: examples,
                sections: [clients, endpoints, faults, environment],
                seeAlso: [ManualReference("oap", 1), ManualReference("oap-authurl", 1)])
        ],
        options: [SandboxOption.help, SandboxOption.version, SandboxOption.manualPage],
        exitStatuses: Status.allCases.map { ExitStatus(Int($0.rawValue), $0.meaning, action: $0.action) })

    private static let description = """
        An OAuth 2.0 and OpenID Connect server in miniature, with a small API: for a first try of `oap`, for tests, and \
        for CI jobs that need a server which does as it is told. It listens on 127.0.0.1 alone, keeps everything in \
        memory, and lets everybody in. Never use it for anything but tests.

        The first line that it prints is a client document, which `oap authurl` and `oap exchange` take as it stands. It \
        then runs until SIGTERM, SIGINT or SIGHUP, or until nobody reads its standard output any more.
        """

    private static let examples = [
        Example(
            "A shell in which the examples of all pages work, beginning with those of `oap(1)`.",
            command: "oap-sandbox --run bash"),
        Example(
            "A whole login in one command; the redirect is followed by nobody, so its address is taken from the answer.",
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
            .text("Two clients are there from the start; others register themselves (RFC 7591)."),
            .list([
                ManualItem(
                    "`sandbox`",
                    """
                    The client of the document. It has the secret `sandbox-secret-for-tests-and-nothing-else`, may use \
                    every grant, and authenticates with `client_secret_basic`, `client_secret_post` or \
                    `client_secret_jwt`.
                    """),
                ManualItem(
                    "`sandbox-public`",
                    "A client without a secret, for the code, device and refresh grants."),
            ]),
            .text(
                """
                Both receive the code at `http://127.0.0.1/callback`, `http://[::1]/callback` and \
                `http://localhost/callback`, on any port. PKCE with S256 is required. The scope values are `openid`, \
                `profile`, `email`, `offline_access`, `user`, `repo` and `gist`. The person is always the same: `ada`.
                """),
        ])

    private static let endpoints = ManualSection(
        "ENDPOINTS",
        [
            .text(
                """
                `/.well-known/openid-configuration` and `/.well-known/oauth-authorization-server` name the endpoints of \
                the authorization server. The grants are the authorization code, the device code (RFC 8628), client \
                credentials, refresh, token exchange (RFC 8693) and the JWT bearer (RFC 7523), whose assertion a client \
                signs with a key of its registered `jwks` or, under HMAC, with its secret. Besides, there are pushed \
                requests (RFC 9126), proofs of possession (RFC 9449), introspection, revocation, registration, userinfo.

                A request is refused with status 400 where its `Host` is not 127.0.0.1, `localhost` or [::1] with the port, \
                so that no web page gets at the server under a name of its own; and with 413 beyond 64 KiB of content. The \
                latest 256 pushed requests and 100 registered clients are kept.

                Token exchange takes access tokens, refresh tokens and ID tokens, and gives an access token of their scope \
                as far as the client is registered for it. An ID token has no scope: it gives all that the client is \
                registered for. Either may be narrowed with `scope`.

                The API wants an access token, too:
                """),
            .list([
                ManualItem("`/user`", "The person."),
                ManualItem(
                    "`/user/repos`", "Some hundred repositories, in pages of `per_page`; needs the scope `repo`."),
                ManualItem("`/gists/starred`", "Gists, in pages too; needs the scope `gist`."),
                ManualItem(
                    "`/echo`",
                    """
                    The request as JSON, whatever its method; its credentials are masked, and a query parameter that is \
                    repeated has an array.
                    """),
                ManualItem("`/status/`<N>", "An answer of this status, from 200 to 599."),
                ManualItem("`/delay/`<SECONDS>", "An answer after this time, 60 seconds at most."),
                ManualItem("`/bytes/`<N>", "So many bytes, 999999999 at most."),
                ManualItem("`/events`", "A list with a rate limit, and the fields that tell of it."),
            ]),
        ])

    private static let faults = ManualSection(
        "FAULTS",
        [
            .text(
                """
                A fault is <ENDPOINT>:<KIND>, then `x` and a count where it ends after so many requests, then \
                ,after=<COUNT> where so many requests go well before, and ,retry-after=<SECONDS> for the field of that \
                name. The endpoints are `authorize`, `token`, `par`, `device`, `introspect`, `revoke`, `register`, \
                `discovery`, `jwks`, `userinfo` and `api`. The kinds:
                """),
            .list([
                ManualItem("`400` to `599`", "This status; nothing is carried out."),
                ManualItem("`error=`<CODE>", "This error code; nothing is carried out."),
                ManualItem("`reset`", "The connection is broken off; nothing is carried out."),
                ManualItem("`lost`", "The request is carried out, and the connection broken off before the answer."),
                ManualItem("`html`", "A page of HTML with status 200, as from a hotel's network."),
                ManualItem("`truncated`", "The first half of the answer."),
                ManualItem("`slow=`<SECONDS>", "The answer after this time."),
            ]),
        ])

    private static let environment = ManualSection(
        "ENVIRONMENT OF THE COMMAND",
        text: """
            The command of `--run` finds every member of the client document that is one value in the variable of that \
            name: `OAP_CLIENT_ID`, `OAP_CLIENT_SECRET`, `OAP_TOKEN_ENDPOINT`, `OAP_API_BASE` and so on. `OAP_SANDBOX_FILE` is the path of a file \
            that holds the document; it is removed at the end.

            Profiles and tokens of your own stay out of reach: `XDG_CONFIG_HOME`, `XDG_STATE_HOME` and `XDG_CACHE_HOME` \
            are in a private folder that is removed at the end, too, and every other `OAP_` variable is unset.
            """)
}
