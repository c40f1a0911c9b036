internal import CommandSpec
internal import OAuth
internal import Shell
internal import Login
internal import Sessions

/// `oap end-session`: the URL that logs a person out at the server (OpenID Connect RP-Initiated Logout).
enum EndSessionCommand {
    static let redirect = Option(
        "post-logout-redirect-uri", argument: "URI", section: "Request",
        summary: "where the browser goes after the logout")
    static let state = Option(
        "state", argument: "TEXT", section: "Request", summary: "what the redirect after the logout brings back")
    static let hint = Option("logout-hint", argument: "HINT", section: "Request", summary: "who is logged out")

    static let members = MemberOption.of("client_id", "issuer", "end_session_endpoint", "ui_locales")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        var input = try Subject(of: session, members).input
        let output = try session.output()
        input = try session.engine.run(input.completed(needing: ["end_session_endpoint"], over: session.transport))
        if let token = input.document.members["id_token"]?.string { session.diagnostics.redactor.add(token) }
        let registered = try asFailure(input.document.strings("post_logout_redirect_uris"))
        let values: [(String, String?)] = [
            ("post_logout_redirect_uri", arguments.value(redirect) ?? (registered.count == 1 ? registered[0] : nil)),
            ("state", arguments.value(state)), ("logout_hint", arguments.value(Self.hint)),
            ("ui_locales", try asFailure(input.document.string("ui_locales"))),
        ]
        let parameters = values.compactMap { name, value in value.map { (name: name, value: $0) } }
        let url = try asFailure(EndSession(of: input.document, parameters: parameters)).url
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

    static let command = Command(
        "end-session", section: "Step by step", summary: "make the URL that logs a user out at the server",
        options: [redirect, state, hint, ListenOption.open] + members.map(\.option) + GeneralOption.tokenInput
            + OutputOption.all + GeneralOption.server,
        writesErrorDocuments: false, run: run)
}
