internal import CommandSpec

/// `--min-ttl`: how many seconds a token must have left, of every command that renews one first.
enum MinimumTTL {
    static let option = Option(
        "min-ttl", argument: "SECONDS", otherwise: "60, or a tenth of the lifetime if that is less", section: "Request",
        summary: "renew a token that is valid for fewer seconds")

    /// The value, in seconds.
    ///
    /// - Throws: exit 2 for anything but a whole number.
    static func seconds(of arguments: Arguments) throws(Failure) -> Int? {
        guard let text = arguments.value(option) else { return nil }
        guard let seconds = Int(text), seconds >= 0 else {
            throw .usage("--min-ttl must be a whole number of seconds")
        }
        return seconds
    }
}
