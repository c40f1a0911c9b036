internal import JQ
internal import Wire

/// The one way to standard output and to the file of `-o`, for one result or for many. It is made ready before anything
/// is sent: the filter compiled, the file open.
struct ResultWriter: ~Copyable {
    private let form: OutputForm
    private let diagnostics: Diagnostics
    private var compilation: JQCompilation?
    private var filter: JQFilter?
    private var file: OutputFile?
    /// Where bytes go that are the result as they are.
    private(set) var sink: ByteSink
    /// Whether the last output of the filter was false or null.
    private var last = true
    /// Whether the filter wants to see no more (`halt`).
    private(set) var isHalted = false

    /// Makes the way out ready.
    ///
    /// - Parameters:
    ///   - replaces: whether a file that is there may be replaced.
    ///   - lateVariables: the variables of the filter whose values come with each result.
    ///   - compilesLater: whether a filter is waited for in `settleFilter()` only.
    /// - Throws: exit 2 for a filter that does not compile, as far as it is waited for; exit 11.
    init(
        _ form: OutputForm, diagnostics: Diagnostics, replaces: Bool = true, lateVariables: [String] = [],
        compilesLater: Bool = false
    ) throws(Failure) {
        self.form = form
        self.diagnostics = diagnostics
        sink = .standardOutput
        compilation = nil
        filter = nil
        file = nil
        if let text = form.filter {
            if compilesLater {
                let started: JQCompilation = JQFilter.compileInBackground(
                    text, arguments: form.filterArguments, lateVariables: lateVariables)
                compilation = consume started
            } else {
                do throws(JQError) {
                    filter = try JQFilter(text, arguments: form.filterArguments, lateVariables: lateVariables)
                } catch {
                    throw Failure(error)
                }
            }
        }
        guard let path = form.file else {
            // A result that cannot be written is reported before a code is spent for it.
            guard ByteSink.isStandardOutputOpen else { throw .file("standard output is closed") }
            return
        }
        let opened = try OutputFile(path: path, replaces: replaces)
        sink = ByteSink(descriptor: opened.descriptor, name: path)
        file = consume opened
    }

    /// Waits until the filter has compiled.
    ///
    /// - Throws: exit 2 for a filter that does not compile.
    mutating func settleFilter() throws(Failure) {
        guard let started = compilation.take() else { return }
        do throws(JQError) {
            filter = try started.wait()
        } catch {
            throw Failure(error)
        }
    }

    /// Writes a result, through the filter when there is one: its outputs, one a line.
    ///
    /// - Parameter late: the values of the late variables.
    /// - Throws: exit 5 for a filter that fails on the data, after what it had printed; exit 11.
    mutating func write(_ value: JSON, late: JSONObject = [:]) throws(Failure) {
        guard filter != nil else {
            var bytes: [UInt8] = []
            value.write(to: &bytes, style: form.style.json)
            return try sink.write(form.shown(bytes) + [0x0A])
        }
        guard !isHalted else { return }
        var (sink, last) = (sink, last)
        let form = form
        let end: [UInt8] = form.isJoined ? [] : [0x0A]
        let ending = try filter?.run(on: value, late: late, style: form.style) { (output) throws(Failure) in
            last = output.isFalseOrNull
            try sink.write((form.style.isRaw ? output.bytes : form.shown(output.bytes)) + end)
        }
        try sink.flush()
        (self.sink, self.last) = (sink, last)
        switch ending {
        case .completed, nil: return
        case .halted: isHalted = true
        case .haltedWithError(_, let message):
            diagnostics.halted(message)
            throw Failure(.filterFailed, .halt, "")
        case .failed(let message): throw Failure(.filterFailed, .filter, "the filter failed: \(message)")
        }
    }

    /// Writes one line of text, past the filter.
    ///
    /// - Throws: exit 11.
    mutating func write(line: String) throws(Failure) {
        let shown = form.isTerminal ? Terminal.escaping(line, keepingLines: true) : line
        try sink.write(Array((shown + "\n").utf8))
    }

    /// Ends the result, and puts the file in its place.
    ///
    /// - Parameter keepsFile: false leaves the old file as it was.
    /// - Returns: 0, or 1 where `-e` asks for it: the last output was false or null, or there was none.
    /// - Throws: exit 11.
    consuming func end(keepsFile: Bool = true) throws(Failure) -> Exit {
        try sink.flush()
        if keepsFile, let file = file.take() { try file.commit() }
        return form.filter != nil && form.decidesExit && !isHalted && last ? .falseOrNull : .done
    }

    /// Writes one document and ends.
    ///
    /// - Throws: what `write(_:)` and `end()` throw.
    consuming func finish(_ document: JSONObject) throws(Failure) -> Exit {
        try write(.object(document))
        return try end()
    }

    /// Writes one line of text and ends.
    ///
    /// - Throws: exit 11.
    consuming func finish(line: String) throws(Failure) -> Exit {
        try write(line: line)
        _ = try end()
        return .done
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
