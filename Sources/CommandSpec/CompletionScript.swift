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
    /// - Parameter text: also gets whether the value decides what completes the operands.
    /// - Returns: for each text the spellings, `authurl --client-id`.
    func optionPatterns(
        _ text: (_ count: Int, Completion, _ decides: Bool) -> String
    ) -> [(text: String, patterns: [String])] {
        var groups: [(text: String, patterns: [String])] = []
        for command in commands {
            for option in command.options + (soleCommand == nil ? [] : options) where option.argument != nil {
                let count = option.placeholders.count
                let decides = option == command.decidingOption
                let text = text(count, count > 1 ? .nothing : option.valueCompletion, decides)
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

extension CommandRecord {
    /// The option whose value decides what completes the operands.
    var decidingOption: Option? {
        let name = operands.lazy.compactMap(\.valueCompletion.decidingOption).first
        return name.flatMap { name in options.first { $0.long == name } }
    }
}
