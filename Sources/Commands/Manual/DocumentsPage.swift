internal import CommandSpec

/// The manual page `oap-documents(5)`: every member that means something to `oap`, with the RFC that named it.
enum DocumentsPage {
    /// One member and what is said about it.
    struct Entry {
        /// The member's name.
        let name: String
        /// What it is, in `Markup`, with its source.
        let text: String
    }

    /// The page.
    static let page = ManualPage(
        name: "oap-documents", section: 5, summary: "the JSON documents of oap", date: Version.date,
        sections: [
            ManualSection("DESCRIPTION", text: description),
            ManualSection(
                "CLIENT DOCUMENTS",
                [
                    .text(clientText), list(client), .heading("The server"), list(server), .heading("Ways of its own"),
                    list(ways), .heading("Of no effect"), .text(KeptMembers.text), KeptMembers.list,
                ]),
            ManualSection(
                "FLOW DOCUMENTS",
                [
                    .text(flowText), list(request), .heading("On the way"), list(flow),
                    .heading("On another device"), .text(deviceText), list(device),
                ]),
            ManualSection("TOKEN DOCUMENTS", [.text(tokenText), list(token)]),
            ManualSection("ERROR DOCUMENTS", [.text(errorText), list(error)]),
            ManualSection(
                "SEE ALSO",
                text:
                    "`oap(1)`, `oap-authurl(1)`, `oap-call(1)`, `oap-callback-parse(1)`, `oap-device(1)`, `oap-exchange(1)`, `oap-refresh(1)`"
            ),
        ])

    /// A list of members.
    static func list(_ entries: [Entry]) -> ManualBlock {
        .list(entries.map { ManualItem("`\($0.name)`", $0.text) })
    }

    private static let description = """
        One flat JSON object flows through the pipe: at most 16 MiB, at most 512 levels deep, in UTF-8, no member twice. A \
        command keeps the members that it does not know, in their order, and the text of numbers.

        A secret may stand as a file: `client_secret_file` names a file whose content is the `client_secret`, and so \
        with `access_token_file` and `refresh_token_file`. The file is read where the value is used, and one line end is \
        taken off. A relative path becomes an absolute one in the document that is written.

        A document is trusted like a script, since it names files and endpoints. A server never writes one: of its \
        answer, a member that would name a client, an endpoint or a file is dropped with a warning.
        """

    private static let clientText = """
        Made by a person, or by `oap provider`. A member that has an option of a command has a variable, too: `OAP_` and its \
        name in capitals; `oap(1)` lists them.
        """

    static let client = [
        Entry(name: "client_id", text: "The client's identifier (RFC 6749 section 2.2)."),
        Entry(
            name: "client_secret",
            text: "Its secret (RFC 6749 section 2.3.1). A secret from `OAP_CLIENT_SECRET` is never written here."),
        Entry(
            name: "token_endpoint_auth_method",
            text: """
                How it proves itself: `none`, `client_secret_basic` or `client_secret_post` (RFC 7591 section 2). \
                `oap exchange` writes what it used, for the next time.
                """),
        Entry(
            name: "basic_encoding",
            text: "`form`, as RFC 6749 section 2.3.1 has it, or `raw` for servers that do not decode HTTP Basic."),
        Entry(
            name: "redirect_uri",
            text: """
                Where the answer is sent (RFC 6749 section 3.1.2); by default `http://127.0.0.1:0/callback`. Port 0 on \
                loopback is replaced by a free one (RFC 8252 section 7.3).
                """),
        Entry(
            name: "redirect_uris",
            text: "The registered ones (RFC 7591 section 2); a single one serves as `redirect_uri`."),
        Entry(name: "scope", text: "What to ask for (RFC 6749 section 3.3)."),
        Entry(
            name: "id_token_signed_response_alg",
            text: "The one algorithm of ID tokens that is accepted (OpenID Connect Registration section 2)."),
        Entry(
            name: "default_max_age",
            text:
                "Seconds that a login may be old, where `max_age` does not say (OpenID Connect Registration section 2)."
        ),
        Entry(
            name: "require_auth_time",
            text: "Whether the ID token must name the time of the login (OpenID Connect Registration section 2)."),
        Entry(
            name: "require_pushed_authorization_requests",
            text: "With `true`, `oap authurl` pushes the request (RFC 9126 sections 5 and 6)."),
        Entry(
            name: "dpop_bound_access_tokens",
            text:
                "With `true` the document is refused: sender-constrained tokens (RFC 9449 section 5.2) are not offered."
        ),
        Entry(name: "tls_client_certificate_bound_access_tokens", text: "The same (RFC 8705 section 3.4)."),
        Entry(
            name: "require_signed_request_object",
            text: "With `true`, `oap authurl` refuses the document: it signs no requests (RFC 9101 section 10.5)."),
    ]

    static let server = [
        Entry(
            name: "issuer",
            text: """
                The server's name (RFC 8414 section 2). `iss` of a callback (RFC 9207) and of an ID token must be the same, \
                character by character.
                """),
        Entry(name: "authorization_endpoint", text: "Where a person logs in (RFC 8414 section 2)."),
        Entry(name: "token_endpoint", text: "Where tokens are issued (RFC 8414 section 2)."),
        Entry(name: "jwks_uri", text: "Where the keys of ID tokens are (RFC 8414 section 2)."),
        Entry(name: "device_authorization_endpoint", text: "Where device codes are issued (RFC 8628 section 4)."),
        Entry(name: "pushed_authorization_request_endpoint", text: "Where requests are pushed (RFC 9126 section 5)."),
        Entry(
            name: "userinfo_endpoint",
            text: "What `oap login` asks for a name, where the ID token has none (OpenID Connect Discovery section 3)."),
        Entry(name: "revocation_endpoint", text: "Where tokens are revoked (RFC 8414 section 2)."),
        Entry(
            name: "authorization_response_iss_parameter_supported",
            text: "With `true`, a callback without `iss` is refused (RFC 9207 section 3)."),
        Entry(
            name: "code_challenge_methods_supported",
            text: "Where it lists methods and `S256` is not one, the request is refused (RFC 8414 section 2)."),
        Entry(
            name: "token_endpoint_auth_methods_supported",
            text:
                "Where it lists `client_secret_post` and not `client_secret_basic`, the former is used (RFC 8414 section 2)."
        ),
        Entry(
            name: "id_token_signing_alg_values_supported",
            text:
                "The algorithms of ID tokens that are accepted (OpenID Connect Discovery section 3); `RS256` by default."
        ),
    ]

    private static let flowText = """
        Made by `oap authurl` or `oap device` from a client document, and by `oap callback-parse`. These members may stand \
        in the client document, and have an option of `oap authurl` each:
        """

    static let request = [
        Entry(name: "resource", text: "The API that the token is for, one URI or an array (RFC 8707 section 2)."),
        Entry(name: "authorization_details", text: "An array of objects with a `type` (RFC 9396 section 2)."),
        Entry(name: "prompt", text: "What the server asks the person (OpenID Connect Core section 3.1.2.1)."),
        Entry(name: "login_hint", text: "Who will log in (OpenID Connect Core section 3.1.2.1)."),
        Entry(
            name: "max_age",
            text:
                "Seconds that the login may be old; the ID token is checked by it (OpenID Connect Core section 3.1.2.1)."
        ),
        Entry(name: "acr_values", text: "How strong the login must be (OpenID Connect Core section 3.1.2.1)."),
        Entry(name: "ui_locales", text: "The languages of the login page (OpenID Connect Core section 3.1.2.1)."),
        Entry(
            name: "response_mode",
            text: "`query`, `fragment` or `form_post` (OAuth 2.0 Multiple Response Types section 2.1)."),
        Entry(name: "claims", text: "The claims to ask for, an object (OpenID Connect Core section 5.5)."),
    ]

    static let flow = [
        Entry(name: "authorization_url", text: "What a person opens. Dropped by `oap callback-parse`."),
        Entry(
            name: "state",
            text:
                "256 random bits that the redirect must bring back (RFC 6749 section 10.12). Dropped by `oap callback-parse`."
        ),
        Entry(
            name: "code_verifier",
            text: "What proves that the code is ours (RFC 7636 section 4.1). Dropped by `oap exchange`."),
        Entry(
            name: "nonce",
            text:
                "256 random bits that the ID token must hold (OpenID Connect Core section 3.1.2.1). Dropped by `oap exchange`."
        ),
        Entry(name: "callback_url", text: "What the browser was redirected to. Dropped by `oap callback-parse`."),
        Entry(name: "callback_body", text: "The form that came with it in the mode `form_post`. Dropped likewise."),
        Entry(name: "code", text: "The authorization code (RFC 6749 section 4.1.2). Dropped by `oap exchange`."),
        Entry(name: "iss", text: "The issuer that the redirect named (RFC 9207 section 2)."),
        Entry(name: "callback_params", text: "The redirect's parameters of no meaning to `oap`, an object of strings."),
    ]

    private static let deviceText = "These are made by `oap device`, and `oap exchange` drops them:"

    static let device = [
        Entry(
            name: "device_code",
            text: "What the token endpoint is asked with, a secret until it is used (RFC 8628 section 3.2)."),
        Entry(name: "user_code", text: "What a person types (RFC 8628 section 3.2)."),
        Entry(
            name: "verification_uri",
            text: """
                Where it is typed, https or on this machine (RFC 8628 section 3.2). A server may call it \
                `verification_url`.
                """),
        Entry(
            name: "verification_uri_complete",
            text: "The same with the code in it, where the server made one (RFC 8628 sections 3.2 and 3.3.1)."),
        Entry(
            name: "interval",
            text: """
                The least seconds between two requests to the token endpoint: 5 where the server named none, and never \
                less than 1 (RFC 8628 section 3.2).
                """),
        Entry(
            name: "expires_at",
            text: """
                The end of both codes in seconds since 1970: the answer's `expires_in`, counted from the start of the \
                request (RFC 8628 section 3.2). Where a document has `expires_in` instead, it counts from the start of \
                `oap exchange`.
                """),
    ]

    private static let tokenText = """
        Made by `oap exchange` and `oap refresh`: the client's members, which a later `oap refresh` needs, and the answer of \
        the token endpoint with whatever else the server sent.
        """

    static let token = [
        Entry(name: "access_token", text: "The token (RFC 6749 section 5.1)."),
        Entry(name: "token_type", text: "`Bearer`, however the server spells it (RFC 6749 section 7.1)."),
        Entry(
            name: "expires_in",
            text: "The lifetime in seconds, when the server named a positive one (RFC 6749 section 5.1)."),
        Entry(
            name: "expires_at",
            text:
                "The end in seconds since 1970, counted from the start of the request. Without it the token serves until a 401."
        ),
        Entry(name: "refresh_token", text: "What renews it (RFC 6749 section 6)."),
        Entry(name: "id_token", text: "The ID token as it came (OpenID Connect Core section 2)."),
        Entry(name: "id_token_claims", text: "Its claims, after every check (OpenID Connect Core section 3.1.3.7)."),
        Entry(name: "scope", text: "What was granted (RFC 6749 section 5.1)."),
        Entry(name: "authorization_details", text: "What was granted of them (RFC 9396 section 7)."),
        Entry(name: "issued_token_type", text: "What a token exchange issued (RFC 8693 section 2.2.1)."),
    ]

    private static let errorText = """
        Written to standard output by a command that fails, and passed on by every later stage, which exits with the same \
        status. An object is one when `error` and `stage` are strings and `exit_status` is one of `oap(1)`.
        """

    static let error = [
        Entry(name: "error", text: "The server's error code (RFC 6749 section 5.2), else the kind of failure."),
        Entry(name: "error_description", text: "The server's words (RFC 6749 section 5.2), else the message."),
        Entry(name: "error_uri", text: "A page about it, when the server named one (RFC 6749 section 5.2)."),
        Entry(name: "stage", text: "The command that failed."),
        Entry(name: "exit_status", text: "Its exit status."),
        Entry(name: "http_status", text: "The status of the answer, where there was one."),
        Entry(name: "retryable", text: "`true` where trying later may help; `false` where it may do harm."),
        Entry(name: "retry_after", text: "Seconds to wait that the server named (RFC 9110 section 10.2.3)."),
        Entry(name: "hint", text: "What to do."),
    ]
}
