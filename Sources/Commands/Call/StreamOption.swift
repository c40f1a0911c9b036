internal import CommandSpec

/// The options of `call` for responses that are filtered item by item (oap-call(1), STREAMS).
enum StreamOption {
    private static let section = "Streams"

    static let streamEach = Option(
        "stream-each", argument: "FILTER", section: section, summary: "run a jq filter on each element of an array",
        details: """
            Like `--jq`, but runs the filter on each element of an array, as soon as the element has arrived. So only \
            one element at a time is in memory. If the response is not an array, the exit status is 5. See STREAMS.
            """)
    static let maxItems = Option(
        "max-items", argument: "NUMBER", section: section, summary: "end after this many events or elements",
        details: """
            Ends the transfer with exit status 0 when the filter of `--jq` or `--stream-each` has run on this number \
            of items. An item is an event or a JSON text of a stream, or an element of an array. The rest of the \
            response is not read.
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

    /// The section of the manual.
    static let manual = ManualSection(
        "STREAMS",
        text: """
            A stream is a response of one of these types: `text/event-stream`, NDJSON (`application/x-ndjson`, \
            `application/jsonl` and other names) and JSON text sequences (`application/json-seq`, RFC 7464). The \
            filter of `--jq` runs on each item of a stream as soon as the item has arrived. The output of the filter \
            is printed at once. Without a filter, a stream is printed as it arrives.

            The items of NDJSON and of JSON text sequences are JSON texts. The items of `text/event-stream` are \
            events. An event is an object with `event`, `id` and `data`. `event` is the type of the event, by default \
            `message`. `id` is the last id that the stream has sent, or an empty string. If the data of an event is \
            JSON, this JSON is the value of `data`. Otherwise, `data` is a string, such as the `[DONE]` at the end of \
            some streams. `--jq '.data | objects | .choices[0].delta.content'` skips such strings. `oap` ignores \
            comments, and an incomplete event at the end of the response. An event may have at most 16 MiB.

            With `--stream-each`, the items are the elements of an array. For the elements of an array, `oap` holds \
            the output back, as described in FILTERS.

            If the filter fails on an item, the transfer ends with exit status 5. If the filter calls `halt`, the \
            transfer ends with exit status 0. If a line of NDJSON is not JSON, the transfer ends with exit status 10. \
            If a text in a JSON text sequence is not JSON, or is possibly cut off, `oap` skips this text. The transfer \
            then goes on, and ends with exit status 10.

            Without `--max-time`, a stream has no time limit. If the server closes the stream normally, the exit \
            status is 0. If the connection breaks, the exit status is 6, or 12 if the request cannot be repeated \
            safely. `oap` does not request the stream again. To continue after the last event, use `-H 'Last-Event-ID: \
            ID'` if the server supports this field.
            """)
}
