package import Wire

/// The checked URL of one of the authorization server's endpoints.
package struct Endpoint: Sendable, Equatable {
    package let url: WebURL
    /// The member that it came from.
    private let name: String

    /// Checks a URL that credentials will be sent to: absolute, https (http on loopback only), no user information, no
    /// fragment (RFC 6749 §3.1, §3.2).
    ///
    /// - Parameter name: the member that it came from, for messages.
    /// - Throws: `usage`, `metadata_invalid` for a fragment, `insecure_transport`.
    package init(_ text: String, name: String) throws(OAuthError) {
        guard let url = WebURL(text), url.scheme == "https" || url.scheme == "http", url.host != nil else {
            throw OAuthError(.usage, "\(name) is not an absolute https URL", member: name)
        }
        guard url.fragment == nil else {
            throw OAuthError(.metadataInvalid, "\(name) has a fragment", member: name)
        }
        guard url.scheme == "https" || url.isLoopback else {
            throw OAuthError(
                .insecureTransport, "\(name) is plain http to \(url.host ?? "")",
                hint: "use https; plain http is allowed on loopback only: oap-hosts(7), PLAIN HTTP", member: name)
        }
        guard url.userinfo == nil else {
            throw OAuthError(.usage, "\(name) contains a user name or password", member: name)
        }
        (self.url, self.name) = (url, name)
    }

    /// The role and the place of the endpoint, for messages: `the token endpoint https://as.example/token`.
    package var description: String {
        let words = name.split(separator: "_").joined(separator: " ")
        return Self.description(name.hasSuffix("_endpoint") ? "the \(words)" : "the \(name)", url.text)
    }

    /// A role and a place, without query and user information.
    static func description(_ role: String, _ url: String) -> String {
        WebURL(url).map { "\(role) \($0.origin)\($0.path)" } ?? role
    }

    /// The endpoint that a member of the document names. A client with a certificate goes to its alias, where the server has
    /// one and no option or variable names the endpoint (RFC 8705 §5); a browser goes without.
    ///
    /// - Throws: `metadata_missing` besides what `init` throws.
    package init(_ name: String, in document: Document) throws(OAuthError) {
        do throws(OAuthError) {
            let isDirect = !["authorization_endpoint", "end_session_endpoint"].contains(name)
            let takesAlias = document.hasCertificate && isDirect && document.origin(of: name) == .document
            let aliases = Document(takesAlias ? try document.object("mtls_endpoint_aliases") : [:])
            let alias = try aliases.string(name)
            let text = if let alias { alias } else { try document.required(name) }
            self = try document.blaming(Endpoint(text, name: name))
            guard alias == nil || url.scheme == "https" else {
                throw document.blame(
                    OAuthError(
                        .insecureTransport, "the alias of \(name) is plain http, without a certificate", member: name))
            }
        } catch {
            var error = error
            if error.kind == .usage, error.origin == .document { error.kind = .metadataInvalid }
            throw error
        }
    }
}
