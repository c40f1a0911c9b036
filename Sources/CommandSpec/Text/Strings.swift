extension String {
    /// Equal code point by code point, where `==` also calls canonically equivalent strings equal.
    func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The string safe for a message: at most 64 characters, control and format characters escaped.
    var printable: String {
        var text = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            guard count < 64 else { return text + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The string with other text for some of its characters.
    func substituting(_ substitutes: [Character: String]) -> String { map { substitutes[$0] ?? String($0) }.joined() }

    /// The string padded with spaces to a number of columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }
}

extension [String] {
    /// Joins the strings as a list in prose, with another separator before the last: `a, b or c`.
    package func joined(separator: String, last: String) -> String {
        guard let end = self.last, count > 1 else { return joined() }
        return dropLast().joined(separator: separator) + last + end
    }
}
