internal import CLibJQ
internal import Glibc
package import Wire

/// JSON texts (RFC 8259) on their way to a filter, one after the other, in pieces of any size.
///
/// A plain path, and a filter that begins with `.[] |` on an array, run while the text is being read. For another filter
/// the text becomes values of libjq first. Outputs are held up to 4 MiB, so that a short text that turns out to be wrong
/// gives none. Of members with one name the last counts, as in jq.
///
/// One filter may have several inputs at a time, on one thread.
package struct JQInput: ~Copyable {
    /// What a run has given.
    package struct Result: Sendable, Equatable {
        /// How the run ended; outputs come before that.
        package var ending = JQEnding.completed
        /// Whether the last output was false or null; nil if there was none.
        package var isFalseOrNull: Bool?
    }

    package static let maximumDepth = JQValue.maximumDepth
    /// The most bytes of which values are built, and of a string or a number.
    package static let maximumSize = ValueMemory.maximumSize
    /// The most values that are built.
    package static let maximumWeight = ValueMemory.maximumWeight
    /// The bytes of output that are held until the end of the text.
    package static let heldSize = 4 << 20
    /// The bytes that are read before elements are run.
    private static let pieceSize = 128 << 10

    private var scanner: JSONScanner
    private let isSeries: Bool
    // One of these is not nil.
    private var path: PathSink<PathPrinter>?
    private var elements: PathSink<ProjectedBuilder>?
    private var tree: ProjectedBuilder?
    private let begin: (path: PathSink<PathPrinter>?, elements: PathSink<ProjectedBuilder>?)

    private let late: JSONObject
    private let style: JQOutputStyle
    private let separator: [UInt8]
    private var memory = ValueMemory()
    private var result = Result()
    /// The outputs of elements that were not taken.
    private var held: [UInt8] = []
    private var hasGivenText = false

    /// An input at the beginning of its text; the separator follows each output. In a series the next text may begin right
    /// behind the end of one, in the same piece.
    package init(
        for filter: borrowing JQFilter, late: JSONObject = [:], style: JQOutputStyle = JQOutputStyle(),
        separator: [UInt8] = [0x0A], isSeries: Bool = false
    ) {
        self.isSeries = isSeries
        scanner = Self.scanner(isSeries: isSeries)
        (self.late, self.style, self.separator) = (late, style, separator)
        var (path, elements) = (PathSink<PathPrinter>?.none, PathSink<ProjectedBuilder>?.none)
        switch filter.machine {
        case .path(let plain):
            path = PathSink(plain, output: PathPrinter(style: style, separator: separator))
        case .elements(let program):
            program.noteNoMemory()
            elements = filter.prefix.map { PathSink($0, output: ProjectedBuilder(filter.projection)) }
        case .program(let program): program.noteNoMemory()
        case .wrapped(let program): program.noteNoMemory()
        case .deferred: break
        }
        tree = path == nil && elements == nil ? ProjectedBuilder(filter.projection) : nil
        (self.path, self.elements) = (path, elements)
        begin = (path, elements)
    }

    /// Whether values are being built, so that the memory grows with the text.
    package var isBuilding: Bool { tree != nil || path?.isBuilding == true || elements?.isBuilding == true }

    private static func scanner(isSeries: Bool) -> JSONScanner {
        JSONScanner(maximumDepth: maximumDepth, isLenient: true, isSeries: isSeries)
    }

    /// Whether the text of a series that is under way is whole: it may be finished now.
    package var isAtEnd: Bool { isSeries && scanner.isAtEnd }

    /// Reads the next piece.
    ///
    /// - Parameter filter: the filter that the input was made for.
    /// - Returns: the text of outputs that can be written now, if any, and how many bytes were read: fewer than all where
    ///   this text must be finished, since the next one of a series begins.
    /// - Throws: ``JQInputError``; the outputs that were not given are lost.
    package mutating func feed(
        _ piece: UnsafeRawBufferPointer, to filter: inout JQFilter
    ) throws(JQInputError) -> (text: [UInt8], count: Int) {
        var (count, isWhole) = (0, true)
        while count < piece.count, isWhole {
            var part = UnsafeRawBufferPointer(rebasing: piece[count...].prefix(Self.pieceSize))
            let read: Int?
            do throws(JSONSyntaxError) {
                if path != nil {
                    read = try path?.read(part, by: &scanner)
                } else if elements != nil {
                    read = try elements?.read(part, by: &scanner)
                } else {
                    read = try tree?.read(part, by: &scanner)
                }
            } catch {
                throw .notJSON(error.description)
            }
            isWhole = read == part.count
            part = UnsafeRawBufferPointer(rebasing: part.prefix(read ?? 0))
            count += part.count
            runElements(filter)
            try checkOrder()
            try memory.check(size: part.count, weight: scanner.weight, isBuilding: isBuilding)
            try memory.check(cutLength: scanner.cutLength)
        }
        let size = path?.output.text.count ?? held.count
        guard hasGivenText || size > Self.heldSize else { return ([], count) }
        hasGivenText = true
        return (take(), count)
    }

    /// Ends the text, and the run. Then another text may come.
    ///
    /// - Parameter emit: takes the text of outputs.
    /// - Throws: ``JQInputError`` if the text is not whole. Then no other text may come.
    package mutating func finish(
        _ filter: inout JQFilter, emit: ([UInt8]) -> Void
    ) throws(JQInputError) -> Result {
        guard !scanner.isEmpty else { return Result() }
        defer {
            // Only what reads a text begins anew: a builder keeps the names that it knows.
            if isSeries { scanner.beginNext() } else { scanner = Self.scanner(isSeries: false) }
            (path, elements) = begin
            (memory, result, hasGivenText) = (ValueMemory(), Result(), false)
        }
        do throws(JSONSyntaxError) {
            try path?.finish(by: &scanner)
            try elements?.finish(by: &scanner)
            try tree?.finish(by: &scanner)
        } catch {
            throw .notJSON(error.description)
        }
        runElements(filter)
        try checkOrder()
        let text = take()
        if !text.isEmpty { emit(text) }
        if let path {
            result.isFalseOrNull = path.output.isFalseOrNull
            result.ending = path.failure.map { .failed($0) } ?? .completed
        } else if let elements {
            if result.ending == .completed, let failure = elements.failure { result.ending = .failed(failure) }
        } else if let value = tree?.values.take(1).first {
            var last: Bool?
            let separator = separator
            result.ending = filter.run(on: JQValue(owning: value), late: late, style: style) { output in
                last = output.isFalseOrNull
                emit(output.bytes + separator)
            }
            result.isFalseOrNull = last
        }
        return result
    }

    /// The text of outputs that no other member can replace, and that is not held any more.
    private mutating func take() -> [UInt8] {
        if let end = path.map(\.finalEnd), let text = path?.output.take(to: end) { return text }
        defer { held = [] }
        return held
    }

    private func checkOrder() throws(JQInputError) {
        guard path?.output.isTooLate != true else {
            throw .notJSON("a member appears twice, and outputs for the first one are already printed")
        }
    }

    /// Runs the filter on the elements that no other member can replace.
    private mutating func runElements(_ filter: borrowing JQFilter) {
        guard let end = elements.map(\.finalEnd), let values = elements?.output.take(to: end) else { return }
        switch filter.machine {
        case .elements(let program): for value in values { run(program, on: JQValue(owning: value)) }
        default: return
        }
    }

    private mutating func run(_ program: borrowing JQProgram, on element: consuming JQValue) {
        guard result.ending == .completed else { return }
        var (text, last) = (held, result.isFalseOrNull)
        held = []
        let separator = separator
        result.ending = program.run(on: element, style: style) { output in
            text += output.bytes
            text += separator
            last = output.isFalseOrNull
        }
        held = text
        result.isFalseOrNull = last
    }
}

extension JSONSink {
    fileprivate mutating func read(
        _ piece: UnsafeRawBufferPointer, by scanner: inout JSONScanner
    ) throws(JSONSyntaxError) -> Int { try scanner.scan(piece, into: &self) }

    fileprivate mutating func finish(by scanner: inout JSONScanner) throws(JSONSyntaxError) {
        try scanner.finish(into: &self)
    }
}
