extension String {
    /// The text before and after the first byte of this value, an ASCII character. By bytes, since a combining
    /// character after it would hide it from a search by `Character`.
    package func cut(at separator: Unicode.Scalar) -> (before: String, after: String)? {
        guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
        return (String(Substring(utf8[..<index])), String(Substring(utf8[utf8.index(after: index)...])))
    }

    /// The text after a first byte of this value; nil if it begins otherwise.
    package func dropping(first prefix: Unicode.Scalar) -> String? {
        utf8.first == UInt8(ascii: prefix) ? String(Substring(utf8.dropFirst())) : nil
    }

    /// The text between a scheme and the last `@`, even of what is not a valid URL; nil if that is empty.
    package var userBeforeHost: Substring? {
        guard let at = lastIndex(of: "@") else { return nil }
        let user = self[..<at]
        let rest = user.drop { $0 != ":" }
        let isScheme = rest.hasPrefix("://") && user[..<rest.startIndex].utf8.allSatisfy(\.isASCIILetterOrDigit)
        let found = isScheme ? rest.dropFirst(3) : user
        return found.isEmpty ? nil : found
    }

    /// A name as a message repeats it. One of 20 characters that no words make up may be a secret.
    package var shownName: String {
        let isWords =
            utf8.count <= 64 && contains { "-_".contains($0) }
            && utf8.allSatisfy { (0x61...0x7A).contains($0) || "-_".utf8.contains($0) }
        return utf8.count < 20 || isWords ? self : prefix(6) + "…"
    }

    /// The text without spaces and tabs around it.
    package var trimmed: String {
        let kept = utf8.drop { $0 == 0x20 || $0 == 0x09 }
        guard let end = kept.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return "" }
        return String(Substring(kept[...end]))
    }
}

extension [String] {
    /// The texts with a separator between them. The first call of `joined(separator:)` looks for conformances of types,
    /// which a command that runs for two milliseconds notices.
    package func joining(with separator: String) -> String {
        var text = first ?? ""
        for part in dropFirst() {
            text += separator
            text += part
        }
        return text
    }
}

extension String {
    /// The text with a capital at its beginning and a full stop at its end, for a page. A name of a parameter at its
    /// beginning stays as it is.
    package var asSentence: String {
        let word = prefix { $0 != " " }
        let isName = word.contains { !$0.isLetter }
        let text = isName ? self : prefix(1).uppercased() + dropFirst()
        return text.hasSuffix("…") || text.hasSuffix(".") ? text : text + "."
    }

    /// The text, cut after so many characters.
    package func shortened(to count: Int) -> String { self.count > count ? prefix(count) + "…" : self }
}

extension String {
    /// The text as one word of a POSIX shell. Quotes are looked for by bytes: to a search by `Character`, a combining
    /// mark after a quote would make it another character, and the text after it would be a command.
    package var shellWord: String {
        let isSafe = utf8.allSatisfy { $0.isASCIILetterOrDigit || "%+,-./:=@_".utf8.contains($0) }
        guard !isSafe || isEmpty else { return self }
        var word = [UInt8(ascii: "'")]
        for byte in utf8 { word += byte == UInt8(ascii: "'") ? Array("'\\''".utf8) : [byte] }
        return String(decoding: word + [UInt8(ascii: "'")], as: UTF8.self)
    }
}
