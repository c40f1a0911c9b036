internal import Shell

/// Writes the answers of a batch: only as much as the reader takes at once, so that transfers go on meanwhile.
final class BatchOutput {
    /// The most bytes that wait for the reader before no further line is read.
    static let limit = 1 << 20

    /// Nil after the end.
    private var writer: ResultWriter?
    let sink: ByteSink
    /// Whether answers are not laid out, so that JSON of the API is passed on as it is.
    private let keepsSpelling: Bool
    /// The lines whose answers are not written whole, and where these end, counted from the beginning of the output.
    private var unwritten: [(end: Int, line: BatchLine)] = []

    /// Compiles the filter and opens the file.
    ///
    /// - Throws: exit 2 for a filter that does not compile; exit 11.
    init(_ form: OutputForm, _ diagnostics: Diagnostics) throws(Failure) {
        let layout = form.style.json
        keepsSpelling = form.filter == nil && !form.isTerminal && !layout.isPretty && !layout.isColored
        let writer = try ResultWriter(form, diagnostics: diagnostics)
        sink = writer.sink
        sink.hold(.max)
        self.writer = consume writer
    }

    /// Prints an answer, or the outputs of the filter for it.
    ///
    /// - Returns: why the filter failed.
    func print(_ answer: BatchAnswer) -> Failure? {
        defer { unwritten.append((sink.written + sink.backlog, answer.line)) }
        do throws(Failure) {
            if keepsSpelling {
                try writer?.write(unchanged: answer.text)
            } else {
                try writer?.write(one: answer.object)
            }
            return nil
        } catch {
            return error.kind == .halt ? error.suffixed("the filter ended with halt_error") : error
        }
    }

    /// Writes what the reader takes.
    ///
    /// - Parameter isLast: whether to wait until it has taken everything.
    /// - Returns: the lines whose answers are written whole now.
    /// - Throws: exit 11. A closed standard output does not return.
    func flush(isLast: Bool = false) throws(Failure) -> [BatchLine] {
        try isLast ? sink.flush() : sink.offer()
        let whole = unwritten.prefix { $0.end <= sink.written }
        guard !whole.isEmpty else { return [] }
        unwritten.removeFirst(whole.count)
        return whole.map(\.line)
    }

    /// Puts the file into its place.
    ///
    /// - Throws: exit 11.
    func end() throws(Failure) { if let writer = writer.take() { _ = try writer.end() } }
}

/// The order in which answers are printed: that of arrival, or with `--ordered` that of the lines.
struct BatchOrder {
    private let isKept: Bool
    private let limit: Int
    /// The answers that wait for an earlier one, by the places of their lines.
    private var held: [Int: BatchAnswer] = [:]
    private var size = 0
    private var next = 0
    private static let sizeLimit = 16 << 20

    /// With `isKept` the order is that of the lines; at most `limit` answers wait.
    init(isKept: Bool, limit: Int) { (self.isKept, self.limit) = (isKept, limit) }

    /// Whether no further line may be read: too many answers, or more than 16 MiB, wait for an earlier one.
    var isFull: Bool { held.count >= limit || size >= Self.sizeLimit }

    /// Returns the answers whose turn has come.
    mutating func take(_ answer: BatchAnswer) -> [BatchAnswer] {
        guard isKept else { return [answer] }
        held[answer.line.place] = answer
        size += answer.size
        var due: [BatchAnswer] = []
        while let answer = held.removeValue(forKey: next) {
            size -= answer.size
            next += 1
            due.append(answer)
        }
        return due
    }
}
