internal import CommandSpec
internal import Wire

extension Arguments {
    /// The value of an option as seconds.
    ///
    /// - Parameter takesZero: whether 0 is allowed: no limit, as in curl.
    /// - Throws: exit 2.
    func seconds(_ option: Option, takesZero: Bool = false) throws(Failure) -> Double? {
        guard let text = value(option) else { return nil }
        guard let seconds = Double(text), takesZero ? seconds >= 0 : seconds > 0, seconds < 1e9 else {
            throw .usage(
                "\(option.name) must be a number of seconds \(takesZero ? "from" : "above") 0, below 1000000000")
        }
        return seconds
    }

    /// The values of an option that takes `NAME=VALUE`.
    ///
    /// - Throws: exit 2 for one without `=`.
    func pairs(_ option: Option) throws(Failure) -> [(name: String, value: String)] {
        try Self.pairs(in: values(option), refusal: "\(option.name) takes NAME=VALUE")
    }

    /// The names and values of texts of the form `NAME=VALUE`.
    ///
    /// - Throws: exit 2 for one without `=`.
    static func pairs(
        in texts: [String], refusal: String, hint: String? = nil
    ) throws(Failure) -> [(name: String, value: String)] {
        try texts.map { text throws(Failure) in
            guard let pair = text.cut(at: "=") else { throw .usage(refusal, hint: hint) }
            return (pair.before, pair.after)
        }
    }
}
