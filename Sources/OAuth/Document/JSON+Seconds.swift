internal import Wire

extension JSON {
    /// Seconds in an answer, their fraction cut off: a number, or a string that holds one. Nil for anything else.
    var seconds: Int? { number.integer }

    /// The whole seconds, a fraction rounded up: for pauses, which may be longer and not shorter.
    var secondsRoundedUp: Int? {
        guard let whole = seconds, case .number(let text) = number, let exact = Double(text) else { return nil }
        return Double(whole) < exact ? whole + 1 : whole
    }

    private var number: JSON { string.map { (try? JSON(parsing: $0)) ?? .null } ?? self }
}
