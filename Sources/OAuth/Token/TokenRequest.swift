/// The request to the token endpoint (RFC 6749 §3.2), and what its response is judged by.
package struct TokenRequest: Sendable {
    /// What is traded.
    package let grant: Grant
    /// Where it goes: the token endpoint, or the one of its own that some servers have for a refresh.
    package let endpoint: Endpoint
    /// How its parameters are written.
    package let format: RequestFormat
    /// What its response is judged by.
    package var expectation: TokenResponse.Expectation

    /// Makes the request of a grant.
    ///
    /// - Throws: `metadata_missing`, what ``Endpoint`` throws, `usage`.
    package init(_ grant: Grant, of document: Document) throws(OAuthError) {
        try AuthorizationRequest.refuseDPoP(document)
        self.grant = grant
        var name = "token_endpoint"
        if let own = grant.kind.ownEndpoint, try document.string(own) != nil { name = own }
        endpoint = try Endpoint(name, in: document)
        format = try RequestFormat(ofTokenRequests: document)
        expectation = try TokenResponse.Expectation(grant, of: document)
    }
}
