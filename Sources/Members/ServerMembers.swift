extension Member {
    /// What is known of the authorization server.
    static let serverTable: [Member] = [
        Member(
            "issuer", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: """
                The server's name §. `iss` of a callback (RFC 9207) and of an ID token must be the same, character by \
                character.
                """, isShared: true, summary: "the authorization server's issuer identifier",
            details: "The issuer (RFC 8414 section 2). What a callback and an ID token name is compared with it."),
        Member(
            "authorization_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "Where a person logs in §.", isShared: true, summary: "where a person logs in",
            details: "The URL of the authorization endpoint (RFC 6749 section 3.1)."),
        Member(
            "token_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "Where tokens are issued §.", isShared: true, summary: "where tokens are issued",
            details: "The URL of the token endpoint (RFC 6749 section 3.2). It is never redirected."),
        Member(
            "device_authorization_endpoint", .server, "RFC 8628 section 4", form: .url, variable: .ofAddress,
            text: "Where device codes are issued §.", summary: "where device codes are issued",
            details: "The URL of the device authorization endpoint (RFC 8628 section 3.1)."),
        Member(
            "pushed_authorization_request_endpoint", .server, "RFC 9126 section 5", form: .url, variable: .ofAddress,
            text: "Where requests are pushed §.", isShared: true, summary: "where requests are pushed",
            details: "The URL of the pushed authorization request endpoint (RFC 9126 section 2)."),
        Member(
            "jwks_uri", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "Where the keys of ID tokens are §.", isShared: true, summary: "where the server's keys are",
            details: "The URL of the JWK Set with the keys that sign ID tokens (RFC 8414 section 2)."),
        Member(
            "userinfo_endpoint", .server, "OpenID Connect Discovery section 3", form: .url, variable: .ofAddress,
            text: "What `oap userinfo` asks, and `oap login` and `oap whoami` where the ID token has no name §.",
            summary: "where the claims of the user are",
            details: "The URL of the userinfo endpoint (OpenID Connect Core section 5.3)."),
        Member(
            "introspection_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "Where tokens are introspected §.", summary: "where tokens are introspected",
            details: "The URL of the introspection endpoint (RFC 7662 section 2)."),
        Member(
            "revocation_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "Where tokens are revoked §.", summary: "where tokens are revoked",
            details: "The URL of the revocation endpoint (RFC 7009 section 2)."),
        Member(
            "end_session_endpoint", .server, "OpenID Connect RP-Initiated Logout section 2.1", form: .url,
            variable: .ofAddress, text: "Where a person logs out §.", summary: "where a person logs out",
            details: "The URL of the end session endpoint (OpenID Connect RP-Initiated Logout section 2)."),
        Member(
            "registration_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "Where clients are registered §.", summary: "where clients are registered",
            details: "The URL of the client registration endpoint (RFC 7591 section 3)."),
        Member(
            "authorization_response_iss_parameter_supported", .server, "RFC 9207 section 3", form: .boolean,
            text: "With `true`, a callback without `iss` is refused §.", isShared: true,
            summary: "whether every callback names the issuer",
            details: "With `true`, a callback without `iss` is refused (RFC 9207 section 2.4)."),
        Member(
            "client_id_metadata_document_supported", .server, form: .boolean,
            text: """
                With `true`, the URL of a `client_metadata_document` is a `client_id` \
                (draft-ietf-oauth-client-id-metadata-document).
                """),
        Member(
            "code_challenge_methods_supported", .server, "RFC 8414 section 2", form: .list,
            text: "Where it lists methods and `S256` is not one, the request is refused §."),
        Member(
            "token_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list,
            text: "Where it lists `client_secret_post` and not `client_secret_basic`, the former is used §."),
        Member(
            "response_modes_supported", .server, "RFC 8414 section 2", form: .list,
            text: "Where it does not list the `response_mode`, `oap authurl` warns §."),
        Member(
            "claims_parameter_supported", .server, "OpenID Connect Discovery section 3", form: .boolean,
            text: "With `false`, `oap authurl` warns about `claims` §."),
        Member(
            "revocation_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list,
            text: """
                Where it lists methods and not the one of the token endpoint, `oap revoke` and `oap logout` use \
                `client_secret_basic` or `client_secret_post` as listed §.
                """),
        Member(
            "id_token_signing_alg_values_supported", .server, "OpenID Connect Discovery section 3", form: .list,
            text: "The algorithms of ID tokens that are accepted §; `RS256` by default."),
        Member(
            "introspection_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list,
            text: "The same for `oap introspect` §."),
        Member(
            "userinfo_signing_alg_values_supported", .server, "OpenID Connect Discovery section 3", form: .list,
            text: "The algorithms of signed userinfo that are accepted §; by default all with a public key."),
        Member(
            "introspection_signing_alg_values_supported", .server, "RFC 9701 section 7", form: .list,
            text: "Where it is there, `oap introspect` asks for a signed answer, with one of these algorithms §."),
    ]
}
