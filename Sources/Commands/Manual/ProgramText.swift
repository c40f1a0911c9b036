internal import CommandSpec
internal import OAuth

/// The texts of `oap(1)` itself.
enum ProgramText {
    static let description = """
        `oap` is OAuth 2.0 as a shell pipeline: small commands that each read one JSON document on standard input and \
        write one on standard output. A user logs in with

            oap authurl < client.json | oap listen --open |
                oap callback-parse | oap exchange -o token.json

        The client document names the client and the server's endpoints. From it, `oap authurl` makes a flow document, \
        which has the login URL. `oap listen` receives the browser's redirect, `oap callback-parse` checks the \
        redirect and extracts the code, and `oap exchange` gets a token for the code. `oap call` uses the token, and \
        `oap refresh` renews it. `oap login` does the whole login in one command, and stores the token.

        Members of documents have the names that the RFCs give them. Members that `oap` does not know are passed on \
        unchanged. A member that describes the client or the server can be set by an option, in the document, or by a \
        variable: `--client-id`, `"client_id"` and `OAP_CLIENT_ID` set the same member. An option overrides the \
        document, and the document overrides the variable. If the document has a `token_endpoint` or is a stored \
        token, the variables for the `issuer`, the endpoints, `jwks_uri` and `api_base` are ignored, so that no \
        variable sends its secrets to another server.

        If an endpoint that a command needs is not in the document, but the `issuer` is, the command fetches the \
        metadata of the issuer first. `--no-discovery` forbids this. `oap authurl` without `--par` sends no request at \
        all: if the document has no `authorization_endpoint`, run `oap discover` first.

        No option takes a secret as its value. A secret can be in the document (`client_secret`), in a file that the \
        document (`client_secret_file`) or an option (`--client-secret-file`) names, or in a variable \
        (`OAP_CLIENT_SECRET`). A secret from a variable is never written into a document.

        If a command of a pipe fails, it writes an error document instead of its result. Each later `oap` command \
        passes this document on, prints no message, and ends with the same exit status. So the exit status of the pipe \
        is that of the first failure. With `--error-document FILE`, a command that fails writes the error document to \
        a file too.
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
            can read a document from standard input ignores this variable if standard input is a pipe, or a file other \
            than `/dev/null`. The variable is also ignored if `-n` or `--token-file` is given.
            """),
        Definition(
            "OAP_STORE_KEY_FILE",
            """
            A file with the key that encrypts stored tokens. `oap store key` makes such a file. An empty value is \
            an error.
            """
        ),
        Definition(
            "OAP_STORE_KEY_COMMAND",
            """
            A file with a JSON array of a program and its arguments. The program prints the key that encrypts stored \
            tokens. It is run without a shell, for at most 30 seconds. If other users can write to the file, the \
            command fails.
            """),
        Definition("https_proxy", "The proxy for `https` URLs. Requests to loopback addresses never use a proxy."),
        Definition("all_proxy", "The proxy for `https` URLs if `https_proxy` is not set."),
        Definition("no_proxy", "A comma-separated list of hosts that are reached without the proxy."),
        Definition("CURL_CA_BUNDLE", "A file with certificates (PEM) to trust in addition to the system's."),
        Definition(
            "SSL_CERT_FILE",
            """
            The same as `CURL_CA_BUNDLE`, but used only if `CURL_CA_BUNDLE` is not set.
            """),
        Definition(
            "BROWSER",
            """
            A colon-separated list of browser commands. The first one whose program is installed is used. A command is \
            split into words at spaces; quotes have no special meaning, and no shell is started. `%s` is replaced by \
            the URL. If a command has no `%s`, the URL becomes its last word.
            """),
        Definition(
            "DISPLAY",
            """
            If this variable or `WAYLAND_DISPLAY` is set, and no command of `BROWSER` is installed, `xdg-open` \
            opens the URL.
            """),
        Definition("NO_COLOR", "If set to any non-empty value, output on a terminal has no colour."),
        Definition("TERM", "If the value is `dumb`, output on a terminal has no colour."),
    ]

    static let files = [
        Definition(
            "$XDG_CONFIG_HOME/oap/profiles/NAME.json",
            """
            The profile NAME: a client document that `-p NAME` uses.
            """),
        Definition(
            "$XDG_CONFIG_HOME/oap/providers/NAME.json",
            """
            A preset that you write yourself for a provider; see `oap-providers(7)`.
            """),
        Definition(
            "$XDG_STATE_HOME/oap/tokens/NAME.json",
            """
            The token that is stored under the name NAME, unless `--store` names another place. The lock file \
            `NAME.lock` in the same folder is kept when the token is deleted.
            """),
        Definition("$XDG_STATE_HOME/oap/flows", "The flow documents that `oap authurl --remember` stores."),
        Definition(
            "$XDG_STATE_HOME/oap/logins",
            """
            Files by which `oap callback-parse --hand-over` finds the login that waits for a redirect; see \
            `oap-scheme-handler(1)`.
            """),
        Definition("$XDG_CACHE_HOME/oap/metadata", "Metadata and keys of servers, stored by commands with `--cache`."),
        Definition("$XDG_CACHE_HOME/oap/responses", "The responses that `oap call --cache` stores."),
        Definition(
            "~/.local/state/oap/locks",
            """
            The lock files of tokens that are stored with `--store helper:PROGRAM`.
            """),
    ]

    static let examples = [
        Example(
            """
            All examples of the manual work unchanged in the shell that `oap-sandbox --run bash` starts. `oap-sandbox` \
            is a test server, at which no account is needed. In the shell, copy the client document of the server \
            first:
            """,
            command: #"cp "$OAP_SANDBOX_FILE" client.json"#),
        Example(
            "Log in with one pipe. After that, use the token.",
            command: """
                oap authurl < client.json | oap listen --open |
                    oap callback-parse | oap exchange -o token.json
                oap call /user --jq .login -r < token.json
                """, output: "ada"),
        Example(
            """
            Do the same in single steps, with the flow document in a file. A user would open the login URL in a \
            browser, and copy the URL to which the browser is redirected. The sandbox asks no questions, so `curl` \
            takes the place of the browser here.
            """,
            command: """
                oap authurl < client.json > flow.json
                url=$(jq -r .authorization_url flow.json)
                redirect=$(curl -s -o page.html -w '%{redirect_url}' "$url")
                oap callback-parse "$redirect" < flow.json |
                    oap exchange -o token.json
                """),
        Example(
            """
            Store the token under a name, and give it to another program. `oap token` renews it when it is about \
            to expire.
            """,
            command: """
                oap store put work < token.json
                h=$(oap token work --header) && printf '%s\\n' "$h" |
                    curl -fsS -H @- "$OAP_API_BASE/user" | jq -r .login
                """, output: "ada"),
        Example(
            "Get a token in a CI job: with `-n`, variables take the place of the document.",
            command: "oap exchange -n --grant client_credentials --jq .token_type -r", output: "Bearer"),
    ]

    static let examplesNote = """
        To try these examples, run `oap-sandbox --run bash`. In the shell that it starts, run the examples of `oap(1)` \
        first.
        """

    static let sections = [
        ManualSection(
            "DOCUMENTS",
            text: """
                A document is one JSON object of at most 16 MiB, with at most 512 levels of nesting, in which no \
                member appears twice. For any other input the command fails with exit status 3, and sends nothing to \
                any server.

                From a server's response, a command takes the members that the RFC defines for this response, and the \
                members that `oap` does not know. All others, such as a member that names a client, an endpoint or a \
                file, are ignored with a warning.

                An error document has `error`, `error_description`, `stage` and `exit_status`, and, if they are known, \
                `error_uri`, `http_status`, `retryable`, `retry_after` and `hint`.
                """),
        ManualSection(
            "RETRIES",
            text: """
                If a name lookup, a connection or a TLS handshake fails, the server has received nothing of the \
                request. A request to an authorization server is repeated in this case, at most twice. The requests \
                for metadata, keys, claims, introspection and revocation do no harm if the server receives them twice. \
                So they are also repeated after a broken connection, and after a status of 408, 429, 500, 502, 503 or \
                504. A code or a refresh token that the server may have received is never sent again.

                The pause before a retry is as long as the header field `Retry-After` of the response says. Without \
                that field it is random, and at most one second. If the pause would end more than 10 seconds after the \
                first attempt, the command fails at once. Each retry is reported on standard error. The retries of \
                requests to an API are described in `oap-call(1)`.
                """),
    ]
}
