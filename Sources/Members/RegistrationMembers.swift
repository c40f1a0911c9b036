extension Member {
    /// What a registration says of the client (RFC 7591, RFC 7592), besides what requests need.
    static let registrationTable: [Member] = [
        Member(
            "client_name", .client, "RFC 7591 section 2", variable: Variable.none, isRegistered: true, argument: "NAME",
            otherwise: "oap", summary: "the name that people are shown"),
        Member(
            "application_type", .client, "OpenID Connect Registration section 2", variable: Variable.none,
            isRegistered: true, argument: "TYPE", choices: ["native", "web"], otherwise: "as the redirect URIs are",
            summary: "native or web"),
        Member("backchannel_token_delivery_mode", .client, "OpenID Connect CIBA Core section 4", isRegistered: true),
        Member(
            "client_jwks_uri", .client, "RFC 7591 section 2", form: .url, variable: Variable.none, isRegistered: true,
            summary: "where the client's public keys are"),
        Member(
            "initial_access_token", .client, "RFC 7591 section 3", secrecy: .file, variable: .withOption,
            hint: "use --initial-access-token-file", hasSecretVariable: true,
            summary: "a file that holds the initial access token"),
        Member(
            "registration_client_uri", .client, "RFC 7592 section 3", form: .url, isIssued: true,
            hint: "pass the document that oap register printed; some servers do not manage registrations"),
        Member(
            "registration_access_token", .client, "RFC 7592 section 3", secrecy: .file, isIssued: true,
            hint: "pass the document that oap register printed; some servers do not manage registrations"),
    ]

    /// What a registration sends (RFC 7591 §2). The client's `jwks_uri` has another name there.
    package static let clientMetadata = all.filter(\.isRegistered).map(\.name)
    /// What the answer to a registration may say of the client (RFC 7591 §3.2.1, RFC 7592 §3).
    package static let registrationResponse = clientMetadata + issued
}
