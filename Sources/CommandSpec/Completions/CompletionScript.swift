internal import CTexts
internal import Wire

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

    /// The script of `text/completion.SHELL`, with what the records say in place of each `{{NAME}}`.
    func script(_ shell: String, _ parts: [String: String]) -> String {
        let values = parts.merging(["program": name, "identifier": identifier]) { part, _ in part }
        return String(cString: oap_completion(shell)).filling(values)
    }

    /// For each command whose last operand follows `--`: the number of operands before it.
    var operandsBeforeDashes: [(command: String, count: Int)] {
        commands.filter { $0.operands.last?.followsDashes == true }.map { ($0.name, $0.operands.count - 1) }
    }

    /// Options that are completed alike, as one branch of a shell's case statement.
    struct OptionBranch {
        /// How many values follow the option.
        let values: Int
        /// The completion of the only value.
        let completion: Completion
        let decidesOperands: Bool
        /// The options as they are typed, quoted: `'authurl --client-id'`.
        var spellings: [String]
    }

    /// The options of all commands that take values.
    var optionBranches: [OptionBranch] {
        var branches: [OptionBranch] = []
        for command in commands {
            for option in command.options + (soleCommand == nil ? [] : options) where option.argument != nil {
                let values = option.placeholders.count
                let branch = OptionBranch(
                    values: values, completion: values > 1 ? .nothing : option.valueCompletion,
                    decidesOperands: option == command.decidingOption,
                    spellings: option.names.map { "'\(command.name) \($0)'" })
                let isAlike = { (other: OptionBranch) in
                    (values, branch.decidesOperands) == (other.values, other.decidesOperands)
                        && branch.completion == other.completion
                }
                if let index = branches.firstIndex(where: isAlike) {
                    branches[index].spellings += branch.spellings
                } else {
                    branches.append(branch)
                }
            }
        }
        return branches
    }
}

extension CommandRecord {
    /// The option whose value decides what completes the operands.
    var decidingOption: Option? {
        let name = operands.lazy.compactMap(\.valueCompletion.decidingOption).first
        return name.flatMap { name in options.first { $0.long == name } }
    }
}
