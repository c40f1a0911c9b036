extension ManualPage {
    /// The page as plain text, for the long help. The emphasis is that of headings and options.
    package func plainText(width: Int = TextLayout.width, emphasis: Emphasis = .none) -> String {
        let layout = PlainLayout(width: width, emphasis: emphasis)
        let name = layout.lines(of: ManualSection("NAME", text: "\(name) - \(summary)"))
        let usage = synopsis.flatMap { TextLayout.wrap($0.plainText(emphasis), indent: 4, width: width) }
        let parts =
            [name] + (usage.isEmpty ? [] : [[emphasis.mark("SYNOPSIS")] + usage]) + sections.map(layout.lines)
        return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }
}

extension Synopsis {
    /// The call on one line, `oap call [OPTION ...] URL`.
    func plainText(_ emphasis: Emphasis = .none) -> String {
        let words = parts.map { part in
            switch part {
            case .required(let pieces): pieces.plainText(emphasis)
            case .optional(let pieces): "[\(pieces.plainText(emphasis))]"
            }
        }
        // A line can end between the words.
        let names = invocation.split(separator: " ").map { emphasis.mark(String($0)) }
        return (names + words).joined(separator: " ")
    }
}

/// The layout of a page.
private struct PlainLayout {
    let width: Int
    let emphasis: Emphasis

    func lines(of section: ManualSection) -> [String] {
        [emphasis.mark(section.title)] + lines(of: section.blocks, indent: 4)
    }

    /// The lines of the blocks, with an empty one between two.
    private func lines(of blocks: [ManualBlock], indent: Int) -> [String] {
        let margin = "".padded(to: indent)
        let parts = blocks.flatMap { block -> [[String]] in
            switch block {
            case .text(let text): Markup.paragraphs(text).map { lines(of: $0, indent: indent) }
            case .literal(let text): [lines(of: .literal(text), indent: indent)]
            case .heading(let text): [[margin.dropLast(2) + emphasis.mark(text)]]
            case .list(let items): items.map { lines(of: $0, indent: indent) }
            }
        }
        return [String](parts.joined(separator: [""]))
    }

    /// The term, with the text on the same line if there is room.
    private func lines(of item: ManualItem, indent: Int) -> [String] {
        let term = "".padded(to: indent) + item.term.plainText(emphasis)
        let body = lines(of: item.blocks, indent: indent + 8)
        guard let first = body.first, term.columns < indent + 7 else { return [term] + body }
        return [term.padded(to: indent + 8) + Substring(first.utf8.dropFirst(indent + 8))] + body.dropFirst()
    }

    private func lines(of paragraph: Markup.Paragraph, indent: Int) -> [String] {
        switch paragraph {
        case .running(let pieces):
            return TextLayout.wrap(pieces.plainText(emphasis), indent: indent, width: width)
        case .literal(let text):
            let margin = "".padded(to: indent + 4)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.map { $0.isEmpty ? "" : margin + $0 }
        }
    }
}

extension [Inline] {
    /// The pieces as text; literals keep their backticks, which show where they end.
    func plainText(_ emphasis: Emphasis = .none) -> String {
        map { piece in
            switch piece {
            case .literal(let text): "`\(text)`"
            case .option(let text), .keyword(let text): emphasis.mark(text)
            case .text(let text), .argument(let text), .variable(let text), .path(let text): text
            case .reference(let page): "\(page.name)(\(page.section))"
            }
        }.joined()
    }
}
