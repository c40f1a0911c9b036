/// Why the program ends before it has begun.
struct Failure: Error {
    /// The exit status.
    let status: Status
    /// What happened: lower case, no full stop.
    let message: String
    /// What to do about it.
    let hint: String?

    /// Makes a failure.
    init(_ status: Status, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }
}
