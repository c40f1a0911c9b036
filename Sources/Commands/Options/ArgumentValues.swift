internal import CommandSpec
internal import Wire

extension Arguments {
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
