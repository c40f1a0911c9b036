extension Member {
    /// What is known of the authorization server.
    static let serverTable: [Member] = [
        Member(
            "issuer", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: """
                The URL that identifies the server §. The `iss` in a redirect (RFC 9207) and the `iss` in an ID token \
                must equal this URL exactly, or match `id_token_issuer`.
                """, isShared: true, summary: "the authorization server's issuer identifier",
            details: """
                The URL that identifies the server (RFC 8414 section 2). The `iss` in a redirect and the `iss` in an \
                ID token must equal this URL, or match the member `id_token_issuer`.
                """),
        Member(
            "authorization_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "The URL of the page on which the user logs in §.", isShared: true,
            summary: """
                the URL where the user logs in
                """,
            details: "The URL of the authorization endpoint (RFC 6749 section 3.1)."),
        Member(
            "token_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "The URL at which tokens are issued §.", isShared: true, summary: "the URL where tokens are issued",
            details: """
                The URL of the token endpoint (RFC 6749 section 3.2). If the endpoint responds with a redirect, `oap` \
                does not follow the redirect.
                """),
        Member(
            "device_authorization_endpoint", .server, "RFC 8628 section 4", form: .url, variable: .ofAddress,
            text: "The URL at which device codes are issued §.", summary: "the URL where device codes are issued",
            details: "The URL of the device authorization endpoint (RFC 8628 section 3.1)."),
        Member(
            "pushed_authorization_request_endpoint", .server, "RFC 9126 section 5", form: .url, variable: .ofAddress,
            text: """
                The URL to which `oap authurl --par` pushes the authorization request §.
                """, isShared: true, summary: "the URL for pushed authorization requests",
            details: "The URL of the pushed authorization request endpoint (RFC 9126 section 2)."),
        Member(
            "jwks_uri", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: """
                The URL of the server's public keys §. `oap` uses these keys to check the signatures of ID tokens.
                """, isShared: true, summary: "the URL of the server's keys",
            details: "The URL of the JWK Set with the keys that sign ID tokens (RFC 8414 section 2)."),
        Member(
            "userinfo_endpoint", .server, "OpenID Connect Discovery section 3", form: .url, variable: .ofAddress,
            text: """
                The URL at which `oap userinfo` asks for the claims of the user §. `oap login` and `oap whoami` use \
                this URL too, if the ID token does not contain the user's name.
                """,
            summary: "the URL that returns the user's claims",
            details: "The URL of the userinfo endpoint (OpenID Connect Core section 5.3)."),
        Member(
            "introspection_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "The URL at which `oap introspect` asks about tokens §.",
            summary: """
                the URL where tokens are introspected
                """,
            details: "The URL of the introspection endpoint (RFC 7662 section 2)."),
        Member(
            "revocation_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "The URL at which tokens are revoked §.", summary: "the URL where tokens are revoked",
            details: "The URL of the revocation endpoint (RFC 7009 section 2)."),
        Member(
            "end_session_endpoint", .server, "OpenID Connect RP-Initiated Logout section 2.1", form: .url,
            variable: .ofAddress,
            text: """
                The URL of the page on which the user logs out §.
                """, summary: "the URL where the user logs out",
            details: "The URL of the end session endpoint (OpenID Connect RP-Initiated Logout section 2)."),
        Member(
            "registration_endpoint", .server, "RFC 8414 section 2", form: .url, variable: .ofAddress,
            text: "The URL at which clients are registered §.", summary: "the URL where clients are registered",
            details: "The URL of the client registration endpoint (RFC 7591 section 3)."),
        Member(
            "authorization_response_iss_parameter_supported", .server, "RFC 9207 section 3", form: .boolean,
            text: "With `true`, `oap` refuses a redirect without `iss` §.", isShared: true,
            summary: "whether every redirect has the parameter iss",
            details: "With `true`, `oap` refuses a redirect without `iss` (RFC 9207 section 2.4)."),
        Member(
            "client_id_metadata_document_supported", .server, form: .boolean,
            text: """
                With `true`, the server accepts the URL in `client_metadata_document` as a `client_id` \
                (draft-ietf-oauth-client-id-metadata-document).
                """),
        Member(
            "code_challenge_methods_supported", .server, "RFC 8414 section 2", form: .list,
            text: "The PKCE methods that the server supports §. If `S256` is not in the list, `oap authurl` fails."),
        Member(
            "token_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list,
            text: """
                How clients may authenticate at the token endpoint §. If the list contains `client_secret_post` but \
                not `client_secret_basic`, a client with a secret uses `client_secret_post` by default.
                """),
        Member(
            "response_modes_supported", .server, "RFC 8414 section 2", form: .list,
            text: """
                The values of `response_mode` that the server supports §. If the `response_mode` of the login is not \
                in this list, `oap authurl` prints a warning.
                """),
        Member(
            "claims_parameter_supported", .server, "OpenID Connect Discovery section 3", form: .boolean,
            text: "With `false`, `oap authurl` prints a warning if the document has `claims` §."),
        Member(
            "revocation_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list,
            text: """
                How clients may authenticate at the revocation endpoint §. `oap revoke` and `oap logout` prefer the \
                method that the client uses at the token endpoint. If a client has a secret, but the list lacks the \
                method of the client, the commands use `client_secret_basic` if it is in the list, or else \
                `client_secret_post`.
                """),
        Member(
            "id_token_signing_alg_values_supported", .server, "OpenID Connect Discovery section 3", form: .list,
            text: """
                The algorithms with which the server signs ID tokens §. `oap` accepts the asymmetric algorithms in \
                this list. The default is `RS256`.
                """),
        Member(
            "mtls_endpoint_aliases", .server, "RFC 8705 section 5", form: .json,
            text: """
                An object with the endpoints for clients that have a certificate §. With `--cert`, `oap` sends its \
                requests to these endpoints, in the place of the members with the same names.
                """),
        Member(
            "introspection_endpoint_auth_methods_supported", .server, "RFC 8414 section 2", form: .list,
            text: """
                How clients may authenticate at the introspection endpoint §. `oap introspect` prefers the method that \
                the client uses at the token endpoint. If a client has a secret, but the list lacks the method of the \
                client, `oap introspect` uses `client_secret_basic` if it is in the list, or else \
                `client_secret_post`.
                """),
        Member(
            "userinfo_signing_alg_values_supported", .server, "OpenID Connect Discovery section 3", form: .list,
            text: """
                The algorithms with which the server signs responses of the userinfo endpoint §. `oap` accepts the \
                asymmetric algorithms in this list. Without this list, `oap` accepts every asymmetric algorithm.
                """),
        Member(
            "introspection_signing_alg_values_supported", .server, "RFC 9701 section 7", form: .list,
            text: """
                The algorithms with which the server signs responses to `oap introspect` §. `oap` accepts the \
                asymmetric algorithms in this list. If the document has this member, `oap introspect` asks for a \
                signed response.
                """),
    ]
}
