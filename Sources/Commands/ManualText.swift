internal import CommandSpec

/// The long texts of the manual (markup as in `Markup`).
enum ManualText {
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
        `"client_id"`. An option beats the document, and that beats the environment.

        A secret has no option of its own. It stands in the document, in a file that the document or an option names \
        (`client_secret_file`), or in a variable (`OAP_CLIENT_SECRET`); a secret from a variable is never written into a \
        document.

        A command that fails writes an error document, and every later stage of the pipe passes it on without a word, so \
        that the end of the pipe has the exit status of the first failure.
        """

    static let environment = [
        Definition(
            "OAP_CLIENT_SECRET",
            """
            The client secret, where the document has none. It is not used where `OAP_CLIENT_ID` is set and is not the \
            client of the document. Set but empty is an error.
            """),
        Definition("OAP_ACCESS_TOKEN", "The access token of `oap call -n`."),
        Definition("OAP_REFRESH_TOKEN", "The refresh token of `oap refresh -n`."),
        Definition(
            "OAP_STORE_KEY_FILE", "The file of the key with which stored tokens are sealed; `oap store key` makes one."),
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
        Definition("DISPLAY", "Where it or `WAYLAND_DISPLAY` is set, `xdg-open` opens a URL that no `BROWSER` opens."),
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

    static let authurl = """
        Makes the authorization request of a client (RFC 6749 section 4.1.1) and prints the flow document: the client's \
        members with `authorization_url`, `state`, `redirect_uri`, `code_verifier` and, where the scope has `openid`, \
        `nonce`. A person opens the URL; the rest is for `oap listen`, `oap callback-parse` and `oap exchange`.

        `state` is always sent, and PKCE with S256 unless an option says otherwise (RFC 7636). Nothing is sent over the \
        network, except with `--par`.
        """

    static let authurlExamples = [
        Example(
            "The URL alone, for a person to open.",
            command: "oap authurl --scope 'openid email' --jq .authorization_url -r < client.json"),
        Example(
            "The request is pushed: the URL holds no more than a reference to it.",
            command: """
                oap authurl --par < client.json |
                    jq '.authorization_url | contains("request_uri=")'
                """, output: "true"),
    ]

    static let listen = """
        Waits for the redirect of a flow on this machine (RFC 8252 section 7.3) and prints the flow with `callback_url`, \
        and with `callback_body` where the answer is posted as a form; `oap callback-parse` judges them. The address and \
        the port are those of `redirect_uri`: `127.0.0.1`, `[::1]`, or both for `localhost`. They are bound before the \
        URL is shown; a port that is taken is exit status 6.

        The URL at which a person logs in is printed on standard error. Only a request for the path of `redirect_uri` \
        with the `state` of the flow counts, an error too. The browser gets a page that says how it went and can be \
        closed. Without a redirect it is exit status 6 after `--timeout` seconds.

        Where the browser runs on another machine, its redirect ends at a page that cannot be shown. Whoever copies that \
        URL brings it here with `curl`, or to `oap callback-parse` with the flow in a file.
        """

    static let listenExamples = [
        Example(
            "A person logs in, in one pipe.",
            command: """
                oap authurl < client.json | oap listen --open |
                    oap callback-parse | oap exchange -o token.json
                """),
        Example(
            "The same, while the flow stays in a file. The person has a minute.",
            command: """
                oap authurl < client.json > flow.json
                oap listen --open --timeout 60 < flow.json |
                    oap callback-parse > code.json
                """),
    ]

    static let callbackParse = """
        Checks what the browser was redirected to against the flow that asked for it, and prints the flow with `code`. The \
        checks, in this order: the redirect URI, the channel (query, fragment or form), no parameter twice, `state`, \
        `iss` (RFC 9207), `error`, no token, a code. A redirect that fails one is not used.

        The redirect is the operand, the content of `--url-file`, or the document's `callback_url` (with `callback_body` \
        for a form). White space around it is dropped. Parameters of no meaning to `oap` are kept in `callback_params`.

        With `-n` or `-p` the flow is one that `oap authurl --remember` has kept, found by the `state` of the redirect: that \
        is what the handler of a custom URL scheme calls, as `oap callback-parse -n "$1"`. A flow is kept for an hour and \
        serves once, whatever comes of it.
        """

    static let callbackParseExamples = [
        Example(
            "From a file, which no process list shows.",
            command: """
                oap authurl < client.json > flow.json
                url=$(jq -r .authorization_url flow.json)
                curl -s -o page.html -w '%{redirect_url}' "$url" > redirect.txt
                oap callback-parse --url-file redirect.txt < flow.json |
                    oap exchange -o token.json
                """),
        Example(
            "A redirect that does not belong to the flow is refused; the message says why.",
            command: """
                oap callback-parse '?code=x&state=forged' --jq .code < flow.json ||
                    echo "exit status $?"
                """, output: "exit status 9"),
    ]

    static let exchange = """
        Trades what the document holds for a token at the token endpoint (RFC 6749 section 4), checks the answer, and \
        prints the token document: the document without what was used up, with `access_token`, `token_type`, \
        `expires_in`, `expires_at`, `refresh_token` and `scope` as the server granted them, and whatever else it sent.

        With `openid` in the scope the ID token is checked (OpenID Connect Core section 3.1.3.7) and its claims are put \
        into `id_token_claims`; `issuer` and `jwks_uri` must be known, and the keys are fetched before the code is spent.

        There is one attempt: a code is never sent twice. Where the answer was lost, the exit status is 12.

        With a `device_code`, which `oap device` puts into the document, the server is asked until the person has \
        decided (RFC 8628 section 3.5): every `interval` seconds, the first time after one interval; five seconds \
        more after each `slow_down`; half as often after an answer that was lost, which is told on standard error; later \
        where the server is overloaded and says when. At `expires_at` it ends with the error `expired_token` and exit \
        status 4, as it does when the person says no (`access_denied`). Where a lost answer may have brought the token, \
        so that the code does not serve any more, the exit status is 12.
        """

    static let exchangeExamples = [
        Example(
            "Client credentials, without a document.",
            command: "oap exchange -n --grant client_credentials --jq .token_type -r", output: "Bearer"),
        Example(
            "The client secret comes from another program, here `printenv`.",
            command: """
                oap exchange -n --grant client_credentials -o token.json \\
                    --client-secret-file <(printenv OAP_CLIENT_SECRET)
                """),
        Example(
            "An extension grant: the token is exchanged for another (RFC 8693). What it wants stands in `token_params`.",
            command: """
                type=urn:ietf:params:oauth:token-type:access_token
                jq --arg type $type '.token_params = {
                    subject_token: .access_token, subject_token_type: $type}' token.json |
                    oap exchange --jq .issued_token_type -r \\
                        --grant urn:ietf:params:oauth:grant-type:token-exchange
                """, output: "urn:ietf:params:oauth:token-type:access_token"),
    ]

    static let refresh = """
        Renews the token of a document with its refresh token (RFC 6749 section 6) and prints the document with the new \
        token. What the answer leaves out stays as it was: the refresh token, the scope, the ID token; the lifetime does \
        not.

        There is one attempt, since a server may take a refresh token once only. Where the answer was lost, the exit \
        status is 12; where a person must log in again, it is 8.
        """

    static let refreshExamples = [
        Example("In place.", command: "oap refresh -o token.json < token.json"),
        Example(
            "Only when less than five minutes are left.",
            command: "oap refresh --if-expired --min-ttl 300 -o token.json < token.json"),
        Example(
            "A token that may do less.", command: "oap refresh --scope 'openid email' --jq .scope -r < token.json",
            output: "openid email"),
    ]

    static let call = """
        Sends a request to an API with the access token of the document, and prints the answer's body as it arrives, byte \
        for byte. The options are those of curl and gh.

        The token goes into the `Authorization` field, never into the URL, and to no other origin than that of the URL. A \
        redirect that leaves the origin is followed without any credential. Plain http is refused outside loopback, and \
        certificates are always checked.

        A status of 400 and above is exit status 7 (6 for 429; 6 or 12 for 408 and 5xx), and the body goes to standard \
        error, unless `--error-body`, `--include` or `--envelope` says otherwise. In a filter the variables `$status`, \
        `$headers` (names in lower case) and `$url` are bound.
        """

    static let callExamples = [
        Example(
            "A member of the answer.", command: "oap call /user --jq .email -r < token.json", output: "ada@example.com"),
        Example(
            "A JSON body; this API shows what it got.",
            command: """
                oap call /echo -f description=notes -F public=false \\
                    --jq .json -c < token.json
                """, output: #"{"description":"notes","public":false}"#),
        Example(
            "A token from the environment.",
            command: """
                export OAP_ACCESS_TOKEN="$(jq -r .access_token token.json)"
                oap call -n "$OAP_API_BASE/user" --jq .login -r
                """, output: "ada"),
        Example(
            "The API says no.",
            command: "oap call /status/404 < token.json || echo \"exit status $?\"", output: "exit status 7"),
    ]

    static let token = """
        Prints the access token that is stored under a name, and nothing else: for other programs to read. With no more than \
        `--min-ttl` seconds left it is renewed first, by one process at a time, however many ask; the new token is on the \
        disk before it is printed. A person is never asked anything: where one must log in again, the exit status is 8.

        The tokens are in `$XDG_STATE_HOME/oap/tokens`, by default `~/.local/state/oap/tokens`, each in a file that only \
        its owner can read, or where `--store` says; see `oap-store(1)`.
        """

    static let tokenExamples = [
        Example(
            "For curl, without a secret in its arguments.",
            command: """
                h=$(oap token work --header) && printf '%s\\n' "$h" |
                    curl -fsS -H @- "$OAP_API_BASE/user" | jq -r .login
                """, output: "ada")
    ]

    static let help = """
        Shows what the manual page of a command says: its description, its options with all details, its examples. \
        Without a command it shows the program's.
        """

    static let helpExamples = [
        Example("Everything about one command.", command: "oap help call"),
        Example(
            "The manual as files, for `man -l pages/oap-call.1`.", command: "mkdir pages && oap help --man-pages pages"),
    ]

    static let completion = "Prints the completion script of a shell, to be read by it at its start."

    static let completionExamples = [
        Example("In bash, for this session.", command: "eval \"$(oap completion bash)\""),
        Example(
            "In fish, for good.",
            command: """
                mkdir -p ~/.config/fish/completions
                oap completion fish > ~/.config/fish/completions/oap.fish
                """),
    ]
}
