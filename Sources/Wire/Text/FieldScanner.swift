/// Reads the parts of the value of a header field, from its beginning to its end.
struct FieldScanner {
    private let bytes: [UInt8]
    var position = 0

    static let comma = UInt8(ascii: ",")
    static let equals = UInt8(ascii: "=")
    static let quote = UInt8(ascii: "\"")

    init(_ value: String) { bytes = Array(value.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    func peek() -> UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    @discardableResult
    mutating func skipSpace() -> Bool { take(while: Self.isSpace) != nil }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The bytes of some kind that come next; nil for none.
    mutating func take(while isPart: (UInt8) -> Bool) -> String? {
        let part = bytes[position...].prefix(while: isPart)
        position = part.endIndex
        return part.isEmpty ? nil : String(decoding: part, as: UTF8.self)
    }

    /// The content of a quoted string, quoted pairs undone (RFC 9110 §5.6.4); nil where none begins, or it has no end.
    mutating func quotedString(in quote: UInt8 = quote) -> String? {
        guard skip(quote) else { return nil }
        var content: [UInt8] = []
        while !isAtEnd {
            if skip(quote) { return String(decoding: content, as: UTF8.self) }
            if skip(UInt8(ascii: "\\")), isAtEnd { return nil }
            content.append(bytes[position])
            position += 1
        }
        return nil
    }
}
