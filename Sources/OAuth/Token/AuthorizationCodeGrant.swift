extension GrantFacts {
    static let authorizationCode = {
        var facts = GrantFacts(type: "authorization_code")
        facts.impliedBy = "code"
        facts.secretParameters = ["code", "code_verifier"]
        facts.isSpent = true
        facts.idToken = .required
        facts.refusalHint = "a code serves once and not for long; begin again with oap authurl"
        return facts
    }()
}

extension Grant {
    /// The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.5, RFC 8707 §2.2).
    ///
    /// - Throws: `metadata_missing` for a missing `code`, `usage`.
    package static func authorizationCode(_ document: Document) throws(OAuthError) -> Grant {
        var grant = Grant(.authorizationCode, scope: try Scope(of: document))
        grant.parameters.add("code", try document.required("code"))
        grant.parameters.add("redirect_uri", try document.string("redirect_uri"))
        if let verifier = try document.string("code_verifier") {
            try document.blaming(try PKCE.check(verifier))
            grant.parameters.add("code_verifier", verifier)
        }
        try grant.parameters.addResources(of: document)
        return grant
    }
}
