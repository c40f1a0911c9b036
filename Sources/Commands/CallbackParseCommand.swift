internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap callback-parse`: flow → flow with `code`, after every check of the redirect.
enum CallbackParseCommand {
    static let urlFile = Option(
        "url-file", argument: "PATH", completes: .files, section: "Input",
        summary: "read the redirected URL from a file",
        details: "The URL holds a code; in a file no other process reads it from the argument list.")

    /// The members that its options set.
    static let members: [MemberOption] = [.clientID, .redirectURI, .issuer, .sendsIssuer]

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.input(members)
        let output = try session.output()
        let callback = try callback(session.arguments, document: input.document)
        let response = try Failure.lifting(input.document) { () throws(OAuthError) in
            try AuthorizationResponse(callback, for: input.document)
        }
        try session.diagnostics.warn(response.warnings)
        return try output.write(response.document(from: input.document.members))
    }

    /// The URL that a form was posted to.
    private static func url(of document: Document) throws(OAuthError) -> WebURL? {
        guard let text = try document.string("callback_url") else { return nil }
        guard let url = WebURL(text) else {
            throw OAuthError(.usage, "callback_url is not an absolute URL", member: "callback_url")
        }
        return url
    }

    private static func callback(_ arguments: Arguments, document: Document) throws(Failure) -> Callback {
        if let path = arguments.value(urlFile) {
            guard arguments.operands.isEmpty else { throw .usage("give the URL or --url-file, not both") }
            let bytes = try FileAccess.read(path: path, limit: Secrets.limit)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure(.badInput, "parse", "\(path) is not UTF-8")
            }
            return try Failure.lifting { () throws(OAuthError) in try Callback(pasted: text) }
        }
        return try Failure.lifting(document) { () throws(OAuthError) in
            if let text = arguments.operand(0) { return try Callback(pasted: text) }
            if let body = try document.string("callback_body") {
                return .form(body: body, contentType: nil, url: try url(of: document))
            }
            return try Callback(pasted: try document.required("callback_url"))
        }
    }
}
