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
    private static let connecting: Set = [
        "a", "an", "as", "do", "for", "from", "how", "i", "in", "my", "of", "the", "to", "with",
    ]

    /// What was found of a word, or of several in any order, in lines of a number of columns; nil for nothing. Whole words
    /// are found, also in the plural; if there are none, words that begin with them. Several words are searched as one text
    /// first. The shortest lists come first. What the longer texts tell is shown of pages, and of others where no term
    /// and no line has the words.
    package func text(about text: String, width: Int = TextLayout.width, emphasis: Emphasis = .none) -> String? {
        let all = text.split(separator: " ").map(String.init)
        let telling = all.filter { !Self.connecting.contains($0.asciiLowercased) }
        let words = telling.isEmpty ? all : telling
        let ways = [([text], true), (words, true)] + (text.utf8.count > 3 ? [(words, false)] : [])
        let names = SoughtWords(words, areWhole: true)
        let hits = ways.lazy.map { self.hits(SoughtWords($0, areWhole: $1), naming: names) }.first { !$0.isEmpty } ?? []
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
        /// Whether the word was found in longer texts alone.
        let isTold: Bool
        /// Whether it is a page that is named by one of several words.
        let isNamed: Bool
        let rows: [(term: String, text: String)]

        var rank: (Int, Int) { (isNamed ? 0 : isOfPages ? 2 : isTold ? 3 : 1, rows.count) }
    }

    private func hits(_ words: SoughtWords, naming: SoughtWords) -> [Hit] {
        groups.compactMap { group -> Hit? in
            let isNamed = { (entry: Entry) in words.areIn("\(entry.term) \(entry.line)") }
            let named = group.entries.filter(isNamed).map { (term: $0.term, text: $0.line) }
            let told = group.entries.filter { !isNamed($0) }.compactMap { entry in
                words.sentence(of: entry.details).map { (term: entry.term, text: $0) }
            }
            var rows = named.isEmpty || group.isOfPages ? named + told.prefix(Self.limitOfTold) : named
            let pages = group.isOfPages && naming.areSeveral ? rows.filter { naming.nameOne($0.term) } : []
            rows = pages + rows.filter { row in !pages.contains { $0.term == row.term } }
            guard !rows.isEmpty else { return nil }
            return Hit(
                title: group.title, isOfPages: group.isOfPages, isTold: named.isEmpty, isNamed: !pages.isEmpty,
                rows: rows)
        }
    }
}

/// Words that a text may have, in any order.
private struct SoughtWords {
    private let words: [[UInt8]]
    private let areWhole: Bool

    /// Searches for words; with `areWhole`, not as the beginnings of longer ones.
    init(_ words: [String], areWhole: Bool) {
        (self.words, self.areWhole) = (words.map { Array($0.asciiLowercased.utf8) }, areWhole)
    }

    var areSeveral: Bool { words.count > 1 }

    func areIn(_ text: String) -> Bool {
        let text = Array(text.asciiLowercased.utf8)
        return words.allSatisfy { isIn(text, $0) }
    }

    /// Whether one of them is in a term.
    func nameOne(_ term: String) -> Bool { words.contains { isIn(Array(term.asciiLowercased.utf8), $0) } }

    private func isIn(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        guard !word.isEmpty, text.count >= word.count else { return false }
        return (0...text.count - word.count).contains { start in
            guard text[start] == word[0], start == 0 || !Self.isLetter(text[start - 1]) else { return false }
            guard text[start...].starts(with: word) else { return false }
            let rest = text[(start + word.count)...]
            return !areWhole || isEnd(rest) || rest.first == UInt8(ascii: "s") && isEnd(rest.dropFirst())
        }
    }

    /// The first sentence that has them, else the first paragraph; nil for none.
    func sentence(of text: String) -> String? {
        for line in text.split(separator: "\n") where areIn(String(line)) {
            let sentences = line.replacing(". ", with: ".\n").split(separator: "\n").map(String.init)
            return (sentences.first(where: areIn) ?? String(line)).split(separator: " ").joined(separator: " ")
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
