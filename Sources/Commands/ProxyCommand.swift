internal import CommandSpec
internal import Proxying
internal import Sessions
internal import Shell
internal import System
internal import Tokens

/// `oap proxy`: lets programs use a token that they never have.
enum ProxyCommand {
    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (settings, words) = (try ProxySettings(arguments), arguments.trailing)
        let names = arguments.operands.isEmpty ? [try session.inputs.name()] : arguments.operands
        if arguments.has(ProxySettings.stdio) {
            guard names.count == 1, words.isEmpty else { throw .usage("--stdio takes one name, and no command") }
            try MCPBridge(names[0], session, arguments).run()
            return .done
        }
        guard let command = words.first else {
            let proxy = try Proxy(names, settings, session, isLogged: true)
            _ = try session.output().finish(proxy.description)
            proxy.run(holding: session.world.hold(.requests))
            return .done
        }
        if let problem = ProgramSearch.obstacle(to: command) { throw .unexecuted(command, problem) }
        let proxy = try Proxy(names, settings, session, isLogged: false)
        let child = try ChildRun(words, variables: ChildVariables(added: proxy.variables).all, masking: nil)
        session.engine.add(child)
        proxy.run { child.ending != nil }
        // Where its time is over before the command is.
        while true { if let ending = child.wait(until: nil, session.engine) { ending.end() } }
    }

    static let command = Command(
        "proxy", section: "Log in and use a token", summary: "let programs use a token that they never have",
        operands: [
            Operand(
                "NAME", isRequired: false, isRepeatable: true, completes: StoredNames.tokens.completion,
                summary: "the name of a token"),
            Operand(
                "COMMAND", isRequired: false, isRepeatable: true, followsDashes: true, completes: .program,
                summary: "a command that gets the address of the proxy"),
        ],
        options: ProxySettings.options + ProxySettings.members.map(\.option) + [
            GeneralOption.named, GeneralOption.store, GeneralOption.storeTrust, GeneralOption.minimumTTL,
        ]
            + DerivedTokenOption.all + MemberOption.ofRenewal.map(\.option) + OutputOption.all + RetryOption.all
            + GeneralOption.server,
        rules: ProxySettings.rules,
        writesErrorDocuments: false, run: run)
}
