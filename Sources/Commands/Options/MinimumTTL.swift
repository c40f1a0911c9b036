internal import CommandSpec

/// `--min-ttl`: how many seconds a token must have left, of every command that renews one first.
enum MinimumTTL {
    static let option = Option(
        "min-ttl", argument: "SECONDS", form: .number(from: 0),
        otherwise: "60, or a tenth of the lifetime if that is less", section: "Request",
        summary: "renew a token that is valid for fewer seconds")
}
