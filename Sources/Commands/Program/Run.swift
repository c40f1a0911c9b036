internal import CommandSpec
package import Engine
internal import Glibc
internal import HTTP
internal import JOSE
internal import JQ
internal import Loopback
internal import Redaction
internal import System
internal import Wire
package import Shell
internal import Calling
internal import Sessions

/// The program from its arguments to its exit status.
package struct Run {
    private let environment: Environment
    private let world: World
    private let interrupts: Engine.Interrupts

    /// A run in other surroundings than those of a process.
    package init(in environment: Environment, _ world: World, interrupts: Engine.Interrupts = .none) {
        (self.environment, self.world, self.interrupts) = (environment, world, interrupts)
    }

    /// Runs the command that the process was started for.
    ///
    /// - Returns: the exit status.
    package static func main() -> Int32 {
        // Secrets are in memory: no core dump, no access by other processes of the user.
        ProcessMemory.hide()
        plugStandardDescriptors()
        // libcurl would write the keys of its connections to that file.
        unsetenv("SSLKEYLOGFILE")
        Signals.install()
        let run = Run(in: .process, .own, interrupts: Signals.interrupts)
        // Not UTF-8 with repairs: that would be another word.
        guard let words = ProcessWords.arguments({ String(validatingCString: $0) }) else {
            let failure = Failure.usage("an argument is not UTF-8")
            run.report(failure, command: nil, takesDocument: false)
            return failure.exit.rawValue
        }
        return run.status(of: words)
    }

    /// Runs the command of a command line.
    ///
    /// - Returns: the exit status.
    package func status(of words: [String]) -> Int32 {
        if words.isEmpty {
            let text = HelpText.text(on: 2, in: environment) { CommandTable.program().help(width: $0, emphasis: $1) }
            try? FileDescriptor.standardError.writeAll(Array(text.utf8))
            return Exit.usage.rawValue
        }
        do throws(UsageError) {
            return start(try Self.parse(words)).rawValue
        } catch {
            let command = error.command.flatMap { CommandTable.named($0) }
            var failure = Failure(error)
            switch error.reason {
            // curl's `-f URL`: the URL was taken for the option's value.
            case .missingOperand where words.contains(where: Self.endsInCurlsFail), .missingValue(option: "-f", _):
                failure.hint = CallFields.hint
            default: break
            }
            let redactor = Redactor()
            MistakenSecret.mask(refused: words, by: redactor)
            report(
                failure, command: command, takesDocument: !words.contains(where: Self.asksForForm),
                file: ErrorDocumentFile.path(in: words), redactor)
            return failure.exit.rawValue
        }
    }

    /// Reads the command line with the record of its command. Only the error for an invalid one needs all records.
    private static func parse(_ words: [String]) throws(UsageError) -> Arguments {
        if words == ["version"] { return try CommandTable.program(of: []).parse([GeneralOption.version.name]) }
        if let first = words.first, CommandTable.named(first) != nil,
            let arguments = try? CommandTable.program(of: [first]).parse(words)
        {
            return arguments
        }
        return try CommandTable.program().parse(words)
    }

    private func start(_ arguments: Arguments) -> Exit {
        let command = arguments.command.flatMap { CommandTable.named($0.name) }
        do throws(Failure) {
            if arguments.has(GeneralOption.help) {
                let program = CommandTable.program()
                try HelpText.show(isLong: false, in: environment) {
                    program.help(for: arguments.command, width: $0, emphasis: $1)
                }
                return .done
            }
            if arguments.has(GeneralOption.version) {
                try ByteSink.print(Self.versions)
                return .done
            }
            guard let command else { preconditionFailure("a command line without a command was not refused") }
            return run(command, with: arguments)
        } catch {
            report(error, command: command, takesDocument: false)
            return error.exit
        }
    }

    private func run(_ command: Command, with arguments: Arguments) -> Exit {
        var takesDocument = false
        let diagnostics = Diagnostics(
            command: command.record.name, isStrict: arguments.has(OutputOption.strict), redactor: Redactor(),
            in: environment)
        let mistaken = MistakenSecret(in: arguments, environment, diagnostics)
        do throws(Failure) {
            let session = try Session(
                arguments: arguments, environment: environment, world: world, interrupts: interrupts,
                diagnostics: diagnostics, program: { CommandTable.program() })
            if !session.inputs.isHelper { world.hearWaits(diagnostics.tellOnce) }
            let isSilent = try session.inputs.isKeptRefresh
            takesDocument = session.form.takesErrorDocuments && !isSilent
            defer { session.log?.end() }
            do throws(Failure) {
                return try command.run(session, arguments)
            } catch {
                // `--dry-run` shows the request in place of the result.
                guard let line = error.shown else { throw error }
                try ByteSink.print((Terminal.isTerminal(1) ? Terminal.escaping(line, keepingLines: true) : line) + "\n")
                return .done
            }
        } catch {
            report(
                mistaken.conceal(error), command: command, takesDocument: takesDocument,
                file: arguments.value(GeneralOption.errorDocument), diagnostics.redactor)
            return error.exit
        }
    }

    /// Prints the message, and the error document for the next stage of the pipe and for the file of `--error-document`.
    private func report(
        _ failure: Failure, command: Command?, takesDocument: Bool, file: String? = nil,
        _ redactor: Redactor = Redactor()
    ) {
        let diagnostics = Diagnostics(
            command: command?.record.name, isStrict: false, redactor: redactor, in: environment)
        if failure.earlier == nil { diagnostics.tell(failure) }
        let document = failure.earlier ?? failure.document(stage: command?.record.name ?? "oap", redactor)
        if let file { ErrorDocumentFile.write(document, to: file, diagnostics) }
        guard let command, command.writesErrorDocuments, takesDocument, !Terminal.isTerminal(1) else { return }
        do throws(Failure) {
            try ByteSink.print(JSON.object(document).text + "\n")
        } catch {
            diagnostics.tell(error)
        }
    }

    /// Whether a word is `-f`, or letters that end with it.
    private static func endsInCurlsFail(_ word: String) -> Bool {
        word.hasPrefix("-") && !word.hasPrefix("--") && word.hasSuffix("f")
    }

    /// Whether a word of an invalid command line asks for a filter or a file.
    private static func asksForForm(_ word: String) -> Bool {
        if word.hasPrefix("--") { return word.hasPrefix("--jq") || word.hasPrefix("--output") }
        return word.hasPrefix("-") && word.contains { $0 == "q" || $0 == "o" }
    }

    /// Opens closed standard descriptors, so that no file or socket takes their numbers. Each use of them fails.
    private static func plugStandardDescriptors() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    private static var versions: String {
        let libraries = [HTTPLibrary.version, JQLibrary.version, CryptoLibrary.version, LoopbackLibrary.version]
        return "oap \(Version.text)\n" + libraries.compactMap(\.self).map { "\($0)\n" }.joined()
    }
}

enum ErrorDocumentFile {
    /// Writes an error document. A file that cannot be written is reported; the failure stays the one that it was.
    static func write(_ document: JSONObject, to path: String, _ diagnostics: Diagnostics) {
        guard !path.isEmpty else { return diagnostics.tell("--error-document needs the name of a file") }
        do throws(Failure) {
            let file = try OutputFile(path: path)
            let sink = ByteSink(descriptor: file.descriptor, name: path)
            try sink.write(JSON.object(document).bytes + [0x0A])
            try sink.flush()
            try file.commit()
        } catch {
            diagnostics.tell("cannot write the error document: \(error.message)")
        }
    }

    /// The path on a command line that is invalid elsewhere, as far as the words before `--` tell.
    static func path(in words: [String]) -> String? {
        let name = GeneralOption.errorDocument.name
        let options = words.prefix { $0 != "--" }
        guard let place = options.lastIndex(where: { $0 == name || $0.hasPrefix("\(name)=") }) else { return nil }
        guard options[place] == name else { return String(options[place].dropFirst(name.count + 1)) }
        return options.indices.contains(place + 1) ? options[place + 1] : nil
    }
}
