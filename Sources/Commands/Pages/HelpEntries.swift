internal import CommandSpec
internal import OAuth
internal import Shell

/// What `oap help WORD` searches: the pages, and the records of options, members, variables, statuses, kinds of failure
/// and presets.
enum HelpEntries {
    /// The index of the program.
    ///
    /// - Parameter topics: the pages that do not describe a command, the index first.
    static func index(of program: ProgramRecord, topics: [ManualPage]) -> HelpIndex {
        let pages = [program.manualPage] + program.commands.map { program.manualPage(of: $0) } + topics.dropFirst()
        let others = program.foreignCommands().sorted { $0.key < $1.key }
        return HelpIndex([
            HelpIndex.Group("Commands of other programs", others.map { HelpIndex.Entry($0.key, $0.value) }),
            HelpIndex.Group(
                "Pages", topics.prefix(1).map { $0.indexEntry(isIndex: true) } + pages.map { $0.indexEntry() },
                isOfPages: true),
            HelpIndex.Group("Options", program.optionEntries),
            HelpIndex.Group("Members of documents", Member.all.compactMap(\.indexEntry)),
            HelpIndex.Group(
                "Variables",
                program.variables.map { HelpIndex.Entry($0.name, firstSentence(of: $0.text), details: $0.text) }),
            HelpIndex.Group(
                "Exit statuses",
                program.exitStatuses().map { HelpIndex.Entry("\($0.code)", $0.meaning, details: $0.action) }),
            HelpIndex.Group("Kinds of failure", ErrorKind.allCases.map(\.indexEntry)),
            HelpIndex.Group("Providers", Preset.builtIn.map(\.indexEntry)),
        ])
    }

    fileprivate static func firstSentence(of text: String) -> String {
        text.replacing(". ", with: ".\n").split(separator: "\n").first.map(String.init) ?? ""
    }

    /// The names of options, members, kinds of failure and presets, which a misspelt word may mean.
    static func words(of program: ProgramRecord) -> [String] {
        program.commands.flatMap(\.options).map(\.long) + Member.all.map(\.name) + ErrorKind.allCases.map(\.name)
            + Preset.builtIn.flatMap { [$0.name] + $0.aliases }
    }
}

extension Member {
    fileprivate var indexEntry: HelpIndex.Entry? {
        let first = HelpEntries.firstSentence(of: text)
        // The summary of a secret is that of the option for its file.
        let summary = Member.secrets.contains(name) ? nil : summary
        return first.isEmpty ? nil : HelpIndex.Entry(name, summary ?? first, details: text)
    }
}

extension ErrorKind {
    fileprivate var indexEntry: HelpIndex.Entry { HelpIndex.Entry(name, "exit status \(exit.rawValue)") }
}

extension Preset {
    fileprivate var indexEntry: HelpIndex.Entry {
        HelpIndex.Entry(([name] + aliases).joined(separator: ", "), title, details: note ?? "")
    }
}
