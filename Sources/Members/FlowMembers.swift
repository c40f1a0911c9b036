extension Member {
    /// What the authorization request says besides the client's members.
    static let requestTable: [Member] = [
        Member(
            "resource", .request, "RFC 8707 section 2", form: .list,
            text: "The API or APIs that the token is for: a URI, or an array of URIs §.", argument: "URI",
            summary: "the API that the token is for",
            details: """
                The absolute URI of the API for which the token is issued (resource indicator, RFC 8707 section 2).
                """),
        Member(
            "authorization_details", .request, "RFC 9396 section 2", form: .json,
            text: """
                The rights that the client asks for, in more detail than a scope: a JSON array of objects. Each object \
                has a `type` §.
                """, summary: "rich authorization details"),
        Member(
            "prompt", .request, "OpenID Connect Core section 3.1.2.1",
            text: """
                What the server must ask the user, such as `login` or `consent` §. The possible values are those of \
                `oap authurl --prompt`.
                """,
            argument: "PROMPT", summary: "what the server must ask the user",
            details: """
                What the server must ask the user: one or more of `login`, `consent` and `select_account`, with spaces \
                between them. With `none`, the server must not ask anything. If the server cannot log the user in \
                without a question, it refuses the login (OpenID Connect Core section 3.1.2.1).
                """),
        Member(
            "login_hint", .request, "OpenID Connect Core section 3.1.2.1",
            text: """
                The user name or email address that the server may put into its login page §.
                """, argument: "HINT",
            summary: "who will log in",
            details: """
                The user name or email address that the server may put into its login page (OpenID Connect Core \
                section 3.1.2.1).
                """),
        Member(
            "max_age", .request, "OpenID Connect Core section 3.1.2.1", form: .seconds,
            text: """
                The greatest age of the user's last login at the server, in seconds. If the login is older, the server \
                must ask for a new login §. `oap` refuses an ID token with an `auth_time` more than `max_age` seconds \
                ago.
                """,
            summary: "how old a login may be",
            details: """
                If the user's last login at the server was longer ago than this many seconds, the server must ask for \
                a new login (OpenID Connect Core section 3.1.2.1).
                """),
        Member(
            "acr_values", .request, "OpenID Connect Core section 3.1.2.1",
            text: """
                How strong the login must be: names of authentication context classes with spaces between them, in \
                order of preference §.
                """,
            argument: "VALUES", summary: "how strong the login must be",
            details: """
                The authentication context classes to ask for: names with spaces between them, the preferred one first \
                (OpenID Connect Core section 3.1.2.1). Such a class says how strong the login must be.
                """),
        Member(
            "ui_locales", .request, "OpenID Connect Core section 3.1.2.1",
            text: """
                The languages of the login page: language tags such as `de` with spaces between them, in order of \
                preference §.
                """,
            argument: "LOCALES", summary: "the languages of the login page",
            details: """
                The languages of the server's pages for login and logout: language tags such as `de`, with spaces \
                between them, the preferred language first (OpenID Connect Core section 3.1.2.1).
                """),
        Member(
            "response_mode", .request, "OAuth 2.0 Multiple Response Types section 2.1",
            text: """
                The place of the code in the redirect: the `query` or the `fragment` of the URL, or a form that the \
                browser posts (`form_post`) §.
                """, argument: "MODE",
            choices: ResponseMode.allCases.map(\.rawValue), summary: "how the answer comes back",
            details: """
                How the server returns the code. `query` and `fragment` name the part of the redirect URI to which the \
                server adds the code. With `form_post`, the browser posts a form with the code to the redirect URI \
                (OAuth 2.0 Multiple Response Types section 2.1).
                """),
        Member(
            "claims", .request, "OpenID Connect Core section 5.5", form: .json,
            text: "The claims that the client asks for: a JSON object §.", summary: "the claims to ask for",
            details: "The claims to ask for: a JSON object as in OpenID Connect Core section 5.5."),
    ]

    /// What belongs to one authorization request on its way.
    static let flowTable: [Member] = [
        Member(
            "authorization_url", .flow, form: .url, end: .callback,
            text: "The URL that the user opens to log in. `oap callback-parse` removes it."),
        Member(
            "state", .flow, "RFC 6749 section 10.12", secrecy: .masked, end: .callback,
            hint: "pass the flow document that oap authurl printed",
            text: """
                A random value that `oap authurl` sends to the server. The redirect must contain the same value §. \
                `oap callback-parse` removes this member.
                """),
        Member(
            "code_verifier", .flow, "RFC 7636 section 4.1", secrecy: .masked, end: .exchange,
            text: """
                The PKCE secret §. It proves to the server that the sender of the code also began the login. `oap \
                exchange` sends the secret, and removes this member.
                """),
        Member(
            "nonce", .flow, "OpenID Connect Core section 3.1.2.1", end: .exchange,
            text: "A random value that the ID token must contain §. `oap exchange` removes it."),
        Member(
            "callback_url", .flow, form: .url, end: .callback,
            hint: "give the redirected URL as the operand, or with --url-file",
            text: """
                The URL to which the server redirected the browser after the login. `oap callback-parse` removes it.
                """),
        Member(
            "callback_body", .flow, end: .callback,
            text: """
                The form that the browser sent to the redirect URI, if `response_mode` is `form_post`. `oap \
                callback-parse` removes it.
                """),
        Member(
            "code", .flow, "RFC 6749 section 4.1.2", secrecy: .masked, end: .exchange,
            hint: """
                pipe in the flow document that oap callback-parse printed; for a grant without a user, use --grant, such \
                as --grant client_credentials
                """,
            text: "The authorization code §. `oap exchange` removes it."),
        Member(
            "iss", .flow, "RFC 9207 section 2",
            text: "The parameter `iss` of the redirect: the `issuer` of the server that redirected the browser §."),
        Member(
            "callback_params", .flow, form: .json,
            text: "The parameters of the redirect other than `code`, `state` and `iss`: an object of strings."),
    ]

    /// What belongs to one login on another device.
    static let deviceTable: [Member] = [
        Member(
            "device_code", .device, "RFC 8628 section 3.2", secrecy: .masked, end: .exchange, isAnswered: true,
            hint: "pass the flow document that oap device printed",
            text: """
                The code that `oap exchange` sends to the token endpoint §. Keep it secret until the token is issued.
                """),
        Member(
            "user_code", .device, "RFC 8628 section 3.2", secrecy: .masked, end: .exchange, isAnswered: true,
            text: "The code that the user types into the page at the `verification_uri`, on another device §."),
        Member(
            "verification_uri", .device, "RFC 8628 section 3.2", form: .url, end: .exchange, isAnswered: true,
            text: """
                The URL of the page on which the user types the `user_code` §. The URL must begin with https, or be on \
                loopback. If the response has a `verification_url` instead, `oap device` uses its value.
                """),
        Member(
            "verification_uri_complete", .device, "RFC 8628 sections 3.2 and 3.3.1", form: .url, end: .exchange,
            isAnswered: true,
            text: """
                The URL of a page that already contains the `user_code` §. The document has this member only if the \
                server sent such a URL.
                """),
        Member(
            "interval", .device, "RFC 8628 section 3.2", form: .seconds, end: .exchange, isAnswered: true,
            text: """
                The number of seconds between two requests to the token endpoint §. If the server sent no number, the \
                value is 5. The smallest value is 1.
                """),
        Member(
            "expires_at", .device, "RFC 8628 section 3.2", form: .seconds,
            hint: "pass the flow document that oap device printed",
            text: """
                The time at which `device_code` and `user_code` expire, in seconds since 1970. `oap device` adds the \
                `expires_in` of the response to the time of the request §. If the document has only an `expires_in`, \
                `oap exchange` counts these seconds from its own start.
                """),
    ]
}
