internal import JQ
internal import Wire
internal import Shell

/// Gives the items of one response to the filter as they arrive: the events of an event stream, the texts of NDJSON or of
/// a JSON text sequence, the elements of an array.
struct ItemStream {
    /// The items on which the filter has run.
    package private(set) var count = 0
    /// Whether nothing more is read: the limit is reached, or the filter has ended with `halt`.
    package private(set) var isDone = false
    private let limit: Int?
    /// Nil for JSON texts.
    private var events: EventStream?
    private var texts: JSONTexts
    private let framing: JSONTexts.Framing
    /// The items that have ended.
    private var ended = 0
    /// Whether the rest of a text is ignored.
    private var isBroken = false
    /// The texts of a sequence that were left out, and why the first was.
    private var leftOut = (count: 0, first: Failure?.none)

    private static let eventLimit = 16 << 20

    /// The items of a response; nil for a response that is one document.
    ///
    /// - Parameters:
    ///   - takesElements: whether an array is taken apart.
    ///   - limit: the most items.
    init?(_ head: HTTPResponseHead, takesElements: Bool, limit: Int?) {
        let type = MediaType(head.headers.first("Content-Type") ?? "")
        guard let framing = type.framing ?? (type.isEventStream ? .lines : takesElements ? .elements : nil) else {
            return nil
        }
        (self.framing, self.limit) = (framing, limit)
        texts = JSONTexts(framing)
        events = type.isEventStream ? EventStream(limit: Self.eventLimit) : nil
    }

    /// Whether outputs are held at first, so that a short response that turns out to be wrong gives none.
    var isHeld: Bool { framing == .elements }

    /// Reads the next piece of the response, and writes the outputs of its items.
    ///
    /// - Parameter late: the values of the late variables.
    /// - Throws: exit 5 for a filter that fails, exit 10 for what is not JSON or too large, exit 11.
    mutating func feed(
        _ piece: UnsafeRawBufferPointer, to writer: inout ResultWriter, late: () -> JSONObject
    ) throws(Failure) {
        do throws(Failure) {
            var position = 0
            while !isDone, try take(piece, at: &position, to: &writer, late) {}
        } catch {
            try writer.flushItems()
            throw error
        }
        try writer.flushItems()
    }

    /// Ends the response, and writes the outputs that are held.
    ///
    /// - Throws: as `feed`.
    mutating func finish(_ writer: inout ResultWriter) throws(Failure) {
        if !isDone, events == nil {
            let part: JSONTexts.Part?
            do throws(JSONTexts.Failure) { part = try texts.finish() } catch { throw failure(error) }
            if let part { try take(part, to: &writer) { [:] } }
        }
        try writer.finishInput()
        guard let failure = leftOut.first else { return }
        throw failure.suffixed("; \(leftOut.count) of \(ended) JSON texts were skipped")
    }

    /// Takes the next event or part of a text.
    ///
    /// - Returns: false at the end of the piece.
    private mutating func take(
        _ piece: UnsafeRawBufferPointer, at position: inout Int, to writer: inout ResultWriter, _ late: () -> JSONObject
    ) throws(Failure) -> Bool {
        guard events == nil else {
            guard let event = try event(in: piece, at: &position) else { return false }
            try event.json.withUnsafeBufferPointer { (text) throws(Failure) in
                try take(.text(UnsafeRawBufferPointer(text)), to: &writer, late)
            }
            try take(.end, to: &writer, late)
            return true
        }
        let part: JSONTexts.Part?
        do throws(JSONTexts.Failure) {
            part = try texts.next(in: piece, at: &position)
        } catch {
            throw failure(error)
        }
        guard let part else { return false }
        try take(part, to: &writer, late)
        return true
    }

    private mutating func event(
        in piece: UnsafeRawBufferPointer, at position: inout Int
    ) throws(Failure) -> EventStream.Event? {
        do throws(EventStream.TooLarge) {
            return try events?.next(in: piece, at: &position)
        } catch {
            throw AnswerMemory.tooLarge(
                "event \(ended + 1) of the response is larger than \(Self.eventLimit >> 20) MiB, too large for a filter"
            )
        }
    }

    private mutating func take(
        _ part: JSONTexts.Part, to writer: inout ResultWriter, _ late: () -> JSONObject
    ) throws(Failure) {
        do throws(Failure) {
            switch part {
            case .text(let bytes):
                if !isBroken { try writer.feed(bytes, late: late) }
                return
            case .end where !isBroken:
                try writer.finishItem()
                count += 1
            case .cut where !isBroken:
                writer.dropItem()
                throw Failure(JQInputError.notJSON("it may have been cut off"))
            case .end, .cut: break
            }
        } catch {
            if events != nil, error.kind == .filter, error.hint == nil {
                throw error.advising("an event is an object: its message is .data")
            }
            guard [.notJSON, .tooLarge].contains(error.kind) else { throw error }
            let noun = events != nil ? "event" : framing == .elements ? "element" : "text"
            let failure = error.prefixed("\(noun) \(ended + 1) of ")
            // A sequence goes on behind a text that is broken (RFC 7464 §2.1).
            guard framing == .sequence, error.kind == .notJSON else { throw failure }
            leftOut = (leftOut.count + 1, leftOut.first ?? failure)
            isBroken = true
            if case .text = part { return }
        }
        ended += 1
        isBroken = false
        isDone = writer.isHalted || limit.map { $0 <= count } ?? false
    }

    private func failure(_ error: JSONTexts.Failure) -> Failure {
        switch error {
        case .misplaced(let reason):
            return Failure(JQInputError.notJSON(reason + (ended > 0 ? " after element \(ended)" : "")))
        case .noArray:
            return Failure(
                .filterFailed, .filter,
                "the response is not an array, but \(StreamOption.streamEach.name) needs one",
                hint: "to run a filter on the whole response, use \(OutputOption.jq.name)")
        }
    }
}
