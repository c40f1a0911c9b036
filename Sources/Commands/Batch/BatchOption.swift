internal import CommandSpec
internal import Wire

/// The options of `call --batch` (oap-call(1), BATCH).
enum BatchOption {
    private static let section = "Batch"

    static let batch = Option(
        "batch", section: section, summary: "send the requests on standard input",
        details: "Sends a request for each line of standard input, and prints a line for each response. See BATCH.")
    static let ordered = Option(
        "ordered", section: section, summary: "print the answers in the order of the requests",
        details: """
            Prints the responses in the order of the requests. Without this option, each response is printed when it \
            arrives.
            """)
    static let parallel = Option(
        "parallel", argument: "NUMBER", standard: "8", section: section, summary: "how many requests at a time",
        details: "The largest number of requests that are sent at the same time, from 1 to 256.")
    static let rate = Option(
        "rate", argument: "NUMBER/UNIT", section: section, summary: "how many requests in a unit of time",
        details: """
            The largest number of requests that are begun in a second (`10/s`), in a minute (`600/m`) or in an hour \
            (`5000/h`).
            """)
    static let resume = Option(
        "resume", argument: "FILE", completes: .files, section: section, summary: "go on where the last run ended",
        details: """
            Records in this file which lines of the input need not be sent again. If the command is run again with the \
            same file and the same input, it skips these lines. A file that belongs to another user, or that others \
            can write to, is refused.
            """)

    /// The section of the manual.
    static let manual = ManualSection(
        "BATCH",
        text: """
            With `--batch`, each line of standard input is a request: a JSON object of at most 16 MiB. The members of \
            the object are `url`, `method`, `headers`, `query`, `body`, `body_base64` and `id`. Any other member is an \
            error. `url` is an absolute URL, or a path that `oap` appends to the `api_base`. `method` is `GET` by \
            default, or `POST` if there is a body. `headers` and `query` are objects. Their values are strings, \
            numbers, booleans or arrays of these. A `body` that is a string is sent as it is. Any other `body` is sent \
            as JSON. `body_base64` is a body in Base64, for bytes that are not text. `id` is a string or a number. \
            Empty lines are ignored.

            `-H`, `-A`, `--idempotency-key` and the options for retries, redirects and the transport apply to all \
            requests. The token comes from `-p`, `--token-file` or `OAP_ACCESS_TOKEN`. `oap` sends it only to the \
            origins that the document or `--allow-origin` names. With `OAP_ACCESS_TOKEN`, `--api-base` names an origin \
            too. If no origin is named, the command fails.

            For each input line, `oap` prints an output line. The output line is an object with `id`, `status`, \
            `headers` (names in lower case) and `body`. If the response contains JSON, this JSON is the value of \
            `body`. If the response contains other text, `body` is a string. If the response has no content, `body` is \
            null. If the content is not text, the object has `body_base64` instead of `body`. If there is no response, \
            or if the input line is not a valid request, the output line is an error document (`oap-documents(5)`) \
            with the member `id`. If an input line has no `id`, its line number is the `id`. The filter of `--jq` runs \
            on the object of each output line.

            Each response is printed when it arrives, unless `--ordered` is given. `oap` reuses its connections. With \
            HTTP/2, one connection carries several requests at the same time. While the token is renewed, and while a \
            rate limit requires a pause, no request is sent. Input lines are read only as fast as requests can be sent \
            and responses can be printed.

            If all requests have succeeded, the exit status is 0. Otherwise, the exit status of the command is the \
            highest exit status of a failed request. A failed request has the same exit status as without `--batch`. A \
            message on standard error says how many requests failed. If the server asks for a longer pause than \
            `--retry-max-time` allows, the batch ends early with exit status 6. If the token cannot be renewed, the \
            batch ends early with the exit status of the failed renewal, usually 8. A batch that ends early reads no \
            further line, and completes only the requests that were already sent.

            If a signal ends the command, the last output line is still complete. With `--resume FILE`, an interrupted \
            batch can be continued: run the same command again. The new run skips each input line that already has an \
            output line. But a request that failed with exit status 6, 8 or 11 is sent again. Before \
            `oap` sends a request that cannot be repeated safely (see RETRIES), it records the request in the file of \
            `--resume`. If the process ends before the response, the next run does not send this request again, unless \
            `--retry-all-methods` is given. Instead, the next run prints an error document with exit status 12 for \
            this line. With `--idempotency-key`, the key of a request consists of a prefix and the line number. The \
            prefix is the value of the option, or a random value if the option has none. All runs with the same FILE \
            use the same prefix. If the input has changed since the last run, the exit status is 3. If another process \
            uses FILE, the exit status is 11.
            """)

    /// The options.
    static let all = [batch, ordered, parallel, rate, resume]

    /// Refuses the options that a batch does not have, and its own without `--batch`.
    ///
    /// - Throws: exit 2.
    static func check(_ arguments: Arguments) throws(Failure) {
        guard arguments.has(batch) else {
            guard let own = all.first(where: { arguments.has($0) }) else { return }
            throw .usage("\(own.name) has no effect without --batch")
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
            throw .usage(
                "\(other.name) cannot be combined with --batch", hint: "each line of standard input is a request")
        }
        guard arguments.operand(named: "NAME")?.contains("/") != true else {
            throw .usage("--batch takes no URL", hint: "each line of standard input names its own URL")
        }
        guard !arguments.has(resume) || arguments.value(OutputOption.output) ?? "-" == "-" else {
            throw .usage(
                "-o cannot be combined with --resume: the file of -o is written only at the end",
                hint: "append standard output to a file: >> FILE")
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
