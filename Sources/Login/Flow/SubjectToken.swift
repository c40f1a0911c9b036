internal import OAuth
internal import Wire
package import Shell
package import Tokens

/// The token that a token exchange is about (RFC 8693 §2.1): the one that is named, or else that of the document.
package struct SubjectToken {
    /// The document of the exchange.
    package let input: Input
    /// Whether the token is the access token, or the ID token, of the document.
    package let isOfDocument: Bool

    /// - Parameter extra: the parameters of the command line.
    /// - Throws: exit 3 for parameters of the document that are none.
    package init(of input: Input, _ extra: [(name: String, value: String)]) throws(Failure) {
        let parameters = try asFailure(input.document.parameters("token_params")) + extra
        let type = parameters.last { $0.name == "subject_token_type" }?.value ?? ""
        let member = type.hasSuffix(":id_token") ? "id_token" : "access_token"
        let forms = member == "id_token" ? [""] : ["", "_file"]
        let members = input.document.members
        isOfDocument =
            !input.names("subject_token") && !parameters.contains { $0.name == "subject_token" }
            && forms.contains { members[member + $0]?.isNull == false }
        guard isOfDocument else {
            var input = input
            input.document.hintsForMissing.append(("subject_token", Self.hint))
            self.input = input
            return
        }
        var exchanged = members
        for form in forms { exchanged["subject_token\(form)"] = members[member + form] }
        // They are those of the token that is exchanged: the new one is renewed in its own way.
        exchanged.remove(Member.ofAll(but: .scope))
        if input.document.origin(of: "scope") == .document { exchanged.remove(Member.of(.scope)) }
        self.input = input.with(exchanged)
    }

    private static let hint = """
        pipe in a document with an access_token; or use --subject-token-file PATH, with --subject-token-type TYPE
        """
}
