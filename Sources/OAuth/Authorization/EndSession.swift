package import Wire

/// The request that logs a person out at the server (OpenID Connect RP-Initiated Logout §2).
package struct EndSession: Sendable {
    /// The URL to open. It holds the ID token.
    package let url: WebURL

    /// Makes the URL. The endpoint's own query is kept.
    ///
    /// - Parameter document: the endpoint, the ID token as the hint of who is logged out, and `client_id`.
    /// - Throws: `metadata_missing` without the endpoint, or with neither ID token nor `client_id`; what ``Endpoint``
    ///   throws; `usage` for a redirect URI that is not absolute.
    package init(of document: Document, parameters: [(name: String, value: String)]) throws(OAuthError) {
        let endpoint = try Endpoint("end_session_endpoint", in: document)
        let client = try document.string("client_id") == nil ? nil : document.required("client_id")
        let own = [("id_token_hint", try document.string("id_token")), ("client_id", client)]
        let pairs = own.compactMap { name, value in value.map { (name: name, value: $0) } } + parameters
        if let redirect = parameters.first(where: { $0.name == "post_logout_redirect_uri" }) {
            guard let url = WebURL(redirect.value), url.fragment == nil else {
                throw OAuthError(
                    .usage, "post_logout_redirect_uri is not an absolute URI without a fragment", origin: .caller)
            }
            guard !own.allSatisfy({ $0.1 == nil }) else { throw document.missing("client_id") }
        }
        guard let url = WebURL(endpoint.url.adding(pairs)) else {
            preconditionFailure("a URL with parameters is a URL")
        }
        self.url = url
    }
}
