extension ProgramRecord {
    /// The completion script for zsh, for a program with commands: a file `_oap` in a folder of `$fpath`.
    package var zshCompletion: String {
        """
        #compdef \(name)

        _\(identifier)() {
            local curcontext=$curcontext state line
            local -a subcommands
            local -A opt_args
            subcommands=(
        \(commands.map { "        \("\($0.name):\($0.summary)".singleQuoted)" }.joined(separator: "\n"))
            )
            _arguments -C -S -s \(options.map { $0.zsh }.joined(separator: " ")) \\
                '1:command:->command' '*::argument:->argument'
            case $state in
            command) _describe -t commands 'command' subcommands ;;
            argument)
                curcontext=${curcontext%:*}-$line[1]:
                case $line[1] in
        \(commands.map(zshCase).joined(separator: "\n"))
                esac
                ;;
            esac
        }

        if [[ $funcstack[1] == _\(identifier) ]]; then
            _\(identifier) "$@"
        else
            compdef _\(identifier) \(name)
        fi

        """
    }

    private func zshCase(of command: CommandRecord) -> String {
        let specs = (command.options + options).map(\.zsh) + command.operands.map(\.zsh)
        let lines = ["            _arguments -S -s"] + specs.map { "                \($0)" }
        return "        \(command.name))\n\(lines.joined(separator: " \\\n")) ;;"
    }
}

extension Option {
    /// The option as a specification for `_arguments`.
    fileprivate var zsh: String {
        let text = "[\(summary.zshEscaped)]"
        let values = placeholders.map { ":\($0.zshEscaped):\(placeholders.count == 1 ? valueCompletion.zsh : " ")" }
        // `--name=` and `-n+` also take the value in the same word, which `_arguments` knows for one value only.
        let long = placeholders.count == 1 ? "\(name)=" : name
        let letter = short.map { placeholders.count == 1 ? "-\($0)+" : "-\($0)" }
        let names = [letter, long].compactMap(\.self)
        let exclusion = isRepeatable ? "*" : names.count > 1 ? "(\(self.names.joined(separator: " ")))" : ""
        let braces = names.count > 1 ? "{\(names.joined(separator: ","))}" : names[0]
        return (exclusion.isEmpty ? "" : exclusion.singleQuoted) + braces + (text + values.joined()).singleQuoted
    }
}

extension Operand {
    /// The operand as a specification for `_arguments`.
    fileprivate var zsh: String {
        let place = isRepeatable ? "*:" : isRequired ? ":" : "::"
        return "\(place)\(name.zshEscaped):\(valueCompletion.zsh)".singleQuoted
    }
}

extension Completion {
    /// The action for `_arguments`.
    fileprivate var zsh: String {
        switch self {
        case .nothing: " "
        case .files: "_files"
        case .directories: "_directories"
        case .words(let words): "(\(words.map(\.zshEscaped).joined(separator: " ")))"
        }
    }
}

extension String {
    /// The string with a backslash before what ends a part of a specification.
    fileprivate var zshEscaped: String {
        substituting(["\\": "\\\\", ":": "\\:", "[": "\\[", "]": "\\]"])
    }

    /// The string in single quotes, as zsh reads them.
    fileprivate var singleQuoted: String { "'" + substituting(["'": #"'\''"#]) + "'" }
}
