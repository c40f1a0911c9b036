extension Member {
    /// What a registration says of the client (RFC 7591, RFC 7592), besides what requests need.
    static let registrationTable: [Member] = [
        Member(
            "client_name", .client, "RFC 7591 section 2", variable: Variable.none, isRegistered: true,
            text: "The client's name on the login page §; `oap` by default. `client_name#de` is its name in German.",
            argument: "NAME", otherwise: "oap", summary: "the name that people are shown",
            details: "The name of the client that the login page shows (RFC 7591 section 2); `oap` by default."),
        Member(
            "application_type", .client, "OpenID Connect Registration section 2", variable: Variable.none,
            isRegistered: true,
            text: """
                `native` or `web` §; `native` is the default if every redirect URI is on loopback or has a scheme of \
                the application's own.
                """, argument: "TYPE", choices: ["native", "web"], otherwise: "as the redirect URIs are",
            summary: "native or web"),
        Member(
            "client_jwks_uri", .client, "RFC 7591 section 2", form: .url, variable: Variable.none, isRegistered: true,
            text: """
                The URL of the client's own public keys. A registration sends it as `jwks_uri` §; in documents, the \
                member `jwks_uri` is the URL of the server's keys.
                """, summary: "where the client's public keys are",
            details: "The URL of the client's public keys, sent as `jwks_uri` (RFC 7591 section 2)."),
        Member(
            "initial_access_token", .client, "RFC 7591 section 3", secrecy: .file, variable: .withOption,
            hint: "use --initial-access-token-file",
            secretVariable: "The initial access token of `oap register -n`.",
            text: """
                The token that a server demands before it registers a client §. `oap register` sends it, and does not \
                print it.
                """,
            summary: "a file that holds the initial access token",
            details: """
                A file with the token that the server's operator issued for the registration (RFC 7591 section 3), for \
                a server that does not register every client. The token is not printed.
                """),
        Member(
            "registration_client_uri", .client, "RFC 7592 section 3", form: .url,
            hint: "pass the document that oap register printed; the server may not offer to manage registrations",
            text: "The URL at which the registration is read, updated and deleted §."),
        Member(
            "registration_access_token", .client, "RFC 7592 section 3", secrecy: .file,
            hint: "pass the document that oap register printed; the server may not offer to manage registrations",
            text: "The token for requests to the `registration_client_uri` §. A new one in a response replaces it."),
    ]

    /// What a registration sends (RFC 7591 §2). The client's `jwks_uri` has another name there.
    package static let clientMetadata = all.filter(\.isRegistered).map(\.name)
    /// What the answer to a registration may say of the client (RFC 7591 §3.2.1, RFC 7592 §3).
    package static let registrationResponse =
        clientMetadata + [
            "client_id", "client_secret", "client_id_issued_at", "client_secret_expires_at", "registration_client_uri",
            "registration_access_token",
        ]
}
