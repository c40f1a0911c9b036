internal import OAuth
internal import Wire

/// The step from a redirect to its code, after every check.
enum CodeFlow {
    /// The flow document with the code. The document holds the redirect if none is given. Exit 4 for an error response,
    /// exit 9 for a redirect that fails a check.
    static func take(
        of input: Input, redirect given: Callback? = nil, _ diagnostics: Diagnostics
    ) throws(Failure) -> JSONObject {
        let callback = if let given { given } else { try lift(try redirect(in: input.document)) }
        let response = try lift(try AuthorizationResponse(callback, for: input.document))
        try diagnostics.warn(response.warnings)
        return response.document(from: input.document.members)
    }

    private static func url(of document: Document) throws(OAuthError) -> WebURL? {
        guard let text = try document.string("callback_url") else { return nil }
        guard let url = WebURL(text) else {
            throw document.invalid("callback_url", "is not an absolute URL")
        }
        return url
    }

    private static func redirect(in document: Document) throws(OAuthError) -> Callback {
        guard let body = try document.string("callback_body") else {
            return try Callback(pasted: try document.required("callback_url"))
        }
        return .form(body: body, contentType: nil, url: try url(of: document))
    }
}
