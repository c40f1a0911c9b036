extension GrantFacts {
    static let clientCredentials = GrantFacts(type: "client_credentials")
}

extension Grant {
    /// The client credentials grant (RFC 6749 §4.4.2).
    ///
    /// - Throws: `usage`.
    package static func clientCredentials(_ document: Document) throws(OAuthError) -> Grant {
        try scoped(.clientCredentials, document)
    }

    /// A grant whose request has a scope, and nothing else that is known here.
    static func scoped(_ kind: Kind, _ document: Document) throws(OAuthError) -> Grant {
        var grant = Grant(kind, scope: try Scope(of: document))
        grant.parameters.add("scope", try grant.scope.parameter(of: document))
        try grant.parameters.addResources(of: document)
        return grant
    }
}
