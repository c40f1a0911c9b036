internal import Wire

/// The search in the help: entries under titles, each a term with a line of text, and perhaps a longer text.
package struct HelpIndex: Sendable {
    /// Something that the help tells.
    package struct Entry: Sendable {
        let term: String
        let line: String
        /// Further paragraphs, a line each.
        let details: String

        package init(_ term: String, _ line: String, details: String = "") {
            (self.term, self.line, self.details) = (term, line, details)
        }
    }

    /// A title with the entries under it.
    package struct Group: Sendable {
        let title: String
        let entries: [Entry]
        /// Whether the entries are pages, whose texts count besides their names and lines.
        let isOfPages: Bool

        package init(_ title: String, _ entries: [Entry], isOfPages: Bool = false) {
            (self.title, self.entries, self.isOfPages) = (title, entries, isOfPages)
        }
    }

    package let groups: [Group]

    package init(_ groups: [Group]) { self.groups = groups }

    /// The most entries that are shown under a title, and of these the most that were found in longer texts.
    private static let (limit, limitOfTold) = (16, 8)

    /// What was found of a word, in lines of a number of columns; nil for nothing. A whole word counts, in the plural too;
    /// only where there is none, words that begin with it do. The shortest lists come first. What the longer texts tell is
    /// shown of pages, and of others where no term and no line has the word.
    package func text(about word: String, width: Int = TextLayout.width, emphasis: Emphasis = .none) -> String? {
        let found = hits(SoughtWord(word, isWhole: true))
        let hits = found.isEmpty && word.utf8.count > 3 ? self.hits(SoughtWord(word, isWhole: false)) : found
        guard !hits.isEmpty else { return nil }
        let isNamed = hits.contains { !$0.isTold && !$0.isOfPages }
        let ordered = hits.filter { !isNamed || $0.isOfPages || !$0.isTold }.sorted { $0.rank < $1.rank }
        let shown = ordered.map { rows(of: $0, emphasis) }
        var lists: [String] = []
        for (hit, lines) in zip(ordered, TextLayout.columns(shown, width: width)) {
            lists.append(([emphasis.mark("\(hit.title):")] + lines).map { "\($0)\n" }.joined())
        }
        return lists.joined(separator: "\n")
    }

    private func rows(of hit: Hit, _ emphasis: Emphasis) -> [(term: String, text: String)] {
        let shown = hit.rows.prefix(Self.limit).map { row in
            (term: emphasis.mark(row.term), text: Markup.inlines(row.text).plainText())
        }
        let rest = hit.rows.count - shown.count
        return rest > 0 ? shown + [(term: "…", text: "and \(rest) more")] : shown
    }

    private struct Hit {
        let title: String
        let isOfPages: Bool
        /// Whether it was found in longer texts alone.
        let isTold: Bool
        let rows: [(term: String, text: String)]

        var rank: (Int, Int) { (isOfPages ? 1 : isTold ? 2 : 0, rows.count) }
    }

    private func hits(_ word: SoughtWord) -> [Hit] {
        groups.compactMap { group -> Hit? in
            let isNamed = { (entry: Entry) in word.isIn(entry.term) || word.isIn(entry.line) }
            let named = group.entries.filter(isNamed).map { (term: $0.term, text: $0.line) }
            let told = group.entries.filter { !isNamed($0) }.compactMap { entry in
                word.sentence(of: entry.details).map { (term: entry.term, text: $0) }
            }
            let rows = named.isEmpty || group.isOfPages ? named + told.prefix(Self.limitOfTold) : named
            guard !rows.isEmpty else { return nil }
            return Hit(title: group.title, isOfPages: group.isOfPages, isTold: named.isEmpty, rows: rows)
        }
    }
}

/// A word, or a few, that a text may have.
private struct SoughtWord {
    private let bytes: [UInt8]
    private let isWhole: Bool

    /// With `isWhole`, not as the beginning of a longer word.
    init(_ word: String, isWhole: Bool) { (bytes, self.isWhole) = (Array(word.asciiLowercased.utf8), isWhole) }

    func isIn(_ text: String) -> Bool {
        let text = Array(text.asciiLowercased.utf8)
        guard !bytes.isEmpty, text.count >= bytes.count else { return false }
        return (0...text.count - bytes.count).contains { start in
            guard text[start] == bytes[0], start == 0 || !Self.isLetter(text[start - 1]) else { return false }
            guard text[start...].starts(with: bytes) else { return false }
            let rest = text[(start + bytes.count)...]
            return !isWhole || isEnd(rest) || rest.first == UInt8(ascii: "s") && isEnd(rest.dropFirst())
        }
    }

    /// The first sentence that has it; nil for none.
    func sentence(of text: String) -> String? {
        for line in text.split(separator: "\n") where isIn(String(line)) {
            let sentences = line.replacing(". ", with: ".\n").split(separator: "\n").map(String.init)
            return (sentences.first(where: isIn) ?? String(line)).split(separator: " ").joined(separator: " ")
        }
        return nil
    }

    private func isEnd(_ rest: ArraySlice<UInt8>) -> Bool { rest.first.map { !Self.isLetter($0) } ?? true }

    private static func isLetter(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || byte >= 0x80 }
}

extension ManualPage {
    /// The page with its texts that are not about options.
    ///
    /// - Parameter isIndex: whether its items tell more than its line, which names all of them.
    package func indexEntry(isIndex: Bool = false) -> HelpIndex.Entry {
        let left = ["OPTIONS", "SEE ALSO", "COMMANDS", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"]
        let lines = sections.filter { !left.contains($0.title) }.flatMap(\.blocks).flatMap(\.lines)
        let details = lines.joined(separator: "\n")
        return HelpIndex.Entry("\(name)(\(section))", isIndex ? "" : summary, details: details)
    }
}

extension ManualBlock {
    /// The paragraphs, a line each; an item of a list is one.
    fileprivate var lines: [String] {
        switch self {
        case .text(let text): Markup.paragraphs(text).map(Self.line)
        case .literal(let text): text.split(separator: "\n").map(String.init)
        case .heading(let text): [text]
        case .list(let items):
            items.map { ([$0.term.plainText() + ":"] + $0.blocks.flatMap(\.lines)).joined(separator: " ") }
        }
    }

    private static func line(of paragraph: Markup.Paragraph) -> String {
        switch paragraph {
        case .running(let pieces): pieces.plainText()
        case .literal(let text): text.split(separator: "\n").joined(separator: " ")
        }
    }
}

extension ProgramRecord {
    /// The options of all commands, each once with the commands that have it.
    package var optionEntries: [HelpIndex.Entry] {
        var known: [Option: [CommandRecord]] = [:]
        var options: [Option] = []
        for command in commands {
            for option in command.options {
                if known[option] == nil { options.append(option) }
                known[option, default: []].append(command)
            }
        }
        return options.map { option in
            let owners = known[option] ?? []
            let names = owners.map(\.name)
            let shown = names.count > 4 ? names.prefix(3) + ["\(names.count - 3) others"] : names[...]
            return HelpIndex.Entry(
                option.names.joined(separator: ", ") + option.valueText,
                "\(option.fullSummary) (\(Array(shown).joined(separator: ", ", last: " and ")))",
                details: owners.first.map { $0.details(of: option) } ?? "")
        }
    }
}
