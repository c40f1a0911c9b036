internal import CommandSpec

/// The options of `call` for responses that are filtered item by item (oap-call(1), STREAMS).
enum StreamOption {
    private static let section = "Streams"

    static let streamEach = Option(
        "stream-each", argument: "FILTER", section: section, summary: "run a jq filter on each element of an array",
        details: """
            As `--jq`, but the filter runs on each element of an array, as it arrives, in the memory of one element. A \
            response that is no array is exit status 5. See STREAMS.
            """)
    static let maxItems = Option(
        "max-items", argument: "NUMBER", section: section, summary: "end after this many events or elements",
        details: """
            Ends the transfer, with exit status 0, when the filter has run on this many events, texts or elements. The \
            rest of the response is not read.
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
            In a response of one of these types a filter runs on each item as it comes, and its outputs are printed at \
            once: `text/event-stream`, NDJSON (`application/x-ndjson`, `application/jsonl` and its other names) and JSON \
            text sequences (`application/json-seq`, RFC 7464). Without a filter such a response is printed as it arrives.

            An event is an object with `event` (its type, `message` by default), `id` (the last one so far, or an empty \
            string) and `data`. Data that is JSON is parsed, other data is a string, such as the `[DONE]` with which \
            some streams end: `--jq '.data | objects | .choices[0].delta.content'` takes the objects only. Comments \
            are ignored, and so is an event that the end of the response cuts. An event has at most 16 MiB.

            `--stream-each` does the same for the elements of an array. Its outputs are held up to 4 MiB: a response \
            that turns out not to be JSON gives none if they are fewer. What was printed by then stays, and the exit \
            status is 10 in any case.

            The first item on which the filter fails ends the transfer, with exit status 5, and so does `halt`, with 0. A \
            line of NDJSON that is not JSON ends it with exit status 10. A text of a sequence that is not JSON, or may \
            have been cut off, is left out; the exit status is 10 at the end.

            A stream has no time limit but `--max-time`. One that is closed in order ends with exit status 0; one that \
            breaks, with 6 or 12. What was printed stays, and neither is requested again: `-H 'Last-Event-ID: ID'` goes \
            on behind an event where the server supports it.
            """)
}
