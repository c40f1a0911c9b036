internal import Wire

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
        var warnings = body.warnings
        _ = try body.lifetime(&warnings)
        self.requestURI = requestURI
        self.warnings = warnings
    }
}
