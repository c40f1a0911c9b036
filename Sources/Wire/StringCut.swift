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

    /// The text without spaces and tabs around it.
    var trimmed: String {
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
