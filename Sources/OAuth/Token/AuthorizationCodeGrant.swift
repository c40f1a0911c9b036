extension Grant.Kind {
    package static let authorizationCode: Grant.Kind = .init(
        type: "authorization_code", name: "authorization_code",
        make: { document, _ throws(OAuthError) in try Grant.authorizationCode(document) },
        impliedBy: "code", secretParameters: ["code", "code_verifier"], isOfPerson: true, isSpent: true,
        idToken: .required,
        refusalHint: """
            a code works once, expires soon, and needs the redirect_uri and code_verifier of its login; begin again \
            with oap authurl
            """,
        lossHint: "the code may be used up; begin again with oap authurl")
}

extension Grant {
    /// The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.5, RFC 8707 §2.2).
    ///
    /// - Throws: `metadata_missing` for a missing `code`, `usage`.
    static func authorizationCode(_ document: Document) throws(OAuthError) -> Grant {
        var grant = Grant(.authorizationCode, scope: try Scope(of: document))
        grant.parameters.add("code", try document.required("code"))
        grant.parameters.add("redirect_uri", try document.string("redirect_uri"))
        if let verifier = try document.string("code_verifier") {
            try document.blaming(PKCE.check(verifier))
            grant.parameters.add("code_verifier", verifier)
        }
        try grant.parameters.addResources(of: document)
        return grant
    }
}
