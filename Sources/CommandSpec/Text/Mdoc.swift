extension ManualPage {
    /// The page in mdoc, clean under `mandoc -T lint -W warning`.
    package var mdoc: String {
        var lines = [".Dd \(date)", ".Dt \(name.uppercased()) \(section)", ".Os", ".Sh NAME", ".Nm \(name)"]
        lines.append(".Nd \(Mdoc.text(summary))")
        if !synopsis.isEmpty { lines += [".Sh SYNOPSIS"] + synopsis.flatMap(\.mdoc) }
        for section in sections {
            lines += [".Sh \(Mdoc.text(section.title))"] + section.blocks.mdoc
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Synopsis {
    fileprivate var mdoc: [String] {
        [".Nm \(invocation)"]
            + parts.map { part in
                switch part {
                case .required(let pieces): "." + Mdoc.line(pieces)
                case .optional(let pieces): ".Op " + Mdoc.line(pieces)
                }
            }
    }
}

extension [ManualBlock] {
    fileprivate var mdoc: [String] {
        var lines: [String] = []
        // A paragraph macro separates a paragraph from the block before it, except from a heading.
        var isFirst = true
        for block in self {
            switch block {
            case .text(let text):
                for paragraph in Markup.paragraphs(text) {
                    lines += paragraph.mdoc(isFirst: isFirst)
                    isFirst = false
                }
                continue
            case .literal(let text):
                lines += Markup.Paragraph.literal(text).mdoc(isFirst: isFirst)
            case .heading(let text):
                lines.append(".Ss \(Mdoc.text(text))")
            case .list(let items):
                lines += [".Bl -tag -width Ds"]
                lines += items.flatMap { [".It \(Mdoc.line($0.term))"] + $0.blocks.mdoc } + [".El"]
            }
            if case .heading = block { isFirst = true } else { isFirst = false }
        }
        return lines
    }
}

extension Markup.Paragraph {
    fileprivate func mdoc(isFirst: Bool) -> [String] {
        switch self {
        case .running(let pieces):
            (isFirst ? [] : [".Pp"]) + Mdoc.paragraph(pieces)
        case .literal(let text):
            [".Bd -literal -offset indent"]
                + text.split(separator: "\n", omittingEmptySubsequences: false).map { Mdoc.literalLine(String($0)) }
                + [".Ed"]
        }
    }
}

/// The words and lines of mdoc source.
private enum Mdoc {
    /// The source lines of running text: plain words are collected, marked-up pieces get a macro line each.
    static func paragraph(_ pieces: [Inline]) -> [String] {
        var lines: [String] = []
        var line = ""
        func endLine() {
            if !line.isEmpty { lines.append(guarded(line)) }
            line = ""
        }
        for group in groups(pieces) {
            guard group.count == 1, case .text(let word) = group[0] else {
                endLine()
                lines.append("." + macros(group))
                continue
            }
            if line.count + word.count > 78 { endLine() }
            // The dot of an abbreviation does not end a sentence, not even at the end of a line; a dot after a number
            // does.
            let isAbbreviation = word.last == "." && word.dropLast().contains(".") && word.contains(where: \.isLetter)
            line += (line.isEmpty ? "" : " ") + text(word) + (isAbbreviation ? "\\&" : "")
            if let last = word.last, ".?!".contains(last), !isAbbreviation { endLine() }
        }
        endLine()
        return lines
    }

    /// All pieces on one macro line, without the dot before it.
    static func line(_ pieces: [Inline]) -> String { groups(pieces).map(macros).joined(separator: " ") }

    /// Text with all markup escaped.
    static func text(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case _ where !scalar.isASCII: "\\[u\(scalar.hexadecimal)]"
            default: String(scalar)
            }
        }.joined()
    }

    /// A line of a literal display.
    static func literalLine(_ text: String) -> String { guarded(typewriter(text)) }

    /// A text line escaped so that it does not begin like a macro.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }

    /// Text with the characters escaped that typography would replace.
    private static func typewriter(_ plain: String) -> String {
        text(plain).substituting(["-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"])
    }

    /// One argument of a macro: quoted if it has spaces, escaped if it looks like a macro or a delimiter.
    private static func argument(_ plain: String) -> String {
        let escaped = typewriter(plain).substituting(["\"": "\\(dq"])
        if escaped.contains(" ") { return "\"\(escaped)\"" }
        let first = plain.first ?? " "
        let looksLikeMacro =
            2...3 ~= plain.count && (first == "%" || first.isUppercase && plain.last?.isUppercase != true)
        let isDelimiter = plain.allSatisfy { ".,:;?!()[]|".contains($0) }
        return looksLikeMacro || isDelimiter ? "\\&" + escaped : escaped
    }

    /// The pieces between two spaces, as macros on one line.
    private static func macros(_ group: [Inline]) -> String {
        var words: [String] = []
        for (index, piece) in group.enumerated() {
            if index > 0, index == group.count - 1, case .text(let end) = piece,
                end.allSatisfy({ ".,:;?!)]".contains($0) })
            {
                return (words + end.map(String.init)).joined(separator: " ")
            }
            words += (index > 0 ? ["Ns"] : []) + [macro(piece)]
        }
        return words.joined(separator: " ")
    }

    private static func macro(_ piece: Inline) -> String {
        switch piece {
        case .text(let text): "No \(argument(text))"
        // `Ql` would reach to the end of the line.
        case .literal(let text): "So \(argument(text)) Sc"
        case .keyword(let text): "Cm \(argument(text))"
        case .option(let name): "Fl \(argument(String(name.dropFirst())))"
        case .argument(let name): "Ar \(argument(name))"
        case .variable(let name): "Ev \(argument(name))"
        case .path(let name): "Pa \(argument(name))"
        case .reference(let page): "Xr \(page.name) \(page.section)"
        }
    }

    /// Splits pieces at the spaces of their texts.
    private static func groups(_ pieces: [Inline]) -> [[Inline]] {
        var groups: [[Inline]] = []
        var current: [Inline] = []
        for piece in pieces {
            guard case .text(let text) = piece else {
                current.append(piece)
                continue
            }
            for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                if index > 0, !current.isEmpty {
                    groups.append(current)
                    current = []
                }
                if !word.isEmpty { current.append(.text(String(word))) }
            }
        }
        return current.isEmpty ? groups : groups + [current]
    }
}

extension Unicode.Scalar {
    /// The number in at least four hexadecimal digits.
    fileprivate var hexadecimal: String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
