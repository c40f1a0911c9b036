extension Grant.Kind {
    package static let clientCredentials: Grant.Kind = {
        var kind = Grant.Kind("client_credentials") { document, _, _ throws(OAuthError) in
            try Grant.scoped(.clientCredentials, document)
        }
        kind.isOfClient = true
        return kind
    }()
}

extension Grant {
    /// A grant whose request has a scope and nothing else of its own, as client credentials (RFC 6749 §4.4.2).
    ///
    /// - Throws: `usage`.
    static func scoped(_ kind: Kind, _ document: Document) throws(OAuthError) -> Grant {
        var grant = Grant(kind, scope: try Scope(of: document))
        grant.parameters.add("scope", try grant.scope.parameter(of: document))
        try grant.parameters.addResources(of: document)
        return grant
    }
}
