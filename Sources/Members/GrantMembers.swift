extension Member {
    /// What a grant of the client's own sends, and sends again when it renews the token.
    static let grantTable: [Member] = [
        sent("password", "RFC 6749 section 4.3.2", summary: "a file that holds the password"),
        sent("assertion", "RFC 7521 section 4.1", summary: "a file that holds the assertion"),
        sent("subject_token", "RFC 8693 section 2.1", summary: "a file that holds the token to exchange"),
        sent("actor_token", "RFC 8693 section 2.1", summary: "a file that holds the token of the acting party"),
    ]

    /// What is fetched for each request, and whom an identity is for.
    static let sourceTable: [Member] = [
        source(of: "subject_token", "the token to exchange"),
        source(of: "actor_token", "the token of the acting party"), source(of: "assertion", "the assertion"),
        source(of: "client_assertion", "the client's JWT"),
        Member("subject_token_type", .client, "RFC 8693 section 2.1", variable: Variable.none),
        Member("actor_token_type", .client, "RFC 8693 section 2.1", variable: Variable.none),
        Member("assertion_claims", .client, form: .json, variable: Variable.none),
        Member(
            "identity_audience", .client, variable: Variable.none, argument: "AUDIENCE", otherwise: "the issuer",
            section: "Client", summary: "whom the identity of a CI job or workload is for"),
    ]

    private static func source(of name: String, _ what: String) -> Member {
        Member(
            "\(name)_from", .client, variable: Variable.none, argument: "SOURCE", section: "Client",
            summary: "what gives \(what), such as ci")
    }

    private static func sent(_ name: String, _ source: String, summary: String) -> Member {
        Member(name, .client, source, secrecy: .file, variable: Variable.none, summary: summary)
    }
}
