internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap run`: starts a command with a valid token in its environment.
enum RunCommand {
    static let section = "Command"
    static let env = Option(
        "env", argument: "NAME", isRepeatable: true, section: section, summary: "the variable that gets the token",
        details: "Sets this variable, such as `GH_TOKEN`, instead of `OAP_ACCESS_TOKEN`.")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let name = try session.inputs.name(session.arguments.operand(0))
        let words = session.arguments.trailing
        let variables = try variables(session.arguments)
        let minimum = try MinimumTTL.seconds(of: session.arguments)
        if let problem = ProgramSearch.obstacle(to: words[0]) { throw unexecuted(words[0], problem) }
        let managed = try ManagedToken(
            named: name, profile: try session.inputs.profiles.find(name), session.inputs, over: session.transport)
        let token = try managed.handed(minimum: minimum).access.token
        ChildVariables(added: variables.map { ($0, token) }).apply()
        throw unexecuted(words[0], ProgramSearch.become(words))
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
        return names
    }

    /// The failure for a command that cannot be executed.
    static func unexecuted(_ command: String, _ error: Errno) -> Failure {
        let exit: Exit = error == .noSuchFile ? .noCommand : .notExecutable
        return Failure(exit, .usage, "cannot execute \(Terminal.escaping(command)): \(error)")
    }

    /// The command.
    static let command = Command(
        "run", section: "Log in and use a token", summary: "run a command with a token in its environment",
        description: description,
        operands: [
            Operand(
                "NAME", isRequired: false, summary: "the token's name",
                details: "The name that the token is stored under."),
            Operand(
                "COMMAND", isRepeatable: true, followsDashes: true, summary: "the command and its arguments",
                details: "The program, looked up in `PATH`, and its arguments. No shell is between."),
        ],
        options: [env, GeneralOption.named, GeneralOption.store, MinimumTTL.option]
            + MemberOption.ofRenewal.map(\.option) + [OutputOption.strict] + GeneralOption.server,
        examples: examples,
        seeAlso: [ManualReference("oap-token", 1), ManualReference("oap-call", 1), ManualReference("env", 1)],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Gets the stored access token as `oap token` does, renewed first if little time is left, puts it into the \
        variable `OAP_ACCESS_TOKEN` and becomes the command: process, standard streams, signals and exit status are \
        those of the command. The token is valid when the command starts; it is not renewed later.

        Other variables are passed on, except those of `oap` that hold a secret or name a file or a program: \
        `OAP_CLIENT_SECRET`, `OAP_REFRESH_TOKEN`, `OAP_STORE_KEY_FILE` and each other `OAP_…_FILE` and \
        `OAP_…_COMMAND`.

        If the command is missing, the exit status is 127; if it cannot be executed, 126. Then no token is renewed.
        """

    private static let examples = [
        Example(
            "A program that knows nothing of `oap` gets its token from the variable that it reads.",
            command: "oap run work --env GH_TOKEN -- sh -c 'test -n \"$GH_TOKEN\" && echo logged in'",
            output: "logged in")
    ]
}
