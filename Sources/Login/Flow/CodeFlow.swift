package import OAuth
package import Wire
package import Shell
package import Tokens
package import Sessions

/// The step from a redirect to its code, after every check.
package enum CodeFlow {
    /// The flow document with the code. The document holds the redirect if none is given. Exit 4 for an error response,
    /// exit 9 for a redirect that fails a check. The keys of the issuer are fetched for a signed response only.
    package static func take(
        of input: Input, redirect given: Callback? = nil, _ session: Session
    ) throws(Failure) -> JSONObject {
        let callback = if let given { given } else { try asFailure(redirect(in: input.document)) }
        let token = try asFailure(AuthorizationResponse.token(of: callback, for: input.document))
        if let token { try verify(token, of: input, session) }
        let response = try asFailure(AuthorizationResponse(callback, verified: token, for: input.document))
        try session.diagnostics.warn(response.warnings)
        return response.document(from: input.document.members)
    }

    /// Checks the signature, the issuer, the audience and the times of a signed response (JARM §2.4).
    private static func verify(_ token: JSONWebToken, of input: Input, _ session: Session) throws(Failure) {
        let expected = try asFailure(JWTExpectation(for: token.profile, of: input.document))
        let checked = JWTCheck(expected, of: input, over: session.transport).claims(of: token)
        _ = try session.engine.run(checked.mapFailure { Failure($0) })
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
