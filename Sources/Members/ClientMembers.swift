extension Member {
    /// What is known of the client.
    static let clientTable: [Member] = [
        Member(
            "client_id", .client, "RFC 6749 section 2.2", isIssued: true, argument: "ID", isOfAllCommands: true,
            summary: "the client's identifier"),
        Member(
            "client_metadata_document", .client, form: .url, variable: .withOption,
            summary: "the URL of the client's published metadata"),
        Member(
            "client_secret", .client, "RFC 6749 section 2.3.1", secrecy: .file, isIssued: true,
            hint: "use OAP_CLIENT_SECRET, --client-secret-file or the member \"client_secret_file\"",
            hasSecretVariable: true, isOfAllCommands: true, summary: "a file that holds the client secret"),
        Member(
            "client_key", .client, "RFC 7523 section 2.2", secrecy: .file,
            hint: "use --client-key-file, OAP_CLIENT_KEY_FILE or the member \"client_key_file\"",
            hasSecretVariable: true, isOfAllCommands: true,
            summary: "a file with the client's private key: PEM, JWK or JWKS"),
        Member(
            "client_key_passphrase", .client, secrecy: .file,
            hint: "use --client-key-passphrase-file or the member \"client_key_passphrase_file\"",
            hasSecretVariable: true, isOfAllCommands: true, summary: "a file with the pass phrase of the client's key"),
        Member(
            "client_assertion", .client, "RFC 7521 section 4.2", secrecy: .file, variable: Variable.none,
            hint: "use --client-assertion-file, --client-assertion-from or the member \"client_assertion_from\"",
            summary: "a file that holds a JWT that proves the client"),
        Member(
            "client_key_id", .client, "RFC 7517 section 4.5", variable: Variable.none, argument: "KID",
            otherwise: "the key's own", isOfAllCommands: true, summary: "the identifier (kid) of the client's key"),
        Member(
            "assertion_audience", .client, variable: Variable.none, argument: "AUDIENCE", otherwise: "issuer",
            isOfAllCommands: true, summary: "whom its JWTs are for: issuer, token_endpoint, endpoint, URL"),
        Member(
            "token_endpoint_auth_signing_alg", .client, "OpenID Connect Registration section 2",
            variable: Variable.none, isRegistered: true, argument: "ALG",
            otherwise: "what the server lists and the key can", isOfAllCommands: true,
            summary: "how the client signs its JWTs"),
        Member(
            "token_endpoint_auth_method", .client, "RFC 7591 section 2", isRegistered: true, argument: "METHOD",
            choices: ClientAuthenticationMethod.allCases.map(\.rawValue),
            otherwise: "what the client has and the server lists", isOfAllCommands: true,
            summary: "how the client authenticates"),
        Member(
            "basic_encoding", .client, argument: "ENCODING", choices: BasicEncoding.allCases.map(\.rawValue),
            isOfAllCommands: true, summary: "how HTTP Basic encodes the client's secret"),
        Member(
            "redirect_uri", .client, "RFC 6749 section 3.1.2", argument: "URI",
            otherwise: "http://127.0.0.1:0/callback", isOfAllCommands: true,
            summary: "where the browser is sent after the login"),
        Member("redirect_uris", .client, "RFC 7591 section 2", form: .list, isRegistered: true),
        Member(
            "scope", .client, "RFC 6749 section 3.3", form: .scope, variable: .withOption, isRegistered: true,
            otherwise: "that of the document, or the server's", isOfAllCommands: true, summary: "the scope to ask for"),
        Member(
            "id_token_signed_response_alg", .client, "OpenID Connect Registration section 2", isRegistered: true,
            argument: "ALG", isOfAllCommands: true, summary: "how the server signs ID tokens for this client"),
        Member("userinfo_signed_response_alg", .client, "OpenID Connect Registration section 2", isRegistered: true),
        Member("introspection_signed_response_alg", .client, "RFC 9701 section 6", isRegistered: true),
        Member(
            "authorization_signed_response_alg", .client, "JWT Secured Authorization Response Mode section 3",
            isRegistered: true),
        Member(
            "post_logout_redirect_uris", .client, "OpenID Connect RP-Initiated Logout section 3.1", form: .list,
            isRegistered: true),
        Member("default_max_age", .client, "OpenID Connect Registration section 2", form: .seconds, isRegistered: true),
        Member(
            "require_auth_time", .client, "OpenID Connect Registration section 2", form: .boolean, isRegistered: true),
        Member(
            "require_pushed_authorization_requests", .client, "RFC 9126 sections 5 and 6", form: .boolean,
            isAnswered: true, isRegistered: true),
        Member(
            "dpop_bound_access_tokens", .client, "RFC 9449 section 5.2", form: .boolean, variable: Variable.none,
            isRegistered: true, flag: "dpop", isOfAllCommands: true, summary: "bind access tokens to a key (DPoP)"),
        Member(
            "profile", .client, variable: Variable.none, flag: "fapi2",
            choices: ["fapi2"], isOfAllCommands: true, summary: "do only what FAPI 2.0 allows"),
        Member(
            "tls_client_certificate_bound_access_tokens", .client, "RFC 8705 section 3.4", form: .boolean,
            variable: Variable.none, isRegistered: true, flag: "cert-bound", isOfAllCommands: true,
            summary: "bind access tokens to the certificate"),
        Member(
            "require_signed_request_object", .client, "RFC 9101 section 10.5", form: .boolean, isAnswered: true,
            variable: Variable.none, isRegistered: true, flag: "jar", isOfAllCommands: true,
            summary: "sign the authorization request (JAR)"),
        Member("request_object_signing_alg", .client, "OpenID Connect Registration section 2", isRegistered: true),
    ]

    /// How the client reaches its server. The options are those of the transport.
    static let routeTable: [Member] = [
        Member("cacert_file", .client, form: .file),
        Member("tls_client_certificate_file", .client, "RFC 8705 section 2", form: .file),
        Member("tls_client_key_file", .client, "RFC 8705 section 2", form: .file),
        Member("proxy", .client), Member("no_proxy", .client),
    ]

    /// What a server does in a way of its own; presets are full of it.
    static let waysTable: [Member] = [
        Member("authorization_params", .way, form: .json),
        Member("device_authorization_params", .way, form: .json),
        Member("backchannel_authentication_params", .way, form: .json),
        Member("token_params", .way, form: .json),
        Member("refresh_params", .way, form: .json),
        Member("parameter_names", .way, form: .json),
        Member(
            "grant_types", .way, "RFC 7591 section 2", form: .list, variable: Variable.none, isRegistered: true,
            argument: "GRANT", otherwise: "authorization_code and refresh_token", section: "Client",
            summary: "a grant that the client may use"),
        Member("scope_separator", .way),
        Member("pkce", .way, form: .boolean),
        Member("token_request_format", .way), Member("assertion_bearer", .way, form: .boolean),
        Member("assertion_scope", .way, form: .boolean),
        Member("requested_resource", .way, form: .url),
        Member("refresh_resource", .way, form: .boolean),
        Member("refresh_other_scope", .way, form: .boolean),
        Member("refresh_endpoint", .way, form: .url),
        Member("access_token_path", .way),
        Member("error_path", .way),
        Member("answer_names", .way, form: .json),
        Member("bearer_token_types", .way, form: .list),
        Member("revocation_style", .way),
        Member(
            "api_base", .way, form: .url, variable: .ofAddress, section: "Server", isOfAllCommands: true,
            summary: "the base URL of API paths such as /user"),
        Member("api_origins", .way, form: .list),
        Member("api_headers", .way, form: .json),
        Member(
            "authorization_scheme", .way, argument: "SCHEME", otherwise: "Bearer", section: "Client",
            summary: "the scheme of the Authorization header"),
        Member("authorization_header", .way),
        Member("id_token_issuer", .way, form: .url),
        Member(
            "accept_issuer", .way, form: .url, variable: Variable.none, section: "Server",
            summary: "another issuer that the server may announce"),
        Member("documentation", .way, form: .url),
        Member("registration_page", .way, form: .url),
        Member("registration_redirect_uri", .way),
    ]
}

/// Whether identifier and secret are form-encoded for HTTP Basic, as RFC 6749 §2.3.1 says, or sent as they are
/// (`basic_encoding`).
package enum BasicEncoding: String, Sendable, CaseIterable {
    case form
    case raw
}

/// How a client authenticates (`token_endpoint_auth_method`, RFC 7591 §2, OpenID Connect Core §9, RFC 8705 §2).
package enum ClientAuthenticationMethod: String, Sendable, CaseIterable {
    case none
    case basic = "client_secret_basic"
    case post = "client_secret_post"
    case secretJWT = "client_secret_jwt"
    case privateKeyJWT = "private_key_jwt"
    case tls = "tls_client_auth"
    case selfSignedTLS = "self_signed_tls_client_auth"
}
