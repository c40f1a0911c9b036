/// Takes the values of a JSON text as a ``JSONScanner`` finds them, in the order of the text.
///
/// The bytes that it is given are valid only until it returns. It is public, as the scanner: code that is generic over
/// `package` types is not specialised in other modules (Swift 6.3), and would take five times as long.
public protocol JSONSink {
    mutating func begin(_ container: JSONContainer)
    /// The innermost object or array ends.
    mutating func end(_ container: JSONContainer)
    /// The name of a member; its value follows. A name may come twice in an object.
    mutating func name(_ text: JSONStringText)
    mutating func string(_ text: JSONStringText)
    /// A number, as it is spelled.
    mutating func number(_ text: UnsafeRawBufferPointer)
    /// `null`, `true` or `false`.
    mutating func literal(_ literal: JSONLiteral)
}

/// A value that has others in it.
public enum JSONContainer: Sendable {
    case object, array
}

/// A value that is a word.
public enum JSONLiteral: Sendable {
    case null, yes, no

    package var json: JSON {
        switch self {
        case .null: .null
        case .yes: .bool(true)
        case .no: .bool(false)
        }
    }
}

/// The content of a string in a JSON text: valid UTF-8 with valid escapes.
public struct JSONStringText {
    /// The bytes between the quotes.
    public let bytes: UnsafeRawBufferPointer
    /// Whether there is an escape among them.
    public let hasEscapes: Bool

    @inlinable
    init(bytes: UnsafeRawBufferPointer, hasEscapes: Bool) { (self.bytes, self.hasEscapes) = (bytes, hasEscapes) }

    package var string: String {
        guard hasEscapes else { return String(decoding: bytes, as: UTF8.self) }
        var content: [UInt8] = []
        append(to: &content)
        return String(decoding: content, as: UTF8.self)
    }

    /// Appends the UTF-8 of the string, escapes replaced.
    package func append(to output: inout [UInt8]) {
        guard hasEscapes else { return output.append(contentsOf: bytes) }
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == UInt8(ascii: "\\") else {
                output.append(byte)
                position += 1
                continue
            }
            let escape = bytes[position + 1]
            position += 2
            switch escape {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"): Self.append(scalar(at: &position), to: &output)
            default: output.append(escape)
            }
        }
    }

    /// The character of `XXXX`, or of `XXXX\uXXXX` for a surrogate pair.
    private func scalar(at position: inout Int) -> UInt32 {
        let code = unit(at: position)
        position += 4
        guard code & 0xFC00 == 0xD800 else { return code }
        let low = unit(at: position + 2)
        position += 6
        return 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }

    private func unit(at position: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 4 | UInt32(hexadecimalValue(of: bytes[position + $1]) ?? 0) }
    }

    private static func append(_ code: UInt32, to output: inout [UInt8]) {
        func trail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: code >> shift) & 0x3F | 0x80 }
        switch code {
        case ..<0x80: output.append(UInt8(code))
        case ..<0x800: output.append(contentsOf: [UInt8(code >> 6) | 0xC0, trail(0)])
        case ..<0x10000: output.append(contentsOf: [UInt8(code >> 12) | 0xE0, trail(6), trail(0)])
        default: output.append(contentsOf: [UInt8(code >> 18) | 0xF0, trail(12), trail(6), trail(0)])
        }
    }
}
