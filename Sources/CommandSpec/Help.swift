extension ProgramRecord {
    /// The short help: the synopsis, then one line per command or option.
    ///
    /// - Parameter command: The command; nil for the program.
    package func help(for command: CommandRecord? = nil) -> String {
        let command = command ?? soleCommand
        let synopsis = command.map(synopsis) ?? programSynopsis
        var lines = synopsis.enumerated().map { ($0 == 0 ? "usage: " : "       ") + $1.plainText }
        lines += [""] + TextLayout.wrap(command?.summary ?? summary, indent: 0)
        let groups = command.map(helpGroups) ?? helpGroups
        for (group, rows) in zip(groups, TextLayout.columns(groups.map(\.rows))) {
            lines += ["", group.title + ":"] + rows
        }
        let more =
            command.map { soleCommand == nil ? "\(name) help \($0.name)" : "man \(name)" } ?? "\(name) help COMMAND"
        return (lines + ["", "see: \(more)"]).map { $0 + "\n" }.joined()
    }

    /// The long help: the text of the manual page.
    ///
    /// - Parameter command: The command; nil for the program.
    package func longHelp(for command: CommandRecord? = nil) -> String {
        (command.map(manualPage) ?? manualPage).plainText
    }

    private typealias Group = (title: String, rows: [(term: String, text: String)])

    private func helpGroups(of command: CommandRecord) -> [Group] {
        let operands = command.operands.map { (term: $0.name, text: $0.summary) }
        let groups: [Group] = listedOptions(of: command).map { ($0.title, $0.options.map(\.helpRow)) }
        return (operands.isEmpty ? [] : [("Operands", operands)]) + groups
    }

    private var helpGroups: [Group] {
        let groups: [Group] = commandGroups.map { group in
            (group.title, group.commands.map { (term: $0.name, text: $0.summary) })
        }
        return groups + (options.isEmpty ? [] : [("Options", options.map(\.helpRow))])
    }
}

extension Option {
    /// The term with room for a letter, and the summary.
    fileprivate var helpRow: (term: String, text: String) {
        let term = (short.map { "-\($0), " } ?? "    ") + name
        return (term + valueText, summary)
    }
}
