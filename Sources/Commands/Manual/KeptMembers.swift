internal import CommandSpec

/// The members of a client document that have no effect: each with what defines it.
enum KeptMembers {
    /// What is said about all of them.
    static let text = """
        These belong to clients, servers and requests too. `oap` makes no use of them and keeps them, with the path of a \
        file made absolute; a server's answer that has one loses it.
        """

    /// The members by their source: an RFC and its section.
    static let groups: [(source: String, names: [String])] = [
        (
            "RFC 7591 section 2",
            [
                "response_types", "client_name", "client_uri", "logo_uri", "contacts", "tos_uri", "policy_uri", "jwks",
                "software_id", "software_version",
            ]
        ),
        ("RFC 7591 section 2.3", ["software_statement"]),
        ("RFC 7591 section 3.2.1", ["client_id_issued_at", "client_secret_expires_at"]),
        ("RFC 7592 section 3", ["registration_access_token", "registration_client_uri"]),
        ("RFC 8705 section 2.1.2", ["tls_client_auth_subject_dn"]),
        ("RFC 9701 section 6", ["introspection_signed_response_alg"]),
        ("JWT Secured Authorization Response Mode section 3", ["authorization_signed_response_alg"]),
        (
            "OpenID Connect Registration section 2",
            [
                "application_type", "subject_type", "sector_identifier_uri", "token_endpoint_auth_signing_alg",
                "id_token_encrypted_response_alg", "id_token_encrypted_response_enc", "userinfo_signed_response_alg",
                "request_object_signing_alg", "default_acr_values", "initiate_login_uri", "request_uris",
            ]
        ),
        ("OpenID Connect RP-Initiated Logout section 3.1", ["post_logout_redirect_uris"]),
        (
            "RFC 8414 section 2",
            [
                "registration_endpoint", "scopes_supported", "response_types_supported", "response_modes_supported",
                "grant_types_supported", "token_endpoint_auth_signing_alg_values_supported", "service_documentation",
                "ui_locales_supported", "op_policy_uri", "op_tos_uri", "revocation_endpoint_auth_methods_supported",
                "revocation_endpoint_auth_signing_alg_values_supported", "introspection_endpoint",
                "introspection_endpoint_auth_methods_supported",
                "introspection_endpoint_auth_signing_alg_values_supported",
            ]
        ),
        ("RFC 8414 section 2.1", ["signed_metadata"]),
        ("RFC 8705 section 5", ["mtls_endpoint_aliases"]),
        ("RFC 9396 section 10", ["authorization_details_types_supported"]),
        ("RFC 9449 section 5.1", ["dpop_signing_alg_values_supported"]),
        ("RFC 9728 section 4", ["protected_resources"]),
        ("JWT Secured Authorization Response Mode section 4", ["authorization_signing_alg_values_supported"]),
        (
            "OpenID Connect Discovery section 3",
            [
                "acr_values_supported", "subject_types_supported",
                "userinfo_signing_alg_values_supported", "request_object_signing_alg_values_supported",
                "display_values_supported", "claim_types_supported", "claims_supported", "claims_locales_supported",
                "claims_parameter_supported", "request_parameter_supported", "request_uri_parameter_supported",
                "require_request_uri_registration",
            ]
        ),
        ("OpenID Connect RP-Initiated Logout section 2.1", ["end_session_endpoint"]),
        ("OpenID Connect Session Management section 3.3", ["check_session_iframe"]),
        ("OpenID Connect Front-Channel Logout section 3", ["frontchannel_logout_supported"]),
        ("OpenID Connect Back-Channel Logout section 2.1", ["backchannel_logout_supported"]),
        ("RFC 6749 section 4.3.2", ["password"]),
        ("RFC 7521 section 4.1", ["assertion"]),
        ("RFC 8693 section 2.1", ["subject_token", "actor_token"]),
        (
            "names of `oap`",
            [
                "assertion_audience", "client_key_file", "client_key_id", "dpop_key_file", "issued_at",
                "tls_client_certificate_file", "tls_client_key_file",
            ]
        ),
    ]

    /// The list for the manual.
    static let list = ManualBlock.list(
        groups.map { group in
            ManualItem(group.source, group.names.map { "`\($0)`" }.joined(separator: ", ") + ".")
        })
}
