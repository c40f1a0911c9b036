internal import CommandSpec
internal import JQ
internal import Wire

/// What the options say of the result's form.
struct OutputForm {
    /// The jq filter, when there is one.
    let filter: String?
    /// The values of `$NAME`.
    let filterArguments: [(name: String, value: JSON)]
    /// How a result is laid out.
    let style: JQOutputStyle
    /// Whether no line end follows an output (`-j`).
    let isJoined: Bool
    /// Whether the last output decides the exit status (`-e`).
    let decidesExit: Bool
    /// The file of `-o`; nil for standard output.
    let file: String?
    /// Whether a terminal shows the result.
    let isTerminal: Bool
    /// Whether a list is shown as a table: to a person who has not said how it is to look.
    let isTable: Bool

    /// Reads the options.
    ///
    /// - Throws: exit 2 for `--argjson` with something else than JSON.
    init(_ arguments: Arguments, environment: Environment) throws(Failure) {
        filter = arguments.value(OutputOption.jq)
        isJoined = arguments.has(OutputOption.joinOutput)
        decidesExit = arguments.has(OutputOption.exitStatus)
        let path = arguments.value(OutputOption.output)
        file = path == "-" ? nil : path
        isTerminal = file == nil && Terminal.isTerminal(1)
        let layouts = [OutputOption.pretty, OutputOption.compactOutput]
        let layout = arguments.occurrences.last { layouts.contains($0.option) }?.option
        let isPretty = layout.map { $0 == OutputOption.pretty } ?? isTerminal
        isTable = isTerminal && layout == nil && filter == nil
        let refusesColor = environment.isSet("NO_COLOR")
        style = JQOutputStyle(
            json: JSONStyle(isPretty: isPretty, isColored: isTerminal && !refusesColor),
            isRaw: arguments.has(OutputOption.rawOutput) || isJoined)
        filterArguments = try Self.filterArguments(arguments)
    }

    /// A JSON text as it may be shown where the result goes.
    func shown(_ json: [UInt8]) -> [UInt8] { isTerminal ? Terminal.escaping(json: json) : json }

    /// Whether a failing command writes its error document: not on a terminal, not beside a filter or a file.
    var takesErrorDocuments: Bool { filter == nil && file == nil && !Terminal.isTerminal(1) }

    private static func filterArguments(_ arguments: Arguments) throws(Failure) -> [(name: String, value: JSON)] {
        var values: [(name: String, value: JSON)] = []
        for occurrence in arguments.occurrences where occurrence.values.count == 2 {
            let (name, text) = (occurrence.values[0], occurrence.values[1])
            guard !values.contains(where: { $0.name.isIdentical(to: name) }) else { continue }
            guard occurrence.option == OutputOption.argjson else {
                values.append((name, .string(text)))
                continue
            }
            guard let value = try? JSON(parsing: text) else {
                throw .usage("--argjson \(Terminal.escaping(name)): the value is not JSON")
            }
            values.append((name, value))
        }
        return values
    }
}

/// The result's way out, made ready before anything is sent: the filter compiled, the file open.
struct Output: ~Copyable {
    private let form: OutputForm
    private let diagnostics: Diagnostics
    private var filter: JQFilter?
    private var file: OutputFile?

    /// Compiles the filter and makes the file of `-o`.
    ///
    /// - Parameter replaces: whether a file that is there may be replaced.
    /// - Throws: exit 2 for a filter that does not compile, exit 11.
    init(_ form: OutputForm, replaces: Bool = true, diagnostics: Diagnostics) throws(Failure) {
        self.form = form
        self.diagnostics = diagnostics
        filter = nil
        if let text = form.filter {
            do throws(JQError) {
                filter = try JQFilter(text, arguments: form.filterArguments)
            } catch {
                throw Failure(error)
            }
        }
        file = if let path = form.file { try OutputFile(path: path, replaces: replaces) } else { nil }
        // What cannot be written is known before a code is spent for it.
        guard form.file != nil || ByteSink.isStandardOutputOpen else {
            throw .file("standard output is closed")
        }
    }

    /// Writes a document, through the filter when there is one, and puts the file in its place.
    ///
    /// - Returns: 0, or 1 with `-e`.
    consuming func write(_ document: JSONObject) throws(Failure) -> Exit { try write([document]) }

    /// Writes documents, one after the other; as `write(_:)` for one.
    consuming func write(_ documents: [JSONObject]) throws(Failure) -> Exit {
        var sink = self.sink
        var run = FilterRun(form, diagnostics)
        for document in documents where !run.isHalted {
            guard filter == nil else {
                try run.run(&filter, on: .object(document), into: &sink)
                continue
            }
            var bytes: [UInt8] = []
            JSON.object(document).write(to: &bytes, style: form.style.json)
            try sink.write(form.shown(bytes) + [0x0A])
        }
        try sink.flush()
        if let file = file.take() { try file.commit() }
        return filter == nil ? .done : run.exit
    }

    /// Writes one line of text, which has line ends of its own in quotes, and puts the file in its place.
    consuming func write(line: String) throws(Failure) -> Exit {
        var sink = self.sink
        let shown = form.isTerminal ? Terminal.escaping(line, keepingLines: true) : line
        try sink.write(Array((shown + "\n").utf8))
        try sink.flush()
        if let file = file.take() { try file.commit() }
        return .done
    }

    private var sink: ByteSink {
        switch file {
        case .some(let file): ByteSink(descriptor: file.descriptor, name: form.file ?? "")
        case nil: .standardOutput
        }
    }
}

/// One run of a filter over a result, or over several.
struct FilterRun {
    private let form: OutputForm
    private let diagnostics: Diagnostics
    private var last: Bool?
    /// Whether the filter wants to see no more (`halt`).
    private(set) var isHalted = false

    /// What `-e` makes of the last output.
    var exit: Exit { form.decidesExit && !isHalted && last ?? true ? .falseOrNull : .done }

    /// A run in a form.
    init(_ form: OutputForm, _ diagnostics: Diagnostics) {
        self.form = form
        self.diagnostics = diagnostics
    }

    /// Runs the filter and writes its outputs, one a line.
    ///
    /// - Throws: exit 5 for a filter that fails on the data, after what it had printed; exit 11.
    mutating func run(
        _ filter: inout JQFilter?, on value: JSON, late: JSONObject = [:], into sink: inout ByteSink
    ) throws(Failure) {
        var last = last
        let form = form
        let end: [UInt8] = form.isJoined ? [] : [0x0A]
        let ending = try filter?.run(on: value, late: late, style: form.style) { (output) throws(Failure) in
            last = output.isFalseOrNull
            try sink.write((form.style.isRaw ? output.bytes : form.shown(output.bytes)) + end)
        }
        try sink.flush()
        self.last = last
        switch ending {
        case .completed, nil: return
        case .halted: isHalted = true
        case .haltedWithError(_, let message):
            diagnostics.halted(message)
            throw Failure(.filterFailed, "halt_error", "")
        case .failed(let message): throw Failure(.filterFailed, "filter", "the filter failed: \(message)")
        }
    }
}

extension Failure {
    /// A filter that does not compile, or cannot.
    init(_ error: JQError) {
        switch error {
        case .compile(let message):
            let line = message.split(separator: "\n").joined(separator: " ")
            self = .usage("the filter does not compile: \(line)")
        case .unavailable(let message): self = .file(message)
        }
    }
}
