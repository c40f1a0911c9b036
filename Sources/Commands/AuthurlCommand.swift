internal import CommandSpec
internal import OAuth
internal import Wire
internal import Shell
internal import Login
internal import Sessions

/// `oap authurl`: client → flow, with the authorization request.
enum AuthurlCommand {
    static let remember = Option("remember", section: "Request", summary: "store the flow for callback-parse -n")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (settings, remembers) = (try AuthorizationFlow.Settings(arguments), arguments.has(remember))
        let input = try session.inputs.read(MemberOption.identity + MemberOption.requestMembers)
        // The exchange would refuse the client after the user has logged in.
        _ = try asFailure(ClientCredential(of: input.document, isNamed: false))
        let output = try session.output()
        let isPushed = try settings.pushes(input.document)
        guard isPushed || !session.transport.isDryRun else {
            throw .usage("without \(AuthorizationFlow.push.name), authurl sends no request that --dry-run could show")
        }
        let flow = try AuthorizationFlow.begin(of: input, by: settings, session: session)
        // The push of the request may have completed the document.
        try LoginPlaces.told(of: input.with(flow).document, for: .redirect, session)
        try session.diagnostics.warn(AuthorizationRequest.obstacles(after: input.document))
        if remembers { try RememberedFlow.keep(flow, of: session) }
        let exit = try output.finish(flow)
        if let address = flow["authorization_url"]?.string.flatMap({ WebURL($0) }) {
            try session.prompt.openBrowserIfAsked(at: address)
        }
        return exit
    }

    static let command = Command(
        "authurl", section: "Step by step", summary: "make the login URL (authorization request)",
        options: (MemberOption.identity + MemberOption.requestMembers).map(\.option) + TokenParameterOption.all
            + AuthorizationFlow.options + [remember, ListenOption.open, ListenOption.ephemeral] + GeneralOption.input
            + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun],
        refused: ForeignNames.options("authorization request"), run: run)
}
