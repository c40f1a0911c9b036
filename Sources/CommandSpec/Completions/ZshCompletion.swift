extension ProgramRecord {
    /// The completion script for zsh: a file `_oap` in a folder of `$fpath`.
    package var zshCompletion: String {
        script("zsh", ["arguments": soleCommand.map { zshArguments(of: $0, indent: "    ") } ?? zshCommands])
    }

    private var zshCommands: String {
        """
            local -a subcommands
            subcommands=(
        \(commands.map { "        \("\($0.name):\($0.summary)".singleQuoted)" }.joined(separator: "\n"))
            )
            _arguments -C -S -s \(options.map { $0.zsh(of: self) }.joined(separator: " ")) \\
                '1:command:->command' '*::argument:->argument'
            case $state in
            command) _describe -t commands 'command' subcommands ;;
            argument)
                curcontext=${curcontext%:*}-$line[1]:
                case $line[1] in
        \(commands.map { "        \($0.name))\n\(zshArguments(of: $0, indent: "            ")) ;;" }.joined(separator: "\n"))
                esac
                ;;
            esac
        """
    }

    /// The call of `_arguments` for a command, and the completion of the operands that depend on the first or on an
    /// option.
    private func zshArguments(of command: CommandRecord, indent: String) -> String {
        let options =
            command.options.map { $0.zsh(of: self, excluding: command.excludedSpellings(by: $0)) }
            + options.map { $0.zsh(of: self) }
        let specs = options + command.operands.map { $0.zsh(of: self) }
        let call = (["\(indent)_arguments -S -s"] + specs.map { "\(indent)    \($0)" }).joined(separator: " \\\n")
        let choices = command.operands.map(\.valueCompletion).filter { !$0.alternatives.isEmpty }
        guard !choices.isEmpty else { return call }
        return (["\(indent)state=", call] + choices.map { zshChoice($0, of: command, indent) }).joined(separator: "\n")
    }

    /// The completion of an operand that depends on the first or on an option. A variable that is set is not offered again.
    private func zshChoice(_ completion: Completion, of command: CommandRecord, _ indent: String) -> String {
        let option = completion.decidingOption == nil ? nil : command.decidingOption
        let values = option?.names.map { "${opt_args[\($0)]}" }.joined()
        let cases = completion.alternatives.map { alternative in
            let code = alternative.completion.zshCode(of: self) ?? ""
            return "\(indent)    \(alternative.values.joined(separator: "|"))) \(code) ;;\n"
        }
        return """
            \(indent)given=(${${(M)words[1,CURRENT-1]:#?*=*}/%=*/=})
            \(indent)[[ $state == \(completion.zshState) ]] && case \(values ?? "$line[1]") in
            \(cases.joined())\(indent)esac
            """
    }
}

extension Option {
    /// The option as a specification for `_arguments`.
    ///
    /// - Parameter excluded: the options that cannot stand beside it.
    fileprivate func zsh(of program: ProgramRecord, excluding excluded: [String] = []) -> String {
        let text = "[\(summary.zshEscaped)]"
        let values = placeholders.map {
            ":\($0.zshEscaped):\(placeholders.count == 1 ? valueCompletion.zsh(of: program) : " ")"
        }
        // `--name=` and `-n+` also take the value in the same word, which `_arguments` knows for one value only.
        let long = placeholders.count == 1 ? "\(name)=" : name
        let letter = short.map { placeholders.count == 1 ? "-\($0)+" : "-\($0)" }
        let names = [letter, long].compactMap(\.self)
        let others = (isRepeatable || names.count == 1 ? [] : self.names) + excluded
        let exclusion = (others.isEmpty ? "" : "(\(others.joined(separator: " ")))") + (isRepeatable ? "*" : "")
        let braces = names.count > 1 ? "{\(names.joined(separator: ","))}" : names[0]
        return (exclusion.isEmpty ? "" : exclusion.singleQuoted) + braces + (text + values.joined()).singleQuoted
    }
}

extension Operand {
    /// The operand as a specification for `_arguments`.
    fileprivate func zsh(of program: ProgramRecord) -> String {
        let place =
            isRepeatable && valueCompletion == .program && !followsDashes
            ? "*::" : isRepeatable ? "*:" : isRequired ? ":" : "::"
        let action = followsDashes ? "{_\(program.identifier)_program}" : valueCompletion.zsh(of: program)
        return "\(place)\(name.zshEscaped):\(action)".singleQuoted
    }
}

extension Completion {
    /// The action for `_arguments`.
    fileprivate func zsh(of program: ProgramRecord) -> String {
        switch self {
        case .nothing: " "
        case .files: "_files"
        case .directories: "_directories"
        case .words(let words) where !words.contains { $0.hasSuffix("=") }:
            "(\(words.map(\.zshEscaped).joined(separator: " ")))"
        case .words, .printed, .program, .filesAfter: "{\((zshCode(of: program) ?? "").substituting([":": "\\:"]))}"
        case .byFirst, .byOption: "->\(zshState)"
        }
    }

    /// The state of `_arguments` in which something else decides.
    fileprivate var zshState: String { decidingOption == nil ? "dependent" : "chosen" }

    /// The completion as a command; nil for none.
    fileprivate func zshCode(of program: ProgramRecord) -> String? {
        switch self {
        case .nothing, .byFirst, .byOption: nil
        case .files: "_files"
        case .filesAfter(let mark): "_\(program.identifier)_after \"\(mark.patterns.zsh)\""
        case .directories: "_directories"
        case .words(let words): "_\(program.identifier)_words \(words.joined(separator: " "))"
        case .printed(let arguments): "_\(program.identifier)_printed \(arguments.joined(separator: " "))"
        case .program: "_normal"
        }
    }
}

extension String {
    /// The string with a backslash before what ends a part of a specification.
    fileprivate var zshEscaped: String { substituting(["\\": "\\\\", ":": "\\:", "[": "\\[", "]": "\\]"]) }

    /// The string in single quotes, as zsh reads them.
    fileprivate var singleQuoted: String { "'" + substituting(["'": #"'\''"#]) + "'" }
}
