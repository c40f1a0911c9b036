internal import Wire

extension ProgramRecord {
    /// The short help: the synopsis, then one line per command or option, then examples.
    ///
    /// - Parameters:
    ///   - command: The command; nil for the program.
    ///   - width: The columns of a line.
    package func help(for command: CommandRecord? = nil, width: Int = TextLayout.width) -> String {
        let command = command ?? soleCommand
        let synopsis = command.map(synopsis) ?? programSynopsis
        var lines = synopsis.enumerated().flatMap {
            TextLayout.wrap($1.plainText, indent: 7, first: $0 == 0 ? "usage: " : "", width: width)
        }
        lines += [""] + TextLayout.wrap(command?.summary ?? summary, indent: 0, width: width)
        let groups = command.map(helpGroups) ?? helpGroups
        for (group, rows) in zip(groups, TextLayout.columns(groups.map(\.rows), width: width)) {
            lines += ["", group.title + ":"] + rows
        }
        if let examples = command?.examples.prefix(3), !examples.isEmpty {
            lines += ["", "Examples:"] + examples.flatMap { $0.helpLines(width: width) }
        }
        let pages = seeAlso.filter { $0.name.hasPrefix("\(name)-") }.map { "\($0.name)(\($0.section))" }
        let more =
            command.map { soleCommand == nil ? "\(name) help \($0.name)" : "man \(name)" }
            ?? (["\(name) help COMMAND"] + pages).joined(separator: ", ")
        lines += [""] + TextLayout.wrap(more, indent: 5, first: "see: ", width: width)
        return lines.map { $0 + "\n" }.joined()
    }

    /// The long help: the text of the manual page.
    ///
    /// - Parameters:
    ///   - command: The command; nil for the program.
    ///   - width: The columns of a line.
    package func longHelp(for command: CommandRecord? = nil, width: Int = TextLayout.width) -> String {
        (command.map(manualPage) ?? manualPage).plainText(width: width)
    }

    private typealias Group = (title: String, rows: [(term: String, text: String)])

    private func helpGroups(of command: CommandRecord) -> [Group] {
        let operands = command.operands.map { (term: $0.name, text: $0.fullSummary) }
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
        return (term + valueText, fullSummary)
    }
}

extension Example {
    /// The text and the command.
    fileprivate func helpLines(width: Int) -> [String] {
        let plain = Markup.inlines(text.split(separator: "\n").joined(separator: " ")).plainText
        return TextLayout.wrap(plain, indent: 2, width: width)
            + TextLayout.wrapCommand(command, indent: 4, width: width)
    }
}
