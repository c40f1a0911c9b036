package import CommandSpec
package import Engine
package import HTTP
package import Shell
package import Tokens

/// One run of a command: its surroundings, and what every command reads from its command line.
package struct Session {
    package let environment: Environment
    package let world: World
    package let diagnostics: Diagnostics
    package let form: OutputForm
    package let inputs: InputReader
    package var transport: Transport
    package let engine: Engine
    private let carriage: Carriage
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
        let wishes = try TransportSettings(arguments)
        carriage = try Carriage(wishes, environment, diagnostics)
        engine = Engine(
            interrupts: interrupts, skipping: world.skipped, options: carriage.serverOptions, open: carriage.open)
        let carrier = carriage.carrier(by: engine)
        let log = UseLog(environment, world, diagnostics)
        transport = Transport(wishes, environment, world, diagnostics, carrier, log: log)
        let subject = try SubjectSettings(arguments) { StoredNames.both.names(in: environment, store: $0) }
        inputs = InputReader(subject, environment, world, diagnostics, carrier)
        inputs.fetch(by: AssertionSources(inputs, over: transport).value)
        if log != nil, case .name(let name)? = try? inputs.source() { transport = transport.logging(as: name) }
        prompt = LoginPrompt(arguments, environment, diagnostics)
        self.program = program
    }

    /// Where uses of tokens are noted; nil for nowhere.
    package var log: UseLog? { transport.log }

    /// The writer of the result.
    ///
    /// - Parameters:
    ///   - replaces: whether the file of `-o` may exist.
    ///   - room: the bytes to reserve for the file.
    /// - Throws: exit 2 for a filter that does not compile, exit 11.
    package func output(replaces: Bool = true, room: Int = 0) throws(Failure) -> ResultWriter {
        try ResultWriter(form, diagnostics: diagnostics, replaces: replaces, room: room)
    }

    /// How to reach an API: without a time limit by default.
    ///
    /// - Throws: exit 2 for an option of the transport.
    package func apiOptions(of transport: Transport) throws(Failure) -> TransportOptions {
        try carriage.options(along: transport.ownRoute, maximumTime: nil)
    }
}
