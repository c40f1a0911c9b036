internal import CommandSpec

/// The options of `call` for responses that are filtered item by item (oap-call(1), STREAMS).
enum StreamOption {
    private static let section = "Streams"

    static let streamEach = Option(
        "stream-each", argument: "FILTER", section: section, summary: "run a jq filter on each element of an array")
    static let maxItems = Option(
        "max-items", argument: "NUMBER", form: .number(from: 1), section: section,
        summary: "end after this many events or elements")

    static let all = [streamEach, maxItems]
}
