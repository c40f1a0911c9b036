/// The shell completion for the value of an option or for an operand.
package indirect enum Completion: Sendable, Equatable {
    /// None: any text is allowed.
    case nothing
    /// The names of files.
    case files
    /// The names of directories.
    case directories
    /// These words; others are allowed too. After one that ends with `=` a value follows without a space.
    case words([String])
    /// The lines that the program prints if it is called with these arguments: words that need no quoting.
    case printed([String])
    /// The name of a program, and its own arguments after it.
    case program
    /// What fits the command's first operand; none for another one.
    case byFirst([Alternative])

    /// A completion for some values of the first operand.
    package struct Alternative: Sendable, Equatable {
        /// The values of the first operand.
        package let firsts: [String]
        /// What completes the operand after them.
        package let completion: Completion

        /// Makes an alternative; see the properties.
        package init(_ firsts: [String], _ completion: Completion) {
            self.firsts = firsts
            self.completion = completion
        }
    }
}

extension Completion {
    /// The completion for each set of values of the first operand; nil for any value.
    var alternatives: [(firsts: [String]?, completion: Completion)] {
        guard case .byFirst(let alternatives) = self else { return self == .nothing ? [] : [(nil, self)] }
        return alternatives.map { ($0.firsts, $0.completion) }
    }
}

extension ProgramRecord {
    /// The completion script for a shell.
    ///
    /// - Parameter shell: `bash`, `zsh` or `fish`.
    package func completion(for shell: String) -> String {
        switch shell {
        case "bash": bashCompletion
        case "zsh": zshCompletion
        default: fishCompletion
        }
    }

    /// For each command whose last operand follows `--`: the number of operands before it.
    var operandsBeforeDashes: [(command: String, count: Int)] {
        commands.filter { $0.operands.last?.followsDashes == true }.map { ($0.name, $0.operands.count - 1) }
    }

    /// The options of all commands that take values, grouped by what follows from the number of values and the
    /// completion of the first.
    ///
    /// - Returns: for each text the spellings, `authurl --client-id`.
    func optionPatterns(_ text: (_ count: Int, Completion) -> String) -> [(text: String, patterns: [String])] {
        var groups: [(text: String, patterns: [String])] = []
        for command in commands {
            for option in command.options + (soleCommand == nil ? [] : options) where option.argument != nil {
                let count = option.placeholders.count
                let text = text(count, count > 1 ? .nothing : option.valueCompletion)
                let patterns = option.names.map { "'\(command.name) \($0)'" }
                if let index = groups.firstIndex(where: { $0.text == text }) {
                    groups[index].patterns += patterns
                } else {
                    groups.append((text, patterns))
                }
            }
        }
        return groups
    }
}
