internal import Wire

extension Grant.Kind {
    /// A grant that is defined elsewhere (RFC 6749 §4.5) by its type or its name here.
    static func other(_ name: String) -> Grant.Kind {
        let known = known.first { name.isIdentical(to: $0.name) || name.isIdentical(to: $0.type) }
        let type = known?.type ?? name
        return Grant.Kind(
            type: type, name: known?.name ?? type,
            make: { document, supplement throws(OAuthError) in
                let kind = other(type)
                try kind.check(in: document, among: names)
                return try Grant.scoped(kind, document, supplement)
            },
            secretMembers: known?.secrets ?? [])
    }

    /// Grants that are defined elsewhere, with the secrets of each: RFC 6749 §4.3.2, RFC 7521 §4.1, RFC 8693 §2.1.
    static let known: [(name: String, type: String, secrets: [String])] = [
        ("password", "password", ["password"]),
        ("jwt-bearer", "urn:ietf:params:oauth:grant-type:jwt-bearer", ["assertion"]),
        ("saml2-bearer", "urn:ietf:params:oauth:grant-type:saml2-bearer", ["assertion"]),
        ("token-exchange", "urn:ietf:params:oauth:grant-type:token-exchange", ["subject_token", "actor_token"]),
    ]

    /// The secrets of other grants, which this one does not send.
    package var secretsOfOthers: [String] { Self.known.flatMap(\.secrets).filter { !secretMembers.contains($0) } }

    /// Checks that the grant exists: a known one, an absolute URI, or a name in the `grant_types` of the client.
    ///
    /// - Parameter names: the names that the caller takes, for the message.
    /// - Throws: `usage`.
    package func check(in document: Document, among names: [String]) throws(OAuthError) {
        let own = try document.strings("grant_types")
        guard WebURL(type) == nil, !own.contains(type), !Self.names.contains(where: { $0.isIdentical(to: name) })
        else { return }
        let letters = { (name: String) in name.asciiLowercased.utf8.filter { $0 != 0x2D && $0 != 0x5F } }
        let meant = names.first { letters($0) == letters(type) }
        throw OAuthError(
            .usage, "unknown grant \(type)",
            hint: meant.map { "did you mean \($0)?" }
                ?? "the grants are \(names.joined(separator: ", ")), and the URN of an extension grant")
    }

    /// Whether what a request of it uses is known: another grant may use something up.
    package var isKnown: Bool { isOfClient || Self.known.contains { type.isIdentical(to: $0.type) } }

    /// Whether the grant sends the password of a user (RFC 6749 §4.3), for which a server counts what is sent.
    package var isOfPassword: Bool { secretMembers == ["password"] }

    /// Whether the client need not be named, since the assertion says who asks (RFC 7521 §4.1).
    var identifiesClient: Bool { secretMembers == ["assertion"] }

    /// Whether a request may do without a client: the server decides (RFC 7521 §4.1, RFC 8693 §2.1).
    package var mayLackClient: Bool { identifiesClient || isTokenExchange }

    /// Whether the grant is a token exchange (RFC 8693 §2.1), which may issue a token of another type.
    package var isTokenExchange: Bool { type.isIdentical(to: "urn:ietf:params:oauth:grant-type:token-exchange") }
}
