package import JQ
package import Wire

/// Writes results to standard output or to the file of `-o`. It is made before anything is sent: the filter is compiled,
/// the file open.
package struct ResultWriter: ~Copyable {
    private let form: OutputForm
    private let diagnostics: Diagnostics
    private var compilation: JQCompilation?
    private var filter: JQFilter?
    /// The text that the filter is given in pieces.
    private var input: JQInput?
    /// Whether that text came behind another one.
    private var isInSeries = false
    private var file: OutputFile?
    /// The destination of bytes that are written unchanged.
    package private(set) var sink: ByteSink
    /// Whether the last output of the filter was false or null.
    private var last = true
    /// Whether the filter has ended with `halt`.
    package private(set) var isHalted = false

    /// Compiles the filter and opens the file.
    ///
    /// - Parameters:
    ///   - replaces: whether an existing file may be replaced.
    ///   - room: the bytes to reserve for a file.
    ///   - part: the open part of the file; nil if nothing is kept of an incomplete one.
    ///   - lateVariables: the variables of the filter whose values come with each result.
    ///   - compilesLater: whether the filter is compiled in the background, until `awaitFilter()`.
    /// - Throws: exit 2 for a filter that does not compile, unless it is compiled later; exit 11.
    package init(
        _ form: OutputForm, diagnostics: Diagnostics, replaces: Bool = true, room: Int = 0, part: PartFile? = nil,
        lateVariables: [String] = [], compilesLater: Bool = false
    ) throws(Failure) {
        (self.form, self.diagnostics) = (form, diagnostics)
        sink = .standardOutput
        compilation = nil
        filter = nil
        input = nil
        file = nil
        if let text = form.filter {
            if compilesLater {
                let started = JQCompilation(
                    text, arguments: form.filterArguments, lateVariables: lateVariables)
                compilation = consume started
            } else {
                filter = try form.compiled(text, lateVariables: lateVariables)
            }
        }
        guard let path = form.file else {
            // A closed standard output is reported before a code is used up.
            guard ByteSink.isStandardOutputOpen else { throw .file("standard output is closed") }
            return
        }
        let opened = try OutputFile(path: path, replaces: replaces, room: room, part: part, access: form.access)
        sink = ByteSink(descriptor: opened.descriptor, name: path)
        file = consume opened
    }

    /// Waits until the filter has compiled.
    ///
    /// - Throws: exit 2 for a filter that does not compile.
    package mutating func awaitFilter() throws(Failure) {
        guard let started = compilation.take() else { return }
        do throws(JQError) {
            filter = try started.wait()
        } catch {
            throw form.failure(error)
        }
    }

    /// Writes a result, or the outputs of the filter for it, one a line.
    ///
    /// - Parameter late: the values of the late variables.
    /// - Throws: exit 5 for a filter that fails on the data, after its outputs so far; exit 11.
    package mutating func write(_ value: JSON, late: JSONObject = [:]) throws(Failure) {
        guard filter != nil else {
            var bytes: [UInt8] = []
            value.write(to: &bytes, style: form.style.json)
            return try sink.write(form.shown(bytes) + [0x0A])
        }
        guard !isHalted else { return }
        let (sink, form) = (sink, form)
        var last = last
        let ending = try filter?.run(on: value, late: late, style: form.style) { (output) throws(Failure) in
            last = output.isFalseOrNull
            try sink.write((form.style.isRaw ? output.bytes : form.shown(output.bytes)) + form.separator)
        }
        self.last = last
        try sink.flushUnlessHeld()
        if let ending { try act(on: ending) }
    }

    /// Writes one of many results: where the filter fails on it or ends with `halt`, the filter still runs on the next.
    ///
    /// - Throws: as `write(_:late:)`.
    package mutating func write(one object: JSONObject) throws(Failure) {
        defer { isHalted = false }
        try write(.object(object))
    }

    /// Gives the next piece of a JSON text to the filter, and writes the outputs that need not wait for the rest.
    ///
    /// - Parameters:
    ///   - isSeries: whether other texts may follow it, as in the input of jq. That the first is wrong is known at its end.
    ///   - late: the values of the late variables, for the first piece.
    /// - Throws: exit 5 for a filter that fails on a text before the last, exit 10 for a text that is not JSON or too large;
    ///   exit 11.
    package mutating func feed(
        _ piece: UnsafeRawBufferPointer, isSeries: Bool = false, late: () -> JSONObject
    ) throws(Failure) {
        var rest = piece
        var hasOutputs = false
        while !isHalted, !rest.isEmpty, filter != nil {
            let (text, count) = try read(rest, isSeries, late)
            if !text.isEmpty { try sink.write(form.style.isRaw ? text : form.shown(text)) }
            hasOutputs = hasOutputs || !text.isEmpty
            guard count < rest.count || isInSeries && input?.isAtEnd == true else { break }
            (isInSeries, hasOutputs) = (true, true)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            try finishItem()
        }
        if isHalted { input = nil }
        if hasOutputs { try sink.flush() }
    }

    private mutating func read(
        _ piece: UnsafeRawBufferPointer, _ isSeries: Bool, _ late: () -> JSONObject
    ) throws(Failure) -> (text: [UInt8], count: Int) {
        guard var compiled = filter.take() else { return ([], piece.count) }
        if input == nil {
            isInSeries = false
            input = JQInput(
                for: compiled, late: late(), style: form.style, separator: form.separator, isSeries: isSeries)
        }
        let outputs: (text: [UInt8], count: Int)?
        do throws(JQInputError) {
            outputs = try input?.feed(piece, to: &compiled)
        } catch {
            filter = consume compiled
            input = nil
            throw Failure(error)
        }
        filter = consume compiled
        return outputs ?? ([], piece.count)
    }

    /// Ends the text, and writes the other outputs.
    ///
    /// - Throws: exit 5 for a filter that fails on the data, after its outputs so far; exit 10 and 11 as `feed`.
    package mutating func finishInput() throws(Failure) {
        guard let ending = try finishText() else { return }
        input = nil
        try sink.flush()
        try act(on: ending)
    }

    /// Ends one of several texts. Its outputs are written with `flushItems`, or now if it is the last one for the filter.
    ///
    /// - Throws: as `finishInput`.
    package mutating func finishItem() throws(Failure) {
        guard let ending = try finishText() else { return }
        if ending != .completed { try sink.flush() }
        try act(on: ending)
    }

    /// Drops a text that has not ended.
    package mutating func dropItem() { input = nil }

    /// Holds the outputs of texts up to 4 MiB, until the first are written.
    package mutating func holdItems() { sink.hold(JQInput.heldSize) }

    /// Writes the outputs of texts, unless they are held.
    ///
    /// - Throws: exit 11.
    package mutating func flushItems() throws(Failure) { try sink.flushUnlessHeld() }

    private mutating func finishText() throws(Failure) -> JQEnding? {
        guard var text = input.take(), var compiled = filter.take() else { return nil }
        let (form, sink) = (form, sink)
        var failure: Failure?
        let result: JQInput.Result
        do throws(JQInputError) {
            result = try text.finish(&compiled) { outputs in
                guard failure == nil else { return }
                do throws(Failure) {
                    try sink.write(form.style.isRaw ? outputs : form.shown(outputs))
                } catch {
                    failure = error
                }
            }
        } catch {
            filter = consume compiled
            throw Failure(error)
        }
        filter = consume compiled
        input = consume text
        if let failure { throw failure }
        last = result.isFalseOrNull ?? last
        return result.ending
    }

    private mutating func act(on ending: JQEnding) throws(Failure) {
        switch ending {
        case .completed: return
        case .halted: isHalted = true
        case .haltedWithError(_, let message):
            diagnostics.halted(message)
            throw Failure(.filterFailed, .halt, "")
        case .failed(let message): throw .filter(form.filter, failed: message)
        }
    }

    /// Writes bytes as they are, without the filter.
    ///
    /// - Throws: exit 11.
    package mutating func write(unchanged bytes: [UInt8]) throws(Failure) {
        try sink.write(bytes)
        try sink.flushUnlessHeld()
    }

    /// Writes text that is escaped for a terminal already, without the filter.
    ///
    /// - Throws: exit 11.
    package mutating func write(escaped text: String) throws(Failure) { try sink.write(Array((text + "\n").utf8)) }

    /// Writes a line of text, without the filter.
    ///
    /// - Throws: exit 11.
    package mutating func write(line: String) throws(Failure) {
        let shown = form.isTerminal ? Terminal.escaping(line, keepingLines: true) : line
        try sink.write(Array((shown + "\n").utf8))
    }

    /// Ends the result, and renames the file into place.
    ///
    /// - Parameter keepsFile: false leaves the old file unchanged.
    /// - Returns: 0; with `-e` 1 if the last output was false or null, or there was none.
    /// - Throws: exit 11.
    package consuming func end(keepsFile: Bool = true) throws(Failure) -> Exit {
        try sink.flush()
        if keepsFile, let file = file.take() { try file.commit() }
        return form.filter != nil && form.decidesExit && !isHalted && last ? .falseOrNull : .done
    }

    /// - Throws: as `write(_:)` and `end()`.
    package consuming func finish(_ document: JSONObject) throws(Failure) -> Exit {
        try write(.object(document))
        return try end()
    }

    /// - Throws: exit 11.
    package consuming func finish(line: String) throws(Failure) -> Exit {
        try write(line: line)
        _ = try end()
        return .done
    }
}

extension Failure {
    /// A text that a filter cannot take.
    package init(_ error: JQInputError) {
        switch error {
        case .notJSON(let reason):
            self = Failure(.badAnswer, .notJSON, "the response is not JSON, which the filter needs: \(reason)")
        case .tooLarge:
            self = AnswerMemory.tooLarge(
                "the response is larger than \(JQInput.maximumSize >> 20) MiB, too large for a filter")
        case .tokenTooLarge:
            self = AnswerMemory.tooLarge(
                "the response has a string or a number of more than \(JQInput.maximumSize >> 20) MiB, too large for a "
                    + "filter")
        case .tooManyValues:
            self = AnswerMemory.tooLarge(
                "the response has more than \(JQInput.maximumWeight / 1_000_000) million values, too many for a filter")
        case .noMemory: self = AnswerMemory.tooLarge("the response needs more memory than there is")
        }
    }
}
