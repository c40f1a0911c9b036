/// The layout of help texts.
package enum TextLayout {
    /// The most columns of a line.
    package static let width = 80

    /// Breaks a text into lines at its spaces; a word that is too long gets its own line.
    ///
    /// - Parameters:
    ///   - indent: The spaces before each line.
    ///   - first: The start of the first line, padded to the indent.
    ///   - width: The columns of a line.
    package static func wrap(_ text: String, indent: Int, first: String = "", width: Int = width) -> [String] {
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

    /// Two columns, the first as wide as the widest term of up to 30; a wider term has its text on the next line, as every
    /// term has on a narrow terminal.
    static func columns(_ groups: [[(term: String, text: String)]], width: Int = width) -> [[String]] {
        let limit = width < 60 ? 0 : 30
        let widest = groups.joined().map(\.term.count).filter { $0 <= limit }.max() ?? 4
        return groups.map { rows in
            rows.flatMap { row in
                row.term.count <= min(widest, limit)
                    ? wrap(row.text, indent: widest + 4, first: "  " + row.term, width: width)
                    : ["  " + row.term] + wrap(row.text, indent: widest + 4, width: width)
            }
        }
    }
}
