extension Member {
    /// What is known of a token.
    static let tokenTable: [Member] = [
        Member(
            "access_token", .token, "RFC 6749 section 5.1", secrecy: .file, end: .accessToken, isAnswered: true,
            variable: Variable.none,
            hint: "pass the token document that oap exchange printed, or set OAP_ACCESS_TOKEN and use -n",
            secretVariable: """
                The access token for a command with `-n`, such as `oap call -n` or `oap introspect -n`. With `-n`, a \
                command reads no document. `oap call --batch` uses `OAP_ACCESS_TOKEN` even without `-n`.
                """,
            text: "The access token §.", section: "Input",
            summary: "a file that holds an access token",
            details: """
                Takes the access token from this file, instead of the token in the document or in the store. The \
                client still comes from the document or the profile.
                """),
        Member(
            "token_type", .token, "RFC 6749 section 7.1", end: .accessToken, isAnswered: true,
            text: "The type of the access token §. If the server writes `bearer`, `oap` writes `Bearer`."),
        Member(
            "expires_in", .token, "RFC 6749 section 5.1", form: .seconds, end: .accessToken, isAnswered: true,
            text: "The lifetime of the access token in seconds, if the server sent a positive number §."),
        Member(
            "expires_at", .token, form: .seconds, end: .accessToken,
            text: """
                The time at which the access token expires, in seconds since 1970. This is the time of the token \
                request plus `expires_in`. If the document has no `expires_at`, `oap` uses the token until an API \
                refuses it with status 401.
                """),
        Member(
            "refresh_token", .token, "RFC 6749 section 6", secrecy: .file, isAnswered: true,
            hint: "pass the token document that oap exchange printed, or set OAP_REFRESH_TOKEN and use -n",
            secretVariable: "The refresh token for `oap refresh -n`, which reads no document.",
            text: "The token with which `oap` requests a new access token §."),
        Member(
            "refresh_token_expires_at", .token, form: .seconds,
            text: """
                The time at which the refresh token expires, in seconds since 1970. `oap` computes this time from \
                `refresh_token_expires_in`, `refresh_expires_in` or `refresh_token_timeout` in the response. After \
                this time, `oap` does not use the refresh token.
                """),
        Member(
            "authorization_expires_at", .token, form: .seconds,
            text: """
                The time at which the user's authorization ends, in seconds since 1970. `oap` computes this time from \
                `authorization_expires_in` in the response. After this time, `oap` does not use the refresh token.
                """),
        Member(
            "refresh_refused_at", .token, form: .seconds,
            text: """
                The time at which the server refused the refresh token, in seconds since 1970. `oap` removed the \
                refused refresh token from the document. `oap` still uses the access token until it expires.
                """),
        Member(
            "refused_at", .token, form: .seconds,
            text: """
                The time at which an API refused the access token, in seconds since 1970. The document has this member \
                only if `oap` could not renew the token. `oap` does not use the refused token again. Log in to get a \
                new token.
                """),
        Member(
            "id_token", .token, "OpenID Connect Core section 2", secrecy: .masked, isAnswered: true,
            hint: "to get an ID token, log in with openid in the scope",
            text: "The ID token as the server sent it §."),
        Member(
            "id_token_claims", .token, "OpenID Connect Core section 3.1.3.7", form: .json,
            text: "The claims of the ID token. `oap` writes this member only if all checks of the ID token succeed §."),
        Member(
            "id_token_final_exp", .token, form: .seconds,
            text: """
                The time at which the ID token expires, in seconds since 1970. The document has this member only if a \
                renewal brought no new ID token. `oap` uses the old ID token until this time. `oap` does not try again \
                to renew the ID token.
                """),
        Member(
            "logged_in_as", .token,
            text: """
                The name of the user from the userinfo endpoint. `oap login` writes this member if the ID token does \
                not contain the name.
                """),
        Member(
            "scope", .token, "RFC 6749 section 5.1", isAnswered: true,
            text: "The scope that the server granted for the access token §."),
        Member(
            "granted_scope", .token, "RFC 6749 section 6",
            text: """
                The whole scope that the user granted §. The document has this member only if `oap refresh --scope` \
                got an access token for a part of the granted scope. If the granted scope is not known, the value is \
                empty.
                """),
        Member(
            "grant_type", .token, "RFC 6749 section 4",
            text: """
                The grant by which the server issued the token §. If the document has no refresh token, and the grant \
                needs no user, like `client_credentials`, `oap` renews the token by the same grant.
                """),
        Member(
            "requested_scope", .token, "RFC 6749 section 3.3",
            text: """
                The scope that `oap` asks for when it renews the token by the grant in `grant_type` §. The document \
                has this member only if the requested scope is not equal to `scope`. If the value is empty, `oap` asks \
                for no scope.
                """),
        Member(
            "authorization_details", .token, "RFC 9396 section 7", form: .json, isAnswered: true,
            text: "The authorization details that the server granted §."),
        Member(
            "derived_tokens", .token, form: .json,
            text: """
                Other access tokens of the same login: an array of objects. `oap token`, `oap run` and `oap call` get \
                such tokens with options such as `--scope`. Each object has an `access_token` and the other members of \
                the token response. The member `request` of each object contains the scope, resource or audience that \
                `oap` asked for.
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
                The error code that the server sent §. If the server sent no error code, the value is a kind of \
                failure from the list below.
                """),
        Member(
            "error_description", .error, "RFC 6749 section 5.2", steers: false,
            text: """
                The `error_description` that the server sent §. If the server sent no description, the value is the \
                message that `oap` prints to standard error.
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
                If the same command may succeed later (exit status 6), the value is `true`. If the server may have \
                processed the request (exit status 12), the value is `false`. In this case, a repetition of the \
                command may do harm. If the exit status is neither 6 nor 12, the document does not have this member.
                """),
        Member(
            "retry_after", .error, "RFC 9110 section 10.2.3", form: .seconds, steers: false,
            text: "The number of seconds that the server asks the client to wait §."),
        Member("hint", .error, steers: false, text: "Advice on what to do next."),
    ]
}
