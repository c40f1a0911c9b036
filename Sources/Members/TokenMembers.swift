extension Member {
    /// What is known of a token.
    static let tokenTable: [Member] = [
        Member(
            "access_token", .token, "RFC 6749 section 5.1", secrecy: .file, owner: .accessToken, isAnswered: true,
            variable: Variable.none,
            hint: "pass the token document that oap exchange printed, or set OAP_ACCESS_TOKEN and use -n",
            hasSecretVariable: true, section: "Input", summary: "a file that holds an access token"),
        Member("token_type", .token, "RFC 6749 section 7.1", owner: .accessToken, isAnswered: true),
        Member("expires_in", .token, "RFC 6749 section 5.1", form: .seconds, owner: .accessToken, isAnswered: true),
        Member("expires_at", .token, form: .seconds, owner: .accessToken),
        Member(
            "refresh_token", .token, "RFC 6749 section 6", secrecy: .file, owner: .refreshToken, isAnswered: true,
            hint: "pass the token document that oap exchange printed, or set OAP_REFRESH_TOKEN and use -n",
            hasSecretVariable: true),
        Member(
            "dpop_key", .token, "RFC 9449 section 4", secrecy: .file, variable: Variable.none, section: "Client",
            isOfAllCommands: true, summary: "a file with the key that access tokens are bound to"),
        Member(
            "dpop_key_passphrase", .token, secrecy: .file, variable: Variable.none, section: "Client",
            isOfAllCommands: true, summary: "a file with the pass phrase of that key"),
        Member("dpop_jkt", .token, "RFC 9449 section 6.1"),
        Member("dpop_nonces", .token, "RFC 9449 section 8", form: .json),
        Member("refresh_token_expires_at", .token, form: .seconds, owner: .refreshToken),
        Member("authorization_expires_at", .token, form: .seconds, owner: .authorization),
        Member("refresh_refused_at", .token, form: .seconds, owner: .refusal),
        Member("refresh_token_was", .token, owner: .refusal),
        Member("refused_at", .token, form: .seconds, owner: .accessToken),
        Member("renewed_by", .token, owner: .login),
        Member("step_up", .token, "RFC 9470 section 3", form: .json, owner: .login),
        Member("unauthorized_at", .token, form: .seconds, owner: .accessToken),
        Member(
            "id_token", .token, "OpenID Connect Core section 2", secrecy: .masked, owner: .idToken, isAnswered: true,
            hint: "to get an ID token, log in with openid in the scope"),
        Member("id_token_claims", .token, "OpenID Connect Core section 3.1.3.7", form: .json, owner: .idToken),
        Member("id_token_final_exp", .token, form: .seconds, owner: .idToken),
        Member("logged_in_as", .token, owner: .login),
        Member("scope", .token, "RFC 6749 section 5.1", owner: .scope, isAnswered: true),
        Member("granted_scope", .token, "RFC 6749 section 6", owner: .grant),
        Member("grant_type", .token, "RFC 6749 section 4"),
        Member("requested_scope", .token, "RFC 6749 section 3.3", owner: .grant),
        Member("authorization_details", .token, "RFC 9396 section 7", form: .json, isAnswered: true),
        Member("derived_tokens", .token, form: .json, owner: .login),
        Member("issued_token_type", .token, "RFC 8693 section 2.2.1", owner: .accessToken, isAnswered: true),
    ]

    /// What an error document says.
    static let errorTable: [Member] = [
        Member("error", .error, "RFC 6749 section 5.2", steers: false),
        Member("error_description", .error, "RFC 6749 section 5.2", steers: false),
        Member("error_uri", .error, "RFC 6749 section 5.2", form: .url, steers: false),
        Member("stage", .error),
        Member("exit_status", .error, form: .number),
        Member("http_status", .error, form: .number, steers: false),
        Member("retryable", .error, form: .boolean, steers: false),
        Member("retry_after", .error, "RFC 9110 section 10.2.3", form: .seconds, steers: false),
        Member("hint", .error, steers: false),
        Member("token", .error, steers: false),
        Member("failures", .error, form: .json, steers: false),
    ]
}
