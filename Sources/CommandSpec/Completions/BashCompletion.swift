extension ProgramRecord {
    /// The completion script for bash; it does not need the bash-completion package.
    package var bashCompletion: String {
        script(
            "bash",
            [
                "options": commands.map { "    \($0.name)) options='\(words(of: $0.options))' ;;" }.joined(
                    separator: "\n"),
                "general": words(of: options), "excluded-cases": bashExcludedCases.joined(separator: "\n"),
                "value-cases": bashValueCases.joined(separator: "\n"),
                "first-cases": bashOperandCases { $0 == nil }.joined(separator: "\n"),
                "chosen-cases": bashOperandCases { $0 != nil }.joined(separator: "\n"),
                "command": soleCommand?.name ?? "", "commands": commands.map(\.name).joined(separator: " "),
                "names-command": bashNamesCommand, "dashes": bashDashCases,
            ])
    }

    private func words(of options: [Option]) -> String { options.flatMap(\.names).joined(separator: " ") }

    /// One case for all options of a command that exclude the same ones.
    private var bashExcludedCases: [String] {
        commands.flatMap { command in
            var cases: [(excluded: [String], spellings: [String])] = []
            for option in command.options {
                let excluded = command.excludedSpellings(by: option)
                let spellings = option.names.map { "'\(command.name) \($0)'" }
                if let index = cases.firstIndex(where: { $0.excluded == excluded }) {
                    cases[index].spellings += spellings
                } else if !excluded.isEmpty {
                    cases.append((excluded, spellings))
                }
            }
            return cases.map { excluded, spellings in
                "    \(spellings.joined(separator: " | "))) excluded+=' \(excluded.joined(separator: " "))' ;;"
            }
        }
    }

    /// One case for all options with the same number of values and the same completion.
    private var bashValueCases: [String] {
        optionBranches.map { branch in
            let decides = branch.decidesOperands ? " decides=yes" : ""
            let kind = branch.completion.bashKind(at: 0)
            return """
                    \(branch.spellings.joined(separator: " | ")))
                        count=\(branch.values) kind='\(kind)'\(decides) ;;
                """
        }
    }

    /// The cases of the operands whose completion is decided by one of these options; nil stands for none.
    private func bashOperandCases(of isMeant: (String?) -> Bool) -> [String] {
        commands.flatMap { command in
            command.operands.enumerated().flatMap { index, operand -> [String] in
                let completes = operand.valueCompletion
                guard completes != .nothing, isMeant(completes.decidingOption) else { return [] }
                let place = "'\(command.name) \(operand.isRepeatable ? "'*'" : "\(index + 1)") "
                let condition = operand.followsDashes ? "[[ -n $ended ]] && " : ""
                let cases = completes.alternatives.map { alternative in
                    (alternative.values.map { "\(place)\($0)'" }, alternative.completion)
                }
                return (cases.isEmpty ? [(["\(place)'*"], completes)] : cases).map { patterns, completion in
                    let kind = completion.bashKind(at: index + 1)
                    return "    \(patterns.joined(separator: " | "))) \(condition)kind='\(kind)' ;;"
                }
            }
        }
    }

    /// Sets the number of operands where `--` was, for commands whose last operand follows it.
    private var bashDashCases: String {
        let cases = operandsBeforeDashes.map { "\($0.command)) operands=\($0.count) ;; " }.joined()
        return cases.isEmpty ? "" : "; case $command in \(cases)esac"
    }

    private var bashNamesCommand: String {
        soleCommand == nil
            ? "if [[ -z $command ]]; then command=$word; else ((operands++ == 0)) && first=$word; fi"
            : "((operands++ == 0)) && first=$word\(soleCommand?.stopsAtFirstOperand == true ? "; ended=yes" : "")"
    }
}

extension Completion {
    /// The name in the script: `files`, `after PATTERN`, `directories`, `words …`, `printed …`, `program N` or nothing.
    ///
    /// - Parameter number: that of the operand; 0 for an option.
    fileprivate func bashKind(at number: Int) -> String {
        switch self {
        case .nothing, .byFirst, .byOption: ""
        case .files: "files"
        case .filesAfter(let mark): "after \(mark.patterns.regular)"
        case .directories: "directories"
        case .words(let words): "words \(words.joined(separator: " "))"
        case .printed(let arguments): "printed \(arguments.joined(separator: " "))"
        case .program: "program \(number)"
        }
    }
}
