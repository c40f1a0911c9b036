package enum TextLayout {
    /// The most columns of a line.
    package static let width = 80

    /// The columns of a line on a terminal.
    ///
    /// - Parameter columns: those of the terminal; nil for none.
    package static func width(on columns: Int?) -> Int { columns.map { max(24, min(width, $0)) } ?? width }

    /// Breaks a text into lines at its spaces; a word that is too long gets its own line. The first line begins with
    /// `first`, padded to the indent of the others.
    package static func wrap(_ text: String, indent: Int, first: String = "", width: Int = width) -> [String] {
        var lines: [String] = []
        var line = first.padded(to: indent)
        var columns = line.columns
        var isEmpty = true
        // By scalars: to look at the characters would take most of the time of a long help.
        let isSpace = { (scalar: Unicode.Scalar) in
            scalar.isASCII ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
        }
        for word in text.unicodeScalars.split(whereSeparator: isSpace).map(Substring.init) {
            let added = word.columns
            if !isEmpty, columns + 1 + added > width {
                lines.append(line)
                (line, columns, isEmpty) = ("".padded(to: indent), indent, true)
            }
            if !isEmpty { line += " " }
            line += word
            columns += isEmpty ? added : 1 + added
            isEmpty = false
        }
        if isEmpty { return first.isEmpty ? lines : lines + [first] }
        return lines + [line]
    }

    /// Breaks the lines of a shell's commands at their spaces, with a backslash at the end; a word that is too long gets its
    /// own line. Quoted text stays whole, and so do comments and commands with a here-document. The lines that continue
    /// one are indented by two more.
    static func wrapCommand(_ command: String, indent: Int, width: Int) -> [String] {
        let margin = "".padded(to: indent)
        let lines = command.split(separator: "\n")
        var quotes = QuoteState()
        var isWhole = true
        for line in lines {
            isWhole = isWhole && !quotes.isOpen
            quotes.read(line)
        }
        guard isWhole, !quotes.isOpen, !command.contains("<<") else { return lines.map { margin + $0 } }
        return lines.flatMap { line in
            line.count + indent > width ? wrapCommandLine(line, margin, width) : [margin + line]
        }
    }

    /// A pipeline has a line for each command, and then each of these is broken that is still too long.
    private static func wrapCommandLine(_ text: Substring, _ margin: String, _ width: Int) -> [String] {
        let words = shellWords(text.drop { $0 == " " })
        guard !words.contains(where: { $0.hasPrefix("#") }) else { return [margin + text] }
        let start = margin + text.prefix { $0 == " " }
        let commands = words.split(separator: "|")
        let isOpen = words.last == "|"
        return commands.enumerated().flatMap { place, words in
            let isPiped = place + 1 < commands.count || isOpen
            return wrapWords(Array(words), isPiped ? " |" : "", start + (place == 0 ? "" : "    "), width)
        }
    }

    private static func wrapWords(_ words: [String], _ end: String, _ start: String, _ width: Int) -> [String] {
        var lines: [String] = []
        let pieces = pieces(of: words)
        var line = start + (pieces.first ?? "")
        for piece in pieces.dropFirst() {
            if piece != "\\", line.count + 1 + piece.count + 2 > width {
                lines.append(line + " \\")
                line = start + "  " + piece
            } else {
                line += " " + piece
            }
        }
        return lines + [line + end]
    }

    /// The words of a command; an option stays with its value, and `<` and `>` with the file.
    private static func pieces(of words: [String]) -> [String] {
        var pieces: [String] = []
        var isOpen = false
        for word in words {
            let isOperator = ["<", ">", "2>", "||", "&&", "\\"].contains(word)
            if isOpen, !isOperator, !word.hasPrefix("-") {
                pieces[pieces.count - 1] += " " + word
            } else {
                pieces.append(word)
            }
            isOpen = word.hasPrefix("-") || word == "<" || word == ">" || word == "2>"
        }
        return pieces
    }

    /// The words of a command, with their quotes.
    private static func shellWords(_ text: Substring) -> [String] {
        var words: [String] = []
        var quotes = QuoteState()
        for piece in text.split(separator: " ", omittingEmptySubsequences: false) {
            if quotes.isOpen, let last = words.popLast() {
                words.append("\(last) \(piece)")
            } else if !piece.isEmpty {
                words.append(String(piece))
            }
            quotes.read(piece)
        }
        return words
    }

    /// Two columns, the first as wide as the widest term of up to 30; a wider term has its text on the next line, as every
    /// term has on a narrow terminal.
    static func columns(_ groups: [[(term: String, text: String)]], width: Int = width) -> [[String]] {
        let limit = width < 60 ? 0 : 30
        let widest = groups.joined().map(\.term.columns).filter { $0 <= limit }.max() ?? 4
        return groups.map { rows in
            rows.flatMap { row in
                row.term.columns <= min(widest, limit)
                    ? wrap(row.text, indent: widest + 4, first: "  " + row.term, width: width)
                    : ["  " + row.term] + wrap(row.text, indent: widest + 4, width: width)
            }
        }
    }
}

/// How headings, and the names of options and commands are shown.
package enum Emphasis: Sendable {
    /// Names are shown as any other text.
    case none
    /// Names are shown in bold, as a terminal does it (SGR 1, ECMA-48 §8.3.117).
    case bold

    /// The emphasis on standard output: bold on a terminal of a known type, unless the user wants none (no-color.org).
    ///
    /// - Parameter variable: the value of an environment variable; nil or empty if it is not set.
    package init(isTerminal: Bool, _ variable: (String) -> String?) {
        let type = variable("TERM") ?? ""
        let showsBold = isTerminal && !type.isEmpty && type != "dumb"
        self = showsBold && (variable("NO_COLOR") ?? "").isEmpty ? .bold : .none
    }

    func mark(_ text: String) -> String { self == .bold ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}

extension StringProtocol {
    /// The columns that the text takes: its characters without the sequences of ``Emphasis``.
    var columns: Int {
        // Each byte of ASCII is a character, except in a line end of two.
        guard utf8.contains(where: { $0 >= 0x80 || $0 == 0x1B || $0 == 0x0D }) else { return utf8.count }
        guard utf8.contains(0x1B) else { return count }
        let pieces = split(separator: "\u{1B}", omittingEmptySubsequences: false)
        return pieces.dropFirst().reduce(pieces[0].count) { $0 + $1.drop { $0 != "m" }.dropFirst().count }
    }
}
