internal import Wire

extension GrantFacts {
    static func other(_ type: String) -> GrantFacts { GrantFacts(type: type) }
}

extension Grant.Kind {
    /// A token exchange (RFC 8693 §2.1), whose response may be a token of another type.
    package static let tokenExchange = Grant.Kind.other("urn:ietf:params:oauth:grant-type:token-exchange")

    /// Whether it is a token exchange.
    var isTokenExchange: Bool { self == .tokenExchange }
}

extension Grant {
    /// A grant that only its own specification knows (RFC 6749 §4.5): an absolute URI, or a name that the client's
    /// `grant_types` has, and parameters.
    ///
    /// - Throws: `usage` for any other type.
    package static func other(_ type: String, _ document: Document) throws(OAuthError) -> Grant {
        let own = try document.strings("grant_types")
        guard WebURL(type) != nil || own.contains(type) else {
            throw OAuthError(
                .usage, "unknown grant \(type)",
                hint: "one of \(Kind.names.joined(separator: ", ")), or the URN of an extension")
        }
        return try scoped(.other(type), document)
    }
}
