internal import CommandSpec

/// The options of `call --batch` (oap-call(1), BATCH).
enum BatchOption {
    private static let section = "Batch"

    static let batch = Option("batch", section: section, summary: "send the requests on standard input")
    static let ordered = Option("ordered", section: section, summary: "print the answers in the order of the requests")
    static let standardWidth = 8
    static let parallel = Option(
        "parallel", argument: "NUMBER", form: .number(1...256), standard: String(standardWidth), section: section,
        summary: "how many requests at a time")
    static let rate = Option(
        "rate", argument: "NUMBER/UNIT", form: .rate, section: section, summary: "how many requests in a unit of time")
    static let resume = Option.file("resume", section: section, summary: "go on where the last run ended")

    static let shard = Option(
        "shard", argument: "I/N", section: section, summary: "send the part I of N parts of the lines")

    static let all = [batch, ordered, parallel, rate, resume, shard]
}
