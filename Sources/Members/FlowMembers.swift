extension Member {
    /// What the authorization request says besides the client's members.
    static let requestTable: [Member] = [
        Member(
            "resource", .request, "RFC 8707 section 2", form: .list, argument: "URI",
            summary: "the API that the token is for"),
        Member(
            "authorization_details", .request, "RFC 9396 section 2", form: .json, summary: "rich authorization details"),
        Member(
            "prompt", .request, "OpenID Connect Core section 3.1.2.1", argument: "PROMPT",
            summary: "what the server must ask the user"),
        Member(
            "login_hint", .request, "OpenID Connect Core section 3.1.2.1", argument: "HINT", summary: "who will log in"),
        Member(
            "max_age", .request, "OpenID Connect Core section 3.1.2.1", form: .seconds,
            summary: "how old a login may be"),
        Member(
            "acr_values", .request, "OpenID Connect Core section 3.1.2.1", argument: "VALUES",
            summary: "how strong the login must be"),
        Member(
            "ui_locales", .request, "OpenID Connect Core section 3.1.2.1", argument: "LOCALES",
            summary: "the languages of the login page"),
        Member(
            "response_mode", .request, "OAuth 2.0 Multiple Response Types section 2.1", argument: "MODE",
            choices: ResponseMode.allCases.map(\.rawValue), summary: "how the answer comes back"),
        Member("claims", .request, "OpenID Connect Core section 5.5", form: .json, summary: "the claims to ask for"),
    ]

    /// What a request for a login without a page says (OpenID Connect CIBA Core §7.1).
    static let backchannelTable: [Member] = [
        Member(
            "binding_message", .request, "OpenID Connect CIBA Core section 7.1", owner: .exchange, argument: "TEXT",
            section: "Request",
            summary: "what the user's device shows to compare"),
        Member(
            "requested_expiry", .request, "OpenID Connect CIBA Core section 7.1", form: .seconds, owner: .exchange,
            section: "Request",
            summary: "how long the user may take"),
    ]

    /// What belongs to one authorization request on its way.
    static let flowTable: [Member] = [
        Member("authorization_url", .flow, form: .url, owner: .callback),
        Member(
            "state", .flow, "RFC 6749 section 10.12", secrecy: .masked, owner: .callback,
            hint: "pass the flow document that oap authurl printed"),
        Member("code_verifier", .flow, "RFC 7636 section 4.1", secrecy: .masked, owner: .exchange),
        Member("nonce", .flow, "OpenID Connect Core section 3.1.2.1", owner: .exchange),
        Member(
            "callback_url", .flow, form: .url, owner: .callback,
            hint: "give the redirected URL as the operand, or with --url-file"),
        Member("callback_body", .flow, owner: .callback),
        Member(
            "code", .flow, "RFC 6749 section 4.1.2", secrecy: .masked, owner: .exchange,
            hint: """
                pipe in the flow document that oap callback-parse printed; for a grant without a user, use --grant, such \
                as --grant client_credentials
                """),
        Member("iss", .flow, "RFC 9207 section 2"),
        Member("callback_params", .flow, form: .json),
    ]

    /// What belongs to one login on another device.
    static let deviceTable: [Member] = [
        Member(
            "device_code", .device, "RFC 8628 section 3.2", secrecy: .masked, owner: .exchange, isAnswered: true,
            hint: "pass the flow document that oap device printed"),
        Member(
            "auth_req_id", .device, "OpenID Connect CIBA Core section 7.3", secrecy: .masked, owner: .exchange,
            isAnswered: true,
            hint: "pass the flow document that oap ciba printed"),
        Member("user_code", .device, "RFC 8628 section 3.2", secrecy: .masked, owner: .exchange, isAnswered: true),
        Member("verification_uri", .device, "RFC 8628 section 3.2", form: .url, owner: .exchange, isAnswered: true),
        Member(
            "verification_uri_complete", .device, "RFC 8628 sections 3.2 and 3.3.1", form: .url, owner: .exchange,
            isAnswered: true),
        Member("interval", .device, "RFC 8628 section 3.2", form: .seconds, owner: .exchange, isAnswered: true),
        Member(
            "expires_at", .device, "RFC 8628 section 3.2", form: .seconds,
            hint: "pass the flow document that oap device printed"),
    ]
}

/// How the authorization response reaches the client (`response_mode`, OAuth 2.0 Multiple Response Types §2.1, Form Post
/// Response Mode), and whether a signed JWT carries it (JWT Secured Authorization Response Mode §2.3).
package enum ResponseMode: String, Sendable, CaseIterable {
    case query
    case fragment
    case formPost = "form_post"
    /// The server's choice for a code: the query.
    case jwt
    case queryJWT = "query.jwt"
    case fragmentJWT = "fragment.jwt"
    case formPostJWT = "form_post.jwt"

    /// Where the parameters are: the query, the fragment or a posted form.
    package var channel: ResponseMode {
        switch self {
        case .query, .jwt, .queryJWT: .query
        case .fragment, .fragmentJWT: .fragment
        case .formPost, .formPostJWT: .formPost
        }
    }

    /// Whether a signed JWT carries the parameters (JARM).
    package var isSigned: Bool { self != channel }
}
