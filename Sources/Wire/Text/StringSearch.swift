// Swift's own functions of these names are part of its library for regular expressions, which is not linked in: each start
// of the program would pay for its tables.

extension StringProtocol where SubSequence == Substring {
    /// The range of the first occurrence of a text, compared by bytes as `cut(at:)` does; nil if there is none.
    package func firstRange(of text: String) -> Range<String.Index>? {
        let (bytes, sought) = (Substring(self).utf8, text.utf8)
        guard let first = sought.first else { return startIndex..<startIndex }
        var start = bytes.startIndex
        while let index = bytes[start...].firstIndex(of: first) {
            if bytes[index...].starts(with: sought) { return index..<bytes.index(index, offsetBy: sought.count) }
            start = bytes.index(after: index)
        }
        return nil
    }

    /// Whether a text occurs in this one, compared by bytes.
    package func contains(_ text: String) -> Bool { firstRange(of: text) != nil }

    /// The text with another in place of each occurrence of one that is not empty.
    package func replacing(_ text: String, with other: String) -> String {
        guard !text.isEmpty else { return String(self) }
        var (result, rest) = ("", Substring(self))
        while let range = rest.firstRange(of: text) {
            result += rest[..<range.lowerBound] + other
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    /// The text with values in the place of `{{NAME}}`. What is in a value is never a place.
    package func filling(_ values: [String: String]) -> String {
        var (result, rest) = ("", Substring(self))
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            let name = rest[start.upperBound..<end.lowerBound]
            result += rest[..<start.lowerBound] + (values[String(name)] ?? "{{\(name)}}")
            rest = rest[end.upperBound...]
        }
        return result + rest
    }
}
