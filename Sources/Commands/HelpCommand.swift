internal import CommandSpec
internal import Glibc
internal import System
internal import Wire
internal import Shell
internal import Sessions

/// `oap help`: the long help, and the manual pages, generated from the same records.
enum HelpCommand {
    static let manualPages = Option(
        "man-pages", argument: "DIR", completes: .directories, section: "General",
        summary: "write the manual pages to a folder")

    static let json = Option("json", section: "General", summary: "print commands, options and documents as JSON")
    static let schema = Option(
        "schema", argument: "KIND", choices: DocumentSchema.allCases.map(\.rawValue), section: "General",
        summary: "print the JSON Schema of a document")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let program = session.program()
        let (name, isJSON) = (Self.name(of: arguments.operands.joined(separator: " ")), arguments.has(json))
        if let folder = arguments.value(manualPages) {
            try writePages(of: program, to: folder)
        } else if let kind = arguments.value(schema).flatMap(DocumentSchema.init) {
            return try session.output().finish(kind.schema)
        } else if !isJSON, let topic = topics.first(where: { $0.name == name }) {
            let page = topic.page(program)
            try HelpText.show(isLong: true, in: session.environment) { page.plainText(width: $0, emphasis: $1) }
        } else {
            let record = name.flatMap { program.command(named: $0) }
            if let name, record == nil {
                guard !isJSON, try find(name, in: program, session) else { throw unknown(name, to: program, isJSON) }
                return .done
            }
            if isJSON {
                let document = record.map(InterfaceDocument.command) ?? InterfaceDocument.document(of: program)
                return try session.output().finish(document)
            } else {
                try HelpText.show(isLong: true, in: session.environment) {
                    program.longHelp(for: record, width: $0, emphasis: $1)
                }
            }
        }
        return .done
    }

    /// Shows what the help has about a word.
    ///
    /// - Returns: whether there is anything.
    private static func find(_ word: String, in program: ProgramRecord, _ session: Session) throws(Failure) -> Bool {
        guard word != "sandbox", word != "oap-sandbox", lowerCase(word, among: names(of: program)) == nil else {
            return false
        }
        let pages = topics.sorted { $0.name == "index" && $1.name != "index" }.map { $0.page(program) }
        let index = HelpEntries.index(of: program, topics: pages)
        guard index.text(about: word) != nil else { return false }
        try HelpText.show(isLong: true, in: session.environment) {
            index.text(about: word, width: $0, emphasis: $1) ?? ""
        }
        return true
    }

    private static func names(of program: ProgramRecord) -> [String] {
        program.commands.map(\.name) + topics.map(\.name)
    }

    /// The name of a command or a topic; the names of pages, `oap-call` and `oap`, stand for it too. Nil for the program.
    private static func name(of operand: String) -> String? {
        guard !operand.isEmpty else { return nil }
        guard operand.hasPrefix("oap-"), operand != "oap-sandbox" else { return operand == "oap" ? nil : operand }
        return String(operand.dropFirst(4))
    }

    /// The pages that do not describe a command.
    private static let topics: [Topic] = [
        text("agents"), text("changes"), ("documents", { _ in DocumentsPage.page }), text("hosts"), text("index"),
        ("options", { OptionsPage.page(of: $0) }), ("providers", { _ in ProviderManual.page }), text("recipes"),
        text("security"), text("tutorial"),
    ]
    private typealias Topic = (name: String, page: @Sendable (ProgramRecord) -> ManualPage)

    private static func text(_ name: String) -> Topic {
        (name, { _ in Manual.named(name).page("oap-\(name)", 7, date: Version.date) })
    }

    /// The error for a word that the help does not know, with the nearest that it knows.
    private static func unknown(_ name: String, to program: ProgramRecord, _ isJSON: Bool) -> Failure {
        let shown = Terminal.escaping(String(name.prefix(64)))
        if let known = lowerCase(name, among: names(of: program)) {
            return .usage(
                "unknown command \(shown)", hint: "commands and topics are in lower case: oap help \(known)")
        }
        if name == "sandbox" || name == "oap-sandbox" {
            if !isJSON { _ = ProgramSearch.become(["oap-sandbox", "--man"]) }
            return .usage("\(name) is a program of its own", hint: "it is not installed, or not in PATH")
        }
        let problem = isJSON ? "unknown command \(shown)" : "no page, option or member has the word \(shown)"
        let words = names(of: program) + (isJSON ? [] : HelpEntries.words(of: program))
        let near = nearest(name, among: names(of: program)) ?? nearest(name, among: words)
        return .usage(
            problem,
            hint: near.map { "did you mean \($0)?" }
                ?? "the commands are \(program.commands.map(\.name).joined(separator: ", ", last: " and ")); the topics are "
                + topics.map(\.name).joined(separator: ", "))
    }

    private static func writePages(of program: ProgramRecord, to folder: String) throws(Failure) {
        let commands = program.commands.map { program.manualPage(of: $0) }
        for page in [program.manualPage] + commands + topics.map({ $0.page(program) }) {
            let file = try OutputFile(path: "\(folder)/\(page.name).\(page.section)")
            let sink = ByteSink(descriptor: file.descriptor, name: page.name)
            try sink.write(Array(page.mdoc.utf8))
            try sink.flush()
            fchmod(file.descriptor, 0o644)
            try file.commit()
        }
    }

    /// - Parameter names: those of all commands, for the completion.
    static func command(of names: [String]) -> Command {
        Command(
            "help", section: "Set up", summary: "show the full help of a command, or search it",
            operands: [
                Operand(
                    "COMMAND", isRequired: false, isRepeatable: true,
                    completes: .words(names + topics.map(\.name)),
                    summary: "the command, a topic such as tutorial, or words to find")
            ],
            options: [json, schema, manualPages] + OutputOption.all,
            rules: [
                .apart([json, schema, manualPages]), .apart([schema, manualPages], from: .operand("COMMAND")),
                .needs(OutputOption.all, anyOf: [json, schema]),
            ],
            writesErrorDocuments: false,
            run: run)
    }
}
