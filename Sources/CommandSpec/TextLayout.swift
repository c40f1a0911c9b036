/// The layout of help texts: lines of at most 80 columns.
enum TextLayout {
    /// The columns of a line.
    static let width = 80

    /// Breaks a text into lines at its spaces; a word that is too long gets its own line.
    ///
    /// - Parameters:
    ///   - indent: The spaces before each line.
    /// - first: The start of the first line, padded to the indent.
    static func wrap(_ text: String, indent: Int, first: String = "") -> [String] {
        var lines: [String] = []
        var line = first.padded(to: indent)
        var isEmpty = true
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = "".padded(to: indent)
                isEmpty = true
            }
            line += isEmpty ? word : " " + word
            isEmpty = false
        }
        if isEmpty { return first.isEmpty ? lines : lines + [first] }
        return lines + [line]
    }

    /// Two columns, the first as wide as the widest term of up to 30; a wider term has its text on the next line.
    static func columns(_ groups: [[(term: String, text: String)]]) -> [[String]] {
        let widest = groups.joined().map(\.term.count).filter { $0 <= 30 }.max() ?? 0
        return groups.map { rows in
            rows.flatMap { row in
                row.term.count <= widest
                    ? wrap(row.text, indent: widest + 4, first: "  " + row.term)
                    : ["  " + row.term] + wrap(row.text, indent: widest + 4)
            }
        }
    }
}
