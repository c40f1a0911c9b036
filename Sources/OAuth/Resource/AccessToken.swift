package import Wire

/// An access token as a request carries it (RFC 6750 §2.1).
package struct AccessToken {
    package let token: String
    package let field: HTTPField
    /// The scheme before the token, as challenges name it.
    package let scheme: String
    /// The key that it is bound to; nil for a bearer token.
    package let binding: DPoPBinding?

    /// The token in the field and with the scheme that the document says: the API's own (`authorization_header`,
    /// `authorization_scheme`), else `Authorization` and the scheme of its `token_type`. A field of the API's own
    /// carries the token alone, unless the document names a scheme too.
    ///
    /// - Parameter binding: the key that the document has.
    /// - Throws: `token_type_unsupported` for a token of another type than Bearer and DPoP, `metadata_missing` for one that is
    ///   bound to a key that is not there, `usage` for characters that no header may carry.
    package init(_ token: String, of document: Document, binding: DPoPBinding? = nil) throws(OAuthError) {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            let isField = token.asciiLowercased.hasPrefix("bearer ")
            throw document.invalid(
                "access_token", "holds characters that a header field must not have",
                hint: isField ? "leave the word Bearer out" : nil)
        }
        let type = try document.string("token_type") ?? "Bearer"
        let isBound = type.equalsIgnoringASCIICase("DPoP")
        guard !isBound || binding != nil else {
            throw DPoPBinding.missing
        }
        guard isBound || type.equalsIgnoringASCIICase("Bearer") else {
            throw OAuthError(
                .tokenTypeUnsupported, "a token of token_type \(type) cannot be sent to an API", member: "token_type")
        }
        let (name, named) = try document.authorizationField()
        scheme = isBound ? "DPoP" : named ?? "Bearer"
        self.binding = isBound ? binding : nil
        self.token = token
        let isAlone = name != nil && named == nil && !isBound
        field = HTTPField(isBound ? "Authorization" : name ?? "Authorization", isAlone ? token : "\(scheme) \(token)")
    }

    /// The token in what a person copied: the token alone, behind its scheme, or in the `Authorization` among header fields,
    /// or the proof in a `DPoP`. Nil for anything else.
    package static func copied(in text: String) -> String? {
        let fields = text.split(whereSeparator: \.isNewline).compactMap { String($0).cut(at: ":") }
        let value = fields.first { $0.before.trimmed.equalsIgnoringASCIICase("Authorization") }?.after
        var words = (value ?? text).split(whereSeparator: \.isWhitespace).map(String.init)
        if words.count == 2, value != nil || ["bearer", "dpop", "dpop:"].contains(words[0].asciiLowercased) {
            words.removeFirst()
        }
        return words.count == 1 ? words[0] : nil
    }

    /// Puts it onto a request of ours, which is complete but for it: the one way for a token onto a request. The last step
    /// before the request leaves, since servers take a proof for some seconds only.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: the proof that the request needs as well, if the token is bound.
    package func put(on message: inout HTTPRequest, now: Int) -> DPoPBinding.UnsignedProof? {
        message.headers.insert(field, at: 0)
        // Without a proof the server refuses the request.
        return try? binding?.proof(of: message, token: token, now: now)
    }

    /// Puts it onto a request of ours, with the proof.
    package func authorize(_ message: inout HTTPRequest, now: Int) { put(on: &message, now: now)?.sign(&message) }
}

extension Document {
    /// The field and the scheme of the API's own; nil for what it does not say.
    ///
    /// - Throws: `usage` for characters that no header may carry.
    package func authorizationField() throws(OAuthError) -> (name: String?, scheme: String?) {
        let (name, scheme) = (try string("authorization_header"), try string("authorization_scheme"))
        guard name?.isHTTPToken != false else {
            throw invalid("authorization_header", "is not the name of a header field")
        }
        let isScheme = { (text: String) in
            !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == 0x2D || $0 == 0x5F }
        }
        guard scheme.map(isScheme) ?? true else {
            throw invalid("authorization_scheme", "is not an authentication scheme")
        }
        return (name, scheme)
    }
}
