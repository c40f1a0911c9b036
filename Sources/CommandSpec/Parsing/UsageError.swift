/// A command line that could not be understood. Neither text repeats the value of an option or an operand, which may
/// be secret.
package struct UsageError: Error, Equatable {
    /// The command, if one was recognised.
    package let command: String?
    package let reason: Reason
    package let hint: String?

    /// The kinds of errors in a command line.
    package enum Reason: Equatable, Sendable {
        case missingCommand
        case unknownCommand(String)
        /// The command has no such option; the name, safe to print.
        case unknownOption(String)
        case refusedOption(RefusedOption)
        case missingValue(option: String, placeholder: String)
        /// A flag was given a value.
        case unexpectedValue(option: String)
        /// The value of an option or operand is not one of its choices.
        case invalidChoice(of: String, choices: [String])
        /// The value of an option has another form.
        case invalidValue(of: String, expectation: String)
        /// Words that cannot be combined, as they were given.
        case apart([String])
        /// A word has no meaning without one of others.
        case needs(String, anyOf: [String])
        case missingOperand(String)
        /// There are more operands than the command takes, which are these.
        case tooManyOperands(after: [String])
    }

    package var message: String {
        switch reason {
        case .missingCommand: "no command given"
        case .unknownCommand(let name): "unknown command \(name)"
        case .unknownOption(let name): "unknown option \(name)"
        case .refusedOption(let option): option.message
        case .missingValue(let option, let placeholder): "\(option) needs a value: \(placeholder)"
        case .unexpectedValue(let option): "\(option) takes no value"
        case .invalidChoice(let name, let choices): "\(name) must be \(choices.joined(separator: ", ", last: " or "))"
        case .invalidValue(let name, let expectation): "\(name) must be \(expectation)"
        case .apart(let words): "\(words.joined(separator: ", ", last: " and ")) cannot be combined"
        case .needs(let word, let others): "\(word) needs \(others.joined(separator: ", ", last: " or "))"
        case .missingOperand(let name): "missing operand: \(name)"
        case .tooManyOperands(let own):
            switch own.last {
            case nil: "this command takes no operand"
            case let last?:
                "more than \(own.count == 1 ? "one operand" : "\(own.count) operands") given: "
                    + "the one after \(last) is too many"
            }
        }
    }
}
