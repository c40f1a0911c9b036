internal import CommandSpec

/// The options of `call` for responses that are filtered item by item (oap-call(1), STREAMS).
enum StreamOption {
    private static let section = "Streams"

    static let streamEach = Option(
        "stream-each", argument: "FILTER", section: section, summary: "run a jq filter on each element of an array",
        details: """
            Like `--jq`, but the filter runs on each element of an array as it arrives, so that only one element at a \
            time is in memory. If the response is not an array, the exit status is 5. See STREAMS.
            """)
    static let maxItems = Option(
        "max-items", argument: "NUMBER", section: section, summary: "end after this many events or elements",
        details: """
            Ends the transfer, with exit status 0, when the filter has run on this many items: events, JSON texts or \
            elements. The rest of the response is not read.
            """)

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
                "\(maxItems.name) goes with \(OutputOption.jq.name) or \(streamEach.name)",
                hint: "\(OutputOption.jq.name) . prints each event")
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

    /// The section of the manual.
    static let manual = ManualSection(
        "STREAMS",
        text: """
            In a response of one of these types, a filter runs on each item as it arrives, and its outputs are printed \
            at once: `text/event-stream`, NDJSON (`application/x-ndjson`, `application/jsonl` and its other names) and \
            JSON text sequences (`application/json-seq`, RFC 7464). Without a filter such a response is printed as it \
            arrives.

            An event is an object with `event` (its type, `message` by default), `id` (the last one so far, or an \
            empty string) and `data`. If the data is JSON, `data` is that JSON; otherwise it is a string, such as the \
            `[DONE]` with which some streams end: `--jq '.data | objects | .choices[0].delta.content'` skips the \
            strings. Comments are ignored, and so is an incomplete event at the end of the response. An event has at \
            most 16 MiB.

            `--stream-each` does the same for the elements of an array. The first 4 MiB of its output are held back \
            until the end of the response, as described in FILTERS.

            If the filter fails on an item, the transfer ends with exit status 5. `halt` in the filter ends it with \
            exit status 0. A line of NDJSON that is not JSON ends it with exit status 10. In a JSON text sequence, a \
            text that is not JSON or may be cut off is skipped; the command goes on, and ends with exit status 10.

            A stream has no time limit except `--max-time`. If the server closes it normally, the exit status is 0; if \
            the connection breaks, 6 or 12. In both cases the output so far stays, and the stream is not requested \
            again. To continue after a certain event, use `-H 'Last-Event-ID: ID'` if the server supports it.
            """)
}
