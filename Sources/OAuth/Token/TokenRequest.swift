internal import Wire

/// The request to the token endpoint (RFC 6749 §3.2), and what its response is judged by.
package struct TokenRequest: Sendable {
    package private(set) var grant: Grant
    /// Where the request goes: the token endpoint, or the one of its own that some servers have for a refresh.
    package let endpoint: Endpoint
    package let format: RequestFormat
    package var expectation: TokenResponse.Expectation

    package init(_ grant: Grant, of document: Document) throws(OAuthError) {
        try AuthorizationRequest.refuseBoundTokens(document)
        try SecurityProfile.check(grant: grant.kind.type, for: document)
        try SecurityProfile(of: document)?.checkBinding(of: document)
        self.grant = grant
        endpoint = try Endpoint(try Self.endpointName(grant.kind, of: document), in: document)
        format = try RequestFormat(ofTokenRequests: document)
        expectation = try TokenResponse.Expectation(grant, of: document)
    }

    /// The request with other values of its secrets; see ``Grant/replacing(_:)``.
    package func replacing(_ secrets: [String: String]) -> TokenRequest {
        changing(self) { $0.grant = grant.replacing(secrets) }
    }

    /// The members of server metadata that the exchange needs: where the request goes, and where the keys for its ID token
    /// are.
    ///
    /// - Throws: `usage` for a member of the wrong type.
    package static func metadata(for grant: Grant, of document: Document) throws(OAuthError) -> [String] {
        let needsKeys = JWTExpectation.isMade(after: grant, of: document) && !IDToken.usesSecret(document)
        return [try endpointName(grant.kind, of: document)] + (needsKeys ? ["jwks_uri"] : [])
    }

    /// The metadata that a grant needs which brings no ID token to be checked.
    package static func metadata(for kind: Grant.Kind, of document: Document) throws(OAuthError) -> [String] {
        [try endpointName(kind, of: document)]
    }

    private static func endpointName(_ kind: Grant.Kind, of document: Document) throws(OAuthError) -> String {
        guard let own = kind.ownEndpoint, try document.string(own) != nil else { return "token_endpoint" }
        return own
    }
}
