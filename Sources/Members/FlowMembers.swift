extension Member {
    /// What the authorization request says besides the client's members.
    static let requestTable: [Member] = [
        Member(
            "resource", .request, "RFC 8707 section 2", form: .list,
            text: "The API or APIs that the token is for: a URI, or an array of URIs §.", argument: "URI",
            summary: "the API that the token is for",
            details: """
                An absolute URI that names the API that the token is for, a resource indicator (RFC 8707 section 2).
                """),
        Member(
            "authorization_details", .request, "RFC 9396 section 2", form: .json,
            text: """
                What is to be granted, in detail: a JSON array of objects with a `type` §.
                """, summary: "rich authorization details"),
        Member(
            "prompt", .request, "OpenID Connect Core section 3.1.2.1",
            text: """
                What the server must ask the user: values as for `oap authurl --prompt` §.
                """,
            argument: "PROMPT", summary: "what the server must ask the user, such as login or consent",
            details: """
                What the server must ask the user: any of `login`, `consent` and `select_account`, with spaces between \
                them. With `none` it asks nothing, and refuses a login that needs a question (OpenID Connect Core \
                section 3.1.2.1).
                """),
        Member(
            "login_hint", .request, "OpenID Connect Core section 3.1.2.1",
            text: """
                The user name or address with which the server may fill in its login page §.
                """, argument: "HINT",
            summary: "who will log in",
            details: """
                The user name or address with which the server may fill in its login page (OpenID Connect Core section \
                3.1.2.1).
                """),
        Member(
            "max_age", .request, "OpenID Connect Core section 3.1.2.1", form: .seconds,
            text: """
                If the user's last login at the server was longer ago than this many seconds, the server must ask for \
                a new one §. The `auth_time` of the ID token is compared with it.
                """,
            summary: "how old a login may be",
            details: """
                If the user's last login at the server was longer ago than this many seconds, the server must ask for \
                a new one (OpenID Connect Core section 3.1.2.1).
                """),
        Member(
            "acr_values", .request, "OpenID Connect Core section 3.1.2.1",
            text: """
                How strong the login must be: authentication context classes in order of preference §.
                """,
            argument: "VALUES", summary: "how strong the login must be",
            details: """
                How strong the login must be: authentication context classes in order of preference (OpenID Connect \
                Core section 3.1.2.1).
                """),
        Member(
            "ui_locales", .request, "OpenID Connect Core section 3.1.2.1",
            text: """
                The languages of the login page: language tags in order of preference §.
                """,
            argument: "LOCALES", summary: "the languages of the login page",
            details: """
                The languages of the login page: language tags in order of preference (OpenID Connect Core section \
                3.1.2.1).
                """),
        Member(
            "response_mode", .request, "OAuth 2.0 Multiple Response Types section 2.1",
            text: "Where the redirect carries its parameters: `query`, `fragment` or `form_post` §.", argument: "MODE",
            choices: ResponseMode.allCases.map(\.rawValue), summary: "how the answer comes back",
            details: "Where the redirect carries its parameters (OAuth 2.0 Multiple Response Types section 2.1)."),
        Member(
            "claims", .request, "OpenID Connect Core section 5.5", form: .json,
            text: "The claims to ask for, a JSON object §.", summary: "the claims to ask for",
            details: "An object as in OpenID Connect Core section 5.5."),
    ]

    /// What belongs to one authorization request on its way.
    static let flowTable: [Member] = [
        Member(
            "authorization_url", .flow, form: .url, end: .callback,
            text: "The URL that the user opens to log in. `oap callback-parse` removes it."),
        Member(
            "state", .flow, "RFC 6749 section 10.12", secrecy: .masked, end: .callback,
            hint: "pass the flow document that oap authurl printed",
            text: "256 random bits that the redirect must bring back §. `oap callback-parse` removes them."),
        Member(
            "code_verifier", .flow, "RFC 7636 section 4.1", secrecy: .masked, end: .exchange,
            text: """
                The secret with which `oap exchange` proves that it began the login (PKCE) §. `oap exchange` removes it.
                """),
        Member(
            "nonce", .flow, "OpenID Connect Core section 3.1.2.1", end: .exchange,
            text: "256 random bits that the ID token must contain §. `oap exchange` removes them."),
        Member(
            "callback_url", .flow, form: .url, end: .callback,
            hint: "give the redirected URL as the operand, or with --url-file",
            text: "The URL to which the browser was redirected. `oap callback-parse` removes it."),
        Member(
            "callback_body", .flow, end: .callback,
            text: """
                The form that the browser sent to the redirect URI, in the response mode `form_post`. `oap \
                callback-parse` removes it.
                """),
        Member(
            "code", .flow, "RFC 6749 section 4.1.2", secrecy: .masked, end: .exchange,
            hint: """
                pass the flow document that oap callback-parse printed, or choose another grant, such as --grant \
                client_credentials
                """,
            text: "The authorization code §. `oap exchange` removes it."),
        Member(
            "iss", .flow, "RFC 9207 section 2",
            text: """
                The `iss` parameter of the redirect: the issuer that sent it §.
                """),
        Member(
            "callback_params", .flow, form: .json,
            text: "The redirect's parameters that `oap` does not use, an object of strings."),
    ]

    /// What belongs to one login on another device.
    static let deviceTable: [Member] = [
        Member(
            "device_code", .device, "RFC 8628 section 3.2", secrecy: .masked, end: .exchange, isAnswered: true,
            hint: "pass the flow document that oap device printed",
            text: "The code that `oap exchange` sends to the token endpoint, a secret until it is used §."),
        Member(
            "user_code", .device, "RFC 8628 section 3.2", secrecy: .masked, end: .exchange, isAnswered: true,
            text: "The code that the user types on the other device §."),
        Member(
            "verification_uri", .device, "RFC 8628 section 3.2", form: .url, end: .exchange, isAnswered: true,
            text: """
                The URL of the page on which the user types the `user_code`, with https or on this machine §. If the \
                server calls this member `verification_url`, it is read too.
                """),
        Member(
            "verification_uri_complete", .device, "RFC 8628 sections 3.2 and 3.3.1", form: .url, end: .exchange,
            isAnswered: true, text: "The `verification_uri` with the `user_code` in it, if the server sent one §."),
        Member(
            "interval", .device, "RFC 8628 section 3.2", form: .seconds, end: .exchange, isAnswered: true,
            text: """
                The number of seconds between two requests to the token endpoint §: 5 if the server named none, and at \
                least 1.
                """),
        Member(
            "expires_at", .device, "RFC 8628 section 3.2", form: .seconds,
            hint: "pass the flow document that oap device printed",
            text: """
                The time at which both codes expire, in seconds since 1970: the `expires_in` of the response §, \
                counted from the start of the request. If the document has `expires_in` instead, that is counted from \
                the start of `oap exchange`.
                """),
    ]
}
