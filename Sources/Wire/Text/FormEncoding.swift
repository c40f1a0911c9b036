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
        percentEncoded(text.utf8) { $0.isASCIILetterOrDigit || "*-._ ".utf8.contains($0) }.replacing(" ", with: "+")
    }

    /// Joins pairs as `name=value&…`.
    package static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joining(with: "&")
    }

    /// Decodes one name or value, once: `+` is a space, `%XX` a byte, the whole UTF-8.
    package static func decode(_ text: some StringProtocol) throws(FormEncodingError) -> String {
        let (bytes, isEncoded) = octets(of: text)
        guard isEncoded else { throw .badPercentEncoding }
        guard !bytes.contains(0) else { throw .nul }
        guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8 }
        return decoded
    }

    /// Splits a text at `&` and each piece at its first `=`, and decodes both sides. A piece without `=` is a name with
    /// an empty value; empty pieces are ignored. `;` is not a separator.
    ///
    /// - Parameter checked: the names of the values that must decode; nil for all names and values. In others a `%` without
    ///   its digits stays, and U+FFFD stands for a NUL and for what is not UTF-8.
    package static func parse(
        _ text: String, checking checked: Set<String>? = nil
    ) throws(FormEncodingError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for piece in text.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map(Substring.init)
            let name = checked == nil ? try decode(sides[0]) : decodeLeniently(sides[0])
            let isStrict = checked?.contains(name) ?? true
            let value = sides.count == 1 ? "" : isStrict ? try decode(sides[1]) : decodeLeniently(sides[1])
            pairs.append((name: name, value: value))
        }
        return pairs
    }

    private static func decodeLeniently(_ text: Substring) -> String {
        String(decoding: octets(of: text).bytes, as: UTF8.self).replacing("\0", with: "\u{FFFD}")
    }

    /// The octets of an encoded text, and whether each `%` has its digits.
    private static func octets(of text: some StringProtocol) -> (bytes: [UInt8], isEncoded: Bool) {
        var (bytes, isEncoded): ([UInt8], Bool) = ([], true)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = byte == UInt8(ascii: "%") ? rest.prefix(2).compactMap(hexadecimalValue(of:)) : []
            if digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                isEncoded = isEncoded && byte != UInt8(ascii: "%")
            }
        }
        return (bytes, isEncoded)
    }
}

/// A text with `%XX` for each byte that does not stay as it is (RFC 3986 §2.1).
package func percentEncoded(_ bytes: some Sequence<UInt8>, except stays: (UInt8) -> Bool) -> String {
    let octets = bytes.flatMap { stays($0) ? [$0] : [UInt8(ascii: "%")] + hexadecimalDigits($0) }
    return String(decoding: octets, as: UTF8.self)
}
