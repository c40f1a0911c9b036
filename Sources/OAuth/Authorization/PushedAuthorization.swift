internal import Wire

/// The request that is pushed to the server (RFC 9126 §2.1).
package struct PushedAuthorizationRequest: Sendable {
    package let endpoint: Endpoint
    package let parameters: Parameters

    package init(_ request: AuthorizationRequest, of document: Document) throws(OAuthError) {
        endpoint = try Endpoint("pushed_authorization_request_endpoint", in: document)
        parameters = request.parameters
    }
}

/// The response of the pushed authorization request endpoint (RFC 9126 §2.2).
package struct PushedAuthorizationResponse: Sendable {
    /// Stands for the request, once.
    package let requestURI: String
    package let warnings: [OAuthWarning]

    package init(_ response: EndpointResponse) throws(OAuthError) {
        let body = try response.members(of: "the pushed authorization request endpoint", expecting: 201)
        guard let requestURI = body.members["request_uri"]?.string, !requestURI.isEmpty else {
            throw OAuthError(.invalidResponse, "the server's answer has no request_uri", member: "request_uri")
        }
        guard body.members["expires_in"]?.seconds ?? 0 > 0 else {
            throw OAuthError(.invalidResponse, "the server's answer has no usable expires_in", member: "expires_in")
        }
        self.requestURI = requestURI
        warnings = body.warnings
    }
}
