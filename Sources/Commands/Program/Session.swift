internal import CommandSpec
internal import Redaction

/// One run of one command: its command line, its surroundings, and what it reads, writes and connects with.
struct Session {
    /// The command line.
    let arguments: Arguments
    /// The variables.
    let environment: Environment
    /// Where messages go.
    let diagnostics: Diagnostics
    /// What the options say of the result.
    let form: OutputForm
    /// The documents that it reads.
    let inputs: InputReader
    /// The connections to servers.
    let transport: Transport
    /// The records of all commands, for help and completion.
    let program: () -> ProgramRecord

    /// A run of a command.
    ///
    /// - Throws: exit 2 for an option of the result that makes no sense.
    init(
        arguments: Arguments, environment: Environment, diagnostics: Diagnostics,
        program: @escaping () -> ProgramRecord
    ) throws(Failure) {
        self.arguments = arguments
        self.environment = environment
        self.diagnostics = diagnostics
        form = try OutputForm(arguments, environment: environment)
        inputs = InputReader(arguments, environment, diagnostics)
        transport = Transport(arguments, environment, diagnostics)
        self.program = program
    }

    /// Makes the way out ready.
    ///
    /// - Parameter replaces: whether the file of `-o` may be there already.
    /// - Throws: exit 2 for a filter that does not compile, exit 11.
    func output(replaces: Bool = true) throws(Failure) -> ResultWriter {
        try ResultWriter(form, diagnostics: diagnostics, replaces: replaces)
    }
}
