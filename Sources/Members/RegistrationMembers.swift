extension Member {
    /// What a registration says of the client (RFC 7591, RFC 7592), besides what requests need.
    static let registrationTable: [Member] = [
        Member(
            "client_name", .client, "RFC 7591 section 2", variable: Variable.none, isRegistered: true,
            text: """
                The name that the login page shows for the client §. The default is `oap`. `client_name#de` is the \
                name in German.
                """,
            argument: "NAME", otherwise: "oap", summary: "the name that people are shown",
            details: "The login page shows this name of the client (RFC 7591 section 2). The default is `oap`."),
        Member(
            "application_type", .client, "OpenID Connect Registration section 2", variable: Variable.none,
            isRegistered: true,
            text: """
                The type of the client, `native` or `web` §. `native` is the default if every redirect URI is on \
                loopback or has a private-use scheme, such as `com.example.app:`.
                """, argument: "TYPE", choices: ["native", "web"], otherwise: "as the redirect URIs are",
            summary: "native or web"),
        Member(
            "client_jwks_uri", .client, "RFC 7591 section 2", form: .url, variable: Variable.none, isRegistered: true,
            text: """
                The URL of the client's own public keys. `oap register` sends this URL under the name `jwks_uri` §. The \
                document uses another name, since its `jwks_uri` is the URL of the server's keys.
                """, summary: "where the client's public keys are",
            details: """
                The URL of the client's own public keys. `oap` sends this URL to the server as `jwks_uri` (RFC 7591 \
                section 2).
                """),
        Member(
            "initial_access_token", .client, "RFC 7591 section 3", secrecy: .file, variable: .withOption,
            hint: "use --initial-access-token-file",
            secretVariable: "The initial access token (RFC 7591) for `oap register -n`, which reads no document.",
            text: """
                The token that some servers require before they register a client §. `oap register` sends this token, \
                but does not print it.
                """,
            summary: "a file that holds the initial access token",
            details: """
                A file with the initial access token. Some servers require this token before they register a client \
                (RFC 7591 section 3). The operator of the server issues the token. `oap` does not print it.
                """),
        Member(
            "registration_client_uri", .client, "RFC 7592 section 3", form: .url, isIssued: true,
            hint: "pass the document that oap register printed; some servers do not manage registrations",
            text: "The URL at which the client's registration can be read, updated and deleted §."),
        Member(
            "registration_access_token", .client, "RFC 7592 section 3", secrecy: .file, isIssued: true,
            hint: "pass the document that oap register printed; some servers do not manage registrations",
            text: """
                The token for requests to the `registration_client_uri` §. If the response to such a request contains \
                a new token, `oap register` replaces the old token with the new one.
                """),
    ]

    /// What a registration sends (RFC 7591 §2). The client's `jwks_uri` has another name there.
    package static let clientMetadata = all.filter(\.isRegistered).map(\.name)
    /// What the answer to a registration may say of the client (RFC 7591 §3.2.1, RFC 7592 §3).
    package static let registrationResponse = clientMetadata + issued
}
