/// The ID token of a login (OpenID Connect Core §2).
package enum IDToken {
    /// Checks before the user logs in that the ID token can be checked afterwards.
    ///
    /// - Returns: whether that needs the client secret.
    /// - Throws: `metadata_missing` where the issuer or its keys are not named, `usage`.
    package static func check(_ document: Document) throws(OAuthError) -> Bool {
        guard try Scope(of: document).contains("openid") else { return false }
        return try JWTExpectation(.unknown, of: document).usesSecret
    }

    /// The members of server metadata that a client needs for it.
    ///
    /// - Throws: `usage` for a scope that is no string.
    package static func metadata(for client: Document) throws(OAuthError) -> [String] {
        try Scope(of: client).contains("openid") && !usesSecret(client) ? ["jwks_uri"] : []
    }

    /// Whether the client secret is the key of a document's ID tokens.
    package static func usesSecret(_ document: Document) -> Bool {
        let algorithms = JWTProfile.idToken.algorithms(for: document.members)
        return !algorithms.isEmpty && algorithms.allSatisfy(\.isSymmetric)
    }
}
