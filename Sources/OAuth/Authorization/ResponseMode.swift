package import Members

/// How the authorization response reaches the client.
package typealias ResponseMode = Members.ResponseMode

extension ResponseMode {
    /// The mode that a document asks for; `query` when it says nothing.
    ///
    /// - Throws: `usage` for any other.
    package init(of document: Document) throws(OAuthError) { self = try document.choice("response_mode") ?? .query }
}
