/// The markup of the long texts: paragraphs are separated by blank lines, a paragraph whose lines all begin with four
/// spaces is shown verbatim, `<NAME>` is an argument, and text between backticks is a literal: an option if it looks
/// like `--name` or `-n`, a variable if it is in capitals with an underscore (`OAP_CLIENT_ID`), and a reference if it
/// looks like `oap-call(1)`.
package enum Markup {
    package enum Paragraph: Equatable {
        case running([Inline])
        case literal(String)
    }

    package static func paragraphs(_ text: String) -> [Paragraph] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let blocks = lines.split { $0.allSatisfy { $0 == " " } }
        return blocks.map { block in
            block.allSatisfy { $0.hasPrefix("    ") }
                ? .literal(block.map { String($0.dropFirst(4)) }.joined(separator: "\n"))
                : .running(inlines(block.joined(separator: " ")))
        }
    }

    /// The pieces of one paragraph.
    static func inlines(_ text: String) -> [Inline] {
        var pieces: [Inline] = []
        var plain = ""
        var rest = text[...]
        while let first = rest.first {
            if let (piece, end) = marked(rest) {
                if !plain.isEmpty { pieces.append(.text(plain)) }
                plain = ""
                pieces.append(piece)
                rest = rest[end...]
            } else {
                plain.append(first)
                rest = rest.dropFirst()
            }
        }
        return plain.isEmpty ? pieces : pieces + [.text(plain)]
    }

    /// The marked piece at the start of a text, with the index after it.
    private static func marked(_ text: Substring) -> (Inline, String.Index)? {
        let close: Character
        switch text.first {
        case "`": close = "`"
        case "<": close = ">"
        default: return nil
        }
        let start = text.index(after: text.startIndex)
        guard let end = text[start...].firstIndex(of: close), end > start else { return nil }
        let content = text[start..<end]
        if close == "`" { return (literal(content), text.index(after: end)) }
        guard content.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_=:".contains($0)) }) else {
            return nil
        }
        return (.argument(String(content)), text.index(after: end))
    }

    /// The kind of a literal, by its shape.
    private static func literal(_ content: Substring) -> Inline {
        if content.hasPrefix("-"), isWord(content.drop { $0 == "-" }), content.prefix(3) != "---" {
            return .option(String(content))
        }
        if content.contains("_"), content.allSatisfy({ $0 == "_" || $0.isUppercase || $0.isNumber }) {
            return .variable(String(content))
        }
        if content.hasSuffix(")"), let open = content.firstIndex(of: "("), isWord(content[..<open]),
            let section = Int(content[content.index(after: open)...].dropLast())
        {
            return .reference(ManualReference(String(content[..<open]), section))
        }
        return .literal(String(content))
    }

    /// Whether it is a name of letters, digits, hyphens and dots.
    private static func isWord(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
    }
}
