extension ProgramRecord {
    /// The completion script for fish, for a program with commands.
    package var fishCompletion: String {
        let commandLines = commands.flatMap { command in
            [fishLine(when: "not", offer: "-a \(command.name) -d \(command.summary.singleQuoted)")]
                + command.options.map { fishLine(when: command.name, offer: $0.fish) }
                + command.operands.compactMap(\.valueCompletion.fish).map { fishLine(when: command.name, offer: $0) }
        }
        let head = """
            # fish completion for \(name)

            # Whether the command is $argv[1]; with `not`, whether there is none yet.
            function __\(identifier)_command
                for word in (commandline -opc)[2..-1]
                    string match -q -- '-*' $word; and continue
                    test $word = $argv[1]
                    return
                end
                test $argv[1] = not
            end

            complete -c \(name) -f
            """
        let lines = [head] + options.map { "complete -c \(name) \($0.fish)" } + commandLines
        return lines.map { $0 + "\n" }.joined()
    }

    private func fishLine(when command: String, offer: String) -> String {
        "complete -c \(name) -n '__\(identifier)_command \(command)' \(offer)"
    }
}

extension Option {
    /// The option as arguments of fish's `complete`.
    fileprivate var fish: String {
        let names = (short.map { "-s \($0) " } ?? "") + "-l \(long)"
        let value = argument == nil ? "" : placeholders.count > 1 ? " -x" : " -r \(valueCompletion.fish ?? "-f")"
        return "\(names)\(value) -d \(summary.singleQuoted)"
    }
}

extension Completion {
    /// The completions, as arguments of fish's `complete`; nil for none.
    fileprivate var fish: String? {
        switch self {
        case .nothing: nil
        case .files: "-F"
        case .directories: "-f -a '(__fish_complete_directories (commandline -ct))'"
        case .words(let words): "-f -a '\(words.joined(separator: " "))'"
        }
    }
}

extension String {
    /// The string in single quotes, as fish reads them.
    fileprivate var singleQuoted: String {
        "'" + substituting(["\\": "\\\\", "'": "\\'"]) + "'"
    }
}
