internal import CommandSpec
internal import Shell
internal import Login
internal import Sessions

/// `oap listen`: flow → flow with `callback_url`, the browser's redirect.
enum ListenCommand {
    static let members = MemberOption.of("redirect_uri")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let settings = try ListenSettings(arguments)
        let input = try session.inputs.read(members)
        let output = try session.output()
        return try output.finish(
            try RedirectFlow.receive(of: input, by: settings, session: session) { (url, short) throws(Failure) in
                let tunnel = ListenTarget.tunnel(input.document, settings)
                session.prompt.show(url, short: short, redirectsHere: tunnel != nil)
                return try session.prompt.openBrowserIfAsked(at: url, isAwaited: true)
            }.flow)
    }

    static let command = Command(
        "listen", section: "Step by step", summary: "wait for the browser's redirect on this machine",
        options: ListenOption.all + members.map(\.option) + OutputOption.allAndStrict,
        rules: ListenOption.rules,
        run: run)
}
