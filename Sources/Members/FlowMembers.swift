extension Member {
    /// What the authorization request says besides the client's members.
    static let requestTable: [Member] = [
        Member(
            "resource", .request, "RFC 8707 section 2", form: .list,
            text: "The API that the token is for, one URI or an array §.", argument: "URI",
            summary: "the API that the token is for",
            details: "A resource indicator (RFC 8707 section 2), an absolute URI; may be given more than once."),
        Member(
            "authorization_details", .request, "RFC 9396 section 2", form: .json,
            text: "An array of objects with a `type` §.", summary: "rich authorization details"),
        Member(
            "prompt", .request, "OpenID Connect Core section 3.1.2.1", text: "What the server asks the person §.",
            argument: "PROMPT", summary: "what the server asks the person",
            details: "`none`, or any of `login`, `consent`, `select_account` (OpenID Connect Core section 3.1.2.1)."),
        Member(
            "login_hint", .request, "OpenID Connect Core section 3.1.2.1", text: "Who will log in §.", argument: "HINT",
            summary: "who will log in",
            details: "What the server may fill in as the login (OpenID Connect Core section 3.1.2.1)."),
        Member(
            "max_age", .request, "OpenID Connect Core section 3.1.2.1", form: .seconds,
            text: "Seconds that the login may be old; the ID token is checked by it §.",
            summary: "how old a login may be",
            details: "The most seconds since the person logged in (OpenID Connect Core section 3.1.2.1)."),
        Member(
            "acr_values", .request, "OpenID Connect Core section 3.1.2.1", text: "How strong the login must be §.",
            argument: "VALUES", summary: "how strong the login must be",
            details: "Authentication context classes in order of preference (OpenID Connect Core section 3.1.2.1)."),
        Member(
            "ui_locales", .request, "OpenID Connect Core section 3.1.2.1", text: "The languages of the login page §.",
            argument: "LOCALES", summary: "the languages of the login page",
            details: "Language tags in order of preference (OpenID Connect Core section 3.1.2.1)."),
        Member(
            "response_mode", .request, "OAuth 2.0 Multiple Response Types section 2.1",
            text: "`query`, `fragment` or `form_post` §.", argument: "MODE",
            choices: ResponseMode.allCases.map(\.rawValue), summary: "how the answer comes back",
            details: "Where the redirect carries its parameters (OAuth 2.0 Multiple Response Types section 2.1)."),
        Member(
            "claims", .request, "OpenID Connect Core section 5.5", form: .json,
            text: "The claims to ask for, an object §.", summary: "the claims to ask for",
            details: "An object as in OpenID Connect Core section 5.5."),
    ]

    /// What belongs to one authorization request on its way.
    static let flowTable: [Member] = [
        Member(
            "authorization_url", .flow, form: .url, end: .callback,
            text: "What a person opens. Dropped by `oap callback-parse`."),
        Member(
            "state", .flow, "RFC 6749 section 10.12", secrecy: .masked, end: .callback,
            hint: "pass what oap authurl printed",
            text: "256 random bits that the redirect must bring back §. Dropped by `oap callback-parse`."),
        Member(
            "code_verifier", .flow, "RFC 7636 section 4.1", secrecy: .masked, end: .exchange,
            text: "What proves that the code is ours §. Dropped by `oap exchange`."),
        Member(
            "nonce", .flow, "OpenID Connect Core section 3.1.2.1", end: .exchange,
            text: "256 random bits that the ID token must hold §. Dropped by `oap exchange`."),
        Member(
            "callback_url", .flow, form: .url, end: .callback,
            hint: "give the redirected URL as the operand, or with --url-file",
            text: "What the browser was redirected to. Dropped by `oap callback-parse`."),
        Member(
            "callback_body", .flow, end: .callback,
            text: "The form that came with it in the mode `form_post`. Dropped likewise."),
        Member(
            "code", .flow, "RFC 6749 section 4.1.2", secrecy: .masked, end: .exchange,
            hint: "pass what oap callback-parse printed, or choose another grant, as --grant client_credentials",
            text: "The authorization code §. Dropped by `oap exchange`."),
        Member("iss", .flow, "RFC 9207 section 2", text: "The issuer that the redirect named §."),
        Member(
            "callback_params", .flow, form: .json,
            text: "The redirect's parameters of no meaning to `oap`, an object of strings."),
    ]

    /// What belongs to one login on another device.
    static let deviceTable: [Member] = [
        Member(
            "device_code", .device, "RFC 8628 section 3.2", secrecy: .masked, end: .exchange, isAnswered: true,
            hint: "pass what oap device printed",
            text: "What the token endpoint is asked with, a secret until it is used §."),
        Member(
            "user_code", .device, "RFC 8628 section 3.2", secrecy: .masked, end: .exchange, isAnswered: true,
            text: "What a person types §."),
        Member(
            "verification_uri", .device, "RFC 8628 section 3.2", form: .url, end: .exchange, isAnswered: true,
            text: "Where it is typed, https or on this machine §. A server may call it `verification_url`."),
        Member(
            "verification_uri_complete", .device, "RFC 8628 sections 3.2 and 3.3.1", form: .url, end: .exchange,
            isAnswered: true, text: "The same with the code in it, where the server made one §."),
        Member(
            "interval", .device, "RFC 8628 section 3.2", form: .seconds, end: .exchange, isAnswered: true,
            text: """
                The least seconds between two requests to the token endpoint: 5 where the server named none, and \
                never less than 1 §.
                """),
        Member(
            "expires_at", .device, "RFC 8628 section 3.2", form: .seconds, hint: "pass what oap device printed",
            text: """
                The end of both codes in seconds since 1970: the answer's `expires_in`, counted from the start of the \
                request §. Where a document has `expires_in` instead, it counts from the start of `oap exchange`.
                """),
    ]
}
