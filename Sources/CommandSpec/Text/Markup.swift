internal import Wire

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
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
        let blocks = lines.split { $0.utf8.allSatisfy { $0 == UInt8(ascii: " ") } }
        return blocks.map { block in
            block.allSatisfy { $0.hasPrefix("    ") }
                ? .literal(block.map { String($0.dropFirst(4)) }.joined(separator: "\n"))
                : .running(inlines(block.joined(separator: " ")))
        }
    }

    /// The pieces of one paragraph.
    static func inlines(_ text: String) -> [Inline] {
        var pieces: [Inline] = []
        var (plain, rest) = (text[...], text.utf8[...])
        while let open = rest.firstIndex(where: { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "<") }) {
            rest = rest[open...].dropFirst()
            guard let (piece, after) = marked(rest, by: text.utf8[open]) else { continue }
            if plain.startIndex < open { pieces.append(.text(String(plain[..<open]))) }
            pieces.append(piece)
            (plain, rest) = (text[after...], rest[after...])
        }
        return plain.isEmpty ? pieces : pieces + [.text(String(plain))]
    }

    /// The piece at the start of a text, behind its mark, with the index after it.
    private static func marked(_ text: Substring.UTF8View, by mark: UInt8) -> (Inline, String.Index)? {
        let isLiteral = mark == UInt8(ascii: "`")
        guard let end = text.firstIndex(of: isLiteral ? mark : 0x3E), end > text.startIndex else { return nil }
        let content = Substring(text[..<end])
        guard isLiteral || isWord(content, with: "-_=:") else { return nil }
        return (isLiteral ? literal(content) : .argument(String(content)), text.index(after: end))
    }

    /// The kind of a literal, by its shape.
    private static func literal(_ content: Substring) -> Inline {
        if content.utf8.first == UInt8(ascii: "-"), isWord(content.drop { $0 == "-" }), content.prefix(3) != "---" {
            return .option(String(content))
        }
        if content.utf8.contains(UInt8(ascii: "_")),
            content.allSatisfy({ $0 == "_" || $0.isUppercase || $0.isNumber })
        {
            return .variable(String(content))
        }
        if content.utf8.last == UInt8(ascii: ")"), let open = content.firstIndex(of: "("), isWord(content[..<open]),
            let section = Int(content[content.index(after: open)...].dropLast())
        {
            return .reference(ManualReference(String(content[..<open]), section))
        }
        return .literal(String(content))
    }

    /// Whether it is a name of letters, digits, and the signs.
    private static func isWord(_ text: Substring, with signs: String = "-.") -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || signs.utf8.contains($0) }
    }
}
