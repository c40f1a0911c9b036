package import Wire

/// An access token as a request carries it (RFC 6750 §2.1).
package struct AccessToken: Sendable {
    package let token: String
    package let field: HTTPField
    /// The scheme before the token, as challenges name it.
    package let scheme: String

    /// The token in the field and with the scheme that the document says: the API's own (`authorization_header`,
    /// `authorization_scheme`), else `Authorization` and the scheme of its `token_type`. A field of the API's own
    /// carries the token alone, unless the document names a scheme too.
    ///
    /// - Throws: `token_type_unsupported` for a token that is no bearer token, `usage` for characters that no header
    ///   may carry.
    package init(_ token: String, of document: Document) throws(OAuthError) {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            let isField = token.asciiLowercased.hasPrefix("bearer ")
            throw document.invalid(
                "access_token", "holds characters that a header field must not have",
                hint: isField ? "leave the word Bearer out" : nil)
        }
        let type = try document.string("token_type") ?? "Bearer"
        guard type.equalsIgnoringASCIICase("Bearer") else {
            throw OAuthError(
                .tokenTypeUnsupported, "a token of token_type \(type) cannot be sent to an API", member: "token_type")
        }
        let name = try document.string("authorization_header")
        guard name?.isHTTPToken != false else {
            throw document.invalid("authorization_header", "is not the name of a header field")
        }
        let named = try document.string("authorization_scheme")
        scheme = named ?? "Bearer"
        guard !scheme.isEmpty, scheme.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == 0x2D || $0 == 0x5F }) else {
            throw document.invalid("authorization_scheme", "is not an authentication scheme")
        }
        self.token = token
        field = HTTPField(name ?? "Authorization", name != nil && named == nil ? token : "\(scheme) \(token)")
    }

    /// Puts it onto a request of ours, which is complete but for it: the one way for a token onto a request.
    package func authorize(_ message: inout HTTPRequest) { message.headers.insert(field, at: 0) }
}
