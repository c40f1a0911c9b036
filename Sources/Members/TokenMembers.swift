extension Member {
    /// What is known of a token.
    static let tokenTable: [Member] = [
        Member(
            "access_token", .token, "RFC 6749 section 5.1", secrecy: .file, end: .accessToken, isAnswered: true,
            variable: Variable.none,
            hint: "pass the token document that oap exchange printed, or set OAP_ACCESS_TOKEN and use -n",
            secretVariable: "The access token of `oap call -n`, `oap introspect -n` and other commands with `-n`.",
            text: "The access token §.", section: "Input",
            summary: "a file that holds an access token",
            details: """
                Takes the access token from this file, instead of the one in the document or in the store. The client \
                is still that of the document or the profile.
                """),
        Member(
            "token_type", .token, "RFC 6749 section 7.1", end: .accessToken, isAnswered: true,
            text: "The type of the access token §: `Bearer`, also where the server writes `bearer`."),
        Member(
            "expires_in", .token, "RFC 6749 section 5.1", form: .seconds, end: .accessToken, isAnswered: true,
            text: "The lifetime of the access token in seconds, if the server named a positive one §."),
        Member(
            "expires_at", .token, form: .seconds, end: .accessToken,
            text: """
                The time at which the access token expires, in seconds since 1970, counted from the start of the \
                request. Without this member, the token is used until an API refuses it with status 401.
                """),
        Member(
            "refresh_token", .token, "RFC 6749 section 6", secrecy: .file, isAnswered: true,
            hint: "pass the token document that oap exchange printed, or set OAP_REFRESH_TOKEN and use -n",
            secretVariable: "The refresh token of `oap refresh -n`.",
            text: """
                The token with which a new access token is requested §.
                """),
        Member(
            "refresh_token_expires_at", .token, form: .seconds,
            text: """
                The time at which the refresh token expires, in seconds since 1970. It is computed from \
                `refresh_token_expires_in`, `refresh_expires_in` or `refresh_token_timeout` in the response. After \
                this time the refresh token is not sent.
                """),
        Member(
            "authorization_expires_at", .token, form: .seconds,
            text: """
                The time at which everything that the user granted ends, in seconds since 1970. It is computed from \
                `authorization_expires_in` in the response.
                """),
        Member(
            "refresh_refused_at", .token, form: .seconds,
            text: """
                The time at which the server refused the refresh token, in seconds since 1970. That refresh token was \
                deleted; the access token is used until it expires.
                """),
        Member(
            "refused_at", .token, form: .seconds,
            text: """
                The time at which an API refused the access token and it could not be renewed, in seconds since 1970. \
                The token is not used again; a new login replaces it.
                """),
        Member(
            "id_token", .token, "OpenID Connect Core section 2", secrecy: .masked, isAnswered: true,
            text: "The ID token as the server sent it §."),
        Member(
            "id_token_claims", .token, "OpenID Connect Core section 3.1.3.7", form: .json,
            text: "The claims of the ID token, written after all checks have succeeded §."),
        Member(
            "id_token_final_exp", .token, form: .seconds,
            text: "The `exp` of the ID token, if a renewal brought no new one. The ID token is used until then."),
        Member(
            "logged_in_as", .token,
            text: "The name of the user, if the ID token has none and `oap login` got it from the userinfo endpoint."),
        Member(
            "scope", .token, "RFC 6749 section 5.1", isAnswered: true,
            text: """
                The scope that was granted for the access token §.
                """),
        Member(
            "granted_scope", .token, "RFC 6749 section 6",
            text: """
                The whole scope that the user granted §. The member is there only if `oap refresh --scope` got an \
                access token for a part of it. It is empty if the granted scope is not known.
                """),
        Member(
            "grant_type", .token, "RFC 6749 section 4",
            text: """
                The grant that issued the token §. Without a refresh token, a grant that needs no user, such as \
                `client_credentials`, is repeated to renew the token.
                """),
        Member(
            "requested_scope", .token, "RFC 6749 section 3.3",
            text: """
                The scope to ask for when the grant in `grant_type` is repeated §, if it is not the granted `scope`. \
                It is empty if no scope is to be asked for.
                """),
        Member(
            "authorization_details", .token, "RFC 9396 section 7", form: .json, isAnswered: true,
            text: "The authorization details that were granted §."),
        Member(
            "derived_tokens", .token, form: .json,
            text: """
                Other access tokens of the same login, made by `oap token` with options such as `--scope`: an array of \
                objects with `request` (the scope, resource or audience that was asked for), `access_token`, and the \
                other members of the response.
                """),
        Member(
            "issued_token_type", .token, "RFC 8693 section 2.2.1", end: .accessToken, isAnswered: true,
            text: "The type of the token that a token exchange issued, a URN §."),
    ]

    /// What an error document says.
    static let errorTable: [Member] = [
        Member(
            "error", .error, "RFC 6749 section 5.2", steers: false,
            text: "The server's error code §; if there is none, one of the kinds of failure below."),
        Member(
            "error_description", .error, "RFC 6749 section 5.2", steers: false,
            text: """
                The server's `error_description` §; if there is none, the message that `oap` prints on standard error.
                """),
        Member(
            "error_uri", .error, "RFC 6749 section 5.2", form: .url, steers: false,
            text: "The URL of a page about the error, if the server named one §."),
        Member("stage", .error, text: "The name of the command that failed."),
        Member("exit_status", .error, form: .number, text: "The exit status of the command that failed."),
        Member(
            "http_status", .error, form: .number, steers: false,
            text: """
                The HTTP status of the response, if there was a response.
                """),
        Member(
            "retryable", .error, form: .boolean, steers: false,
            text: "`true` if the same command may succeed later; `false` if repeating it may do harm."),
        Member(
            "retry_after", .error, "RFC 9110 section 10.2.3", form: .seconds, steers: false,
            text: "The number of seconds that the server asks the client to wait §."),
        Member("hint", .error, steers: false, text: "Advice on what to do next."),
    ]
}
