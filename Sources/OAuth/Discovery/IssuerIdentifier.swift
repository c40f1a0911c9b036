internal import Wire

/// The issuer of a login. The server repeats it in the redirect and in the ID token (RFC 9207 §2.4, OpenID Connect Core
/// §2), so that nothing else that leads to its metadata will do.
package enum IssuerIdentifier {
    /// Checks the form of a document's issuer, before a user logs in.
    ///
    /// - Throws: `usage` for a host name without a scheme, and for the address of a metadata document;
    ///   `insecure_transport`.
    package static func check(_ document: Document) throws(OAuthError) {
        guard let text = try document.string("issuer") else { return }
        guard text.contains("://") else {
            let isOwn = WebURL("http://\(text)")?.isLoopback == true && text.isPlainWord
            let hint = isOwn ? "did you mean http://\(text)?" : "begin the issuer with https://"
            throw document.blame(
                OAuthError(.usage, "the issuer is not an absolute https URL", hint: hint, member: "issuer"))
        }
        let url = try document.blaming(ServerDiscovery.url(of: text))
        guard let issuer = MetadataAddress.issuer(at: url) else { return }
        throw document.blame(
            OAuthError(
                .usage, "the given issuer is the URL of its metadata", hint: "give the issuer itself: \(issuer)",
                member: "issuer"))
    }
}
