extension Unicode.Scalar {
    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    /// The character of a reference of XML or HTML, by what is between `&` and `;`: a name that XML knows, or a number.
    package init?(reference name: String) {
        let isHexadecimal = name.asciiLowercased.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        let isNumber = name.hasPrefix("#") && digits.utf8.allSatisfy(\.isASCIILetterOrDigit)
        let number = isNumber ? UInt32(digits, radix: isHexadecimal ? 16 : 10) : nil
        guard let scalar = Self.entities[name] ?? number.flatMap(Self.init), scalar.value != 0 else { return nil }
        self = scalar
    }
}

extension String {
    /// The text with the characters of its references, such as `&amp;` and `&#x3D;`, and whether each `&` begins one.
    package var withoutReferences: (text: String, isKnown: Bool) {
        let pieces = utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var (text, isKnown) = (String(Substring(pieces[0])), true)
        for piece in pieces.dropFirst() {
            let name = piece.prefix { $0 != UInt8(ascii: ";") }
            let scalar = name.endIndex < piece.endIndex ? Unicode.Scalar(reference: String(Substring(name))) : nil
            text += scalar.map { "\($0)\(Substring(piece[name.endIndex...].dropFirst()))" } ?? "&\(Substring(piece))"
            isKnown = isKnown && scalar != nil
        }
        return (text, isKnown)
    }
}
