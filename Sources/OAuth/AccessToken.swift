internal import Wire

/// An access token as a request carries it (RFC 6750 §2.1).
package struct AccessToken: Sendable {
    /// The token itself.
    package let token: String
    /// The value of the `Authorization` field.
    package let authorization: String
    /// The scheme before the token, as challenges name it.
    package let scheme: String

    /// The token with the scheme that the document says: the API's own (`authorization_scheme`), else the one of its
    /// `token_type`.
    ///
    /// - Throws: `token_type_unsupported` for a token that is no bearer token, `usage` for characters that no header
    ///   may carry.
    package init(_ token: String, of document: Document) throws(OAuthError) {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw OAuthError(.usage, "access_token holds characters that no header may carry", member: "access_token")
        }
        let type = try document.string("token_type") ?? "Bearer"
        guard type.equalsIgnoringASCIICase("Bearer") else {
            throw OAuthError(
                .tokenTypeUnsupported, "a token of token_type \(type) cannot be sent to an API", member: "token_type")
        }
        scheme = try document.string("authorization_scheme") ?? "Bearer"
        guard !scheme.isEmpty, scheme.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == 0x2D || $0 == 0x5F }) else {
            throw OAuthError(.usage, "authorization_scheme is no scheme", member: "authorization_scheme")
        }
        self.token = token
        authorization = "\(scheme) \(token)"
    }
}
