internal import CommandSpec
internal import Glibc

/// `oap help`: the long help, and the pages of the manual that are made of the same records.
enum HelpCommand {
    static let manualPages = Option(
        "man-pages", argument: "DIR", completes: .directories, section: "General",
        summary: "write the manual pages to a folder",
        details: """
            Writes `oap.1`, a page for each command, `oap-documents.5` and `oap-providers.7` into the folder, which must \
            exist.
            """)

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        if let folder = session.arguments.value(manualPages) {
            let program = session.program()
            let commands = program.commands.map { program.manualPage(of: $0) }
            try write([program.manualPage] + commands + topics.map(\.page), to: folder)
            return .done
        }
        let name = session.arguments.operand(0)
        if let topic = topics.first(where: { $0.name == name }) {
            try ByteSink.print(topic.page.plainText)
            return .done
        }
        let record = name.flatMap { session.program().command(named: $0) }
        if let name, record == nil { throw unknown(name, to: session.program()) }
        try ByteSink.print(session.program().longHelp(for: record))
        return .done
    }

    /// The pages that are about no command.
    private static let topics = [
        (name: "documents", page: DocumentsPage.page), (name: "providers", page: ProviderManual.page),
    ]

    /// The same words as for a command line that names no command.
    private static func unknown(_ name: String, to program: ProgramRecord) -> Failure {
        do throws(UsageError) {
            _ = try program.parse([name])
            preconditionFailure("the parser knows a command that the program does not")
        } catch {
            return Failure(error)
        }
    }

    private static func write(_ pages: [ManualPage], to folder: String) throws(Failure) {
        for page in pages {
            let file = try OutputFile(path: "\(folder)/\(page.name).\(page.section)")
            var sink = ByteSink(descriptor: file.descriptor, name: page.name)
            try sink.write(Array(page.mdoc.utf8))
            try sink.flush()
            fchmod(file.descriptor, 0o644)
            try file.commit()
        }
    }
}

extension HelpCommand {
    /// The command.
    static let command = Command(
        record: CommandRecord(
            "help", section: "Support", summary: "show everything about a command",
            description: description,
            operands: [
                Operand(
                    "COMMAND", isRequired: false, summary: "the command",
                    details: """
                        Without one, the program is shown. `documents` shows every member of every document, and \
                        `providers` the presets.
                        """)
            ],
            options: [manualPages], examples: examples, seeAlso: [ManualReference("oap", 1)]),
        writesErrorDocuments: false, run: run)

    private static let description = """
        Shows what the manual page of a command says: its description, its options with all details, its examples. \
        Without a command it shows the program's.
        """

    private static let examples = [
        Example("Everything about one command.", command: "oap help call"),
        Example(
            "The manual as files, for `man -l pages/oap-call.1`.", command: "mkdir pages && oap help --man-pages pages"),
    ]
}
