package import CommandSpec
package import JQ
internal import System
internal import Wire

/// The form of the result, from the options.
package struct OutputForm {
    package let filter: String?
    /// Whether the filter is in a file: a wrong one may hold a secret.
    private let isFilterInFile: Bool
    /// The values of `$NAME`.
    let filterArguments: [(name: String, value: JSON)]
    package let style: JQOutputStyle
    /// Whether no line end follows an output (`-j`).
    let isJoined: Bool
    /// Whether the last output decides the exit status (`-e`).
    let decidesExit: Bool
    /// The file of `-o`; nil for standard output.
    package let file: String?
    /// Who besides the owner may read the file; nil for nobody.
    package let access: FileAccess?
    package let isTerminal: Bool
    /// Whether `-o` says where the result goes.
    private let isPlaced: Bool
    /// Whether progress is not shown (`-s`).
    private let isSilent: Bool
    /// Whether a list is shown as a table: on a terminal, without a filter or a layout.
    package var isTable: Bool { isTerminal && !isShaped }
    /// Whether a filter or a layout asks for JSON, where the result would be a line of text.
    package let isShaped: Bool

    package init(_ arguments: Arguments, environment: Environment) throws(Failure) {
        let written = arguments.value(StreamOption.streamEach) ?? arguments.value(OutputOption.jq)
        let filterFile = arguments.value(OutputOption.jqFile)
        filter = if written == nil, let filterFile { try Self.filter(in: filterFile) } else { written }
        isFilterInFile = written == nil
        isJoined = arguments.has(OutputOption.joinOutput)
        decidesExit = arguments.has(OutputOption.exitStatus)
        let url = arguments.has(CallOption.remoteName) ? arguments.operand(named: "URL") : nil
        let path = try url.map(RemoteName.file) ?? arguments.value(OutputOption.output)
        file = path == "-" ? nil : path
        access = try FileAccess(arguments)
        isPlaced = path != nil
        isTerminal = file == nil && Terminal.isTerminal(1)
        let layouts = [OutputOption.pretty, OutputOption.compactOutput]
        let layout = arguments.occurrences.last { layouts.contains($0.option) }?.option
        let isPretty = layout.map { $0 == OutputOption.pretty } ?? isTerminal
        isShaped = layout != nil || filter != nil
        isSilent = arguments.has(CallOption.silent)
        let isColored =
            switch arguments.value(OutputOption.color).flatMap(OutputOption.Coloring.init) {
            case .always: true
            case .never: false
            case .auto, nil: isTerminal && Terminal.showsColors(environment)
            }
        style = JQOutputStyle(
            json: JSONStyle(isPretty: isPretty, isColored: isColored),
            isRaw: arguments.has(OutputOption.rawOutput) || isJoined)
        filterArguments = Self.values(in: arguments.occurrences)
    }

    /// The filter in a file.
    ///
    /// - Throws: exit 2 if it is not UTF-8, exit 11.
    private static func filter(in path: String) throws(Failure) -> String {
        let bytes = try InputFile.read(path, limit: InputFile.textLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .usage("\(path) is not UTF-8") }
        return text
    }

    /// Compiles a filter with the variables of the options.
    ///
    /// - Parameter lateVariables: the variables whose values come with each result.
    /// - Throws: exit 2 if it does not compile, exit 11 without libjq.
    package func compiled(_ filter: String, lateVariables: [String]) throws(Failure) -> JQFilter {
        do throws(JQError) {
            return try JQFilter(filter, arguments: filterArguments, lateVariables: lateVariables)
        } catch {
            throw failure(error)
        }
    }

    /// A filter that does not compile, or no libjq. Of a file the message names the place alone.
    func failure(_ error: JQError) -> Failure {
        switch error {
        case .compile(let message):
            let lines = message.split(separator: "\n")
            let place = lines.first.flatMap { line in line.firstRange(of: ", line ").map { line[$0.upperBound...] } }
            let line = "line \(place?.prefix(while: \.isNumber) ?? "?") of the file"
            return .usage("the filter does not compile: \(isFilterInFile ? line : lines.joined(separator: " "))")
        case .unavailable(let message): return .file(message)
        }
    }

    /// What follows each output.
    package var separator: [UInt8] { isJoined ? [] : [0x0A] }

    /// The JSON text, escaped if a terminal shows it.
    package func shown(_ json: [UInt8]) -> [UInt8] { isTerminal ? Terminal.escaping(json: json) : json }

    /// Whether a line on standard error shows how far the command is: it is a terminal, and the result goes elsewhere.
    package var showsProgress: Bool { showsWaiting && !isTerminal }

    /// Whether a line on standard error shows that the command waits, before there is a result.
    var showsWaiting: Bool { !isSilent && Terminal.isTerminal(2) }

    /// Refuses to show a new secret key on a terminal, with exit 2, unless `-o -` asks for that. The hint names a file.
    package func checkHidesKey(_ example: String) throws(Failure) {
        guard isTerminal, !isPlaced else { return }
        throw .usage(
            "the terminal would show the secret key", hint: "to write it to a file: -o \(example); to show it: -o -")
    }

    /// Whether a failing command writes its error document: not on a terminal, not beside a filter or a file.
    package var takesErrorDocuments: Bool { filter == nil && file == nil && !Terminal.isTerminal(1) }

    /// Standard output, if it is a pipe that receives the result: when its reader is gone, the command can stop.
    package var watchedOutput: [Int32] {
        guard file == nil, let status = try? FileStatus(.standardOutput), status.isPipe else { return [] }
        return [1]
    }

    private static func values(in occurrences: [Arguments.Occurrence]) -> [(name: String, value: JSON)] {
        var values: [(name: String, value: JSON)] = []
        for occurrence in occurrences where occurrence.values.count == 2 {
            let (name, text) = (occurrence.values[0], occurrence.values[1])
            guard !values.contains(where: { $0.name.isIdentical(to: name) }) else { continue }
            let value = occurrence.option == OutputOption.argjson ? try? JSON(parsing: text) : .string(text)
            value.map { values.append((name, $0)) }
        }
        return values
    }
}
