internal import OAuth
internal import Wire
package import Shell
package import Tokens

/// The token that a token exchange is about (RFC 8693 §2.1): the one that is named, or else that of the document.
package struct SubjectToken {
    /// The document of the exchange.
    package let input: Input
    /// The `subject_token_type` of the token; nil where nothing says it.
    package let type: String?
    /// Whether the token is the access token, or the ID token, of the document.
    package let isOfDocument: Bool

    /// The names of the types of RFC 8693 §3.
    package static let names = ["access_token", "refresh_token", "id_token", "saml1", "saml2", "jwt"]

    /// - Parameters:
    ///   - name: one of `names`, or a URI.
    ///   - extra: the parameters of `--param`.
    /// - Throws: exit 2 for another name.
    package init(
        of input: Input, type name: String?, _ extra: [(name: String, value: String)]
    ) throws(Failure) {
        let named = try name.map(Self.type)
        let member = name == "id_token" ? "id_token" : "access_token"
        let forms = member == "id_token" ? [""] : ["", "_file"]
        let members = input.document.members
        let parameters = try asFailure(input.document.parameters("token_params")) + extra
        isOfDocument =
            !input.names("subject_token") && !parameters.contains { $0.name == "subject_token" }
            && forms.contains { members[member + $0]?.isNull == false }
        guard isOfDocument else {
            var input = input
            input.document.hintsForMissing.append(("subject_token", Self.hint))
            (self.input, type) = (input, named)
            return
        }
        var exchanged = members
        for form in forms { exchanged["subject_token\(form)"] = members[member + form] }
        // They are those of the token that is exchanged: the new one is renewed in its own way.
        exchanged.remove(Member.ofAll(but: .scope))
        if input.document.origin(of: "scope") == .document { exchanged.remove(Member.of(.scope)) }
        self.input = input.with(exchanged)
        let isNamed = parameters.contains { $0.name == "subject_token_type" }
        type = if named == nil, !isNamed { try Self.type("access_token") } else { named }
    }

    private static let hint = """
        pipe in a document with an access_token; or use --subject-token-file PATH, with --subject-token-type TYPE
        """

    private static func type(_ name: String) throws(Failure) -> String {
        if names.contains(name) { return "urn:ietf:params:oauth:token-type:\(name)" }
        guard WebURL(name) != nil else {
            throw .usage("--subject-token-type must be \(names.joined(separator: ", ")) or a URI")
        }
        return name
    }
}
