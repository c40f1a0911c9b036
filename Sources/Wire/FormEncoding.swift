/// Why a text is not `application/x-www-form-urlencoded`.
package enum FormEncodingError: Error, Equatable {
    /// A `%` without two hexadecimal digits.
    case badPercentEncoding
    case invalidUTF8
    case nul
}

/// `application/x-www-form-urlencoded`, as OAuth sends its parameters (RFC 6749 appendix B).
package enum FormEncoding {
    /// Encodes one name or value: letters, digits and `*-._` stay, a space is `+`, every other byte of its UTF-8
    /// is `%XX`.
    package static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: " "): output.append(UInt8(ascii: "+"))
            case _ where isLiteral(byte): output.append(byte)
            default:
                output.append(contentsOf: [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)])
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Joins pairs as `name=value&…`.
    package static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joining(with: "&")
    }

    /// Decodes one name or value, once: `+` is a space, `%XX` a byte, the whole UTF-8.
    package static func decode(_ text: some StringProtocol) throws(FormEncodingError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexadecimalValue(of:)),
                    let low = rest.popFirst().flatMap(hexadecimalValue(of:))
                else { throw .badPercentEncoding }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else { throw .nul }
        guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8 }
        return decoded
    }

    /// Splits a text at `&` and each piece at its first `=`, and decodes both sides. A piece without `=` is a name with
    /// an empty value; empty pieces are ignored. `;` is not a separator.
    package static func parse(_ text: String) throws(FormEncodingError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for piece in text.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = sides.count > 1 ? try decode(Substring(sides[1])) : ""
            pairs.append((name: try decode(Substring(sides[0])), value: value))
        }
        return pairs
    }

    private static func isLiteral(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "*-._".utf8.contains(byte)
    }
}
