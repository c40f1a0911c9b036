internal import CommandSpec
internal import Glibc

/// `oap help`: the long help, and the manual pages, generated from the same records.
enum HelpCommand {
    static let manualPages = Option(
        "man-pages", argument: "DIR", completes: .directories, section: "General",
        summary: "write the manual pages to a folder",
        details: """
            Writes `oap.1`, a page for each command, `oap-documents.5` and `oap-providers.7` into the folder, which \
            must exist.
            """)

    private static func run(_ session: Session) throws(Failure) -> Exit {
        if let folder = session.arguments.value(manualPages) {
            let program = session.program()
            let problems = program.validate()
            precondition(problems.isEmpty, "the records of the commands are invalid: \(problems)")
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

    /// The pages that do not describe a command.
    private static let topics = [
        (name: "documents", page: DocumentsPage.page), (name: "providers", page: ProviderManual.page),
    ]

    /// The same error as for a command line with an unknown command.
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

    /// The command.
    static let command = Command(
        "help", section: "Set up", summary: "show the full help of a command",
        description: description,
        operands: [
            Operand(
                "COMMAND", isRequired: false, summary: "the command",
                details: """
                    `documents` shows every member of every document, and `providers` the presets. Without an \
                    operand, `oap(1)` is shown.
                    """)
        ],
        options: [manualPages], examples: examples, seeAlso: [ManualReference("oap", 1)], writesErrorDocuments: false,
        run: run)

    private static let description = """
        Shows the manual page of a command: its description, its options with all details, its examples. Without a \
        command, it shows `oap(1)`.
        """

    private static let examples = [
        Example("Everything about one command.", command: "oap help call"),
        Example(
            "The manual as files, for `man -l pages/oap-call.1`.", command: "mkdir pages && oap help --man-pages pages"),
    ]
}
