extension Member {
    /// What is known of the authorization server.
    static let serverTable: [Member] = [
        Member(
            "issuer", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress, isShared: true,
            summary: "the authorization server's issuer identifier"),
        Member(
            "authorization_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress, isShared: true,
            summary: "the URL where the user logs in"),
        Member(
            "token_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress, isShared: true,
            summary: "the URL where tokens are issued"),
        Member(
            "device_authorization_endpoint", .server, "RFC 8628 section 4", form: .url, variable: .ofAddress,
            summary: "the URL where device codes are issued"),
        Member(
            "pushed_authorization_request_endpoint", .server, "RFC 9126 section 5", form: .url, variable: .ofAddress,
            isShared: true, summary: "the URL for pushed authorization requests"),
        Member(
            "jwks_uri", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress, isShared: true,
            summary: "the URL of the server's keys"),
        Member(
            "userinfo_endpoint", .server, "OpenID Connect Discovery section 3", form: .url, variable: .ofAddress,
            summary: "the URL that returns the user's claims"),
        Member(
            "introspection_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            summary: "the URL where tokens are introspected"),
        Member(
            "revocation_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            summary: "the URL where tokens are revoked"),
        Member(
            "end_session_endpoint", .server, "OpenID Connect RP-Initiated Logout section 2.1", form: .url,
            variable: .ofAddress, summary: "the URL where the user logs out"),
        Member(
            "registration_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            summary: "the URL where clients are registered"),
        Member(
            "authorization_response_iss_parameter_supported", .server, "RFC 9207 section 3", form: .boolean,
            isShared: true, summary: "whether every redirect has the parameter iss"),
        Member("client_id_metadata_document_supported", .server, form: .boolean),
        Member("code_challenge_methods_supported", .server, "RFC 8414 section 2", form: .list),
        Member("token_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list),
        Member("response_modes_supported", .server, "RFC 8414 section 2", form: .list),
        Member("claims_parameter_supported", .server, "OpenID Connect Discovery section 3", form: .boolean),
        Member("revocation_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list),
        Member("id_token_signing_alg_values_supported", .server, "OpenID Connect Discovery section 3", form: .list),
        Member("mtls_endpoint_aliases", .server, "RFC 8705 section 5", form: .json),
        Member("introspection_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list),
        Member("userinfo_signing_alg_values_supported", .server, "OpenID Connect Discovery section 3", form: .list),
        Member("introspection_signing_alg_values_supported", .server, "RFC 9701 section 7", form: .list),
    ]
}
