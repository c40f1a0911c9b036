extension Grant.Kind {
    package static let clientCredentials: Grant.Kind = .init(
        type: "client_credentials", name: "client_credentials",
        make: { document, supplement throws(OAuthError) in
            try Grant.scoped(.clientCredentials, document, supplement)
        }, isOfClient: true)
}

extension Grant {
    /// A grant whose request has a scope, and secrets of its own at most, as client credentials (RFC 6749 §4.4.2).
    ///
    /// - Throws: `usage`.
    static func scoped(
        _ kind: Kind, _ document: Document, _ supplement: Kind.Supplement = Kind.Supplement()
    ) throws(OAuthError) -> Grant {
        let takesScope = try document.takesScope
        // What is not asked for is not of the token.
        var full = takesScope ? try Scope(of: document) : Scope([])
        let granted = full
        if supplement.isRepeated, takesScope, let requested = try document.string("requested_scope") {
            full = Scope(splitting: requested)
        }
        let named = try Scope(requesting: supplement.scope ?? "", at: try Scope.separator(of: document))
        guard takesScope || named.values.isEmpty else { throw document.scopeRefusal }
        var grant = Grant(kind, scope: named.values.isEmpty ? full : named)
        grant.fullScope = full
        grant.isRepeated = supplement.isRepeated
        // A scope that was named once, and is not asked for again, is not missing.
        if supplement.isRepeated, named.values.isEmpty {
            grant.renewedScope = Scope(granted.values.filter(full.contains))
        }
        grant.parameters.add("scope", try grant.scope.parameter(of: document))
        for name in kind.secretMembers {
            if name == "assertion", let value = supplement.secrets[name] { try refuseKey(value) }
            grant.parameters.add(name, supplement.secrets[name])
        }
        try grant.parameters.addResources(of: document)
        if !kind.isTokenExchange {
            grant.parameters.add("authorization_details", try AuthorizationRequest.authorizationDetails(of: document))
        }
        return grant
    }

    /// Refuses a key in the place of what is signed with it: the server must not see it.
    private static func refuseKey(_ assertion: String) throws(OAuthError) {
        guard assertion.first(where: { $0 != " " }) == "{" || assertion.hasPrefix("-----BEGIN ") else { return }
        throw OAuthError(
            .usage, "the assertion is a key or a JSON document, which is not sent",
            hint: "let a program of yours sign it: assertion_command in the profile (oap-documents(5))",
            member: "assertion")
    }
}

extension Document {
    /// Whether the request of a grant without a person brings a scope: in a parameter, or in the assertion that the client
    /// signs.
    package var takesScope: Bool {
        get throws(OAuthError) {
            let isInAssertion = try bool("assertion_scope") ?? false
            if signsGrant, isInAssertion, try object("assertion_claims")["target_audience"] == nil { return true }
            return try !ParameterNames(of: self).drops("scope")
        }
    }

    /// The error for a scope that is named for a request that brings none.
    package var scopeRefusal: OAuthError {
        OAuthError(
            .usage, "\(Member.option(for: "scope")) has no effect: the server takes no scope", member: "scope",
            origin: .caller)
    }
}
