internal import CommandSpec
internal import OAuth

/// The texts of `oap(1)` itself.
enum ProgramText {
    static let description = """
        `oap` is OAuth 2.0 as a shell pipeline: small commands that each read one JSON document on standard input and \
        write one on standard output. A person logs in with

            oap authurl < client.json | oap listen --open |
                oap callback-parse | oap exchange -o token.json

        The client document names the client and the server's endpoints; `oap authurl` makes a flow of it; `oap listen` \
        receives what the browser brings; `oap callback-parse` takes the code from it; `oap exchange` trades the code for \
        a token; `oap call` uses the token, and `oap refresh` renews it.

        Every member of a document has the name that its RFC gave it, and members that `oap` does not know are kept as \
        they are. A client or server member has one spelling in three places: `--client-id`, `OAP_CLIENT_ID` and \
        `"client_id"`. An option beats the document, and that beats the environment. No variable sets an endpoint, \
        `jwks_uri` or `api_base` of a document that names its `token_endpoint`, or of a token that `oap` keeps.

        A secret has no option of its own. It stands in the document, in a file that the document or an option names \
        (`client_secret_file`), or in a variable (`OAP_CLIENT_SECRET`); a secret from a variable is never written into a \
        document.

        A command that fails writes an error document, and every later stage of the pipe passes it on without a word, so \
        that the end of the pipe has the exit status of the first failure.
        """

    static let environment =
        others
        + Member.all.compactMap { secret in
            secret.secretVariable.map { Definition(Member.variable(for: secret.name), $0) }
        }

    /// The variables that are no member's.
    private static let others = [
        Definition(
            "OAP_STORE_KEY_FILE",
            "The file of the key with which stored tokens are sealed; `oap store key` makes one. Set but empty is an error, and so with `OAP_STORE`."
        ),
        Definition("https_proxy", "The proxy for `https`. Loopback is never reached through it."),
        Definition("no_proxy", "Hosts that are reached without the proxy."),
        Definition("CURL_CA_BUNDLE", "A file of certificates to trust beside those of the system."),
        Definition("SSL_CERT_FILE", "The same, where `CURL_CA_BUNDLE` is not set."),
        Definition(
            "BROWSER",
            """
            The programs that may open a URL, with colons between them; the first that there is does. Each is a command \
            line of words with spaces between them, in which nothing is quoted and no shell is involved. `%s` stands for \
            the URL, which is the last word where no word has it.
            """),
        Definition(
            "DISPLAY", "Where it or `WAYLAND_DISPLAY` is set, `xdg-open` opens a URL that no `BROWSER` opens."),
        Definition("NO_COLOR", "Set to anything, output on a terminal has no colour."),
    ]

    static let files = [
        Definition("$XDG_CONFIG_HOME/oap/profiles/NAME.json", "The profile of a name, a client document, for `-p`."),
        Definition("$XDG_CONFIG_HOME/oap/providers/NAME.json", "A preset of one's own; `oap-provider(1)` says more."),
        Definition(
            "$XDG_STATE_HOME/oap/tokens/NAME.json",
            "The token of a name, unless `--store` says otherwise. A lock file, `NAME.lock`, stays beside it."),
        Definition("$XDG_STATE_HOME/oap/flows", "The flows that `oap authurl --remember` keeps."),
        Definition("$XDG_STATE_HOME/oap/locks", "The locks of tokens that another program keeps."),
    ]

    static let examples = [
        Example(
            """
            Without an account, `oap-sandbox --run bash` starts a shell beside a server for tests, in which the examples \
            of all pages work as they stand. Its client:
            """,
            command: #"cp "$OAP_SANDBOX_FILE" client.json"#),
        Example(
            "A person logs in, in one pipe; then the token is used.",
            command: """
                oap authurl < client.json | oap listen --open |
                    oap callback-parse | oap exchange -o token.json
                oap call /user --jq .login -r < token.json
                """, output: "ada"),
        Example(
            """
            Step by step: the flow stays in a file, while a person opens the URL wherever there is a browser, and brings \
            back the address that it was redirected to. The sandbox asks nothing, so that `curl` can be that person.
            """,
            command: """
                oap authurl < client.json > flow.json
                url=$(jq -r .authorization_url flow.json)
                redirect=$(curl -s -o page.html -w '%{redirect_url}' "$url")
                oap callback-parse "$redirect" < flow.json |
                    oap exchange -o token.json
                """),
        Example(
            "Under a name the token is kept for other programs, and renewed when it is about to end.",
            command: """
                oap store put work < token.json
                h=$(oap token work --header) && printf '%s\\n' "$h" |
                    curl -fsS -H @- "$OAP_API_BASE/user" | jq -r .login
                """, output: "ada"),
        Example(
            "A CI job, whose variables say what a document would.",
            command: "oap exchange -n --grant client_credentials --jq .token_type -r", output: "Bearer"),
    ]

    static let examplesNote = """
        In the shell that `oap-sandbox --run bash` starts these work as they stand, once the examples of `oap(1)` have \
        been run there.
        """

    static let sections = [
        ManualSection(
            "DOCUMENTS",
            text: """
                A document is one JSON object of at most 16 MiB, at most 512 levels deep, in which no member stands twice. \
                Anything else is exit status 3, and nothing is sent to any server.

                From a server's answer a command takes the members that the answer's RFC defines and those that mean \
                nothing to `oap`; a member that would name a client, an endpoint or a file is dropped with a warning.

                An error document has `error`, `error_description`, `stage` and `exit_status`, and where they are known \
                `error_uri`, `http_status`, `retryable`, `retry_after` and `hint`.
                """)
    ]
}
