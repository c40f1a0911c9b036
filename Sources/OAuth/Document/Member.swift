/// The members that mean something to `oap`, by the document that they belong to (oap-documents(5)).
package enum Member {
    /// Client metadata: RFC 7591 §2, OpenID Connect Registration §2, RFC 8705, RFC 9449, and what this program adds
    /// for a provider's ways.
    package static let client: [String] = [
        "client_id", "client_secret", "client_secret_file", "client_id_issued_at", "client_secret_expires_at",
        "registration_access_token", "registration_client_uri", "redirect_uri", "redirect_uris",
        "token_endpoint_auth_method", "token_endpoint_auth_signing_alg", "grant_types", "response_types", "client_name",
        "client_uri", "logo_uri",
        "contacts", "tos_uri", "policy_uri", "jwks", "software_id", "software_version", "software_statement",
        "application_type", "subject_type", "sector_identifier_uri", "id_token_signed_response_alg",
        "id_token_encrypted_response_alg", "id_token_encrypted_response_enc", "userinfo_signed_response_alg",
        "introspection_signed_response_alg", "authorization_signed_response_alg", "request_object_signing_alg",
        "default_max_age", "require_auth_time", "default_acr_values", "initiate_login_uri", "request_uris",
        "post_logout_redirect_uris", "dpop_bound_access_tokens", "tls_client_certificate_bound_access_tokens",
        "tls_client_auth_subject_dn", "require_pushed_authorization_requests", "require_signed_request_object",
        "client_key_file", "client_key_id", "dpop_key_file", "tls_client_certificate_file", "tls_client_key_file",
        "basic_encoding", "assertion_audience", "authorization_params", "token_params", "refresh_params",
        "scope_separator", "pkce", "token_request_format", "refresh_endpoint", "parameter_names", "access_token_path",
        "error_path", "answer_names", "bearer_token_types", "authorization_header", "authorization_scheme", "api_base",
        "api_headers", "revocation_style", "documentation",
    ]

    /// Authorization server metadata: RFC 8414 §2, OpenID Connect Discovery §3, RFC 8628 §4, RFC 8705 §5, RFC 9126 §5,
    /// RFC 9207 §3, RFC 9396 §10, RFC 9449 §5.1.
    package static let server: [String] = [
        "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint", "scopes_supported",
        "response_types_supported", "response_modes_supported", "grant_types_supported",
        "token_endpoint_auth_methods_supported", "token_endpoint_auth_signing_alg_values_supported",
        "service_documentation", "ui_locales_supported", "op_policy_uri", "op_tos_uri", "revocation_endpoint",
        "revocation_endpoint_auth_methods_supported", "revocation_endpoint_auth_signing_alg_values_supported",
        "introspection_endpoint", "introspection_endpoint_auth_methods_supported",
        "introspection_endpoint_auth_signing_alg_values_supported", "code_challenge_methods_supported",
        "signed_metadata", "device_authorization_endpoint", "pushed_authorization_request_endpoint",
        "mtls_endpoint_aliases", "authorization_response_iss_parameter_supported", "userinfo_endpoint",
        "end_session_endpoint", "check_session_iframe", "acr_values_supported", "subject_types_supported",
        "id_token_signing_alg_values_supported", "userinfo_signing_alg_values_supported",
        "request_object_signing_alg_values_supported", "authorization_signing_alg_values_supported",
        "dpop_signing_alg_values_supported", "authorization_details_types_supported", "display_values_supported",
        "claim_types_supported", "claims_supported", "claims_locales_supported", "claims_parameter_supported",
        "request_parameter_supported", "request_uri_parameter_supported", "require_request_uri_registration",
        "backchannel_logout_supported", "frontchannel_logout_supported", "protected_resources",
    ]

    /// The members of a client or a server that a variable may supply: those that have an option. (`scope` is a client's for
    /// some commands only.) Whoever can set a variable, as in a job of a fork, is to have no say in the others.
    package static let ofEnvironment: [String] =
        [
            "client_id", "client_secret_file", "token_endpoint_auth_method", "basic_encoding", "redirect_uri",
            "authorization_scheme", "id_token_signed_response_alg", "issuer",
            "authorization_response_iss_parameter_supported",
        ] + addresses

    /// Those of them that say where requests go.
    package static let addresses: [String] = [
        "authorization_endpoint", "token_endpoint", "device_authorization_endpoint",
        "pushed_authorization_request_endpoint", "revocation_endpoint", "jwks_uri", "api_base",
    ]

    /// What the authorization request is made from, besides the client's members (RFC 6749 §4.1.1, RFC 7636 §4.3,
    /// RFC 8707 §2, RFC 9396 §2, OpenID Connect Core §3.1.2.1).
    package static let request: [String] = [
        "resource", "authorization_details", "prompt", "login_hint", "max_age", "acr_values", "ui_locales",
        "response_mode", "claims",
    ]

    /// What `callback-parse` uses up.
    package static let usedByCallback: [String] = [
        "authorization_url", "callback_url", "callback_body", "state",
    ]

    /// What `exchange` uses up: the code and what protects it, and the members of the device flow (RFC 8628 §3.2).
    package static let usedByExchange: [String] = [
        "code", "code_verifier", "nonce", "device_code", "user_code", "verification_uri", "verification_uri_complete",
        "interval",
    ]

    /// What a token endpoint's answer may say (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3, RFC 8693 §2.2.1,
    /// RFC 9396 §7).
    package static let tokenResponse: [String] = [
        "access_token", "token_type", "expires_in", "refresh_token", "scope", "id_token", "issued_token_type",
        "authorization_details",
    ]

    /// What belongs to one access token and goes with it.
    package static let ofAccessToken: [String] = [
        "access_token", "access_token_file", "token_type", "expires_in", "expires_at", "issued_token_type",
    ]

    /// What a device authorization endpoint's answer may say (RFC 8628 §3.2).
    package static let deviceResponse: [String] = [
        "device_code", "user_code", "verification_uri", "verification_uri_complete", "expires_in", "interval",
    ]

    /// The members that a value of its own stands behind when they end in `_file` (oap-documents(5)).
    package static let secrets: [String] = [
        "client_secret", "access_token", "refresh_token", "subject_token", "actor_token", "assertion", "password",
    ]

    /// Whether an answer may not bring a member of this name: it would steer the client (oap-documents(5)).
    ///
    /// - Parameter defined: the members that the answer's own RFC defines.
    package static func isRefused(_ name: String, inAnswerThatDefines defined: [String]) -> Bool {
        guard !defined.contains(name) else { return false }
        return name.hasSuffix("_file") || steering.contains(name)
    }

    /// The members that steer the client, besides those that name a file.
    private static let steering = Set(
        client + server + request + usedByCallback + usedByExchange + tokenResponse + secrets + own)

    /// Members that only `oap` itself writes.
    package static let own: [String] = [
        "callback_params", "iss", "id_token_claims", "expires_at", "issued_at", "stage", "exit_status",
    ]
}
