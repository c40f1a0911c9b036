extension Member {
    /// What is known of the authorization server.
    static let serverTable: [Member] = [
        address("issuer", "RFC 8414 section 2", isOfAll: true, "the authorization server's issuer identifier"),
        address("authorization_endpoint", "RFC 8414 section 2", isOfAll: true, "the URL where the user logs in"),
        address("token_endpoint", "RFC 8414 section 2", isOfAll: true, "the URL where tokens are issued"),
        address("device_authorization_endpoint", "RFC 8628 section 4", "the URL where device codes are issued"),
        address(
            "backchannel_authentication_endpoint", "OpenID Connect CIBA Core section 4",
            "the URL where logins without a page begin"),
        address(
            "pushed_authorization_request_endpoint", "RFC 9126 section 5", isOfAll: true,
            "the URL for pushed authorization requests"),
        address("jwks_uri", "RFC 8414 section 2", isOfAll: true, "the URL of the server's keys"),
        address("userinfo_endpoint", "OpenID Connect Discovery section 3", "the URL that returns the user's claims"),
        address("introspection_endpoint", "RFC 8414 section 2", "the URL where tokens are introspected"),
        address("revocation_endpoint", "RFC 8414 section 2", "the URL where tokens are revoked"),
        address(
            "end_session_endpoint", "OpenID Connect RP-Initiated Logout section 2.1", "the URL where the user logs out"),
        address("registration_endpoint", "RFC 8414 section 2", "the URL where clients are registered"),
        Member(
            "authorization_response_iss_parameter_supported", .server, "RFC 9207 section 3", form: .boolean,
            isOfAllCommands: true, summary: "whether every redirect has the parameter iss"),
        Member("client_id_metadata_document_supported", .server, form: .boolean),
        Member("code_challenge_methods_supported", .server, "RFC 8414 section 2", form: .list),
        Member("token_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list),
        Member("token_endpoint_auth_signing_alg_values_supported", .server, "RFC 8414 section 2", form: .list),
        Member("revocation_endpoint_auth_signing_alg_values_supported", .server, "RFC 8414 section 2", form: .list),
        Member("introspection_endpoint_auth_signing_alg_values_supported", .server, "RFC 8414 section 2", form: .list),
        Member("request_object_signing_alg_values_supported", .server, "RFC 9101 section 10.5", form: .list),
        Member("dpop_signing_alg_values_supported", .server, "RFC 9449 section 5.1", form: .list),
        Member("response_modes_supported", .server, "RFC 8414 section 2", form: .list),
        Member("claims_parameter_supported", .server, "OpenID Connect Discovery section 3", form: .boolean),
        Member("revocation_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list),
        Member("id_token_signing_alg_values_supported", .server, "OpenID Connect Discovery section 3", form: .list),
        Member("mtls_endpoint_aliases", .server, "RFC 8705 section 5", form: .json),
        Member("introspection_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list),
        Member("userinfo_signing_alg_values_supported", .server, "OpenID Connect Discovery section 3", form: .list),
        Member(
            "authorization_signing_alg_values_supported", .server, "JWT Secured Authorization Response Mode section 4",
            form: .list),
        Member("introspection_signing_alg_values_supported", .server, "RFC 9701 section 7", form: .list),
    ]

    private static func address(_ name: String, _ source: String, isOfAll: Bool = false, _ summary: String) -> Member {
        Member(name, .server, source, form: .url, variable: .ofAddress, isOfAllCommands: isOfAll, summary: summary)
    }
}
