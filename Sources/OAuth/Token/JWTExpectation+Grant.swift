internal import Wire

extension JWTExpectation {
    /// What a document says about the ID token of a grant, but for the client secret and what comes with the token;
    /// nil if no ID token is checked. At a refresh the document decides, not the scope of the request: checked
    /// claims are never replaced by unchecked ones.
    ///
    /// - Throws: `metadata_missing` where the issuer is not named, `usage`.
    package init?(after grant: Grant, of document: Document) throws(OAuthError) {
        guard Self.isMade(after: grant, of: document) else { return nil }
        let members = document.members
        switch grant.kind.idToken {
        case .unchecked: return nil
        case .required, .expected:
            try self.init(.codeFlow(nonce: try document.string("nonce")), of: document)
            let fallback = try document.wholeSeconds("default_max_age")
            maximumAge = try document.wholeSeconds("max_age") ?? fallback
            requiresAuthenticationTime = try document.bool("require_auth_time") ?? false
            essentialContexts = Self.essentialContexts(members["claims"])
            let contexts = try document.string("acr_values") ?? ""
            wantedContexts = contexts.split(separator: " ").map(String.init)
        case .renewed:
            let original = members["id_token_claims"]?.object
            try self.init(original.map { .refresh(original: $0) } ?? .unknown, of: document)
        }
    }

    /// What an ID token is checked against that was not asked for; nil where the document does not name the issuer, its
    /// keys and the client, or where a token of this grant is not checked.
    package init?(unaskedAfter grant: Grant, of document: Document) {
        guard grant.kind.idToken == .required || grant.kind.idToken == .expected,
            let expected = try? Self(.codeFlow(nonce: document.string("nonce")), of: document), !expected.usesSecret
        else { return nil }
        self = expected
    }

    /// Whether an ID token of a grant is checked.
    static func isMade(after grant: Grant, of document: Document) -> Bool {
        let isOpenID = grant.scope.contains("openid")
        let holds = { (name: String) in document.members[name]?.isNull == false }
        return switch grant.kind.idToken {
        case .unchecked: false
        case .required, .expected: isOpenID
        case .renewed: holds("id_token_claims") || isOpenID && holds("id_token")
        }
    }
}
