extension JSON {
    /// The deepest nesting of arrays and objects that is accepted.
    package static let maximumDepth = 512

    /// The deepest nesting of a text that becomes a part of a document: a response, the claims of an ID token. The
    /// whole document must stay within `maximumDepth`, or `oap` could not read its own output.
    package static let maximumDepthOfPart = maximumDepth - 2

    /// Reads exactly one JSON text (RFC 8259) in UTF-8. White space around it and one byte order mark before it are
    /// allowed (§8.1). A repeated member and a nesting deeper than `depth` are errors.
    ///
    /// - Parameter depth: the deepest nesting of arrays and objects.
    /// - Throws: ``JSONSyntaxError`` at the first wrong byte.
    package init(parsing bytes: [UInt8], depth: Int = maximumDepth) throws(JSONSyntaxError) {
        let result: Result<JSON, JSONSyntaxError> = bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(bytes: buffer, maximumDepth: depth)
            do throws(JSONSyntaxError) { return .success(try parser.parseText()) } catch { return .failure(error) }
        }
        self = try result.get()
    }

    /// Reads one JSON text from a string; as `init(parsing:)` for bytes.
    package init(parsing text: String, depth: Int = maximumDepth) throws(JSONSyntaxError) {
        try self.init(parsing: Array(text.utf8), depth: depth)
    }
}

/// One pass over the bytes, one function per production of RFC 8259.
struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    private let maximumDepth: Int
    private var depth = 0
    /// The start of the text, after the byte order mark, which editors do not show as a character.
    private var textStart = 0

    init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func parseText() throws(JSONSyntaxError) -> JSON {
        if bytes.first == 0xEF, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { textStart = 3 }
        position = textStart
        skipWhitespace()
        let value = try parseValue()
        skipWhitespace()
        guard position == bytes.count else { throw failure("unexpected text after the value") }
        return value
    }

    private mutating func parseValue() throws(JSONSyntaxError) -> JSON {
        guard let byte = peek() else { throw failure("unexpected end of input, expected a value") }
        switch byte {
        case UInt8(ascii: "{"):
            return .object(try nested { (parser) throws(JSONSyntaxError) in try parser.parseObject() })
        case UInt8(ascii: "["):
            return .array(try nested { (parser) throws(JSONSyntaxError) in try parser.parseArray() })
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try parseLiteral("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
        default: throw failure("expected a value")
        }
    }

    private mutating func nested<Value>(
        _ parse: (inout JSONParser) throws(JSONSyntaxError) -> Value
    ) throws(JSONSyntaxError) -> Value {
        guard depth < maximumDepth else { throw failure("nested deeper than \(maximumDepth) levels") }
        depth += 1
        defer { depth -= 1 }
        return try parse(&self)
    }

    private mutating func parseObject() throws(JSONSyntaxError) -> JSONObject {
        position += 1
        var members: [JSONObject.Member] = []
        var names = MemberNames()
        skipWhitespace()
        if take("}") { return JSONObject() }
        while true {
            skipWhitespace()
            guard peek() == UInt8(ascii: "\"") else { throw failure("expected a member name in quotes") }
            let start = position
            let name = try parseString()
            guard names.insert(name, after: members) else {
                throw failure("the member \(JSON.string(name).text) appears twice", at: start)
            }
            skipWhitespace()
            guard take(":") else { throw failure("expected ':' after the member name") }
            skipWhitespace()
            members.append(.init(name: name, value: try parseValue()))
            skipWhitespace()
            if take(",") { continue }
            guard take("}") else { throw failure("expected ',' or '}'") }
            return JSONObject(unique: members)
        }
    }

    private mutating func parseArray() throws(JSONSyntaxError) -> [JSON] {
        position += 1
        var elements: [JSON] = []
        skipWhitespace()
        if take("]") { return elements }
        while true {
            skipWhitespace()
            elements.append(try parseValue())
            skipWhitespace()
            if take(",") { continue }
            guard take("]") else { throw failure("expected ',' or ']'") }
            return elements
        }
    }

    private mutating func parseLiteral(_ word: StaticString, _ value: JSON) throws(JSONSyntaxError) -> JSON {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard peek() == word.utf8Start[index] else { throw failure("expected a value", at: start) }
            position += 1
        }
        return value
    }

    private mutating func parseNumber() throws(JSONSyntaxError) -> String {
        let start = position
        _ = take("-")
        if take("0") {
            if let byte = peek(), isDigit(byte) { throw failure("a number may not start with 0", at: start) }
        } else {
            try parseDigits()
        }
        if take(".") { try parseDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try parseDigits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func parseDigits() throws(JSONSyntaxError) {
        let start = position
        while let byte = peek(), isDigit(byte) { position += 1 }
        guard position > start else { throw failure("expected a digit") }
    }
}

extension JSONParser {
    private mutating func parseString() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if peek() == UInt8(ascii: "\"") {
            let text = try decode(bytes[start..<position], from: start)
            position += 1
            return text
        }
        return try parseEscapedString(from: start)
    }

    /// The rest of a string that has an escape or an error.
    private mutating func parseEscapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var content = Array(bytes[start..<position])
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try content.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
                    try decode(buffer[...], from: start)
                }
                position += 1
                return text
            case UInt8(ascii: "\\"):
                position += 1
                try parseEscape(into: &content)
            case 0..<0x20: throw failure("a control character in a string must be escaped")
            default:
                content.append(byte)
                position += 1
            }
        }
        throw failure("unexpected end of input in a string")
    }

    private mutating func parseEscape(into content: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = peek() else { throw failure("unexpected end of input in a string") }
        let start = position - 1
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content.append(contentsOf: try parseUnicodeEscape(from: start))
        default: throw failure("unknown escape in a string", at: start)
        }
    }

    private mutating func parseUnicodeEscape(from start: Int) throws(JSONSyntaxError) -> [UInt8] {
        var code = try parseFourHexDigits()
        if (0xD800..<0xDC00).contains(code) {
            guard take("\\"), take("u") else { throw failure("a lone surrogate is no character", at: start) }
            let low = try parseFourHexDigits()
            guard (0xDC00..<0xE000).contains(low) else { throw failure("a lone surrogate is no character", at: start) }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure("a lone surrogate is no character", at: start) }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func parseFourHexDigits() throws(JSONSyntaxError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = hexadecimalValue(of: byte) else {
                throw failure("expected four hexadecimal digits after \\u")
            }
            code = code << 4 + UInt32(digit)
            position += 1
        }
        return code
    }

    private func decode(_ slice: Slice<UnsafeBufferPointer<UInt8>>, from start: Int) throws(JSONSyntaxError) -> String {
        let slice = UnsafeBufferPointer(rebasing: slice)
        // The validating initialiser takes five times as long.
        if slice.allSatisfy({ $0 < 0x80 }) { return String(decoding: slice, as: UTF8.self) }
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw failure("not valid UTF-8 in a string", at: start)
        }
        return text
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private func failure(_ reason: String, at offset: Int? = nil) -> JSONSyntaxError {
        let before = bytes[..<min(offset ?? position, bytes.count)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? textStart
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return JSONSyntaxError(reason: reason, line: before.count { $0 == 0x0A } + 1, column: column)
    }
}

/// Finds a repeated member name: by linear search in a small object, with a set in a large one.
private struct MemberNames {
    private var set: Set<[UInt8]> = []

    mutating func insert(_ name: String, after members: [JSONObject.Member]) -> Bool {
        guard members.count >= 16 else { return !members.contains { $0.name.isIdentical(to: name) } }
        if set.isEmpty { set = Set(members.map { Array($0.name.utf8) }) }
        return set.insert(Array(name.utf8)).inserted
    }
}
