extension Member {
    /// What is known of a token.
    static let tokenTable: [Member] = [
        Member(
            "access_token", .token, "RFC 6749 section 5.1", secrecy: .file, end: .accessToken, isAnswered: true,
            variable: Variable.none,
            hint: "pass the token document that oap exchange printed, or set OAP_ACCESS_TOKEN and use -n",
            secretVariable: """
                The access token for a command with `-n`, such as `oap call -n` or `oap introspect -n`. With `-n`, a \
                command reads no document. `oap call --batch` uses this variable too.
                """,
            text: "The access token §.", section: "Input",
            summary: "a file that holds an access token",
            details: """
                Takes the access token from this file, instead of the token in the document or in the store. The \
                client still comes from the document or the profile.
                """),
        Member(
            "token_type", .token, "RFC 6749 section 7.1", end: .accessToken, isAnswered: true,
            text: "The type of the access token §. It is written `Bearer`, even if the server writes `bearer`."),
        Member(
            "expires_in", .token, "RFC 6749 section 5.1", form: .seconds, end: .accessToken, isAnswered: true,
            text: "The lifetime of the access token in seconds, if the server sent a positive number §."),
        Member(
            "expires_at", .token, form: .seconds, end: .accessToken,
            text: """
                The time at which the access token expires, in seconds since 1970. This is the time of the request \
                plus `expires_in`. If the document has no `expires_at`, the token is used until an API refuses it with \
                status 401.
                """),
        Member(
            "refresh_token", .token, "RFC 6749 section 6", secrecy: .file, isAnswered: true,
            hint: "pass the token document that oap exchange printed, or set OAP_REFRESH_TOKEN and use -n",
            secretVariable: "The refresh token for `oap refresh -n`, which reads no document.",
            text: """
                The token with which a new access token is requested §.
                """),
        Member(
            "refresh_token_expires_at", .token, form: .seconds,
            text: """
                The time at which the refresh token expires, in seconds since 1970. This time is computed from \
                `refresh_token_expires_in`, `refresh_expires_in` or `refresh_token_timeout` in the response. After \
                this time, the refresh token is not used.
                """),
        Member(
            "authorization_expires_at", .token, form: .seconds,
            text: """
                The time at which the authorization by the user ends, in seconds since 1970. This time is computed \
                from `authorization_expires_in` in the response. After this time, the refresh token is not used.
                """),
        Member(
            "refresh_refused_at", .token, form: .seconds,
            text: """
                The time at which the server refused the refresh token, in seconds since 1970. The refresh token was \
                then removed from the document. The access token is used until it expires.
                """),
        Member(
            "refused_at", .token, form: .seconds,
            text: """
                The time at which an API refused the access token, in seconds since 1970. The document has this member \
                only if the token could not be renewed. `oap` does not use such a token again; log in to get a new \
                token.
                """),
        Member(
            "id_token", .token, "OpenID Connect Core section 2", secrecy: .masked, isAnswered: true,
            hint: "a login with openid in its scope gets one",
            text: "The ID token as the server sent it §."),
        Member(
            "id_token_claims", .token, "OpenID Connect Core section 3.1.3.7", form: .json,
            text: "The claims of the ID token. They are written only if all checks of the ID token succeed §."),
        Member(
            "id_token_final_exp", .token, form: .seconds,
            text: """
                The time at which the ID token expires, if the server issued no new ID token when the token was \
                renewed. The old ID token is used until this time, and `oap` does not try again to renew it.
                """),
        Member(
            "logged_in_as", .token,
            text: """
                The name of the user, if `oap login` got it from the userinfo endpoint because the ID token does not \
                contain it.
                """),
        Member(
            "scope", .token, "RFC 6749 section 5.1", isAnswered: true,
            text: """
                The scope that was granted for the access token §.
                """),
        Member(
            "granted_scope", .token, "RFC 6749 section 6",
            text: """
                The whole scope that the user granted §. The document has this member only if `oap refresh --scope` \
                got an access token for a part of that scope. The value is empty if the granted scope is not known.
                """),
        Member(
            "grant_type", .token, "RFC 6749 section 4",
            text: """
                The grant by which the token was issued §. If there is no refresh token and the grant needs no user, \
                as with `client_credentials`, `oap` renews the token by the same grant.
                """),
        Member(
            "requested_scope", .token, "RFC 6749 section 3.3",
            text: """
                The scope to ask for when the token is renewed by the grant in `grant_type` §. The document has this \
                member only if that scope is not equal to `scope`. If the value is empty, no scope is asked for.
                """),
        Member(
            "authorization_details", .token, "RFC 9396 section 7", form: .json, isAnswered: true,
            text: "The authorization details that the server granted §."),
        Member(
            "derived_tokens", .token, form: .json,
            text: """
                Other access tokens of the same login, which `oap token` got with options such as `--scope`: an array \
                of objects. Each object has `access_token` and the other members of the response. Its `request` \
                contains the scope, resource or audience that was asked for.
                """),
        Member(
            "issued_token_type", .token, "RFC 8693 section 2.2.1", end: .accessToken, isAnswered: true,
            text: "The type of the token that a token exchange issued: a URN §."),
    ]

    /// What an error document says.
    static let errorTable: [Member] = [
        Member(
            "error", .error, "RFC 6749 section 5.2", steers: false,
            text: """
                The error code that the server sent §. If the server sent none, the value is one of the names that are \
                listed below as kinds of failure.
                """),
        Member(
            "error_description", .error, "RFC 6749 section 5.2", steers: false,
            text: """
                The `error_description` that the server sent §. If the server sent none, the value is the message that \
                `oap` prints to standard error.
                """),
        Member(
            "error_uri", .error, "RFC 6749 section 5.2", form: .url, steers: false,
            text: "The URL of a page about the error, if the server sent one §."),
        Member("stage", .error, text: "The name of the command that failed, such as `exchange`."),
        Member("exit_status", .error, form: .number, text: "The exit status of the command that failed."),
        Member(
            "http_status", .error, form: .number, steers: false,
            text: """
                The HTTP status of the response, if there was a response.
                """),
        Member(
            "retryable", .error, form: .boolean, steers: false,
            text: """
                `true` if the same command may succeed later. `false` if the server may have processed the request, so \
                that repeating the command may do harm. After other failures, there is no such member.
                """),
        Member(
            "retry_after", .error, "RFC 9110 section 10.2.3", form: .seconds, steers: false,
            text: "The number of seconds that the server asks the client to wait §."),
        Member("hint", .error, steers: false, text: "Advice on what to do next."),
    ]
}
