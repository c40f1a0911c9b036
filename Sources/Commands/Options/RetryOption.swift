internal import CommandSpec

/// How often requests are sent again; curl has the same options.
enum RetryOption {
    static let section = "Retries"
    static let retry = Option(
        "retry", argument: "NUMBER", form: .number(0...1_000_000), standard: "5", section: section,
        summary: "how often to try again")
    static let retryDelay = Option(
        "retry-delay", argument: "SECONDS", form: .seconds(takesZero: true), section: section,
        summary: "the pause before a retry")
    static let retryMaxTime = Option(
        "retry-max-time", argument: "SECONDS", form: .seconds(takesZero: true), standard: "300", section: section,
        summary: "how long all attempts may take")
    /// Those of every command that gets a token without a person, or gives one back.
    static let all = [retry, retryDelay, retryMaxTime]
}
