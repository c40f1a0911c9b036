internal import Wire

/// The issuer of a document, against what the server announces in its metadata, in a redirect or in a JWT. Both must be
/// equal to the last character (RFC 8414 §3.3, RFC 9207 §2.4, OpenID Connect Core §3.1.3.7), unless the user accepts one
/// other by its name.
struct KnownIssuer: Sendable {
    let text: String
    /// The other one, the member `accept_issuer`.
    let accepted: String?

    init(_ text: String, accepting accepted: String? = nil) { (self.text, self.accepted) = (text, accepted) }

    /// Nil for a document without an issuer.
    init?(of document: Document) throws(OAuthError) {
        guard let text = try document.string("issuer") else { return nil }
        self.init(text, accepting: try document.string("accept_issuer"))
    }

    func isNamed(by announced: String) -> Bool {
        announced.isIdentical(to: text) || accepted?.isIdentical(to: announced) == true
    }

    /// Whether an issuer differs in nothing but a slash at the end.
    func differsInSlash(from announced: String) -> Bool {
        announced.isIdentical(to: "\(text)/") || text.isIdentical(to: "\(announced)/")
    }

    /// Adds to an error that the announced issuer differs in the slash alone, if so, and the cause by which a command names
    /// the option that accepts it.
    func namingSlash(in error: OAuthError, from announced: String) -> OAuthError {
        guard differsInSlash(from: announced) else { return error }
        var error = error
        error.message += "; they differ only in the slash at the end"
        error.cause = .issuer(announced)
        return error
    }
}
