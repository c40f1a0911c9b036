extension Member {
    /// The members without effect, by what defines them.
    static let keptTable = [
        kept(
            "RFC 7591 section 2", isRegistered: true, names: "response_types", "client_uri", "logo_uri", "contacts",
            "tos_uri", "policy_uri", "jwks", "software_id", "software_version"),
        kept("RFC 7591 section 2.3", isRegistered: true, names: "software_statement"),
        kept("RFC 7591 section 3.2.1", isIssued: true, names: "client_id_issued_at", "client_secret_expires_at"),
        kept(
            "RFC 8705 section 2.1.2", isRegistered: true, names: "tls_client_auth_subject_dn",
            "tls_client_auth_san_dns", "tls_client_auth_san_uri", "tls_client_auth_san_ip",
            "tls_client_auth_san_email"),
        kept("RFC 9396 section 10", isRegistered: true, names: "authorization_details_types"),
        kept(
            "RFC 9701 section 6", isRegistered: true, names: "introspection_encrypted_response_alg",
            "introspection_encrypted_response_enc"),
        kept(
            "JWT Secured Authorization Response Mode section 3", isRegistered: true,
            names: "authorization_encrypted_response_alg", "authorization_encrypted_response_enc"),
        kept(
            "OpenID Connect Registration section 2", isRegistered: true, names: "subject_type",
            "sector_identifier_uri", "id_token_encrypted_response_alg", "id_token_encrypted_response_enc",
            "userinfo_encrypted_response_alg", "userinfo_encrypted_response_enc", "request_object_encryption_alg",
            "request_object_encryption_enc", "default_acr_values", "initiate_login_uri", "request_uris"),
        kept(
            "OpenID Connect Front-Channel Logout section 2", isRegistered: true, names: "frontchannel_logout_uri",
            "frontchannel_logout_session_required"),
        kept(
            "OpenID Connect Back-Channel Logout section 2.2", isRegistered: true, names: "backchannel_logout_uri",
            "backchannel_logout_session_required"),
        kept(
            "RFC 8414 section 2", isServers: true, names: "scopes_supported", "response_types_supported",
            "grant_types_supported", "service_documentation", "ui_locales_supported", "op_policy_uri", "op_tos_uri"),
        kept("RFC 8414 section 2.1", isServers: true, names: "signed_metadata"),
        kept("RFC 9396 section 10", isServers: true, names: "authorization_details_types_supported"),
        kept("RFC 9728 section 4", isServers: true, names: "protected_resources"),
        kept(
            "OpenID Connect Discovery section 3", isServers: true, names: "acr_values_supported",
            "subject_types_supported", "display_values_supported", "claim_types_supported", "claims_supported",
            "claims_locales_supported", "request_parameter_supported", "request_uri_parameter_supported",
            "require_request_uri_registration"),
        kept("OpenID Connect Session Management section 3.3", isServers: true, names: "check_session_iframe"),
        kept("OpenID Connect Front-Channel Logout section 3", isServers: true, names: "frontchannel_logout_supported"),
        kept("OpenID Connect Back-Channel Logout section 2.1", isServers: true, names: "backchannel_logout_supported"),
        kept(nil, names: "issued_at"),
    ].flatMap(\.self)

    /// Discovery brings what is the server's; a registration sends what is registered, and returns what is issued.
    private static func kept(
        _ source: String?, isServers: Bool = false, isRegistered: Bool = false, isIssued: Bool = false,
        names: String...
    ) -> [Member] {
        names.map { name in
            Member(
                name, .kept, source, isAnswered: isServers, isRegistered: isRegistered, isIssued: isIssued)
        }
    }
}
