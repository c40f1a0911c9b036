internal import CommandSpec
internal import OAuth

/// The texts of `oap(1)` itself.
enum ProgramText {
    static let description = """
        `oap` offers OAuth 2.0 as small commands for a shell pipeline. Most commands read one JSON document from \
        standard input, and write one JSON document to standard output. This pipeline logs a user in:

            oap authurl < client.json | oap listen --open |
                oap callback-parse | oap exchange -o token.json

        The client document contains the `client_id` and the endpoints of the server. `oap authurl` makes a flow \
        document from the client document, and adds the login URL. `oap listen` receives the browser's redirect, `oap \
        callback-parse` checks the redirect and extracts the code, and `oap exchange` gets a token for the code. `oap \
        call` sends API requests with the token. `oap refresh` renews the token. `oap login` does the whole login in \
        one command, and stores the token.

        Documents use the member names of the OAuth and OpenID Connect standards. `oap` passes unknown members of a \
        document on unchanged. Many members that describe the client or the server can be set in three ways: by an \
        option, in the document, or by an environment variable. For example, `--client-id`, `"client_id"` and \
        `OAP_CLIENT_ID` set the same member. An option overrides the document, and the document overrides the \
        environment variable. If `OAP_CLIENT_ID` names another client than the document, `oap` ignores the environment \
        variables for the client's secret, for the way in which the client authenticates, and for the signature \
        algorithm of its ID tokens. If the document has a `token_endpoint`, or is a stored token, `oap` ignores the \
        environment variables for the `issuer`, the endpoints, `jwks_uri` and `api_base`. So no environment variable \
        can send the secrets of the document to another server.

        If the document lacks an endpoint that the command needs, but has an `issuer`, the command first fetches the \
        server's metadata. `--no-discovery` forbids this request. `oap authurl` without `--par` never sends a request, \
        not even for metadata. If the document has no `authorization_endpoint`, run `oap discover` first.

        No option takes a secret as its value. A secret can be in the document (`client_secret`) or in an environment \
        variable (`OAP_CLIENT_SECRET`). A secret can also be in a file. The member `client_secret_file` or the option \
        `--client-secret-file` names this file. `oap` never writes a secret from an environment variable into a \
        document.

        If a command of a pipe fails, it writes an error document instead of its result. Each later `oap` command \
        passes this document on, prints no message, and ends with the same exit status. So the whole pipe ends with \
        the exit status of the command that failed first. With `--error-document FILE`, a command that fails also \
        writes the error document to this file.
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
            The name of the profile and of the stored token. An operand NAME or `-p` overrides this variable. If \
            standard input is a pipe or a file, a command that can read a document from standard input ignores this \
            variable. If standard input is `/dev/null`, the command uses the variable. With `-n` or `--token-file`, \
            every command ignores this variable.
            """),
        Definition(
            "OAP_STORE_KEY_FILE",
            """
            The path of a file with the key that encrypts stored tokens. `oap store key` makes such a file. An empty \
            value is an error.
            """
        ),
        Definition(
            "OAP_STORE_KEY_COMMAND",
            """
            The path of a file with a JSON array: a program and its arguments. The program prints the key that \
            encrypts stored tokens. `oap` starts the program without a shell. If the program takes longer than 30 \
            seconds, the `oap` command fails. If other users can write to the file, the command fails.
            """),
        Definition("https_proxy", "The proxy for `https` URLs. Requests to loopback addresses never use a proxy."),
        Definition("all_proxy", "The proxy for `https` URLs if `https_proxy` is not set."),
        Definition("no_proxy", "A comma-separated list of hosts that are reached without the proxy."),
        Definition(
            "CURL_CA_BUNDLE",
            """
            A file with certificates (PEM). `oap` trusts these certificates in addition to the certificates of the \
            system.
            """),
        Definition(
            "SSL_CERT_FILE",
            """
            The same as `CURL_CA_BUNDLE`, but used only if `CURL_CA_BUNDLE` is not set.
            """),
        Definition(
            "BROWSER",
            """
            A colon-separated list of browser commands. `oap` uses the first command that it can start. `oap` splits a \
            command into words at spaces. Quotes have no special meaning, and no shell is started. `%s` is replaced by \
            the URL to open. If a command has no `%s`, the URL becomes its last word.
            """),
        Definition(
            "DISPLAY",
            """
            On a desktop, `DISPLAY` or `WAYLAND_DISPLAY` is set. There, `oap` opens the URL with `xdg-open` if \
            `BROWSER` is not set, or if no command in `BROWSER` can be started.
            """),
        Definition("NO_COLOR", "If the value is not empty, output on a terminal has no colour and no bold text."),
        Definition("TERM", "If the value is `dumb`, output on a terminal has no colour and no bold text."),
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
            The token that is stored under the name NAME, unless `--store` names another place. `oap` never deletes \
            the lock file `NAME.lock` in the same folder.
            """),
        Definition(
            "$XDG_STATE_HOME/oap/flows",
            """
            The flow documents that `oap authurl --remember` stores. The folder also has the named pipes that `oap \
            callback-parse --hand-over` uses; see `oap-scheme-handler(1)`.
            """),
        Definition(
            "$XDG_STATE_HOME/oap/logins",
            """
            The lock files of logins in progress. With these files, `oap` detects another login under the same name.
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
            is a test server that needs no account. In the shell of `oap-sandbox`, first copy the client document of \
            the test server:
            """,
            command: #"cp "$OAP_SANDBOX_FILE" client.json"#),
        Example(
            "Log in with one pipe, and use the token.",
            command: """
                oap authurl < client.json | oap listen --open |
                    oap callback-parse | oap exchange -o token.json
                oap call /user --jq .login -r < token.json
                """, output: "ada"),
        Example(
            """
            Log in step by step, with the flow document in a file. At a real server, the user opens the login URL in a \
            browser, and then copies the URL from the address bar. At `oap-sandbox`, `curl` can replace the browser, \
            because the login page needs no input.
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
            Store the token under the name `work`, and give the access token to `curl`. If the access token is about \
            to expire, `oap token` renews it first.
            """,
            command: """
                oap store put work < token.json
                h=$(oap token work --header) && printf '%s\\n' "$h" |
                    curl -fsS -H @- "$OAP_API_BASE/user" | jq -r .login
                """, output: "ada"),
        Example(
            "Get a token in a CI job: with `-n`, environment variables take the place of the document.",
            command: "oap exchange -n --grant client_credentials --jq .token_type -r", output: "Bearer"),
    ]

    static let examplesNote = """
        To try these examples, start a shell with `oap-sandbox --run bash`. In this shell, run the examples of \
        `oap(1)` first.
        """

    static let sections = [
        ManualSection(
            "DOCUMENTS",
            text: """
                A document is one JSON object of at most 16 MiB. It has at most 512 levels of nesting. No object in \
                the document has two members of the same name. If the input is not a valid document, the command fails \
                with exit status 3, and sends nothing to any server.

                The standard of each endpoint defines the members of its response. From the response, a command takes \
                these members, and all members that are unknown to `oap`. If `oap` knows a member, but the standard of \
                the endpoint does not define the member, the command ignores the member with a warning. For example, \
                `oap exchange` ignores a `userinfo_endpoint` in a token response.

                An error document always has `error`, `error_description`, `stage` and `exit_status`. If `oap` knows \
                the values, the error document also has `error_uri`, `http_status`, `retryable`, `retry_after` and \
                `hint`.
                """),
        ManualSection(
            "RETRIES",
            text: """
                If a name lookup, a connection or a TLS handshake fails, the server has received nothing of the \
                request. After such a failure, `oap` repeats every request to an authorization server, at most twice. \
                Some requests can safely reach the server twice: requests for metadata, keys, claims, introspection, \
                revocation and device codes, and pushed authorization requests. `oap` repeats these requests also \
                after a broken connection, and after a status of 408, 429, 500, 502, 503 or 504. If the server may \
                have received a code or a refresh token, `oap` never sends this code or token again.

                If the response has the header field `Retry-After`, this field sets the pause before the retry. \
                Otherwise the pause is random, and at most one second long. If the pause would end more than 10 \
                seconds after the first attempt, the command fails at once. `oap` reports each retry on standard \
                error. `oap-call(1)` describes the retries of API requests.
                """),
    ]
}
