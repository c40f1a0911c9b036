extension Member {
    /// What a grant of the client's own sends, and sends again when it renews the token.
    static let grantTable = [
        sent("password", "RFC 6749 section 4.3.2", summary: "a file that holds the password"),
        sent("assertion", "RFC 7521 section 4.1", summary: "a file that holds the assertion"),
        sent("subject_token", "RFC 8693 section 2.1", summary: "a file that holds the token to exchange"),
        sent("actor_token", "RFC 8693 section 2.1", summary: "a file that holds the token of the acting party"),
    ]

    private static func sent(_ name: String, _ source: String, summary: String) -> Member {
        Member(name, .client, source, secrecy: .file, variable: Variable.none, summary: summary)
    }
}
