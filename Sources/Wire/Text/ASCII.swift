extension String {
    /// Equal code point by code point. `==` on `String` also calls canonically equivalent strings equal, which no
    /// protocol comparison may do (RFC 8259 §8.3, RFC 9207 §2.4).
    package func isIdentical(to other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Equal but for the case of ASCII letters.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// The text with the ASCII letters, and nothing else, in lower case.
    package var asciiLowercased: String {
        guard hasBytes({ (0x41...0x5A).contains($0) }) else { return self }
        return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
    }

    /// Whether the text is a token: not empty, and nothing but letters, digits and ``!#$%&'*+-.^_`|~``
    /// (RFC 9110 §5.6.2).
    package var isHTTPToken: Bool { !isEmpty && !hasBytes { !$0.isHTTPTokenCharacter } }

    /// Whether the text is nothing but letters, digits and `:._/-`: it can be pasted into a shell as it is.
    package var isPlainWord: Bool {
        !hasBytes { !$0.isASCIILetterOrDigit && !(0x2D...0x2F).contains($0) && $0 != 0x3A && $0 != 0x5F }
    }

    /// An invisible character of the text, for messages: a control character of ASCII, or by its number one that pages
    /// and editors leave in what is copied. Joiners are parts of words, and the wide space is one of scripts.
    package var unseenCharacter: String? {
        if hasBytes({ $0 < 0x20 || $0 == 0x7F }) { return "a control character" }
        guard hasBytes({ $0 > 0x7F }) else { return nil }
        let unseen = unicodeScalars.first { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator:
                !" \u{200C}\u{200D}\u{3000}".unicodeScalars.contains(scalar)
            default: false
            }
        }
        let digits = unseen.map { String($0.value, radix: 16, uppercase: true) }
        return digits.map { "the invisible character U+" + String(repeating: "0", count: max(0, 4 - $0.count)) + $0 }
    }

    /// Whether the UTF-8 text has a byte of some kind. Reading the bytes in memory takes a fifth of the time that the view
    /// takes.
    package func hasBytes(_ isWanted: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.contains(where: isWanted) } ?? utf8.contains(where: isWanted)
    }
}

extension UInt8 {
    /// The byte, an ASCII capital letter as the small one.
    package var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    package var isASCIILetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }

    var isHTTPTokenCharacter: Bool {
        isASCIILetterOrDigit || self == UInt8(ascii: "-") || "!#$%&'*+.^_`|~".utf8.contains(self)
    }
}

/// The value of a hexadecimal digit in ASCII, of either case; nil for any other byte.
package func hexadecimalValue(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// The ASCII digit of a value below 16.
package func hexadecimalDigit(_ value: UInt8, lower: Bool = false) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: lower ? "a" : "A") + value - 10
}

/// The two digits of a byte.
package func hexadecimalDigits(_ byte: UInt8, lower: Bool = false) -> [UInt8] {
    [hexadecimalDigit(byte >> 4, lower: lower), hexadecimalDigit(byte & 15, lower: lower)]
}
