internal import CommandSpec
internal import OAuth
internal import System
internal import Shell
internal import Tokens
internal import Sessions

/// `oap run`: starts a command with a valid token in its environment.
enum RunCommand {
    static let section = "Command"
    static let env = Option(
        "env", argument: "NAME", isRepeatable: true, section: section, summary: "the variable that gets the token")
    static let keepFresh = Option("keep-fresh", section: section, summary: "keep a file with the token fresh")
    static let mask = Option("mask", section: section, summary: "mask the token in what the command prints")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (words, variables) = (arguments.trailing, try Self.variables(arguments.values(env)))
        let (keepsFresh, masks) = (arguments.has(keepFresh), arguments.has(mask))
        let minimum = session.inputs.settings.minimum
        if let problem = ProgramSearch.obstacle(to: words[0]) { throw .unexecuted(words[0], problem) }
        let managed = try session.login(try session.inputs.name()).deriving(session.inputs.settings.part)
        if keepsFresh || masks {
            let keeper = try session.engine.run(
                keepsFresh
                    ? TokenKeeper.awaited(managed, minimum: minimum, session.diagnostics)
                    : TokenKeeper.begun(managed, minimum: minimum, session.diagnostics))
            try ending(of: words, variables, keepsFresh: keepsFresh, masks: masks, keeper, session).end()
        }
        let token = try session.engine.run(managed.handed(minimum: minimum)).access.token
        try MaskLine.detected(in: session.environment)?.mask([token])
        ChildVariables(added: variables.map { ($0, token) }).apply()
        Signals.restore()
        throw .unexecuted(words[0], ProgramSearch.become(words))
    }

    /// Runs the command as a child process.
    ///
    /// - Throws: exit 126 or 127 if it cannot be executed, exit 11.
    private static func ending(
        of words: [String], _ variables: [String], keepsFresh: Bool, masks: Bool, _ keeper: TokenKeeper,
        _ session: Session
    ) throws(Failure) -> Subprocess.Change {
        let maskLine = try MaskLine.detected(in: session.environment)
        try maskLine?.mask([keeper.token.access.token])
        var added = variables.map { (name: $0, value: keeper.token.access.token) }
        let file = keepsFresh ? try TokenFile(session.environment, session.form.access) : nil
        try file?.write(keeper.token.access.token)
        // The second is what WLCG Bearer Token Discovery looks for.
        if let path = file?.path { added += ["OAP_TOKEN_FILE", "BEARER_TOKEN_FILE"].map { ($0, path) } }
        let child = try ChildRun(
            words, variables: ChildVariables(added: added).all, masking: masks ? session.diagnostics.redactor : nil)
        return try session.engine.listening(child) { () throws(Failure) in
            while true {
                if let ending = child.wait(until: keepsFresh ? keeper.next : nil, session.engine) { return ending }
                // The command goes on meanwhile, and its output is passed on.
                guard session.engine.run(keeper.renewal()) else { continue }
                do throws(Failure) {
                    try maskLine?.mask([keeper.token.access.token])
                    try file?.write(keeper.token.access.token)
                } catch {
                    session.diagnostics.tell(error)
                }
            }
        }
    }

    /// The variables that get the token.
    ///
    /// - Throws: exit 2 for text that is no name of a variable.
    private static func variables(_ names: [String]) throws(Failure) -> [String] {
        guard !names.isEmpty else { return [Member.variable(for: "access_token")] }
        for name in names { try ChildVariables.check(name, of: env) }
        return names
    }

    static let command = Command(
        "run", section: "Log in and use a token", summary: "run a command with a token in its environment",
        operands: [
            GeneralOption.tokenOperand,
            Operand(
                "COMMAND", isRepeatable: true, followsDashes: true, completes: .program,
                summary: "the command and its arguments"),
        ],
        options: [env, keepFresh, mask] + FileAccess.all + [
            GeneralOption.named, GeneralOption.store, GeneralOption.storeTrust, GeneralOption.minimumTTL,
        ]
            + DerivedTokenOption.all + MemberOption.ofRenewal.map(\.option) + [OutputOption.strict]
            + RetryOption.all + GeneralOption.server,
        rules: [.needs(FileAccess.all, anyOf: [keepFresh])],
        writesErrorDocuments: false, run: run)
}
