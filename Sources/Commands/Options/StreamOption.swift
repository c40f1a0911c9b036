internal import CommandSpec

/// The options of `call` for responses that are filtered item by item (oap-call(1), STREAMS).
enum StreamOption {
    private static let section = "Streams"

    static let streamEach = Option(
        "stream-each", argument: "FILTER", section: section, summary: "run a jq filter on each element of an array")
    static let maxItems = Option(
        "max-items", argument: "NUMBER", section: section, summary: "end after this many events or elements")

    /// The options.
    static let all = [streamEach, maxItems]

    /// Refuses options that contradict each other.
    ///
    /// - Throws: exit 2.
    static func check(_ arguments: Arguments) throws(Failure) {
        guard let own = all.first(where: { arguments.has($0) }) else { return }
        let others = [CallOption.envelope, PageOption.slurp] + (own == streamEach ? [OutputOption.jq] : [])
        if let other = others.first(where: { arguments.has($0) }) {
            throw .usage("\(own.name) and \(other.name) cannot be combined")
        }
        guard own == streamEach || arguments.has(OutputOption.jq) else {
            throw .usage(
                "\(maxItems.name) has no effect without \(OutputOption.jq.name) or \(streamEach.name)",
                hint: "add \(OutputOption.jq.name) . to print each event")
        }
    }

    /// On how many items the filter runs at most; nil for all.
    ///
    /// - Throws: exit 2.
    static func limit(_ arguments: Arguments) throws(Failure) -> Int? {
        guard let text = arguments.value(maxItems) else { return nil }
        guard let number = Int(text), number > 0 else {
            throw .usage("\(maxItems.name) must be a whole number from 1")
        }
        return number
    }
}
