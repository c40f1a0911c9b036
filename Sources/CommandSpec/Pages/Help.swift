internal import Wire

extension ProgramRecord {
    /// The short help of a command, or of the program: the synopsis, then one line per command or option, then examples.
    /// The emphasis is that of headings, options and commands.
    package func help(
        for command: CommandRecord? = nil, width: Int = TextLayout.width, emphasis: Emphasis = .none
    ) -> String {
        let command = command ?? soleCommand
        let synopsis = command.map(synopsis) ?? programSynopsis
        var lines = synopsis.enumerated().flatMap {
            let label = $0 == 0 ? emphasis.mark("usage:") : ""
            return TextLayout.wrap($1.plainText(emphasis), indent: 7, first: label, width: width)
        }
        lines += [""] + TextLayout.wrap(command?.summary ?? summary, indent: 0, width: width)
        let groups = command.map { helpGroups(of: $0, emphasis) } ?? helpGroups(emphasis)
        for (group, rows) in zip(groups, TextLayout.columns(groups.map(\.rows), width: width)) {
            lines += ["", emphasis.mark(group.title + ":")] + rows
        }
        if let examples = command?.examples.prefix(3), !examples.isEmpty {
            lines += ["", emphasis.mark("Examples:")] + examples.flatMap { $0.helpLines(width: width) }
        }
        let pages = seeAlso.filter { $0.name.hasPrefix("\(name)-") }.map { "\($0.name)(\($0.section))" }
        let more =
            command.map { soleCommand == nil ? "\(name) help \($0.name)" : "man \(name)" }
            ?? (["\(name) help COMMAND"] + pages).joined(separator: ", ")
        lines += [""] + TextLayout.wrap(more, indent: 5, first: "see: ", width: width)
        return lines.map { $0 + "\n" }.joined()
    }

    /// The long help of a command, or of the program: the text of the manual page.
    package func longHelp(
        for command: CommandRecord? = nil, width: Int = TextLayout.width, emphasis: Emphasis = .none
    ) -> String {
        (command.map(manualPage) ?? manualPage).plainText(width: width, emphasis: emphasis)
    }

    private typealias Group = (title: String, rows: [(term: String, text: String)])

    private func helpGroups(of command: CommandRecord, _ emphasis: Emphasis) -> [Group] {
        let operands = command.operands.map { (term: $0.name, text: $0.fullSummary) }
        let groups: [Group] = listedOptions(of: command).map { ($0.title, $0.options.map { $0.helpRow(emphasis) }) }
        return (operands.isEmpty ? [] : [("Operands", operands)]) + groups
    }

    private func helpGroups(_ emphasis: Emphasis) -> [Group] {
        let groups: [Group] = commandGroups.map { group in
            (group.title, group.commands.map { (term: emphasis.mark($0.name), text: $0.summary) })
        }
        return groups + (options.isEmpty ? [] : [("Options", options.map { $0.helpRow(emphasis) })])
    }
}

extension Option {
    /// The term with room for a letter, and the summary.
    fileprivate func helpRow(_ emphasis: Emphasis) -> (term: String, text: String) {
        let term = (short.map { emphasis.mark("-\($0)") + ", " } ?? "    ") + emphasis.mark(name)
        return (term + valueText, fullSummary)
    }
}

extension Example {
    /// The text and the command.
    fileprivate func helpLines(width: Int) -> [String] {
        let plain = Markup.inlines(text.split(separator: "\n").joined(separator: " ")).plainText()
        return TextLayout.wrap(plain, indent: 2, width: width)
            + TextLayout.wrapCommand(command, indent: 4, width: width)
    }
}
