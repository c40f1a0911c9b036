extension JSON {
    /// A JSON text, or the content of a string in one, with U+FFFD for each sequence of bytes that is not UTF-8 and each
    /// escape of half a surrogate pair, as jq 1.7 reads it.
    fileprivate static func repaired(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text = Array(String(decoding: bytes, as: UTF8.self).utf8)
        var position = 0
        while let backslash = text[position...].firstIndex(of: UInt8(ascii: "\\")) {
            let code = text.surrogate(at: backslash)
            if code == nil {
                position = min(backslash + 2, text.count)
            } else if code == 0xD800, text.surrogate(at: backslash + 6) == 0xDC00 {
                position = backslash + 12
            } else {
                text.replaceSubrange(backslash + 2..<backslash + 6, with: "fffd".utf8)
                position = backslash + 6
            }
        }
        return text
    }

    /// What a line begins with that servers put before JSON, so that no page can run it as a script. No JSON does.
    package static let guardLine = ")]}'".utf8

    /// Reads one JSON text of an API as `init(parsing:)`, but replaces what is no character, and skips a line that guards
    /// the text.
    package init(answer bytes: [UInt8], depth: Int = maximumDepth) throws(JSONSyntaxError) {
        do throws(JSONSyntaxError) {
            try self.init(parsing: bytes, depth: depth)
        } catch {
            var text = bytes.withUnsafeBytes(Self.repaired)
            if text.starts(with: Self.guardLine) { text.removeFirst(text.firstIndex(of: 0x0A) ?? 0) }
            try self.init(parsing: text, depth: depth)
        }
    }
}

extension JSONStringText {
    /// The bytes with U+FFFD for what is no character, and escapes.
    @usableFromInline
    func repaired() -> [UInt8] { JSON.repaired(bytes) }
}

extension [UInt8] {
    /// 0xD800 or 0xDC00 for the escape of a high or a low surrogate; nil for anything else.
    fileprivate func surrogate(at start: Int) -> UInt32? {
        guard start + 6 <= count, self[start] == UInt8(ascii: "\\"), self[start + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var code: UInt32 = 0
        for digit in self[start + 2..<start + 6] {
            guard let value = hexadecimalValue(of: digit) else { return nil }
            code = code << 4 | UInt32(value)
        }
        return code & 0xF800 == 0xD800 ? code & 0xFC00 : nil
    }
}
