internal import CommandSpec
internal import OAuth
internal import Wire

/// An option that is a member of the document under its own name: `--client-id`, `OAP_CLIENT_ID`, `"client_id"`
/// (oap-documents(5)).
struct MemberOption: Sendable {
    /// What the text of an option or a variable becomes in the document.
    enum Form: Sendable {
        case string
        case boolean
        case json
        case strings
        case file
    }

    /// The member's name.
    let member: String
    /// What its text becomes.
    let form: Form
    /// The option's record.
    let option: Option

    /// Makes a record; the option's name and the variable follow from the member's. A member of the section "Request"
    /// belongs to one flow, not to the client or the server, and has no variable.
    init(
        _ member: String, _ form: Form = .string, argument: String, choices: [String] = [], section: String = "Client",
        summary: String, details: String
    ) {
        self.member = member
        self.form = form
        option = Option(
            Self.long(for: member), argument: argument, isRepeatable: form == .strings,
            choices: form == .boolean ? ["true", "false"] : choices, completes: form == .file ? .files : .nothing,
            variable: section == Self.request ? nil : Self.variable(for: member), section: section, summary: summary,
            details: details)
    }

    private static let request = "Request"

    /// The variable of a member.
    static func variable(for member: String) -> String {
        String(decoding: "OAP_".utf8 + member.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
    }

    private static func long(for member: String) -> String {
        String(decoding: member.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    }

    /// The value that texts stand for.
    ///
    /// - Throws: exit 2 for a text that is not of the member's form.
    func value(of texts: [String]) throws(Failure) -> JSON {
        let text = texts.last ?? ""
        switch form {
        case .string: return .string(text)
        case .file: return .string(DescriptorPath.isOne(text) ? text : try FileAccess.absolute(text))
        case .strings: return .array(texts.map { .string($0) })
        case .boolean: return .bool(text == "true")
        case .json:
            guard let value = try? JSON(parsing: text, depth: JSON.maximumDepthOfPart) else {
                throw .usage("\(option.name): the value is not JSON")
            }
            return value
        }
    }
}

extension MemberOption {
    static let clientID = MemberOption(
        "client_id", argument: "ID", summary: "the client's identifier",
        details: "The client identifier that the authorization server issued (RFC 6749 section 2.2).")
    static let clientSecretFile = MemberOption(
        "client_secret_file", .file, argument: "PATH", summary: "a file that holds the client secret",
        details: """
            The client secret is read from this file where it is used; one line end is taken off. The document gets the \
            path, never the secret, and no path of a descriptor: `--client-secret-file <(pass show x)` works.
            """)
    static let authenticationMethod = MemberOption(
        "token_endpoint_auth_method", argument: "METHOD",
        choices: ClientAuthentication.Method.allCases.map(\.rawValue), summary: "how the client authenticates",
        details: """
            How the client proves itself (RFC 7591 section 2). By default: `client_secret_basic` where there is a \
            secret, unless the server's metadata lists only `client_secret_post`; `none` where there is none.
            """)
    static let basicEncoding = MemberOption(
        "basic_encoding", argument: "ENCODING", choices: ClientAuthentication.BasicEncoding.allCases.map(\.rawValue),
        summary: "form-encode HTTP Basic, or send it raw",
        details: """
            RFC 6749 section 2.3.1 has identifier and secret form-encoded before they become HTTP Basic; `raw` is for \
            servers that do not decode them.
            """)
    static let redirectURI = MemberOption(
        "redirect_uri", argument: "URI", summary: "where the answer is sent",
        details: """
            The redirect URI, exactly as it is registered. By default `http://127.0.0.1:0/callback`; port 0 on loopback \
            is replaced by a free one.
            """)
    static let scope = MemberOption(
        "scope", argument: "SCOPE", summary: "the scope to ask for",
        details: "Scope values with spaces between them (RFC 6749 section 3.3).")
    static let issuer = MemberOption(
        "issuer", argument: "URL", section: "Server", summary: "the authorization server's issuer identifier",
        details: "The issuer (RFC 8414 section 2). What a callback and an ID token name is compared with it.")
    static let authorizationEndpoint = MemberOption(
        "authorization_endpoint", argument: "URL", section: "Server", summary: "where a person logs in",
        details: "The URL of the authorization endpoint (RFC 6749 section 3.1).")
    static let tokenEndpoint = MemberOption(
        "token_endpoint", argument: "URL", section: "Server", summary: "where tokens are issued",
        details: "The URL of the token endpoint (RFC 6749 section 3.2). It is never redirected.")
    static let deviceAuthorizationEndpoint = MemberOption(
        "device_authorization_endpoint", argument: "URL", section: "Server", summary: "where device codes are issued",
        details: "The URL of the device authorization endpoint (RFC 8628 section 3.1).")
    static let pushedAuthorizationRequestEndpoint = MemberOption(
        "pushed_authorization_request_endpoint", argument: "URL", section: "Server",
        summary: "where requests are pushed",
        details: "The URL of the pushed authorization request endpoint (RFC 9126 section 2).")
    static let revocationEndpoint = MemberOption(
        "revocation_endpoint", argument: "URL", section: "Server", summary: "where tokens are revoked",
        details: "The URL of the revocation endpoint (RFC 7009 section 2).")
    static let keySetURI = MemberOption(
        "jwks_uri", argument: "URL", section: "Server", summary: "where the server's keys are",
        details: "The URL of the JWK Set with the keys that sign ID tokens (RFC 8414 section 2).")
    static let sendsIssuer = MemberOption(
        "authorization_response_iss_parameter_supported", .boolean, argument: "BOOLEAN", section: "Server",
        summary: "whether every callback names the issuer",
        details: "With `true`, a callback without `iss` is refused (RFC 9207 section 2.4).")
    static let apiBase = MemberOption(
        "api_base", argument: "URL", section: "Server", summary: "what paths of call are relative to",
        details: "`oap call /path` takes the path relative to this URL, whose origin the token is for.")
    static let authorizationScheme = MemberOption(
        "authorization_scheme", argument: "SCHEME", section: "Client",
        summary: "the scheme of the Authorization header",
        details: "The scheme that the API wants before the access token; by default it follows from `token_type`.")
    static let idTokenAlgorithm = MemberOption(
        "id_token_signed_response_alg", argument: "ALG", summary: "how the server signs ID tokens for this client",
        details: "The one algorithm of ID tokens that is accepted (OpenID Connect Registration section 2).")

    /// Who the client and the server are.
    static let identity = [
        clientID, clientSecretFile, authenticationMethod, basicEncoding, redirectURI, scope, idTokenAlgorithm, issuer,
        authorizationEndpoint, tokenEndpoint, pushedAuthorizationRequestEndpoint, keySetURI, sendsIssuer, apiBase,
    ]

    /// What else an authorization request may say.
    static let requestMembers = [
        MemberOption(
            "resource", .strings, argument: "URI", section: request, summary: "the API that the token is for",
            details: "A resource indicator (RFC 8707 section 2), an absolute URI; may be given more than once."),
        MemberOption(
            "authorization_details", .json, argument: "JSON", section: request,
            summary: "rich authorization details", details: "An array of objects with a `type` (RFC 9396 section 2)."),
        MemberOption(
            "prompt", argument: "PROMPT", section: request, summary: "what the server asks the person",
            details: "`none`, or any of `login`, `consent`, `select_account` (OpenID Connect Core section 3.1.2.1)."),
        MemberOption(
            "login_hint", argument: "HINT", section: request, summary: "who will log in",
            details: "What the server may fill in as the login (OpenID Connect Core section 3.1.2.1)."),
        MemberOption(
            "max_age", argument: "SECONDS", section: request, summary: "how old a login may be",
            details: "The most seconds since the person logged in (OpenID Connect Core section 3.1.2.1)."),
        MemberOption(
            "acr_values", argument: "VALUES", section: request, summary: "how strong the login must be",
            details: "Authentication context classes in order of preference (OpenID Connect Core section 3.1.2.1)."),
        MemberOption(
            "ui_locales", argument: "LOCALES", section: request, summary: "the languages of the login page",
            details: "Language tags in order of preference (OpenID Connect Core section 3.1.2.1)."),
        MemberOption(
            "response_mode", argument: "MODE", choices: ["query", "fragment", "form_post"], section: request,
            summary: "how the answer comes back",
            details: "Where the redirect carries its parameters (OAuth 2.0 Multiple Response Types section 2.1)."),
        MemberOption(
            "claims", .json, argument: "JSON", section: request, summary: "the claims to ask for",
            details: "An object as in OpenID Connect Core section 5.5."),
    ]

    /// The resource indicators alone, for the token requests that take them.
    static let resource = requestMembers[0]
}
