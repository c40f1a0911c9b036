internal import Wire

extension ProgramRecord {
    /// The manual page of a command, `oap-authurl(1)`.
    package func manualPage(of command: CommandRecord) -> ManualPage {
        var description: [ManualBlock] = [.text(command.description)]
        if !command.operands.isEmpty {
            description.append(.list(command.operands.map { $0.manualItem(command.details(of: $0)) }))
        }
        let statuses: ManualSection? =
            if command.name == name { exitStatusSection } else if exitStatuses().isEmpty { nil } else {
                ManualSection("EXIT STATUS", text: "`\(name)(1)` lists the exit statuses.")
            }
        let pages = command.seeAlso + (command.name == name ? seeAlso : [ManualReference(name, 1)])
        let options = optionsSection(of: command)
        let examples = examplesSection(command.examples, note: examplesNote())
        let optional = [options, statuses, examples, seeAlsoSection(pages)]
        return ManualPage(
            name: manualName(of: command), section: 1, summary: command.summary, date: date,
            synopsis: synopsis(of: command),
            sections: ordered(
                [ManualSection("DESCRIPTION", description)] + optional.compactMap(\.self) + command.sections))
    }

    /// The manual page of the program, `oap(1)`.
    package var manualPage: ManualPage {
        if let command = soleCommand { return manualPage(of: command) }
        let commandItems = commandGroups.flatMap { group -> [ManualBlock] in
            let items = group.commands.map { command in
                ManualItem([.reference(ManualReference(manualName(of: command), 1))], [.text(command.summary)])
            }
            return [.heading(group.title), .list(items)]
        }
        let fileItems = files().map { ManualItem([.path($0.name)], [.text($0.text)]) }
        let optional = [
            options.isEmpty
                ? nil
                : ManualSection("OPTIONS", [.list(options.map { DescribedOption($0, details(of: $0)).manualItem() })]),
            environmentSection, exitStatusSection, examplesSection(examples),
            fileItems.isEmpty ? nil : ManualSection("FILES", [.list(fileItems)]),
            seeAlsoSection(seeAlso + commands.map { ManualReference(manualName(of: $0), 1) }),
        ]
        let first = [
            ManualSection("DESCRIPTION", text: description), ManualSection("COMMANDS", commandItems),
        ]
        return ManualPage(
            name: name, section: 1, summary: summary, date: date, synopsis: programSynopsis,
            sections: ordered(first + optional.compactMap(\.self) + sections()))
    }

    func synopsis(of command: CommandRecord) -> [Synopsis] {
        let options: [Synopsis.Part] = listedOptions(of: command).isEmpty ? [] : [.optional(.repeated("OPTION"))]
        let operands = command.operands.map { operand -> Synopsis.Part in
            let name: [Inline] = operand.isRepeatable ? .repeated(operand.name) : [.argument(operand.name)]
            let pieces = operand.followsDashes ? [.text("-- ")] + name : name
            return operand.isRequired || operand.replacement != nil ? .required(pieces) : .optional(pieces)
        }
        return [Synopsis(invocation: invocation(of: command), parts: options + operands)]
    }

    var programSynopsis: [Synopsis] {
        let command: [Synopsis.Part] = [
            .required([.argument("COMMAND")]), .optional(.repeated("OPTION")), .optional(.repeated("OPERAND")),
        ]
        return [Synopsis(invocation: name, parts: command)]
            + options.map { Synopsis(invocation: name, parts: [.required([.option($0.name)])]) }
    }

    /// The options of a command under their headings; those of the program only if it has no commands.
    func listedOptions(of command: CommandRecord) -> [(title: String, options: [Option])] {
        let groups = grouped(command.options + (command.name == name ? options : []), by: \.section)
        let last = lastHeadings.flatMap { title in groups.filter { $0.title == title } }
        return (groups.filter { !lastHeadings.contains($0.title) } + last).map { ($0.title, $0.members) }
    }

    /// The commands under their headings.
    var commandGroups: [(title: String, commands: [CommandRecord])] {
        grouped(commands, by: \.section).map { ($0.title, $0.members) }
    }
}

extension ProgramRecord {
    /// The options that are described on this page, then the names of those that are on the page of common options.
    private func optionsSection(of command: CommandRecord) -> ManualSection? {
        let (groups, rules) = (listedOptions(of: command), command.rules)
        guard !groups.isEmpty else { return nil }
        var blocks: [ManualBlock] = []
        var others: [ManualItem] = []
        for (title, options) in groups {
            let described = options.map { DescribedOption($0, details(of: $0, in: command)) }
            let shared = described.filter(isCommon)
            let own = described.filter { !shared.contains($0) }
            if !own.isEmpty { blocks += [.heading(title), .list(own.map { $0.manualItem(in: command, rules) })] }
            if !shared.isEmpty {
                others.append(ManualItem(title, shared.map(\.shortText).joined(separator: ", ") + "."))
            }
        }
        if let page = optionsPageName, !others.isEmpty {
            blocks += [
                .heading("Common options"),
                .text(
                    """
                    The following options are described in `\(page)(7)`.
                    """), .list(others),
            ]
        }
        return ManualSection("OPTIONS", blocks)
    }

    /// The options that many commands have with the same text.
    private var commonOptions: [DescribedOption] {
        var known: Set<DescribedOption> = []
        return commands.flatMap { command in command.options.map { DescribedOption($0, command.details(of: $0)) } }
            .filter { known.insert($0).inserted && isCommon($0) }
    }

    /// Whether many commands have an option with the same text.
    private func isCommon(_ option: DescribedOption) -> Bool {
        var count = 0
        for command in commands where count < 4 && optionsPageName != nil {
            guard let other = command.options.first(where: { $0.long == option.option.long }) else { continue }
            if DescribedOption(other, command.details(of: other)) == option { count += 1 }
        }
        return count == 4
    }

    /// The details of an option that a command lists: its own, or one of a program without commands.
    private func details(of option: Option, in command: CommandRecord) -> String {
        let own = command.details(of: option)
        return own.isEmpty ? details(of: option) : own
    }

    /// The page that describes the options of many commands.
    ///
    /// - Parameters:
    ///   - summary: its line in the list of pages.
    ///   - description: the text above the options.
    package func optionsPage(_ name: String, summary: String, description: String) -> ManualPage {
        let groups = grouped(commonOptions, by: \.option.section)
        let titles = groups.map(\.title)
        let order = titles.filter { !lastHeadings.contains($0) } + lastHeadings.filter(titles.contains)
        let blocks = order.flatMap { title in
            [ManualBlock.heading(title)]
                + groups.filter { $0.title == title }.map { .list($0.members.map { $0.manualItem() }) }
        }
        return ManualPage(
            name: name, section: 7, summary: summary, date: date,
            sections: [
                ManualSection("DESCRIPTION", text: description), ManualSection("OPTIONS", blocks),
                ManualSection("SEE ALSO", text: "`\(self.name)(1)`"),
            ])
    }

    private func examplesSection(_ examples: [Example], note: String = "") -> ManualSection? {
        guard !examples.isEmpty else { return nil }
        return ManualSection("EXAMPLES", (note.isEmpty ? [] : [.text(note)]) + examples.flatMap(\.manualBlocks))
    }

    private var exitStatusSection: ManualSection? {
        guard !exitStatuses().isEmpty else { return nil }
        let items = exitStatuses().map { status in
            let action = status.action.isEmpty ? "" : " \(status.action)."
            let meaning = status.meaning.prefix(1).uppercased() + status.meaning.dropFirst() + "."
            return ManualItem([.text(String(status.code))], [.text(meaning + action)])
        }
        return ManualSection("EXIT STATUS", [.list(items)])
    }

    /// The variables of all options, and the others.
    package var variables: [Definition] {
        var known: Set<String> = []
        let ofOptions = commands.flatMap(\.options).compactMap { option -> Definition? in
            guard let variable = option.variable, known.insert(variable).inserted else { return nil }
            return Definition(variable, "The same as `\(option.name)`: \(option.summary).")
        }
        return (ofOptions + environment()).sorted { $0.name < $1.name }
    }

    private var environmentSection: ManualSection? {
        let items = variables.map { ManualItem([.variable($0.name)], [.text($0.text)]) }
        return items.isEmpty ? nil : ManualSection("ENVIRONMENT", [.list(items)])
    }

    private func seeAlsoSection(_ pages: [ManualReference]) -> ManualSection? {
        let sorted = Set(pages).sorted { ($0.section, $0.name) < ($1.section, $1.name) }
        guard !sorted.isEmpty else { return nil }
        let names = sorted.map { "`\($0.name)(\($0.section))`" }.joined(separator: ", ")
        return ManualSection("SEE ALSO", text: names)
    }

    /// The sections in the order that mdoc(7) gives for those it knows; others follow OPTIONS.
    private func ordered(_ sections: [ManualSection]) -> [ManualSection] {
        let early = ["DESCRIPTION", "COMMANDS", "OPTIONS"]
        let late = [
            "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "DIAGNOSTICS", "SEE ALSO", "STANDARDS", "HISTORY",
            "AUTHORS", "CAVEATS", "BUGS", "SECURITY CONSIDERATIONS",
        ]
        let known = early + late
        let first = early.flatMap { title in sections.filter { $0.title == title } }
        let last = late.flatMap { title in sections.filter { $0.title == title } }
        return first + sections.filter { !known.contains($0.title) } + last
    }
}

/// An option with its text: two are the same if both are.
private struct DescribedOption: Hashable {
    let option: Option
    private let details: String

    private let texts: [String]

    init(_ option: Option, _ details: String) {
        (self.option, self.details) = (option, details)
        texts = option.names + [option.valueText, details, option.section]
    }

    static func == (left: DescribedOption, right: DescribedOption) -> Bool { left.texts == right.texts }

    func hash(into hasher: inout Hasher) { hasher.combine(texts) }

    /// The names and the placeholder, in `Markup`.
    var shortText: String {
        option.names.map { "`\($0)`" }.joined(separator: " ") + option.placeholders.map { " <\($0)>" }.joined()
    }

    /// The names and the value, then the details and remarks derived from the record and from rules of the command.
    func manualItem(in command: CommandRecord? = nil, _ rules: [OptionRule] = []) -> ManualItem {
        let shown: [[Inline]] = option.names.map { [.option($0)] }
        let value: [Inline] =
            option.attached.map { [.text("[="), .argument($0), .text("]")] }
            ?? option.placeholders.flatMap { [.text(" "), .argument($0)] }
        var remarks = option.choices.areNamed(in: details) ? [] : [option.choices.remark]
        if let standard = option.standard, !details.contains(standard) {
            remarks.append("The default is `\(standard)`.")
        }
        if option.isRepeatable { remarks.append("The option may be given more than once.") }
        remarks += command?.remarks(on: option, by: rules, besides: details) ?? []
        if let variable = option.variable { remarks.append("Variable: `\(variable)`.") }
        let blocks: [ManualBlock] = [.text(details)] + (remarks.isEmpty ? [] : [.text(remarks.joined(separator: " "))])
        return ManualItem([Inline](shown.joined(separator: [.text(", ")])) + value, blocks)
    }
}

extension Operand {
    fileprivate func manualItem(_ details: String) -> ManualItem {
        ManualItem([.argument(name)], [.text(details)] + (choices.areNamed(in: details) ? [] : [.text(choices.remark)]))
    }
}

extension [String] {
    /// Whether a text names all choices, so that no remark is needed.
    fileprivate func areNamed(in details: String) -> Bool { allSatisfy { details.contains("`\($0)`") } }

    /// The sentence about the choices of a value.
    fileprivate var remark: String { "The value is \(map { "`\($0)`" }.joined(separator: ", ", last: " or "))." }
}

extension Example {
    /// The columns of a command on a page that is 80 columns wide.
    private static let commandWidth = 68

    fileprivate var manualBlocks: [ManualBlock] {
        let lines = TextLayout.wrapCommand(command, indent: 0, width: Self.commandWidth)
        return [.text(text), .literal(lines.joined(separator: "\n"))]
            + (output.map { [.text("It prints:"), .literal($0)] } ?? [])
    }
}

extension [Inline] {
    fileprivate static func repeated(_ name: String) -> [Inline] { [.argument(name), .text(" ...")] }
}

/// Groups members by heading, in the order of the first occurrence.
private func grouped<Member>(
    _ members: [Member], by heading: (Member) -> String
) -> [(title: String, members: [Member])] {
    var groups: [(title: String, members: [Member])] = []
    for member in members {
        let title = heading(member)
        if let index = groups.firstIndex(where: { $0.title == title }) {
            groups[index].members.append(member)
        } else {
            groups.append((title, [member]))
        }
    }
    return groups
}
