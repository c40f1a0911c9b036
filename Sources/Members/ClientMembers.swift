extension Member {
    /// What is known of the client.
    static let clientTable: [Member] = [
        Member(
            "client_id", .client, "RFC 6749 section 2.2", text: "The client's identifier §.", argument: "ID",
            isShared: true, summary: "the client's identifier",
            details: "The client identifier that the authorization server issued (RFC 6749 section 2.2)."),
        Member(
            "client_metadata_document", .client, form: .url, variable: .withOption,
            text: """
                The https URL of the Client ID Metadata Document that the user has published. `oap login` takes it for \
                the `client_id` where there is none and the server supports that.
                """, summary: "the URL of the client's published metadata",
            details: """
                The https URL of a Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document), such as \
                `oap register --metadata-document` prints. Without a `client_id` it is the client's identifier at a \
                server whose metadata has `client_id_metadata_document_supported`; at any other, `--register` \
                registers a client.
                """),
        Member(
            "client_secret", .client, "RFC 6749 section 2.3.1", secrecy: .file,
            hint: "use OAP_CLIENT_SECRET, --client-secret-file or the member \"client_secret_file\"",
            secretVariable: """
                The client secret, where the document has none. It is not used where `OAP_CLIENT_ID` is set and is \
                not the client of the document. Set but empty is an error.
                """, text: "Its secret §. A secret from `OAP_CLIENT_SECRET` is never written here.", isShared: true,
            summary: "a file that holds the client secret",
            details: """
                The client secret is read from this file where it is used; one line end is taken off. The document \
                gets the path, never the secret, and no path of a descriptor: `--client-secret-file <(pass show x)` \
                works.
                """),
        Member(
            "token_endpoint_auth_method", .client, "RFC 7591 section 2",
            isRegistered: true,
            text: """
                How it proves itself: `none`, `client_secret_basic` or `client_secret_post` §. `oap exchange` writes \
                what it used, for the next time.
                """, argument: "METHOD", choices: ClientAuthenticationMethod.allCases.map(\.rawValue),
            otherwise: "client_secret_basic with a secret", isShared: true,
            summary: "how the client authenticates",
            details: """
                How the client proves itself (RFC 7591 section 2). By default: `client_secret_basic` with a \
                secret, unless the server's metadata lists only `client_secret_post`; `none` without a secret.
                """),
        Member(
            "basic_encoding", .client,
            text: "`form`, as RFC 6749 section 2.3.1 has it, or `raw` for servers that do not decode HTTP Basic.",
            argument: "ENCODING", choices: BasicEncoding.allCases.map(\.rawValue), isShared: true,
            summary: "form-encode HTTP Basic, or send it raw",
            details: """
                RFC 6749 section 2.3.1 has identifier and secret form-encoded before they become HTTP Basic; `raw` is \
                for servers that do not decode them.
                """),
        Member(
            "redirect_uri", .client, "RFC 6749 section 3.1.2",
            text: """
                Where the answer is sent §; by default `http://127.0.0.1:0/callback`. Port 0 on loopback is replaced \
                by a free one (RFC 8252 section 7.3).
                """, argument: "URI", otherwise: "http://127.0.0.1:0/callback", isShared: true,
            summary: "where the answer is sent",
            details: """
                The redirect URI, exactly as it is registered. By default `http://127.0.0.1:0/callback`; port 0 on \
                loopback is replaced by a free one.
                """),
        Member(
            "redirect_uris", .client, "RFC 7591 section 2", form: .list,
            isRegistered: true,
            text: "The registered ones §; a single one, or the only one on loopback, serves as `redirect_uri`."),
        Member(
            "scope", .client, "RFC 6749 section 3.3", variable: .withOption, isRegistered: true,
            text: "What to ask for §.",
            argument: "SCOPE", otherwise: "that of the document, or the server's", isShared: true,
            summary: "the scope to ask for",
            details: """
                Scope values with spaces between them (RFC 6749 section 3.3). Without it and a `scope` in the document, \
                the server decides.
                """),
        Member(
            "id_token_signed_response_alg", .client, "OpenID Connect Registration section 2",
            isRegistered: true, text: "The one algorithm of ID tokens that is accepted §.", argument: "ALG",
            isShared: true,
            summary: "how the server signs ID tokens for this client"),
        Member(
            "userinfo_signed_response_alg", .client, "OpenID Connect Registration section 2", isRegistered: true,
            text: "The one algorithm of signed userinfo; with it, an answer that is not signed is refused §."),
        Member(
            "introspection_signed_response_alg", .client, "RFC 9701 section 6", isRegistered: true,
            text: "The same for the answer to `oap introspect` §."),
        Member(
            "post_logout_redirect_uris", .client, "OpenID Connect RP-Initiated Logout section 3.1", form: .list,
            isRegistered: true,
            text: "Where a person may be sent after the logout; a single one is used by `oap end-session` §."),
        Member(
            "default_max_age", .client, "OpenID Connect Registration section 2", form: .seconds,
            isRegistered: true, text: "Seconds that a login may be old, where `max_age` does not say §."),
        Member(
            "require_auth_time", .client, "OpenID Connect Registration section 2", form: .boolean,
            isRegistered: true, text: "Whether the ID token must name the time of the login §."),
        Member(
            "require_pushed_authorization_requests", .client, "RFC 9126 sections 5 and 6", form: .boolean,
            isAnswered: true,
            isRegistered: true, text: "With `true`, `oap authurl` pushes the request §."),
        Member(
            "dpop_bound_access_tokens", .client, "RFC 9449 section 5.2", form: .boolean,
            isRegistered: true,
            text: "With `true` the document is refused: sender-constrained tokens § are not offered."),
        Member(
            "tls_client_certificate_bound_access_tokens", .client, "RFC 8705 section 3.4", form: .boolean,
            isRegistered: true, text: "The same §."),
        Member(
            "require_signed_request_object", .client, "RFC 9101 section 10.5", form: .boolean, isAnswered: true,
            isRegistered: true, text: "With `true`, `oap authurl` refuses the document: it signs no requests §."),
    ]

    /// What a grant of the client's own sends, and sends again when it renews the token.
    static let grantTable = [
        sent(
            "password", "RFC 6749 section 4.3.2", text: "The password of the grant `password` §.",
            summary: "a file that holds the password"),
        sent(
            "assertion", "RFC 7521 section 4.1", text: "The assertion of the grants for one §.",
            summary: "a file that holds the assertion"),
        sent(
            "subject_token", "RFC 8693 section 2.1", text: "The token that a token exchange is about §.",
            summary: "a file that holds the token to exchange"),
        sent(
            "actor_token", "RFC 8693 section 2.1", text: "The token of the acting party §.",
            summary: "a file that holds the token of the acting party"),
    ]

    private static func sent(_ name: String, _ source: String, text: String, summary: String) -> Member {
        Member(
            name, .client, source, secrecy: .file, variable: Variable.none, text: text, summary: summary,
            details: "The file is read at each request for a token, also when the token is renewed.")
    }

    /// What a server does in a way of its own; presets are full of it.
    static let waysTable: [Member] = [
        Member(
            "authorization_params", .way, form: .json,
            text: "An object of further parameters of the authorization request."),
        Member("token_params", .way, form: .json, text: "An object of further parameters of the token request."),
        Member("refresh_params", .way, form: .json, text: "An object of further parameters of the refresh request."),
        Member(
            "parameter_names", .way, form: .json,
            text: "What the server calls a parameter of any request: `{\"client_id\":\"client_key\"}`."),
        Member(
            "grant_types", .way, "RFC 7591 section 2", form: .list, variable: Variable.none, isRegistered: true,
            text: """
                The grants that the client may use §. Those of the server's own may be named by `oap exchange --grant` \
                without a URN.
                """, argument: "GRANT", otherwise: "authorization_code and refresh_token",
            section: "Client", summary: "a grant that the client may use",
            details: """
                A grant that the client may use (RFC 7591 section 2). By default `authorization_code` and \
                `refresh_token`.
                """),
        Member(
            "scope_separator", .way,
            text: "The character between scope values, in requests and answers; a space by default."),
        Member(
            "pkce", .way, form: .boolean,
            text: "With `false`, `oap authurl` leaves PKCE out, for a server that refuses it, and says so."),
        Member(
            "token_request_format", .way,
            text: "`form`, or `json` for a token endpoint that wants its parameters as JSON."),
        Member(
            "refresh_resource", .way, form: .boolean,
            text: "With `false`, a refresh leaves `resource` out, for a server that refuses it there."),
        Member(
            "refresh_other_scope", .way, form: .boolean,
            text: """
                With `true`, a refresh may ask for a scope that was not granted before, at a server whose refresh tokens \
                are for several APIs.
                """),
        Member("refresh_endpoint", .way, form: .url, text: "Where tokens are renewed, if not at the token endpoint."),
        Member(
            "access_token_path", .way,
            text: """
                Where the access token is in the answer: names with dots between them, numbers for the elements of \
                arrays. The members beside it belong to it. An answer that has no such object is read as it is.
                """),
        Member(
            "error_path", .way,
            text: """
                Where the error code is in the answer, in the same form. The `message` beside it, or of the answer, \
                describes it.
                """),
        Member(
            "answer_names", .way, form: .json,
            text: """
                What RFC 6749 calls a member of the answer: `{"scopes":"scope"}`; `null` for one to be passed over.
                """),
        Member(
            "bearer_token_types", .way, form: .list,
            text: "What the server says for `Bearer` in `token_type`, or an array."),
        Member("revocation_style", .way, text: "How tokens are revoked: `rfc7009`, or `github`."),
        Member(
            "api_base", .way, form: .url, variable: .ofAddress, text: "What the paths of `oap call` are relative to.",
            section: "Server", isShared: true, summary: "what paths of call are relative to",
            details: "`oap call /path` takes the path relative to this URL, whose origin the token is for."),
        Member(
            "api_origins", .way, form: .list,
            text: """
                Further origins that the token may be sent to, besides those of `api_base`, `resource` and \
                `userinfo_endpoint`: `https://api.example`, or `https://*.example.com` for every host below it.
                """),
        Member(
            "api_headers", .way, form: .json,
            text: "An object of header fields that `oap call` sends, where `-H` names no such."),
        Member(
            "authorization_scheme", .way,
            text: "The word before the token in `Authorization`, where it is not `Bearer`.", argument: "SCHEME",
            otherwise: "as token_type says",
            section: "Client", summary: "the scheme of the Authorization header",
            details: """
                The scheme that the API wants before the access token; by default it follows from `token_type`.
                """),
        Member(
            "authorization_header", .way,
            text: "The header field that carries the access token alone, in the place of `Authorization`."),
        Member(
            "id_token_issuer", .way, form: .url,
            text: """
                The issuer of ID tokens, where the `issuer` stands for several tenants: `{TID}` is the claim `tid` of the \
                ID token, a UUID. Where the `issuer` itself names a tenant by its UUID, it alone counts.
                """),
        Member("documentation", .way, form: .url, text: "Where the provider describes all this."),
        Member("registration_page", .way, form: .url, text: "Where a client is registered by hand."),
        Member(
            "registration_redirect_uri", .way,
            text: """
                The redirect URI to enter there. `oap login --provider` uses it and keeps it as `redirect_uri`, unless \
                an option names another; for other commands, one with a port goes into `redirect_uri` too. Without a \
                port, the server accepts every port of loopback.
                """),
    ]
}
