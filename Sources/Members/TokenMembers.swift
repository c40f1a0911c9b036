extension Member {
    /// What is known of a token.
    static let tokenTable: [Member] = [
        Member(
            "access_token", .token, "RFC 6749 section 5.1", secrecy: .file, end: .accessToken, isAnswered: true,
            variable: Variable.none,
            hint: "pass the document that oap exchange printed, or use -n with OAP_ACCESS_TOKEN",
            secretVariable: "The access token of `oap call -n`, `oap introspect -n` and other commands with `-n`.",
            text: "The token §.", section: "Input",
            summary: "a file that holds an access token",
            details: """
                Takes the access token from this file, in the place of the one in the document or in the store, with \
                the client of the document or the profile.
                """),
        Member(
            "token_type", .token, "RFC 6749 section 7.1", end: .accessToken, isAnswered: true,
            text: "`Bearer`, however the server spells it §."),
        Member(
            "expires_in", .token, "RFC 6749 section 5.1", form: .seconds, end: .accessToken, isAnswered: true,
            text: "The lifetime in seconds, when the server named a positive one §."),
        Member(
            "expires_at", .token, form: .seconds, end: .accessToken,
            text: """
                The end in seconds since 1970, counted from the start of the request. Without it the token serves \
                until a 401.
                """),
        Member(
            "refresh_token", .token, "RFC 6749 section 6", secrecy: .file, isAnswered: true,
            hint: "pass the document that oap exchange printed, or use -n with OAP_REFRESH_TOKEN",
            secretVariable: "The refresh token of `oap refresh -n`.", text: "What renews it §."),
        Member(
            "refresh_token_expires_at", .token, form: .seconds,
            text: """
                The end of the refresh token in seconds since 1970, made from `refresh_token_expires_in`, \
                `refresh_expires_in` or `refresh_token_timeout` of the response. After it, the refresh token is not \
                sent.
                """),
        Member(
            "authorization_expires_at", .token, form: .seconds,
            text: "The end of the whole authorization, made from `authorization_expires_in` in the same way."),
        Member(
            "refresh_refused_at", .token, form: .seconds,
            text: """
                When the server refused the refresh token, which was dropped then. The access token is used until it \
                expires.
                """),
        Member(
            "refused_at", .token, form: .seconds,
            text: """
                When an API refused the access token and nothing could renew it. It is not used again until a new \
                login.
                """),
        Member(
            "id_token", .token, "OpenID Connect Core section 2", secrecy: .masked, isAnswered: true,
            text: "The ID token as it came §."),
        Member(
            "id_token_claims", .token, "OpenID Connect Core section 3.1.3.7", form: .json,
            text: "Its claims, after every check §."),
        Member(
            "id_token_final_exp", .token, form: .seconds,
            text: "The `exp` of an ID token that a renewal has not replaced; the token is used until then."),
        Member(
            "logged_in_as", .token,
            text: "Who logged in, where `oap login` found it at the userinfo endpoint and the ID token does not say."),
        Member("scope", .token, "RFC 6749 section 5.1", isAnswered: true, text: "What was granted §."),
        Member(
            "granted_scope", .token, "RFC 6749 section 6",
            text: """
                What the user granted §, where `oap refresh --scope` has narrowed `scope`; empty where it is not known.
                """),
        Member(
            "grant_type", .token, "RFC 6749 section 4",
            text: """
                The grant that brought the token §. One that needs no person, as `client_credentials`, is repeated to \
                renew a token without a refresh token.
                """),
        Member(
            "requested_scope", .token, "RFC 6749 section 3.3",
            text: "The scope that such a grant asks for §, where another was granted; empty for none."),
        Member(
            "authorization_details", .token, "RFC 9396 section 7", form: .json, isAnswered: true,
            text: "What was granted of them §."),
        Member(
            "derived_tokens", .token, form: .json,
            text: """
                The other tokens of the login that `oap token` was asked for: an array of objects with `request` (what was \
                asked for), `access_token` and what belongs to it.
                """),
        Member(
            "issued_token_type", .token, "RFC 8693 section 2.2.1", end: .accessToken, isAnswered: true,
            text: "What a token exchange issued §."),
    ]

    /// What an error document says.
    static let errorTable: [Member] = [
        Member(
            "error", .error, "RFC 6749 section 5.2", steers: false,
            text: "The server's error code §, else the kind of failure."),
        Member(
            "error_description", .error, "RFC 6749 section 5.2", steers: false,
            text: "The server's words §, else the message."),
        Member(
            "error_uri", .error, "RFC 6749 section 5.2", form: .url, steers: false,
            text: "A page about it, when the server named one §."),
        Member("stage", .error, text: "The command that failed."),
        Member("exit_status", .error, form: .number, text: "Its exit status."),
        Member(
            "http_status", .error, form: .number, steers: false, text: "The status of the answer, where there was one."),
        Member(
            "retryable", .error, form: .boolean, steers: false,
            text: "`true` where trying later may help; `false` where it may do harm."),
        Member(
            "retry_after", .error, "RFC 9110 section 10.2.3", form: .seconds, steers: false,
            text: "Seconds to wait that the server named §."),
        Member("hint", .error, steers: false, text: "What to do."),
    ]
}
