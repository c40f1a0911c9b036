internal import JQ
package import Wire
package import Shell

/// Writes the response of a call: unchanged, with its head, as an envelope, or through a filter.
package struct CallResult: ~Copyable {
    private let form: OutputForm
    private let includesHead: Bool
    /// Whether responses are buffered whole, not passed on as they arrive.
    private let isKept: Bool
    private let layout: Layout
    /// How a response is written. In JSON it is laid out as a document on a terminal, or because an option asks for it.
    private enum Layout { case unchanged, document, filtered, envelope }
    private let diagnostics: Diagnostics
    /// Whether the last response was laid out as a document, which ended its line.
    private var hasShown = false
    /// The most bytes of a response that is shown so.
    private static let shownLimit = 4 << 20
    let errorBody: CallOption.ErrorBody
    package let progress: TransferProgress?
    /// Shown until the head of the response is there.
    let waitingLine: ProgressLine?
    /// The download that the result is, if it goes on where another ended.
    package let download: Download?
    /// Whether the filter runs on each element of an array.
    private let takesElements: Bool
    /// On how many items it still runs; nil for all.
    private var remaining: Int?
    /// The items of the response that is under way, if it has items.
    private var items: ItemStream?
    private var isUnderWay = false
    private var writer: ResultWriter
    private var failure: Failure?
    private var invalidFilter: Failure?

    /// The variables that a filter of `call` may use; their values are set from the response.
    package static let variables = ["status", "headers", "url"]

    /// - Parameters:
    ///   - mayCompileLater: whether the request may go out while the filter still compiles.
    ///   - keepsContent: whether responses are buffered without a filter, too.
    ///   - showsProgress: whether a terminal shows how far a response is.
    /// - Throws: exit 2 for a filter that does not compile, unless it is compiled later; exit 11.
    package init(
        _ settings: CallSettings, form: OutputForm, diagnostics: Diagnostics, mayCompileLater: Bool,
        keepsContent: Bool, showsProgress: Bool, download: Download?
    ) throws(Failure) {
        // The head that -i prints would come before the error message about the filter.
        let writer = try ResultWriter(
            form, diagnostics: diagnostics, part: download?.part, lateVariables: Self.variables,
            compilesLater: mayCompileLater && !settings.includesHead)
        self.diagnostics = diagnostics
        // Swift 6.3.1 crashes in a release build where a value that cannot be copied is read before it is whole.
        (self.form, self.download, includesHead) = (form, download, settings.includesHead)
        isKept = keepsContent || settings.isEnvelope
        let isLaidOut = form.isTerminal || form.isShaped || form.style.json.isColored
        layout = settings.isEnvelope ? .envelope : form.filter != nil ? .filtered : isLaidOut ? .document : .unchanged
        errorBody = settings.errorBody
        takesElements = settings.takesElements
        remaining = settings.maximumItems
        items = nil
        failure = nil
        progress = showsProgress ? ProgressLine(diagnostics, form).map { TransferProgress($0) } : nil
        waitingLine = showsProgress ? ProgressLine(diagnostics, form, isBeforeResult: true) : nil
        self.writer = consume writer
    }

    /// - Throws: exit 2 for a filter that does not compile.
    mutating func awaitFilter() throws(Failure) {
        if let invalidFilter { throw invalidFilter }
        try writer.awaitFilter()
    }

    /// Whether the body of an error is the result.
    var takesErrors: Bool { errorBody == .stdout || includesHead || layout == .envelope }

    package var sink: ByteSink { writer.sink }

    /// What to do with a response that counts.
    ///
    /// - Parameter copyLimit: the most bytes of content to copy; nil for none.
    func plan(for head: HTTPResponseHead, copyLimit: Int?) -> CallReceiver.Plan {
        if head.status >= 400 && !takesErrors { return .init(destination: .memory(limit: CallReceiver.errorLimit)) }
        if let download { return .init(destination: download.begin(head) ? .output : .memory(limit: 0)) }
        var plan = CallReceiver.Plan(destination: layout == .filtered ? .filter : .output)
        if layout == .document, Self.isJSON(head) { plan.destination = .screen(limit: Self.shownLimit) }
        if isKept { plan.destination = .memory(limit: CallReceiver.limit) } else { plan.copyLimit = copyLimit }
        plan.isStream = Self.type(of: head)?.isStream ?? false
        if includesHead { plan.preface = text(of: head) }
        return plan
    }

    var hasStopped: Bool { failure != nil || invalidFilter != nil || items?.isDone == true }

    /// Gives a piece of the content to the filter.
    ///
    /// - Returns: false if no more is needed: `awaitFilter` or `finish` throws why.
    mutating func feed(_ piece: UnsafeRawBufferPointer, of head: HTTPResponseHead) -> Bool {
        let isFirst = !isUnderWay
        let piece = UnsafeRawBufferPointer(rebasing: piece.dropFirst(isFirst ? JSON.guardLength(of: piece) : 0))
        do throws(Failure) { try writer.awaitFilter() } catch { invalidFilter = error }
        guard invalidFilter == nil else { return false }
        do throws(Failure) {
            if isFirst { beginItems(of: head) }
            guard items == nil else {
                try items?.feed(piece, to: &writer) { head.members }
                return items?.isDone == false
            }
            try writer.feed(piece, isSeries: true) { head.members }
            return true
        } catch {
            failure = describing(head, in: error, beginning: isFirst ? piece : nil)
            return false
        }
    }

    /// A failure to read JSON, with what the response is instead.
    private func describing(
        _ head: HTTPResponseHead, in error: Failure, beginning: UnsafeRawBufferPointer?
    ) -> Failure {
        let type = Self.type(of: head)
        guard error.kind == .notJSON, type?.isJSON != true, type?.isStream != true else { return error }
        var more = ""
        if let type = head.headers.first("Content-Type") {
            more += "; the type of the response is \(diagnostics.redactor.redact(type, upTo: 40))"
        }
        if let beginning, !beginning.isEmpty {
            let text = diagnostics.redactor.redact(String(decoding: beginning.prefix(1024), as: UTF8.self))
            let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            more += "; it begins with \(line.unicodeScalars.count > 60 ? "\(line.prefix(60))…" : line)"
        }
        return error.suffixed(more)
    }

    private mutating func beginItems(of head: HTTPResponseHead) {
        isUnderWay = true
        items = ItemStream(head, takesElements: takesElements, limit: remaining)
        if items == nil, remaining.take() != nil {
            diagnostics.tell(
                "warning: \(StreamOption.maxItems.name) has no effect: the response is no stream, but one JSON text")
            diagnostics.hint("for the elements of an array, use \(StreamOption.streamEach.name) instead of a filter")
        }
        if items?.isHeld == true { writer.holdItems() }
    }

    /// Whether the next request may be under way while a response is written: nothing of its response is written before.
    var overlaps: Bool { isKept && !includesHead }

    /// Writes what the receiver has buffered.
    ///
    /// - Throws: exit 5 for a filter that fails, exit 10 if it needs JSON and there is none, exit 11.
    package mutating func write(_ receiver: CallReceiver) throws(Failure) {
        progress?.end()
        guard download == nil else { return }
        let head = receiver.head
        if layout == .envelope {
            try receiver.checkSize()
            return try write(.object(changing(head.members) { $0.add(content: receiver.content) }), head: head)
        }
        if layout != .filtered { return try write(receiver.content, of: head) }
        if isKept, !receiver.content.isEmpty { _ = receiver.content.withUnsafeBytes { feed($0, of: head) } }
        if let failure { throw failure }
        isUnderWay = false
        guard var items = items.take() else { return try writer.finishInput() }
        try items.finish(&writer)
        remaining = remaining.map { $0 - items.count }
    }

    /// Writes buffered content, in the layout of documents if it is JSON and that is asked for.
    private mutating func write(_ content: [UInt8], of head: HTTPResponseHead) throws(Failure) {
        hasShown = false
        guard !content.isEmpty else { return }
        let mayShow = layout == .document && Self.isJSON(head) && content.count <= Self.shownLimit
        guard mayShow, let value = try? JSON(parsing: content) else { return try writer.write(unchanged: content) }
        try write(value, head: head)
        hasShown = true
    }

    private static func isJSON(_ head: HTTPResponseHead) -> Bool { type(of: head)?.isJSON ?? false }

    private static func type(of head: HTTPResponseHead) -> MediaType? {
        head.headers.first("Content-Type").map { MediaType($0) }
    }

    /// Ends the last line of a response that is written unchanged, before another one.
    mutating func endLine(_ receiver: CallReceiver) throws(Failure) {
        guard layout == .unchanged || layout == .document, !hasShown,
            let last = receiver.content.last ?? receiver.lastByte, last != 0x0A
        else { return }
        try writer.write(unchanged: [0x0A])
    }

    package mutating func write(unchanged bytes: [UInt8]) throws(Failure) { try writer.write(unchanged: bytes) }

    /// Whether the filter runs on nothing more: it has ended with `halt`, or the limit is reached.
    var isHalted: Bool { writer.isHalted || remaining == 0 }

    /// Ends the result, and renames the output file into place unless the status is an error.
    ///
    /// - Throws: exit 11.
    package consuming func end(keepsFile: Bool = true) throws(Failure) -> Exit { try writer.end(keepsFile: keepsFile) }
}

extension CallResult {
    /// Writes a value, through the filter if there is one.
    ///
    /// - Throws: exit 5 for a filter that fails, exit 11.
    package mutating func write(_ value: JSON, head: HTTPResponseHead) throws(Failure) {
        try writer.write(value, late: head.members)
    }

    /// - Throws: exit 10.
    package static func json(_ content: [UInt8]) throws(Failure) -> JSON {
        do throws(JSONSyntaxError) { return try JSON(answer: content) } catch {
            throw Failure(JQInputError.notJSON(error.description))
        }
    }

    /// A head as text; control characters are escaped if the output is a terminal.
    private func text(of head: HTTPResponseHead) -> [UInt8] {
        let lines = [head.statusLine] + head.headers.map { "\($0.name): \($0.value)" } + ["", ""]
        return Array((form.isTerminal ? lines.map { Terminal.escaping($0) } : lines).joined(separator: "\r\n").utf8)
    }
}
