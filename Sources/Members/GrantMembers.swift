extension Member {
    /// What a grant of the client's own sends, and sends again when it renews the token.
    static let grantTable = [
        sent(
            "password", "RFC 6749 section 4.3.2", text: "The user's password, for the grant `password` §.",
            summary: "a file that holds the password"),
        sent(
            "assertion", "RFC 7521 section 4.1",
            text: """
                The assertion of the grants `jwt-bearer` and `saml2-bearer` §. These grants need no `client_id`.
                """,
            summary: "a file that holds the assertion"),
        sent(
            "subject_token", "RFC 8693 section 2.1",
            text: "In a token exchange, the token that the server exchanges for a new one §.",
            summary: "a file that holds the token to exchange"),
        sent(
            "actor_token", "RFC 8693 section 2.1",
            text: """
                In a token exchange, the token of the client or service that acts for the user §.
                """,
            summary: "a file that holds the token of the acting party"),
    ]

    private static func sent(_ name: String, _ source: String, text: String, summary: String) -> Member {
        Member(
            name, .client, source, secrecy: .file, variable: Variable.none, text: text, summary: summary,
            details: text + " The option names \(summary). `oap` reads this file again for each token request.")
    }
}
