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

    /// The length of what servers put before JSON, so that no page can run it as a script: a line that begins with `)]}'`,
    /// or a loop without an end. No JSON begins so. A line end that has not come yet is not part of it.
    package static func guardLength(of text: UnsafeRawBufferPointer) -> Int {
        let mark = text.starts(with: "\u{FEFF}".utf8) ? 3 : 0
        let rest = text.dropFirst(mark)
        for loop in ["while(1);", "while (1);", "for(;;);", "for (;;);"] where rest.starts(with: loop.utf8) {
            return mark + loop.utf8.count
        }
        guard rest.starts(with: ")]}'".utf8) else { return 0 }
        return rest.firstIndex(of: 0x0A) ?? (rest.count < 6 ? text.count : 0)
    }

    /// Reads one JSON text of an API as `init(parsing:)`, but replaces what is no character, and skips what guards the text
    /// from pages.
    package init(answer bytes: [UInt8], depth: Int = maximumDepth) throws(JSONSyntaxError) {
        do throws(JSONSyntaxError) {
            try self.init(parsing: bytes, depth: depth)
        } catch {
            var text = bytes.withUnsafeBytes(Self.repaired)
            text.removeFirst(text.withUnsafeBytes(Self.guardLength))
            try self.init(parsing: text, depth: depth)
        }
    }
}

extension JSONObject {
    /// The strings by their names in what is almost JSON, at whatever depth, the first of each: for errors alone. Controls,
    /// escapes and commas may be wrong, a warning in front or a call around it, and each character may have a zero beside it
    /// (UTF-16).
    package init(almost bytes: [UInt8]) {
        self.init()
        let quote = UInt8(ascii: "\"")
        var (name, last): (String?, String?)
        var rest = bytes.prefix(65_536).filter { $0 != 0 }[...]
        while let byte = rest.popFirst() {
            switch byte {
            case quote:
                var text: [UInt8] = []
                while let next = rest.popFirst(), next != quote {
                    text.append(max(next, 0x20))
                    guard next == UInt8(ascii: "\\"), let escaped = rest.popFirst() else { continue }
                    if escaped == UInt8(ascii: "'") { text.removeLast() }
                    text.append(escaped)
                }
                let json = try? JSON(answer: [quote] + text + [quote])
                last = json?.string ?? String(decoding: text, as: UTF8.self)
                guard let named = name else { continue }
                if self[named] == nil { self[named] = last.map { .string($0) } }
                (name, last) = (nil, nil)
            case UInt8(ascii: ":"): (name, last) = (last, nil)
            case 0x20, 0x09, 0x0A, 0x0D: break
            default: (name, last) = (nil, nil)
            }
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
