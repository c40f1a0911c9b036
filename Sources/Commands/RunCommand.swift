internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap run`: starts a command with a valid token in its environment.
enum RunCommand {
    static let section = "Command"
    static let env = Option(
        "env", argument: "NAME", isRepeatable: true, section: section, summary: "the variable that gets the token",
        details: """
            Puts the token into this environment variable, such as `GH_TOKEN`, instead of into `OAP_ACCESS_TOKEN`. \
            `oap` refuses variables that the system uses to find or start programs, such as `PATH` and `LD_PRELOAD`.
            """)
    static let keepFresh = Option(
        "keep-fresh", section: section, summary: "keep a file with the token fresh",
        details: """
            Runs the command as a child process, and keeps a valid token in a file. The variable `OAP_TOKEN_FILE` \
            contains the path of this file. The file contains the token and nothing else. Before the token expires \
            (`--min-ttl`), `oap` renews the token and replaces the file. If a renewal fails, a message names the \
            reason, and `oap` tries again later. The file has mode 0600 and is in a private folder in \
            `$XDG_RUNTIME_DIR`, `$TMPDIR` or `/tmp`. When the command ends, `oap` removes the file and the folder.
            """)
    static let mask = Option(
        "mask", section: section, summary: "mask the token in what the command prints",
        details: """
            Runs the command as a child process. In the standard output and standard error of the command, `oap` \
            replaces the token by `***`. `oap` also replaces the token if it is percent-encoded, in JSON escapes or in \
            Base64. The standard output and standard error of the command are pipes, even if `oap run` writes to a \
            terminal.
            """)

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let name = try session.inputs.name(session.arguments.operand(0))
        let words = session.arguments.trailing
        let variables = try variables(session.arguments)
        let minimum = try MinimumTTL.seconds(of: session.arguments)
        if let problem = ProgramSearch.obstacle(to: words[0]) { throw unexecuted(words[0], problem) }
        let managed = try ManagedToken(
            named: name, profile: try session.inputs.profiles.find(name), session.inputs, over: session.transport
        ).deriving(try DerivedTokenOption.token(of: session.arguments))
        if session.arguments.has(keepFresh) || session.arguments.has(mask) {
            let keeper = try session.engine.run(TokenKeeper.begun(managed, minimum: minimum, session.diagnostics))
            try ending(of: words, variables, keeper, session).end()
        }
        let token = try session.engine.run(managed.handed(minimum: minimum)).access.token
        ChildVariables(added: variables.map { ($0, token) }).apply()
        throw unexecuted(words[0], ProgramSearch.become(words))
    }

    /// Runs the command as a child process.
    ///
    /// - Throws: exit 126 or 127 if it cannot be executed, exit 11.
    private static func ending(
        of words: [String], _ variables: [String], _ keeper: TokenKeeper, _ session: Session
    ) throws(Failure) -> ChildRun.Ending {
        var added = variables.map { (name: $0, value: keeper.token.access.token) }
        guard session.arguments.has(keepFresh) else {
            let child = try ChildRun(
                words, variables: ChildVariables(added: added).all, masking: session.diagnostics.redactor)
            return try session.engine.listening(child) { () throws(Failure) in
                while true { if let ending = child.wait(until: nil, session.engine) { return ending } }
            }
        }
        let file = try TokenFile(session.environment)
        try file.write(keeper.token.access.token)
        added.append(("OAP_TOKEN_FILE", file.path))
        let child = try ChildRun(
            words, variables: ChildVariables(added: added).all,
            masking: session.arguments.has(mask) ? session.diagnostics.redactor : nil)
        return try session.engine.listening(child) { () throws(Failure) in
            while true {
                if let ending = child.wait(until: keeper.next, session.engine) { return ending }
                // The command goes on meanwhile, and its output is passed on.
                guard session.engine.run(keeper.renewal()) else { continue }
                do throws(Failure) { try file.write(keeper.token.access.token) } catch {
                    session.diagnostics.tell(error)
                }
            }
        }
    }

    /// The variables that get the token.
    ///
    /// - Throws: exit 2 for text that is no name of a variable.
    private static func variables(_ arguments: Arguments) throws(Failure) -> [String] {
        guard arguments.has(env) else { return [Member.variable(for: "access_token")] }
        let names = arguments.values(env)
        let isName = { (name: String) in
            name.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
                && name.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
        }
        guard names.allSatisfy(isName) else {
            throw .usage("--env takes the name of a variable: letters, digits and _, no digit first")
        }
        if let name = names.first(where: { isOfSystem($0) }) {
            throw .usage("--env cannot name \(name): this variable decides which programs are started")
        }
        return names
    }

    /// Whether the loader, a shell or an interpreter finds by the variable what it executes.
    private static func isOfSystem(_ name: String) -> Bool {
        let names: Set = ["PATH", "HOME", "SHELL", "IFS", "ENV", "BASH_ENV", "PYTHONPATH", "PERL5LIB", "NODE_OPTIONS"]
        return name.hasPrefix("LD_") || names.contains(name)
    }

    /// The failure for a command that cannot be executed.
    static func unexecuted(_ command: String, _ error: Errno) -> Failure {
        let name = Terminal.escaping(command)
        if error == .noSuchFile, command.contains("/"), (try? FileStatus(at: command)) != nil {
            return Failure(
                .notExecutable, .usage, "cannot execute \(name): its interpreter is missing",
                hint: "the first line of \(name) names the interpreter")
        }
        let exit: Exit = error == .noSuchFile ? .noCommand : .notExecutable
        return Failure(exit, .usage, "cannot execute \(name): \(error)")
    }

    /// The command.
    static let command = Command(
        "run", section: "Log in and use a token", summary: "run a command with a token in its environment",
        description: description,
        operands: [
            Operand(
                "NAME", isRequired: false, completes: StoredNames.tokens.completion,
                summary: "the token's name",
                details: "The name that the token is stored under."),
            Operand(
                "COMMAND", isRepeatable: true, followsDashes: true, completes: .program,
                summary: "the command and its arguments",
                details: """
                    The program and its arguments. `oap` looks for the program in `PATH`, and starts it without a shell.
                    """),
        ],
        options: [env, keepFresh, mask, GeneralOption.named, GeneralOption.store, MinimumTTL.option]
            + DerivedTokenOption.all + MemberOption.ofRenewal.map(\.option) + [OutputOption.strict]
            + GeneralOption.server,
        examples: examples,
        seeAlso: [ManualReference("oap-token", 1), ManualReference("oap-call", 1), ManualReference("env", 1)],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Runs a command. The environment variable `OAP_ACCESS_TOKEN` of the command contains the access token that is \
        stored under NAME. If the token expires soon, `oap` renews the token first, in the same way as `oap token`. \
        The command replaces `oap` in the same process (exec). For this reason, the command has the standard streams \
        of `oap`, and gets all signals. `oap run` ends with the exit status of the command. The token is valid when \
        the command starts. `oap` renews the token later only if `--keep-fresh` is given.

        With `--scope`, `--resource`, `--audience` or `--exchange`, the command gets a derived token: another access \
        token of the same login, for example with less scope (`oap-token(1)`).

        With `--keep-fresh` or `--mask`, the command is a child process of `oap`. `oap` passes signals on to the \
        command. If the command is suspended, as by Ctrl-Z, `oap` is suspended too, and both continue together. `oap` \
        ends with the exit status of the command, or with the signal that ended the command.

        The command gets all environment variables of `oap`, with two exceptions. `oap` removes its own variables for \
        secrets, such as `OAP_CLIENT_SECRET` and `OAP_REFRESH_TOKEN`. `oap` also removes every variable with a name \
        such as `OAP_…_FILE` or `OAP_…_COMMAND`, for example `OAP_STORE_KEY_FILE`. The command has the variable \
        `OAP_TOKEN_FILE` only with `--keep-fresh`.

        If the command does not exist, the exit status is 127. If the command cannot be executed, the exit status is \
        126. Before `oap` renews the token, it checks that the command can be executed.
        """

    private static let examples = [
        Example(
            "Run a program that reads its token from the variable `GH_TOKEN`.",
            command: "oap run work --env GH_TOKEN -- sh -c 'test -n \"$GH_TOKEN\" && echo logged in'",
            output: "logged in"),
        Example(
            """
            Run a command that takes longer than a token is valid. The command reads the token from the file before \
            each request.
            """,
            command: """
                oap run work --keep-fresh -- sh -c '
                    printf "Authorization: Bearer %s\\n" "$(cat "$OAP_TOKEN_FILE")" |
                        curl -fsS -H @- "$OAP_API_BASE/user"' | jq -r .login
                """, output: "ada"),
        Example(
            "Mask the token in the log of a CI job.",
            command: #"oap run work --mask -- sh -c 'echo "$OAP_ACCESS_TOKEN"'"#),
    ]
}
