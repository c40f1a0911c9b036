internal import CommandSpec
internal import Wire

/// The options of `call --batch` (oap-call(1), BATCH).
enum BatchOption {
    private static let section = "Batch"

    static let batch = Option("batch", section: section, summary: "send the requests on standard input")
    static let ordered = Option("ordered", section: section, summary: "print the answers in the order of the requests")
    static let parallel = Option(
        "parallel", argument: "NUMBER", standard: "8", section: section, summary: "how many requests at a time")
    static let rate = Option(
        "rate", argument: "NUMBER/UNIT", section: section, summary: "how many requests in a unit of time")
    static let resume = Option(
        "resume", argument: "FILE", completes: .files, section: section, summary: "go on where the last run ended")

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
