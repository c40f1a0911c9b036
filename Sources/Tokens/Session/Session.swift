package import CommandSpec
package import Engine
internal import Wire
package import Shell

/// One run of a command: its surroundings, and what every command reads from its command line.
package struct Session {
    package let environment: Environment
    package let world: World
    package let diagnostics: Diagnostics
    package let form: OutputForm
    package let inputs: InputReader
    package var transport: Transport
    package let engine: Engine
    package let prompt: LoginPrompt
    /// The records of all commands, for help and completion.
    package let program: () -> ProgramRecord

    /// Reads the options for the form of the result.
    ///
    /// - Throws: exit 2 for an invalid one, exit 11 for the file of `--har`.
    package init(
        arguments: Arguments, environment: Environment, world: World, interrupts: Engine.Interrupts,
        diagnostics: Diagnostics, program: @escaping () -> ProgramRecord
    ) throws(Failure) {
        (self.environment, self.world) = (environment, world)
        self.diagnostics = diagnostics
        form = try OutputForm(arguments, environment: environment)
        let transport = try Transport(TransportSettings(arguments), environment, world, diagnostics)
        engine = Engine(
            interrupts: interrupts,
            options: { () throws(HTTPError) in
                do throws(Failure) { return try transport.serverOptions() } catch { throw .library(error.message) }
            }, open: transport.open)
        let subject = try SubjectSettings(arguments) { StoredNames.both.names(in: environment, store: $0) }
        inputs = InputReader(subject, environment, world, diagnostics, engine)
        self.transport = transport
        prompt = LoginPrompt(arguments, environment, diagnostics)
        self.program = program
    }

    /// The writer of the result.
    ///
    /// - Parameters:
    ///   - replaces: whether the file of `-o` may exist.
    ///   - room: the bytes to reserve for the file.
    /// - Throws: exit 2 for a filter that does not compile, exit 11.
    package func output(replaces: Bool = true, room: Int = 0) throws(Failure) -> ResultWriter {
        try ResultWriter(form, diagnostics: diagnostics, replaces: replaces, room: room)
    }
}
