import Foundation

/// A program to run: its arguments, what it finds on standard input and in the environment, where its output goes.
///
/// It is started without a shell, in a session of its own (so it has no terminal unless it is given one), with a clean
/// environment: `PATH`, a `HOME` that is removed with the run, and what `environment` adds.
package struct Program: Sendable {
    /// What the program finds on standard input.
    package enum Input: Sendable {
        /// A pipe with these bytes, then its end.
        case bytes([UInt8])
        /// `/dev/null`.
        case none
        /// No file descriptor 0.
        case closed
        /// A pipe that stays open: a program that reads it waits until ``RunningProgram/closeInput()``.
        case open
        /// A terminal, the program's `/dev/tty`, at which the test may type: ``RunningProgram/write(_:)``.
        case terminal
        /// The file at this path.
        case file(String)

        /// A pipe with this text, then its end.
        package static func text(_ text: String) -> Input { .bytes(Array(text.utf8)) }
    }

    /// Where standard output goes.
    package enum Output: Sendable {
        /// Into ``ProgramResult/output``.
        case collected
        /// No file descriptor 1.
        case closed
        /// A pipe that nobody reads: writing is SIGPIPE.
        case broken
        /// A terminal, and from there into ``ProgramResult/output`` with its line ends (CR LF).
        case terminal
        /// The file at this path, which is there, for example `/dev/full`.
        case file(String)
    }

    /// The path of the executable file.
    package var path: String
    /// The arguments after the program's name.
    package var arguments: [String]
    /// What it finds on standard input.
    package var input = Input.none
    /// Where its standard output goes.
    package var output = Output.collected
    /// Added to the clean environment.
    package var environment: [String: String] = [:]
    /// The directory it starts in, in place of the test's own.
    package var directory: String?
    /// Whether it starts with SIGPIPE ignored, as under some supervisors.
    package var ignoresBrokenPipes = false
    /// How long a test waits for its end, or for a line of it, before it is killed; only what hangs ever meets it.
    package var deadline = Duration.seconds(60)

    /// A program by the path of its executable file.
    package init(path: String, arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
    }

    /// The built `oap`.
    package static func oap(
        _ arguments: [String], input: Input = .none, environment: [String: String] = [:]
    ) -> Program {
        var program = Program(path: oapPath, arguments: arguments)
        program.input = input
        program.environment = environment
        return program
    }

    /// The built `oap-sandbox`.
    package static func sandbox(_ arguments: [String], environment: [String: String] = [:]) -> Program {
        var program = Program(path: sandboxPath, arguments: arguments)
        program.environment = environment
        return program
    }

    /// A shell script with the built `oap` on its `PATH`; bash, where the script needs no other shell.
    package static func shell(
        _ script: String, shell: String = "/bin/bash", input: Input = .none, environment: [String: String] = [:]
    ) -> Program {
        var program = Program(path: shell, arguments: ["-c", script])
        program.input = input
        program.environment = environment
        return program
    }

    /// The path of the built `oap`: beside the test bundle, where `swift test` builds it too, or where `OAP_BIN` says.
    package static let oapPath: String = {
        if let path = ProcessInfo.processInfo.environment["OAP_BIN"] { return path }
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appendingPathComponent("oap").path
    }()

    /// The path of the built `oap-sandbox`: beside `oap`.
    package static let sandboxPath = URL(fileURLWithPath: oapPath).deletingLastPathComponent()
        .appendingPathComponent("oap-sandbox").path

    /// Runs a command line of `oap` in this process; see the trait `inProcess`.
    ///
    /// - Returns: the exit status.
    package typealias Player = @Sendable (_ words: [String], _ environment: [String: String]) -> Int32

    /// What runs `oap` in the place of a process of its own; nil for nothing.
    @TaskLocal package static var player: Player?

    /// Starts the program.
    ///
    /// - Throws: ``POSIXError`` when it cannot be started, ``MissingProgram`` when it is one of the package and not built.
    package func start() throws -> RunningProgram {
        let isOwn = path == Self.oapPath && Self.player == nil || path == Self.sandboxPath
        if isOwn, access(path, X_OK) != 0 { throw MissingProgram(path: path) }
        return try RunningProgram(self)
    }

    /// Runs the program to its end.
    ///
    /// - Throws: what ``start()`` throws, ``ProgramFailure`` when it meets its deadline.
    package func run() throws -> ProgramResult { try start().finish() }
}

/// A program of the package that a test drives and nobody has built.
package struct MissingProgram: Error, CustomStringConvertible {
    /// Where it was looked for.
    package let path: String

    package var description: String {
        "\(path) is not built: use Tests/run.sh, or `swift build`, or set OAP_BIN to an oap beside its oap-sandbox"
    }
}
