/// The shell completion for the value of an option or for an operand.
package indirect enum Completion: Sendable, Equatable {
    /// No completion: any text is allowed.
    case nothing
    case files
    /// The names of files behind a mark. Other text is allowed too.
    case filesAfter(Mark)
    case directories
    /// The words themselves; others are allowed too. After one that ends with `=` a value follows without a space.
    case words([String])
    /// The lines that the program prints if it is called with these arguments: words that need no quoting.
    case printed([String])
    /// The name of a program, and its own arguments after it.
    case program
    /// For an operand: what fits the command's first operand; none for another one.
    case byFirst([Alternative])
    /// For an operand: what fits the value of an option earlier on the line, by the long name of the option; none for
    /// another value or without the option.
    case byOption(String, [Alternative])

    /// The words before the name of a file.
    package enum Mark: Sendable {
        /// `@FILE`.
        case at
        /// `@FILE` or `NAME@FILE`.
        case nameAt
        /// `NAME=@FILE`.
        case nameIs

        /// The mark as a regular expression, and as a pattern of zsh.
        var patterns: (regular: String, zsh: String) {
            switch self {
            case .at: ("^@", "@")
            case .nameAt: ("^[^=@]*@", "[^=@]#@")
            case .nameIs: ("^[^=]*=@", "[^=]#=@")
            }
        }
    }

    /// A completion for some values of the first operand or of an option.
    package struct Alternative: Sendable, Equatable {
        package let values: [String]
        /// The completion where one of the values is given.
        package let completion: Completion

        package init(_ values: [String], _ completion: Completion) {
            (self.values, self.completion) = (values, completion)
        }
    }
}

extension Completion {
    /// The completions that depend on the value of something else; empty if there is only one completion.
    var alternatives: [Alternative] {
        switch self {
        case .byFirst(let alternatives), .byOption(_, let alternatives): alternatives
        default: []
        }
    }

    /// The long name of the option whose value decides.
    var decidingOption: String? { if case .byOption(let name, _) = self { name } else { nil } }
}
