internal import OAuth

/// The warnings that were printed: each is printed once, in a process that may run for months.
struct PrintedWarnings {
    private var messages: Set<String> = []
    /// The end of the token that could not be renewed, by the kind of failure.
    private var notRenewed: [ErrorKind: Int] = [:]
    /// So many different ones are no warnings any more, but what a server makes up.
    private static let limit = 1000

    /// Whether a warning was not printed before, and is now. One about a renewal is the same for as long as the token is:
    /// its text counts down.
    mutating func isNew(_ warning: OAuthWarning) -> Bool {
        if messages.count >= Self.limit { messages = [] }
        guard case .notRenewed(let kind, let end, _) = warning else { return messages.insert(warning.message).inserted }
        // Both times are whole seconds of clocks that were read apart.
        return notRenewed.updateValue(end, forKey: kind).map { abs($0 - end) > 5 } ?? true
    }
}
