import Foundation
import JQ
import Wire

/// One run of the `jq` program, which the tests take for the judge: Debian's, or the one that `JQ` names. It must be of
/// the version of libjq.
struct JQProcess {
    let output: [UInt8]
    let error: String
    let status: Int32

    private static let path = ProcessInfo.processInfo.environment["JQ"] ?? "/usr/bin/jq"

    /// Runs jq to its end. Fails if it is not installed.
    init(_ arguments: [String], input: String) throws {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("jq-input-\(UUID().uuidString)")
        try Data(input.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        let outputPipe = Pipe()
        let errorPipe = Pipe()
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        try process.run()
        output = Array(outputPipe.fileHandleForReading.readDataToEndOfFile())
        error = String(decoding: errorPipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    /// What jq says of a filter that failed on the data, without the place.
    var failure: String? {
        guard
            let range = error.range(
                of: #"^jq: error \(at [^)]*\)(: | (?=\(not a string\)))"#, options: .regularExpression)
        else { return nil }
        return String(error[range.upperBound...].dropLast())
    }

    /// What jq says of a filter that does not compile: `jq: error: ` and the count of errors left out, and the white
    /// space at the ends of messages, where jq 1.6 means to point at a column.
    var compileFailure: String {
        let messages = error.components(separatedBy: "jq: ").dropFirst().map { message in
            message.replacingOccurrences(of: #"\s+$"#, with: "", options: .regularExpression)
        }
        return messages.filter { $0.wholeMatch(of: /\d+ compile errors?/) == nil }
            .map { $0.hasPrefix("error: ") ? String($0.dropFirst(7)) : $0 }
            .joined(separator: "\n")
    }
}

/// Everything that a filter of ours gave.
struct FilterRun {
    var outputs: [JQOutput] = []
    var ending: JQEnding

    init(
        _ filter: String, _ document: JSON, arguments: [(name: String, value: JSON)] = [], late: JSONObject = [:],
        style: JQOutputStyle = JQOutputStyle()
    ) throws {
        var filter = try JQFilter(filter, arguments: arguments, lateVariables: late.members.map(\.name))
        var outputs: [JQOutput] = []
        ending = filter.run(on: document, late: late, style: style) { outputs.append($0) }
        self.outputs = outputs
    }

    /// The outputs, one a line, as text.
    var text: String { outputs.map { String(decoding: $0.bytes, as: UTF8.self) + "\n" }.joined() }
}

extension JQOutputStyle {
    /// The style that these options of jq ask for.
    init(options: [String]) {
        self.init(
            json: JSONStyle(isPretty: !options.contains("-c"), isColored: options.contains("-C")),
            isRaw: options.contains("-r"))
    }
}
