extension ProgramRecord {
    package var fishCompletion: String {
        let commandLines = commands.flatMap { command in
            (soleCommand == nil ? [commandLine(of: command)] : [])
                + command.options.map { option in
                    let excluded = command.excludedSpellings(by: option)
                    return fishLine(when: place(of: command) + fishAbsence(of: excluded), offer: option.fish(of: self))
                }
                + command.operands.enumerated().flatMap { operandLines(of: command, $0 + 1, $1) }
        }
        let lines = [fishHead, "complete -c \(name) -f"] + options.map { "complete -c \(name) \($0.fish(of: self))" }
        return (lines + commandLines).map { $0 + "\n" }.joined()
    }

    private func fishLine(when condition: String, offer: String) -> String {
        "complete -c \(name) -n '__\(identifier)_\(condition)' \(offer)"
    }

    /// The condition that none of these options is given, behind another condition.
    private func fishAbsence(of names: [String]) -> String {
        let words = names.map { $0.hasPrefix("--") ? String($0.dropFirst(2)) : "-s \($0.dropFirst())" }
        return words.isEmpty ? "" : "; and not __fish_contains_opt \(words.joined(separator: " "))"
    }

    /// The condition for the options of a command.
    private func place(of command: CommandRecord) -> String {
        command.stopsAtFirstOperand ? "operand \(command.name) 1" : "words \(command.name)"
    }

    private func commandLine(of command: CommandRecord) -> String {
        fishLine(when: "words", offer: "-a \(command.name) -d \(command.summary.singleQuoted)")
    }

    private func operandLines(of command: CommandRecord, _ number: Int, _ operand: Operand) -> [String] {
        let completes = operand.valueCompletion
        let place = "operand \(command.name) \(number)\(operand.isRepeatable ? "+" : "")"
        let variable = "$__\(identifier)_\(completes.decidingOption == nil ? "found[2]" : "chosen")"
        let cases = completes.alternatives.map { alternative in
            let values = alternative.values.joined(separator: " ")
            return (place + "; and contains -- \"\(variable)\" \(values)", alternative.completion)
        }
        return (cases.isEmpty ? [(place, completes)] : cases).compactMap { condition, completion in
            guard let offer = completion.fish(of: self, at: number) else { return nil }
            let isLate = operand.followsDashes ? "; and test \"$__\(identifier)_ended\" = yes" : ""
            return fishLine(when: condition + isLate, offer: offer)
        }
    }

    /// The functions of the script.
    private var fishHead: String {
        let branches = optionBranches
        let counts = Set(branches.map(\.values)).sorted().map { count in
            let spellings = branches.filter { $0.values == count }.flatMap(\.spellings)
            return "        case \(spellings.joined(separator: " "))\n            echo \(count)"
        }
        let deciding = commands.flatMap { command in
            (command.decidingOption?.names ?? []).map { " '\(command.name) \($0)'" }
        }
        let dashes = operandsBeforeDashes.map { rest in
            """

                        if test "$words[1]" = \(rest.command)
                            while test (count $words) -le \(rest.count)
                                set -a words ''
                            end
                        end
            """
        }
        return script(
            "fish",
            [
                "counts": counts.joined(separator: "\n"), "deciding": deciding.joined(), "dashes": dashes.joined(),
                "command": soleCommand.map { " \($0.name)" } ?? "",
                "ends": soleCommand?.stopsAtFirstOperand == true ? "; set ended yes" : "",
            ])
    }
}

extension Option {
    /// The option as arguments of fish's `complete`.
    fileprivate func fish(of program: ProgramRecord) -> String {
        let names = (short.map { "-s \($0) " } ?? "") + "-l \(long)"
        let offer = valueCompletion.fish(of: program) ?? "-f"
        let value = argument == nil ? "" : placeholders.count > 1 ? " -x" : " -r \(offer)"
        return "\(names)\(value) -d \(summary.singleQuoted)"
    }
}

extension Completion {
    /// The completions, as arguments of fish's `complete`, for the operand of a number; nil for none.
    fileprivate func fish(of program: ProgramRecord, at number: Int = 0) -> String? {
        switch self {
        case .nothing, .byFirst, .byOption: nil
        case .files: "-F"
        case .filesAfter(let mark): "-f -a '(__\(program.identifier)_after \"\(mark.patterns.regular)\")'"
        case .directories: "-f -a '(__fish_complete_directories (commandline -ct))'"
        case .words(let words) where number > 0 && words.contains { $0.hasSuffix("=") }:
            "-f -a '(__\(program.identifier)_unset \(words.joined(separator: " ")))'"
        case .words(let words): "-f -a '\(words.joined(separator: " "))'"
        case .printed(let arguments):
            """
            -f -a '(command -q \(program.name); and command \(program.name) \(arguments.joined(separator: " ")) \
            2> /dev/null < /dev/null)'
            """
        case .program: "-f -a '(__\(program.identifier)_program \(number + 1))'"
        }
    }
}

extension String {
    /// The string in single quotes, as fish reads them.
    fileprivate var singleQuoted: String { "'" + substituting(["\\": "\\\\", "'": "\\'"]) + "'" }
}
