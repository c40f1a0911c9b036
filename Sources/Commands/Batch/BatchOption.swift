internal import CommandSpec
internal import Wire

/// The options of `call --batch` (oap-call(1), BATCH).
enum BatchOption {
    private static let section = "Batch"

    static let batch = Option(
        "batch", section: section, summary: "send the requests on standard input",
        details: "Sends a request for each line of standard input, and prints a line for each answer. See BATCH.")
    static let ordered = Option(
        "ordered", section: section, summary: "print the answers in the order of the requests",
        details: "Prints the answers in the order of the requests, not in that of their arrival.")
    static let parallel = Option(
        "parallel", argument: "NUMBER", standard: "8", section: section, summary: "how many requests at a time",
        details: "How many requests are under way at a time: 1 to 256, 8 by default.")
    static let rate = Option(
        "rate", argument: "NUMBER/UNIT", section: section, summary: "how many requests in a unit of time",
        details: "Begins no more requests than that in a second, a minute or an hour: `10/s`, `600/m`, `5000/h`.")
    static let resume = Option(
        "resume", argument: "FILE", completes: .files, section: section, summary: "go on where the last run ended",
        details: """
            Records in this file which lines are done. The next run with the same file and the same input leaves them \
            out.
            """)

    /// The section of the manual.
    static let manual = ManualSection(
        "BATCH",
        text: """
            With `--batch` each line of standard input is a request, a JSON object of at most 16 MiB: `url` (absolute, or \
            a path relative to `api_base`), `method` (by default `GET`, or `POST` with a body), `headers` and `query` \
            (objects of strings, numbers, booleans or arrays of these), `body` or `body_base64`, and `id`, a string or a \
            number. A `body` that is a string is sent as it is, any other value as JSON. Empty lines are ignored; other \
            members are an error. `-H`, `-A`, `--idempotency-key` and the options for retries, redirects and the \
            transport apply to all requests. The token comes from `-p`, `--token-file` or `OAP_ACCESS_TOKEN`. It goes \
            only to the origins that the document or `--allow-origin` names.

            The answer to a line is a line: `id`, `status`, `headers` (names in lower case) and `body`. Content that is \
            JSON is part of the line, text is a string, other bytes are Base64 in `body_base64`, and no content is \
            null. A request without an answer, and a line that is no request, is an object with `id` and the members of \
            an error document (`oap-documents(5)`). A line without an `id` has its number. `--jq` runs on each of these \
            objects, as `jq` would on the output.

            Answers come in the order of their arrival. Connections are kept, and shared where the server speaks HTTP/2. \
            A renewal of the token and a pause for a rate limit are the same for all requests. Lines are read only as \
            fast as requests are sent and answers are taken.

            The exit status is 0 if all requests have succeeded, else the highest among those that they would have had \
            alone; how many have failed is said on standard error. If the server asks to wait longer than \
            `--retry-max-time` allows, or the token cannot be renewed, no further line is read: what is under way ends, \
            and the exit status is 6 or 8.

            After a signal the lines that are done are printed whole. With `--resume` the same command goes on: it \
            leaves out the lines that are done, and sends those again that had exit status 6 or 8. A request that may \
            not be repeated is recorded on the disk before it is sent; where its answer was lost with the process, the \
            next run does not send it again, but prints an error with exit status 12, unless `--retry-all-methods` is \
            given. The keys of `--idempotency-key` are made of its value, or of a random one for the run, and the \
            number of the line; they stay the same in the next run. Input that has changed is refused with exit status \
            3, and a file that another run uses with exit status 11.
            """)

    /// The options.
    static let all = [batch, ordered, parallel, rate, resume]

    /// Refuses the options that a batch does not have, and its own without `--batch`.
    ///
    /// - Throws: exit 2.
    static func check(_ arguments: Arguments) throws(Failure) {
        guard arguments.has(batch) else {
            guard let own = all.first(where: { arguments.has($0) }) else { return }
            throw .usage("\(own.name) goes with --batch")
        }
        let common = [
            CallOption.header, CallOption.userAgent, CallOption.http11, CallOption.compressed,
            CallOption.noCrossOrigin, CallOption.allowOrigin, CallOption.dryRun, CallOption.retry,
            CallOption.retryDelay, CallOption.retryMaxTime, CallOption.retryAllMethods, CallOption.idempotencyKey,
            CallOption.silent,
        ]
        let others =
            (CallOption.all + PageOption.all + StreamOption.all + [OutputOption.exitStatus])
            .filter { !(common + CallOption.habits).contains($0) }
        if let other = others.first(where: { arguments.has($0) }) {
            throw .usage("\(other.name) does not go with --batch", hint: "each line of standard input is a request")
        }
        guard arguments.operand(named: "NAME")?.contains("/") != true else {
            throw .usage("--batch takes no URL", hint: "each line of standard input has its own")
        }
        guard !arguments.has(resume) || arguments.value(OutputOption.output) ?? "-" == "-" else {
            throw .usage("-o does not go with --resume: the file is written at the end", hint: "use >> FILE")
        }
    }

    /// The name of a new run, with which its idempotency keys begin.
    ///
    /// - Throws: exit 2 for a key that its field cannot hold, exit 11.
    static func run(_ arguments: Arguments) throws(Failure) -> String {
        guard let key = arguments.value(CallOption.idempotencyKey) else { return try CallHeaders.randomKey() }
        return try CallHeaders.checked(key: key)
    }

    /// How many requests are under way at a time.
    ///
    /// - Throws: exit 2.
    static func width(_ arguments: Arguments) throws(Failure) -> Int {
        guard let text = arguments.value(parallel) else { return 8 }
        guard let number = Int(text), (1...256).contains(number) else {
            throw .usage("\(parallel.name) must be a whole number from 1 to 256")
        }
        return number
    }

    /// The time between two requests; nil for none.
    ///
    /// - Throws: exit 2.
    static func interval(_ arguments: Arguments) throws(Failure) -> Duration? {
        guard let text = arguments.value(rate) else { return nil }
        let seconds = ["s": 1.0, "m": 60, "h": 3600]
        guard let (before, unit) = text.cut(at: "/"), let number = Double(before), let span = seconds[unit],
            number > 0, number <= 1e6, span / number <= 86_400
        else { throw .usage("\(rate.name) takes a number and a unit, such as 10/s, 600/m or 5000/h") }
        return .seconds(span / number)
    }
}
