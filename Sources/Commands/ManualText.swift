internal import CommandSpec

/// The long texts of the manual (markup as in `Markup`).
enum ManualText {
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

        A redirect to a loopback address must come from a program of the same user, of root, or of the user who called \
        sudo. Other users of this machine can read the `state` in the arguments of the browser and send a code of their \
        own: such a request gets status 400 and a warning, and the waiting goes on. Anybody may bring the redirect where \
        the system does not tell the user, for example from outside of a container, and with `--bind` on an address that \
        others can reach.

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

        A signal that would end the process while a token is on its way waits until that is stored, since the old one may \
        be worth nothing by then; a second signal does not wait. The same holds for `oap call` and `oap refresh` with `-p` \
        or `--token-file`.
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
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/fish/completions
                oap completion fish > ${XDG_CONFIG_HOME:-~/.config}/fish/completions/oap.fish
                """),
    ]
}
