internal import Wire

/// The prose of a manual page or of a command, from a file that is close to Markdown. `# TITLE` begins a section, and
/// `## NAME` a part of one: an option, an operand, a variable. Blank lines separate paragraphs: one that is indented by
/// four spaces is verbatim, and the lines of any other are joined. `- TERM: text` is an item of a list, and `{{NAME}}`
/// stands for what the program makes. The rest is `Markup`.
package struct ManualText: Sendable {
    /// The text under a heading. The text before the first heading has an empty title.
    struct Part: Sendable {
        let title: String
        let isSection: Bool
        var paragraphs: [String] = []

        var text: String { paragraphs.joined(separator: "\n\n") }
    }

    private(set) var parts = [Part(title: "", isSection: true)]

    /// Reads a file.
    ///
    /// - Parameter values: the texts of the placeholders that are paragraphs, by their names.
    package init(_ bytes: [UInt8], values: [String: String] = [:]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for block in lines.split(whereSeparator: { $0.isEmpty }) {
            let lines = bytes[block[block.startIndex].startIndex..<block[block.endIndex - 1].endIndex]
            let text = String(decoding: lines, as: UTF8.self)
            if text.hasPrefix("# ") {
                parts.append(Part(title: String(text.dropFirst(2)), isSection: true))
            } else if text.hasPrefix("## ") {
                parts.append(Part(title: String(text.dropFirst(3)), isSection: false))
            } else {
                let value = text.hasPrefix("{{") ? values[String(text.dropFirst(2).dropLast(2))] : nil
                let joined = { String(decoding: lines.map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self) }
                parts[parts.count - 1].paragraphs.append(value ?? (text.hasPrefix("    ") ? text : joined()))
            }
        }
    }

    /// The text under a heading, in `Markup`.
    package subscript(title: String) -> String {
        guard let text = [self].text(of: title) else {
            preconditionFailure("the manual has no text with the heading \(title)")
        }
        return text
    }

    package var description: String { self["DESCRIPTION"] }

    /// The examples: each is a paragraph, the commands, and perhaps `It prints:` and what they print.
    package var examples: [Example] {
        var examples: [Example] = []
        var paragraphs = (parts.first { $0.title == "EXAMPLES" }?.paragraphs ?? [])[...]
        while let text = paragraphs.popFirst(), let command = paragraphs.popFirst() {
            let isShown = paragraphs.first == "It prints:"
            let output = isShown ? paragraphs.dropFirst().first : nil
            if isShown { paragraphs = paragraphs.dropFirst(2) }
            examples.append(Example(text, command: Self.code(command), output: output.map(Self.code)))
        }
        return examples
    }

    private static func code(_ text: String) -> String {
        text.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n")
    }

    /// The pages to see also: `oap-token(1), curl(1)`.
    var references: [ManualReference] {
        let pages = parts.first { $0.title == "SEE ALSO" }?.text.split(separator: ",") ?? []
        return pages.map { page in
            let text = String(page.drop { $0 == " " })
            guard let (name, rest) = text.cut(at: "("), let section = Int(rest.dropLast()) else {
                preconditionFailure("\(text) is no page of a manual")
            }
            return ManualReference(name, section)
        }
    }

    /// The parts of a section, each with its heading as the name.
    package func definitions(in title: String) -> [Definition] {
        parts(of: title).dropFirst().map { Definition($0.title, $0.text) }
    }

    /// The paragraphs of a part of a section; none if the section has no such part.
    package func paragraphs(under name: String, in title: String) -> [String] {
        parts(of: title).dropFirst().first { $0.title == name }?.paragraphs ?? []
    }

    /// A section of a page, whose parts have smaller headings.
    ///
    /// - Parameter blocks: the blocks of the placeholders.
    package func section(_ title: String, inserting blocks: [String: ManualBlock] = [:]) -> ManualSection {
        ManualSection(
            title,
            parts(of: title).flatMap { part in
                (part.isSection ? [] : [.heading(part.title)]) + Self.blocks(of: part.paragraphs, inserting: blocks)
            })
    }

    /// The sections that a page has in addition to those made from the record.
    package var sections: [ManualSection] {
        let others = ["", "DESCRIPTION", "OPERANDS", "OPTIONS", "EXAMPLES", "SEE ALSO"]
        return parts.filter { $0.isSection && !others.contains($0.title) }.map { section($0.title) }
    }

    /// A page that is not about a command: the summary is the text before the first heading.
    ///
    /// - Parameter blocks: the blocks of the placeholders.
    package func page(
        _ name: String, _ section: Int, date: String, inserting blocks: [String: ManualBlock] = [:]
    ) -> ManualPage {
        let titles = parts.filter(\.isSection).map(\.title).dropFirst()
        return ManualPage(
            name: name, section: section, summary: self[""], date: date,
            sections: titles.map { self.section($0, inserting: blocks) })
    }

    private func parts(of title: String) -> ArraySlice<Part> {
        guard let start = parts.firstIndex(where: { $0.isSection && $0.title == title }) else {
            preconditionFailure("the manual has no section \(title)")
        }
        return parts[start..<(parts[(start + 1)...].firstIndex(where: \.isSection) ?? parts.endIndex)]
    }

    private static func blocks(of paragraphs: [String], inserting inserted: [String: ManualBlock]) -> [ManualBlock] {
        var blocks: [ManualBlock] = []
        for paragraph in paragraphs {
            if paragraph.hasPrefix("{{") {
                guard let block = inserted[String(paragraph.dropFirst(2).dropLast(2))] else {
                    preconditionFailure("nothing stands for \(paragraph) in the manual")
                }
                blocks.append(block)
            } else if paragraph.hasPrefix("- ") {
                let term = paragraph.dropFirst(2).prefix { $0 != ":" }
                let item = ManualItem(String(term), String(paragraph[term.endIndex...].dropFirst(2)))
                guard case .list(let items) = blocks.last else {
                    blocks.append(.list([item]))
                    continue
                }
                blocks[blocks.count - 1] = .list(items + [item])
            } else if case .text(let text) = blocks.last {
                blocks[blocks.count - 1] = .text(text + "\n\n" + paragraph)
            } else {
                blocks.append(.text(paragraph))
            }
        }
        return blocks
    }
}

extension [ManualText] {
    /// The text under a heading of the first of these that has it, in `Markup`.
    func text(of title: String) -> String? {
        for text in self { for part in text.parts where part.title == title { return part.text } }
        return nil
    }
}

/// An example of a manual page. The tests run every one against the sandbox, as its page says: it ends with status 0.
package struct Example: Sendable {
    /// What it does, in `Markup`.
    package let text: String
    /// The bash commands, on one or more lines.
    package let command: String
    /// What they print, exactly, without the last line end; nil if it varies or is not shown.
    package let output: String?

    package init(_ text: String, command: String, output: String? = nil) {
        (self.text, self.command, self.output) = (text, command, output)
    }
}

/// A name and its description: an environment variable, a file.
package struct Definition: Sendable {
    package let name: String
    /// The text, in `Markup`.
    package let text: String

    package init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
}
