internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap end-session`: the URL that logs a person out at the server (OpenID Connect RP-Initiated Logout).
enum EndSessionCommand {
    static let redirect = parameter(
        "post-logout-redirect-uri", argument: "URI", summary: "where the browser goes after the logout",
        details: """
            The URI to which the server sends the browser after the logout. The URI must be registered for the client. \
            If `post_logout_redirect_uris` in the document has exactly one element, this element is the default.
            """)
    static let state = parameter(
        "state", argument: "TEXT", summary: "what the redirect after the logout brings back",
        details: "A text that the server adds to the redirect URI after the logout, as the parameter `state`.")
    static let hint = parameter(
        "logout-hint", argument: "HINT", summary: "who is logged out",
        details: """
            The name of the user who logs out, in a form that the server knows, for example the `login_hint` of the \
            login.
            """)
    private static func parameter(_ name: String, argument: String, summary: String, details: String) -> Option {
        Option(name, argument: argument, section: "Request", summary: summary, details: details)
    }

    /// The members that its options set.
    static let members = MemberOption.of("client_id", "issuer", "end_session_endpoint", "ui_locales")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let arguments = session.arguments
        var input: Input
        if let managed = try ManagedToken(session.inputs, over: session.transport) {
            input = try managed.input(members, members: session.engine.run(managed.load()))
        } else {
            input = try session.inputs.read(members)
        }
        let output = try session.output()
        input = try session.engine.run(input.completed(needing: ["end_session_endpoint"], over: session.transport))
        if let token = input.document.members["id_token"]?.string { session.diagnostics.redactor.add(token) }
        let registered = try lift(try input.document.strings("post_logout_redirect_uris"))
        let values: [(String, String?)] = [
            ("post_logout_redirect_uri", arguments.value(redirect) ?? (registered.count == 1 ? registered[0] : nil)),
            ("state", arguments.value(state)), ("logout_hint", arguments.value(hint)),
            ("ui_locales", try lift(try input.document.string("ui_locales"))),
        ]
        let parameters = values.compactMap { name, value in value.map { (name: name, value: $0) } }
        let url = try lift(try EndSession(of: input.document, parameters: parameters)).url
        guard arguments.has(ListenOption.open) else {
            guard session.form.isShaped else { return try output.finish(line: url.text) }
            return try output.finish(["end_session_url": .string(url.text)])
        }
        let hint = "without --open, oap end-session prints the URL for another browser"
        let address = try PrivateAddress(leadingTo: url, session.engine)
        guard let browser = try session.prompt.openBrowser(at: address.url, hint: hint) else {
            throw Failure(.unavailable, .cancelled, "no browser was opened")
        }
        try address.wait(for: browser)
        session.diagnostics.tell("the browser was sent to \(url.origin)\(url.path)")
        return .done
    }

    /// The command.
    static let command = Command(
        "end-session", section: "Step by step", summary: "make the URL that logs a user out at the server",
        description: """
            Reads a token document, and prints a URL that logs the user out at the server (OpenID Connect RP-Initiated \
            Logout). When a browser opens the URL, the server ends the session of the user. The URL consists of the \
            `end_session_endpoint` and parameters. If the document has no `end_session_endpoint`, `oap` takes this \
            endpoint from the metadata of the `issuer`. The tokens of the user stay valid. To revoke and delete the \
            tokens, use `oap logout`.

            The URL contains the `id_token` of the document. The ID token tells the server which user to log out, so \
            the URL is personal data. With `--open`, the command opens the URL in a browser, and does not print the \
            URL. Other programs on this machine can see the arguments of the browser. For this reason, the argument is \
            not the URL, but an address on this machine that works only once. This address redirects the browser to \
            the URL.

            With `--jq`, `--pretty` or `-c`, the result is not the bare URL but an object with the member \
            `end_session_url`.
            """,
        options: [redirect, state, hint, ListenOption.open] + members.map(\.option) + GeneralOption.tokenInput
            + OutputOption.all + GeneralOption.server,
        examples: [
            Example("Write the URL to a file, for another program.", command: "oap end-session work > url.txt"),
            Example(
                "Log the user out in the browser, then revoke and delete the stored token.",
                command: "oap end-session work --open && oap logout work"),
            Example(
                "Print a URL that sends the browser to a page of the application after the logout.",
                command: """
                    oap end-session --post-logout-redirect-uri https://app.example/bye < token.json
                    """),
        ],
        seeAlso: [ManualReference("oap-logout", 1), ManualReference("oap-login", 1)],
        writesErrorDocuments: false, run: run)
}
