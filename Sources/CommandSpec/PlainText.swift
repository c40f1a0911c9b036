extension ManualPage {
    /// The page as plain text, for the long help.
    ///
    /// - Parameter width: The columns of a line.
    package func plainText(width: Int = TextLayout.width) -> String {
        let name = ManualSection("NAME", text: "\(name) - \(summary)").plainText(width)
        let usage = synopsis.flatMap { TextLayout.wrap($0.plainText, indent: 4, width: width) }
        let parts = [name] + (usage.isEmpty ? [] : [["SYNOPSIS"] + usage]) + sections.map { $0.plainText(width) }
        return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }
}

extension ManualSection {
    fileprivate func plainText(_ width: Int) -> [String] { [title] + blocks.plainText(indent: 4, width) }
}

extension Synopsis {
    /// The call on one line, `oap call [OPTION ...] URL`.
    var plainText: String {
        let words = parts.map { part in
            switch part {
            case .required(let pieces): pieces.plainText
            case .optional(let pieces): "[\(pieces.plainText)]"
            }
        }
        return ([invocation] + words).joined(separator: " ")
    }
}

extension [ManualBlock] {
    /// The lines of the blocks, with an empty one between two.
    fileprivate func plainText(indent: Int, _ width: Int) -> [String] {
        let margin = "".padded(to: indent)
        let parts = flatMap { block -> [[String]] in
            switch block {
            case .text(let text): Markup.paragraphs(text).map { $0.plainText(indent: indent, width) }
            case .literal(let text): [Markup.Paragraph.literal(text).plainText(indent: indent, width)]
            case .heading(let text): [[margin.dropLast(2) + text]]
            case .list(let items): items.map { $0.plainText(indent: indent, width) }
            }
        }
        return [String](parts.joined(separator: [""]))
    }
}

extension ManualItem {
    /// The term, with the text on the same line if there is room.
    fileprivate func plainText(indent: Int, _ width: Int) -> [String] {
        let term = "".padded(to: indent) + term.plainText
        let body = blocks.plainText(indent: indent + 8, width)
        guard let first = body.first, term.count < indent + 7 else { return [term] + body }
        return [term.padded(to: indent + 8) + first.dropFirst(indent + 8)] + body.dropFirst()
    }
}

extension Markup.Paragraph {
    fileprivate func plainText(indent: Int, _ width: Int) -> [String] {
        switch self {
        case .running(let pieces):
            return TextLayout.wrap(pieces.plainText, indent: indent, width: width)
        case .literal(let text):
            let margin = "".padded(to: indent + 4)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.map { $0.isEmpty ? "" : margin + $0 }
        }
    }
}

extension [Inline] {
    /// The pieces as text; literals keep their backticks, which show where they end.
    var plainText: String {
        map { piece in
            switch piece {
            case .literal(let text): "`\(text)`"
            case .text(let text), .keyword(let text), .option(let text), .argument(let text), .variable(let text),
                .path(let text):
                text
            case .reference(let page): "\(page.name)(\(page.section))"
            }
        }.joined()
    }
}
