/// An option that is refused with a message, such as `--client-secret`. No message may repeat its value.
package struct RefusedOption: Sendable, Equatable {
    /// The long name without its dashes, nil if there is only a letter.
    package let long: String?
    package let short: Character?
    /// Why it is refused, for example `--client-secret would show the secret to every process`.
    package let message: String
    /// What to do instead.
    package let hint: String

    package init(_ long: String?, short: Character? = nil, message: String, hint: String) {
        (self.long, self.short, self.message, self.hint) = (long, short, message, hint)
    }

    /// A name from another program or another command, which means nothing here.
    ///
    /// - Parameter name: a long name without its dashes, or a letter.
    package init(foreign name: String, hint: String) {
        let isLetter = name.utf8.count == 1
        self.init(
            isLetter ? nil : name, short: isLetter ? name.first : nil,
            message: "there is no option \(isLetter ? "-" : "--")\(name) here", hint: hint)
    }
}
