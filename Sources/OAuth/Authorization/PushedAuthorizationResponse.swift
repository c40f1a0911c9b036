package import Wire

/// The answer of the pushed authorization request endpoint (RFC 9126 §2.2).
package struct PushedAuthorizationResponse: Sendable {
    /// Stands for the request, once.
    package let requestURI: String
    /// Oddities to tell.
    package let warnings: [OAuthWarning]

    /// Reads the answer.
    ///
    /// - Throws: ``OAuthError``: `redirect_refused`, `oauth`, `http_status`, `parse`, `not_json`, `invalid_response`.
    package init(_ response: HTTPResponse) throws(OAuthError) {
        let head = response.head
        try TokenResponse.refuseRedirect(head)
        let body = try AnswerBody(of: response)
        if let error = ErrorResponse.error(in: body.members, status: head.status, headers: head.headers) {
            throw error
        }
        guard (200..<300).contains(head.status) else {
            throw ErrorResponse.unexplained(status: head.status, headers: head.headers)
        }
        guard let requestURI = body.members["request_uri"]?.string, !requestURI.isEmpty else {
            throw OAuthError(.invalidResponse, "the server's answer has no request_uri", member: "request_uri")
        }
        guard body.members["expires_in"]?.seconds ?? 0 > 0 else {
            throw OAuthError(.invalidResponse, "the server's answer has no lifetime", member: "expires_in")
        }
        self.requestURI = requestURI
        let status = OAuthWarning(.status, "the server answered the pushed request with status \(head.status), not 201")
        warnings = body.warnings + (head.status == 201 ? [] : [status])
    }
}
