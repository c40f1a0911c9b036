internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap callback-parse`: flow → flow with `code`, after every check of the redirect.
enum CallbackParseCommand {
    static let urlFile = Option(
        "url-file", argument: "PATH", completes: .files, section: "Input",
        summary: "read the redirected URL from a file",
        details: """
            Reads the redirected URL from this file. The URL contains a code. If the URL is an operand, other \
            processes can read the code in the argument list. The content of a file is not in the argument list.
            """)

    static let handOver = Option(
        "hand-over", section: "Input", summary: "hand it over to the login that waits",
        details: """
            Passes the redirected URL to the `oap login` or `oap listen` that waits for this redirect, and prints \
            nothing. The handler of a private-use scheme uses this option; see `oap-scheme-handler(1)`. `oap \
            callback-parse` finds the waiting `oap login` or `oap listen` by the `state` in the URL. It checks nothing \
            else: the checks follow where the waiting login processes the URL. If no command waits for the redirect, \
            the exit status is 8.
            """)

    /// The members that its options set.
    static let members = MemberOption.of(
        "client_id", "redirect_uri", "issuer", "authorization_response_iss_parameter_supported")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        guard !session.arguments.has(handOver) else { return try handOver(session) }
        guard case .standardInput = try session.inputs.source() else { return try parseRemembered(session) }
        let input = try session.inputs.read(members)
        let output = try session.output()
        let given = try redirect(given: session.arguments)
        return try output.finish(try flow(of: input, redirect: given, session.diagnostics))
    }

    private static func handOver(_ session: Session) throws(Failure) -> Exit {
        if let other = session.arguments.occurrences.first(where: { $0.option != handOver && $0.option != urlFile }) {
            throw .usage("\(other.option.name) has no effect with \(handOver.name)")
        }
        guard let url = try text(given: session.arguments) else {
            throw .usage("give the redirected URL, or \(urlFile.name)")
        }
        try SchemeListener.handOver(url, session.environment.folders)
        return .done
    }

    /// Finds the flow by the state of the redirect.
    private static func parseRemembered(_ session: Session) throws(Failure) -> Exit {
        let profile = try session.inputs.profile()
        guard let callback = try redirect(given: session.arguments) else {
            throw .usage("without a document, give the redirected URL, or --url-file")
        }
        let output = try session.output()
        let state = try lift(try callback.namedState())
        let remembered = try RememberedFlow.take(state, from: session.environment.folders)
        let input = try session.inputs.input(members, members: remembered, profile: profile)
        return try output.finish(try flow(of: input, redirect: callback, session.diagnostics))
    }

    /// Extracts the code from a redirect, after every check.
    ///
    /// - Parameter given: the redirect; nil if the document holds it.
    /// - Returns: the flow document with the code.
    /// - Throws: exit 4 for an error response, exit 9 for a redirect that fails a check.
    static func flow(
        of input: Input, redirect given: Callback? = nil, _ diagnostics: Diagnostics
    ) throws(Failure) -> JSONObject {
        let callback = if let given { given } else { try lift(try redirect(in: input.document)) }
        let response = try lift(try AuthorizationResponse(callback, for: input.document))
        try diagnostics.warn(response.warnings)
        return response.document(from: input.document.members)
    }

    /// The URL that a form was posted to.
    private static func url(of document: Document) throws(OAuthError) -> WebURL? {
        guard let text = try document.string("callback_url") else { return nil }
        guard let url = WebURL(text) else {
            throw document.invalid("callback_url", "is not an absolute URL")
        }
        return url
    }

    /// The redirect of the command line; nil if it has none.
    private static func redirect(given arguments: Arguments) throws(Failure) -> Callback? {
        guard let pasted = try text(given: arguments) else { return nil }
        return try lift(try Callback(pasted: pasted))
    }

    /// The redirected URL of the command line, unread; nil if it has none.
    private static func text(given arguments: Arguments) throws(Failure) -> String? {
        guard let path = arguments.value(urlFile) else { return arguments.operand(0) }
        guard arguments.operand(0) == nil else { throw .usage("give the URL or --url-file, not both") }
        guard let text = String(validating: try InputFile.read(path, limit: InputFile.textLimit), as: UTF8.self) else {
            throw Failure(.badInput, .parse, "\(path) is not UTF-8")
        }
        return text
    }

    /// The redirect that the document holds.
    private static func redirect(in document: Document) throws(OAuthError) -> Callback {
        guard let body = try document.string("callback_body") else {
            return try Callback(pasted: try document.required("callback_url"))
        }
        return .form(body: body, contentType: nil, url: try url(of: document))
    }

    /// The command.
    static let command = Command(
        "callback-parse", section: "Step by step", summary: "check the redirected URL and extract the code",
        description: description,
        operands: [
            Operand(
                "URL", isRequired: false, summary: "the redirected URL",
                details: """
                    The redirected URL: the URL to which the server redirected the browser. The operand can also be \
                    only the query or the fragment of this URL. Other processes can read operands, so scripts should \
                    use `--url-file` or `callback_url` instead.
                    """)
        ],
        options: members.map(\.option) + [urlFile, handOver] + GeneralOption.input + OutputOption.allAndStrict,
        examples: examples,
        seeAlso: [ManualReference("oap-authurl", 1), ManualReference("oap-exchange", 1)], run: run)

    private static let description = """
        After the login, the server redirects the browser to a URL with a code. This command reads the flow document \
        of the login, which `oap authurl` has made, from standard input. The command compares the redirected URL with \
        the flow document. If all checks succeed, the command prints the flow document with the `code`. If a check \
        fails, the command prints no code, and the exit status shows the reason.

        The command makes the checks in this order. Apart from the parameters that the server added, the redirected \
        URL must equal the `redirect_uri` of the flow document. The parameters must be in the place that the \
        `response_mode` names: in the query (the default), in the fragment, or in a form. No parameter may occur \
        twice. The parameter `state` must equal the `state` of the flow document. If the server sends the parameter \
        `iss` (RFC 9207), `iss` must equal the `issuer` of the flow document, or match the pattern in the \
        `id_token_issuer` of the flow document. The parameters must not contain an `error` or a token. The parameters \
        must contain a `code`.

        The redirected URL is the operand, the content of `--url-file`, or the `callback_url` of the flow document. If \
        the server returned the parameters in a form (`form_post`), the parameters are in the `callback_body` of the \
        flow document. `oap` ignores white space around the redirected URL. The printed document has all parameters \
        that `oap` does not know in the member `callback_params`.

        With `-n` or `-p`, the command does not read the flow document from standard input. The command uses a flow \
        document that `oap authurl --remember` has stored, and finds it by the `state` in the URL. The handler of a \
        custom URL scheme can therefore call `oap callback-parse -n "$1"`. A stored flow document expires after one \
        hour. A stored flow document can be used only once, even if the login fails. If the flow document has expired, \
        the command fails with `flow_expired` (exit status 8). If the flow document was used before, the command fails \
        with `flow_used` (exit status 9).
        """

    private static let examples = [
        Example(
            "Read the redirected URL from a file, so that no command has the code in its arguments.",
            command: """
                oap authurl < client.json > flow.json
                url=$(jq -r .authorization_url flow.json)
                curl -s -o page.html -w '%{redirect_url}' "$url" > redirect.txt
                oap callback-parse --url-file redirect.txt < flow.json |
                    oap exchange -o token.json
                """),
        Example(
            "Check a redirect with a forged `state`. The command fails with exit status 9.",
            command: """
                oap callback-parse '?code=x&state=forged' --jq .code < flow.json ||
                    echo "exit status $?"
                """, output: "exit status 9"),
        Example(
            "Pass the redirected URL as the operand.",
            command: """
                oap authurl < client.json > flow.json
                url=$(jq -r .authorization_url flow.json)
                redirect=$(curl -s -o page.html -w '%{redirect_url}' "$url")
                oap callback-parse "$redirect" < flow.json > code.json
                """),
    ]
}
