extension JSON {
    /// The value as compact JSON text (RFC 8259), numbers as they were spelled, control characters escaped, everything
    /// else unchanged.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    package func write(to output: inout [UInt8]) { write(to: &output, style: JSONStyle()) }

    /// Appends a string in quotes. Escapes the characters that need it, with the two-character forms of RFC 8259 §7 if
    /// there is one; also DEL, which a terminal would interpret.
    package static func write(_ string: String, to output: inout [UInt8]) {
        var string = string
        string.withUTF8 { write(utf8: UnsafeRawBufferPointer($0), to: &output) }
    }

    /// Appends a string, given in UTF-8, likewise.
    package static func write(utf8 bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var start = 0
        for position in bytes.indices where needsEscape(bytes[position]) {
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
            start = position + 1
            switch bytes[position] {
            case UInt8(ascii: "\""): output.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
            case 0x08: output.append(contentsOf: "\\b".utf8)
            case 0x0C: output.append(contentsOf: "\\f".utf8)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case let byte:
                output.append(contentsOf: "\\u00".utf8)
                output.append(hexadecimalDigit(byte >> 4, lower: true))
                output.append(hexadecimalDigit(byte & 15, lower: true))
            }
        }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
        output.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }
}

/// The layout of JSON text, as `jq` of Debian 12 prints it with `-c`, without options, and with `-C`.
package struct JSONStyle: Sendable, Equatable {
    /// One member or element a line, indented by two spaces a level; compact otherwise.
    package var isPretty: Bool
    /// With the colours of `jq -C` as terminal escape sequences.
    package var isColored: Bool

    package init(isPretty: Bool = false, isColored: Bool = false) {
        (self.isPretty, self.isColored) = (isPretty, isColored)
    }
}
