package import Calls
internal import CommandSpec
package import OAuth
package import Redaction
internal import System
internal import Wire

/// The one way to standard error.
///
/// Every line passes the redactor, and its control characters are escaped: it may hold what a server sent. A message is
/// `oap: COMMAND: message`, lower case and without a full stop; a hint is a line of its own. A terminal gets both in lines
/// of its width. A body is indented, so that no line of it looks like a message, or like a command to a CI system (`::` in
/// GitHub Actions). Those that a system finds anywhere in a line (`##vso[` in Azure Pipelines, `##[`) are escaped.
package struct Diagnostics {
    /// The command's name; nil before one is known.
    package let command: String?
    /// Whether a warning ends the command (`--strict`).
    package let isStrict: Bool
    /// Knows every secret that this process has read or was issued.
    package let redactor: Redactor
    /// Takes what is printed.
    package var sink: ([UInt8]) -> Void = { try? FileDescriptor.standardError.writeAll($0) }
    private let environment: Environment
    private let shown = Shown()

    package init(command: String?, isStrict: Bool, redactor: Redactor, in environment: Environment = .process) {
        (self.command, self.isStrict, self.redactor, self.environment) = (command, isStrict, redactor, environment)
    }

    /// With `isOwn`, nothing in it is what a server said; see ``Redactor/redact(_:isOwn:)``.
    package func tell(_ message: String, isOwn: Bool = false) {
        printMessage("oap: " + (command.map { "\($0): " } ?? ""), message, isOwn: isOwn)
    }

    /// The files that documents name, by their members.
    package var files: [(label: String, value: String)] { shown.files }

    /// The values that documents hold, as far as they were noted.
    package var values: [String] { shown.values }

    /// Takes note of what a document says, and of the files that it names: what is no file may be a secret.
    package func note(files: [(label: String, value: String)], values: [String]) {
        (shown.files, shown.values) = (files, values)
        for file in files where SecretShape.isNoPath(file.value, isSecrets: false) {
            redactor.add(file.value)
        }
    }

    /// Prints a message, unless it was printed so before.
    package func tellOnce(_ message: String) { if shown.messages.insert(message).inserted { tell(message) } }

    package func hint(_ text: String) { printMessage("oap: hint: ", text) }

    /// Prints a failure and its hint. A failure without a message was reported before.
    package func tell(_ failure: Failure) {
        if !failure.message.isEmpty { tell(failure.text(redactor), isOwn: failure.hasOwnWords) }
        if let text = failure.consequence { tell(text) }
        if let text = failure.hint { printMessage("oap: hint: ", text, isOwn: failure.hasOwnWords) }
    }

    /// Prints warnings, each once.
    ///
    /// - Throws: with `--strict`, a failure made from the first.
    package func warn(_ warnings: [OAuthWarning]) throws(Failure) {
        if isStrict, let first = warnings.first {
            throw Failure(
                .badAnswer, .invalidResponse, first.message, hint: "to get only a warning, leave --strict out")
        }
        for warning in warnings where shown.warnings.isNew(warning) {
            // What a server sent is cut, what names the caller's own files is not.
            let isOwn =
                switch warning {
                case .other, .notRenewed: true
                default: false
                }
            let text = warning.message
            tell("warning: \(isOwn ? text : redactor.redact(text, upTo: Failure.sayingLimit))")
        }
    }

    /// Prints a line without a prefix: a URL to open, a code to type, a line of the trace.
    package func print(_ line: String) { write(escaped(line) + "\n") }

    /// Prints the body of an error, each of its lines behind `  | `.
    package func body(_ bytes: [UInt8]) {
        let text = Terminal.escaping(String(decoding: redactor.redact(bytes), as: UTF8.self), keepingLines: true)
        var lines = text.escapingCommands.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        write(String(decoding: lines.flatMap { Array("  | ".utf8) + $0 + [UInt8(ascii: "\n")] }, as: UTF8.self))
    }

    /// Prints the message of a filter's `halt_error`, as jq does: without a line end.
    package func halted(_ message: [UInt8]) {
        let masked = redactor.redact(message)
        guard Terminal.isTerminal(2) else { return write(masked) }
        write(Terminal.escaping(String(decoding: masked, as: UTF8.self), keepingLines: true))
    }

    /// Shows a line that the next one replaces, cut to the width of the terminal that standard error is.
    package func progress(_ text: String) {
        endProgress()
        let line = Terminal.escaping(redactor.redact(text))
        write(TerminalSize.of(2).map { String(line.prefix(max($0.columns - 1, 0))) } ?? line)
        shown.hasProgress = true
    }

    func endProgress() {
        guard shown.hasProgress else { return }
        shown.hasProgress = false
        write("\r\u{1B}[K")
    }

    /// Prints a drawing, unmasked and unescaped.
    package func draw(_ rows: String) { write(rows) }

    /// Prints a message, which a terminal gets in lines of its width. Elsewhere it is one line.
    private func printMessage(_ beginning: String, _ message: String, isOwn: Bool = false) {
        let text = beginning + escaped(LocaleText.plain(message, in: environment), isOwn: isOwn)
        let width = TerminalSize.columns(of: 2).map { max(24, $0) }
        write((width.map { MessageLayout.wrap(text, width: $0, programs: Self.programs) } ?? text) + "\n")
    }

    /// The programs whose commands hints name.
    private static let programs: Set = ["oap", "oap-sandbox", "curl", "chmod", "ssh", "xdg-mime"]

    private func escaped(_ line: String, isOwn: Bool = false) -> String {
        Terminal.escaping(redactor.redact(line, isOwn: isOwn)).escapingCommands
    }

    private func write(_ text: String) { write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) {
        endProgress()
        sink(bytes)
    }
}

extension Diagnostics {
    private final class Shown {
        var warnings = PrintedWarnings()
        var messages: Set<String> = []
        var hasProgress = false
        var files: [(label: String, value: String)] = []
        var values: [String] = []
    }
}

extension String {
    /// The text with the second `#` of each `##NAME[` escaped, where the name is of letters or empty.
    fileprivate var escapingCommands: String {
        var output: [UInt8] = []
        var rest = utf8[...]
        while let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            output += rest[...hash]
            rest = rest[hash...].dropFirst()
            guard rest.first == UInt8(ascii: "#") else { continue }
            let end = rest.dropFirst().first { !$0.isASCIILetterOrDigit }
            if end == UInt8(ascii: "[") {
                output += "\\u{23}".utf8
                rest = rest.dropFirst()
            }
        }
        return String(decoding: output + rest, as: UTF8.self)
    }
}

extension Diagnostics {
    /// The subject is a part such as `line 2`; nil for the work of the command.
    package func tell(_ retry: Retry, of subject: String? = nil) {
        let cause =
            switch retry.cause {
            case .response(let head): "\(WebURL(head.url)?.withoutQuery ?? head.url) \(retry.brief)"
            case .failure: retry.brief
            }
        let tenths = Int((retry.seconds * 10).rounded(.up))
        tell(
            (subject.map { "\($0): " } ?? "")
                + "\(cause); trying again in \(tenths / 10).\(tenths % 10) s (\(retry.number) of \(retry.limit))")
    }
}

extension Retry {
    /// The cause without the URL of a response.
    package var brief: String {
        switch cause {
        case .response(let head): "answered \(head.status)" + (head.status == 403 ? ", a rate limit" : "")
        case .failure(let error): error.message
        }
    }
}

/// The warnings that were printed: each is printed once, in a process that may run for months.
package struct PrintedWarnings {
    private var messages: Set<String> = []
    /// The end of the token that could not be renewed, by the kind of failure.
    private var notRenewed: [ErrorKind: Int] = [:]
    /// The most different warnings: more are no warnings any more, but what a server makes up.
    private static let limit = 1000

    /// Whether a warning was not printed before, and is now. One about a renewal is the same for as long as the token is:
    /// its text counts down.
    package mutating func isNew(_ warning: OAuthWarning) -> Bool {
        if messages.count >= Self.limit { messages = [] }
        guard case .notRenewed(let kind, let end, _) = warning else { return messages.insert(warning.message).inserted }
        // Both times are whole seconds of clocks that were read apart.
        return notRenewed.updateValue(end, forKey: kind).map { abs($0 - end) > 5 } ?? true
    }
}
