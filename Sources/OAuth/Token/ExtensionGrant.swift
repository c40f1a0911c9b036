internal import Wire

extension Grant.Kind {
    /// A grant that is defined elsewhere (RFC 6749 §4.5).
    static func other(_ type: String) -> Grant.Kind {
        var kind = Grant.Kind(type) { document, supplement throws(OAuthError) in
            try Grant.other(type, document, supplement)
        }
        kind.secretMembers = secrets.first { type.isIdentical(to: $0.type) }?.members ?? []
        kind.isOfPerson = type.isIdentical(to: "urn:openid:params:grant-type:ciba")
        return kind
    }

    /// The secrets of grants that are defined elsewhere: RFC 6749 §4.3.2, RFC 7521 §4.1, RFC 8693 §2.1.
    private static let secrets: [(type: String, members: [String])] = [
        ("password", ["password"]), ("urn:ietf:params:oauth:grant-type:jwt-bearer", ["assertion"]),
        ("urn:ietf:params:oauth:grant-type:saml2-bearer", ["assertion"]),
        ("urn:ietf:params:oauth:grant-type:token-exchange", ["subject_token", "actor_token"]),
    ]

    /// Whether it is a token exchange (RFC 8693 §2.1), which may issue a token of another type.
    var isTokenExchange: Bool { type.isIdentical(to: "urn:ietf:params:oauth:grant-type:token-exchange") }
}

extension Grant {
    /// A grant that is defined elsewhere (RFC 6749 §4.5): an absolute URI, or a name in the `grant_types` of the client,
    /// and parameters.
    ///
    /// - Throws: `usage` for any other type.
    static func other(
        _ type: String, _ document: Document, _ supplement: Kind.Supplement = Kind.Supplement()
    ) throws(OAuthError) -> Grant {
        let own = try document.strings("grant_types")
        guard WebURL(type) != nil || own.contains(type) else {
            throw OAuthError(
                .usage, "unknown grant \(type)",
                hint: spelling(of: type) ?? "one of \(Kind.names.joined(separator: ", ")), or the URN of an extension")
        }
        return try scoped(.other(type), document, supplement)
    }

    /// How a grant without a file of its own is written.
    private static func spelling(of name: String) -> String? {
        switch name {
        case "jwt-bearer", "token-exchange", "saml2-bearer":
            "use --grant urn:ietf:params:oauth:grant-type:\(name), with its parameters in token_params or --param"
        case "password":
            "list it in the member \"grant_types\", with username and password in token_params"
        default: nil
        }
    }
}
