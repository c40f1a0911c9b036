internal import CommandSpec
internal import OAuth

/// The texts of `oap(1)` itself.
enum ProgramText {
    static let description = """
        `oap` is OAuth 2.0 as a shell pipeline: small commands that each read one JSON document on standard input and \
        write one on standard output. A user logs in with

            oap authurl < client.json | oap listen --open |
                oap callback-parse | oap exchange -o token.json

        The client document names the client and the server's endpoints; `oap authurl` makes a flow document with the \
        login URL; `oap listen` receives the browser's redirect; `oap callback-parse` checks the redirect and extracts \
        the code; `oap exchange` gets a token for the code; `oap call` uses the token, and `oap refresh` renews it.

        Every member of a document has the name that its RFC gave it, and members that `oap` does not know are passed \
        on unchanged. A client or server member has one spelling in three places: `--client-id`, `OAP_CLIENT_ID` and \
        `"client_id"`. An option overrides the document, and the document overrides the environment. If a document has \
        a `token_endpoint`, and for a stored token, variables do not set `issuer`, endpoints, `jwks_uri` and \
        `api_base`. If the document has an `issuer` and lacks an endpoint, a command that sends a request there fetches \
        the metadata of the issuer first, unless `--no-discovery` is given. `oap authurl` sends none without `--push`, \
        and `oap discover` finds its endpoint.

        No option takes a secret as its value. A secret is in the document, in a file that the document or an option \
        names (`client_secret_file`), or in a variable (`OAP_CLIENT_SECRET`). The value of a variable that holds a \
        secret is never written into a document.

        If a command of a pipe fails, it writes an error document instead of its result. Every later command passes it \
        on without a message of its own, so the whole pipe has the exit status of the first failure. With \
        `--error-document FILE`, every command writes its error document to a file.
        """

    static let environment =
        others
        + Member.all.compactMap { secret in
            secret.secretVariable.map { Definition(Member.variable(for: secret.name), $0) }
        }

    /// The variables that do not set a member.
    private static let others = [
        Definition(
            "OAP_PROFILE",
            """
            The name of the profile and of the stored token, if neither an operand nor `-p` gives one. A command that \
            reads a document from standard input uses it only if standard input is a terminal, `/dev/null` or closed, \
            and neither `-n` nor `--token-file` is given.
            """),
        Definition(
            "OAP_STORE_KEY_FILE",
            "A file with the key that seals stored tokens; `oap store key` makes one. An empty value is an error."
        ),
        Definition(
            "OAP_STORE_KEY_COMMAND",
            """
            A file that names the program which prints the key that seals stored tokens: a JSON array of the program \
            and its arguments. The program is run without a shell, for at most 30 seconds. If other users can write to \
            the file, it is refused.
            """),
        Definition("https_proxy", "The proxy for `https`. Loopback is never reached through it."),
        Definition("all_proxy", "The proxy for `https` if `https_proxy` is not set."),
        Definition("no_proxy", "Hosts that are reached without the proxy."),
        Definition("CURL_CA_BUNDLE", "A file of certificates to trust in addition to the system's."),
        Definition(
            "SSL_CERT_FILE",
            """
            A file of certificates to trust in addition to the system's. It is used only if `CURL_CA_BUNDLE` is not set.
            """),
        Definition(
            "BROWSER",
            """
            A colon-separated list of browser commands; the first one that is installed is used. Each is split at \
            spaces, without quoting and without a shell. `%s` is replaced by the URL; without `%s` the URL is \
            appended.
            """),
        Definition(
            "DISPLAY", "If it or `WAYLAND_DISPLAY` is set, `xdg-open` is tried after the commands of `BROWSER`."),
        Definition("NO_COLOR", "If set to any non-empty value, output on a terminal has no colour."),
        Definition("TERM", "If it is `dumb`, output on a terminal has no colour."),
    ]

    static let files = [
        Definition(
            "$XDG_CONFIG_HOME/oap/profiles/NAME.json",
            """
            The profile NAME: a client document that `-p NAME` uses.
            """),
        Definition("$XDG_CONFIG_HOME/oap/providers/NAME.json", "A preset of your own; see `oap-provider(1)`."),
        Definition(
            "$XDG_STATE_HOME/oap/tokens/NAME.json",
            """
            The token that is stored as NAME, unless `--store` names another place. The lock file `NAME.lock` beside \
            it is not deleted.
            """),
        Definition("$XDG_STATE_HOME/oap/flows", "The flows that `oap authurl --remember` stores."),
        Definition(
            "$XDG_STATE_HOME/oap/logins",
            """
            Files by which the handler of a redirect scheme finds the login that is waiting.
            """),
        Definition("$XDG_CACHE_HOME/oap/metadata", "The metadata that `oap discover --cache` stores."),
        Definition("$XDG_CACHE_HOME/oap/responses", "The responses that `oap call --cache` stores."),
        Definition("~/.local/state/oap/locks", "The locks of tokens in a `helper:` store."),
    ]

    static let examples = [
        Example(
            """
            To try this without an account, `oap-sandbox --run bash` starts a shell with a test server, in which the \
            examples of all pages work unchanged. Copy the server's client document first:
            """,
            command: #"cp "$OAP_SANDBOX_FILE" client.json"#),
        Example(
            "Log in with one pipe; then use the token.",
            command: """
                oap authurl < client.json | oap listen --open |
                    oap callback-parse | oap exchange -o token.json
                oap call /user --jq .login -r < token.json
                """, output: "ada"),
        Example(
            """
            Step by step, with the flow in a file. The user would open the URL in a browser and copy the URL to which \
            it is redirected. The sandbox asks no questions, so `curl` can take the place of the browser.
            """,
            command: """
                oap authurl < client.json > flow.json
                url=$(jq -r .authorization_url flow.json)
                redirect=$(curl -s -o page.html -w '%{redirect_url}' "$url")
                oap callback-parse "$redirect" < flow.json |
                    oap exchange -o token.json
                """),
        Example(
            "Store the token under a name, for other programs. It is renewed when it is about to expire.",
            command: """
                oap store put work < token.json
                h=$(oap token work --header) && printf '%s\\n' "$h" |
                    curl -fsS -H @- "$OAP_API_BASE/user" | jq -r .login
                """, output: "ada"),
        Example(
            "A CI job: variables replace the document.",
            command: "oap exchange -n --grant client_credentials --jq .token_type -r", output: "Bearer"),
    ]

    static let examplesNote = """
        These examples work unchanged in the shell that `oap-sandbox --run bash` starts, after the examples of `oap(1)`.
        """

    static let sections = [
        ManualSection(
            "DOCUMENTS",
            text: """
                A document is one JSON object of at most 16 MiB, at most 512 levels deep, in which no member appears \
                twice. Anything else fails with exit status 3, and nothing is sent to any server.

                From a server's response a command takes the members that the RFC defines for that response, and \
                members that `oap` does not know. Any other member, such as one that names a client, an endpoint or a \
                file, is ignored with a warning.

                An error document has `error`, `error_description`, `stage` and `exit_status`, and, if they are known, \
                `error_uri`, `http_status`, `retryable`, `retry_after` and `hint`.
                """),
        ManualSection(
            "RETRIES",
            text: """
                A request to an authorization server is sent again, at most twice, after a failed name lookup, \
                connection or TLS handshake, since nothing of it was sent. Some requests can always be repeated: those \
                for metadata, keys and claims, introspection and revocation. These are sent again also after a \
                connection that breaks, and after a status of 408, 429, 500, 502, 503 or 504. A code or a refresh \
                token that the server may have received is never sent again.

                The pause before a retry is random and at most one second, or as long as `Retry-After` says. If it \
                would end more than 10 seconds after the first attempt, the command fails at once. For each retry a \
                line is printed on standard error. For requests to an API see `oap-call(1)`.
                """),
    ]
}
