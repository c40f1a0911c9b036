/// Reads a JSON text (RFC 8259) that arrives in pieces of any size, and gives its values to a sink.
///
/// It accepts what `JSON(parsing:)` accepts, and repeated names.
public struct JSONScanner {
    /// What comes next.
    @usableFromInline
    enum Expectation: UInt8 {
        case value, elementOrEnd, nameOrEnd, name, colon, separator, end
    }

    @usableFromInline var expectation = Expectation.value
    /// The open containers; true for an object.
    @usableFromInline var containers: [Bool] = []
    @usableFromInline let maximumDepth: Int
    /// The token that the last piece cut, from its first byte.
    @usableFromInline var carry: [UInt8] = []
    /// How many bytes of it are checked.
    @usableFromInline var checked = 0
    @usableFromInline var token = JSONToken()
    /// The length of all pieces before this one.
    @usableFromInline var offset = 0
    /// The line, counted from 1.
    @usableFromInline var line = 1
    /// The offset of the line's first byte.
    @usableFromInline var lineStart = 0
    /// The UTF-8 continuation bytes of the line so far.
    @usableFromInline var continuations = 0
    /// The values so far; an array counts as four and an object as eight.
    @usableFromInline package var weight = 0
    /// The bytes of a byte order mark so far; nil behind it.
    @usableFromInline var markLength: Int? = 0
    /// Whether what is no character is replaced.
    @usableFromInline let isLenient: Bool
    /// Whether another text may follow.
    @usableFromInline let isSeries: Bool
    /// Whether a text has come before this one.
    var isBetween = false

    /// - Parameters:
    ///   - isLenient: whether strings may hold what is no character, which becomes U+FFFD as in jq.
    ///   - isSeries: whether another text may follow; see ``beginNext()``.
    package init(maximumDepth: Int = JSON.maximumDepth, isLenient: Bool = false, isSeries: Bool = false) {
        (self.maximumDepth, self.isLenient, self.isSeries) = (maximumDepth, isLenient, isSeries)
    }

    /// Whether nothing of a text has come yet.
    package var isEmpty: Bool {
        offset == 0 || isBetween && expectation == .value && containers.isEmpty && carry.isEmpty
    }

    /// Whether a text has ended.
    package var isAtEnd: Bool { expectation == .end }

    /// The bytes of a string or a number whose end has not come.
    package var cutLength: Int { carry.count }

    package var depth: Int { containers.count }

    /// Reads the next piece of the text.
    ///
    /// - Returns: how many bytes were read: fewer than all where another text of a series begins.
    /// - Throws: ``JSONSyntaxError`` at the first wrong byte. Then nothing more can be read.
    @discardableResult @inlinable
    public mutating func scan(
        _ piece: UnsafeRawBufferPointer, into sink: inout some JSONSink
    ) throws(JSONSyntaxError) -> Int {
        var position = try skipMark(piece)
        if !carry.isEmpty {
            guard try resume(piece, at: &position) else {
                offset += piece.count
                return piece.count
            }
            let token = carry
            carry.removeAll(keepingCapacity: true)
            token.withUnsafeBytes { take($0, into: &sink) }
        }
        while position < piece.count {
            let byte = piece[position]
            if byte <= 0x20 {
                try skipSpace(byte, at: &position)
                continue
            }
            switch expectation {
            case .separator:
                position += 1
                switch byte {
                case UInt8(ascii: ","): expectation = containers.last == true ? .name : .value
                case UInt8(ascii: "]"), UInt8(ascii: "}"): try close(byte, at: position - 1, in: &sink)
                default: throw misplaced(at: position - 1)
                }
            case .colon:
                guard byte == UInt8(ascii: ":") else { throw misplaced(at: position) }
                position += 1
                expectation = .value
            case .nameOrEnd where byte == UInt8(ascii: "}"), .elementOrEnd where byte == UInt8(ascii: "]"):
                position += 1
                try close(byte, at: position - 1, in: &sink)
            case .end:
                guard isSeries else { throw misplaced(at: position) }
                offset += position
                return position
            case .name, .nameOrEnd:
                guard byte == UInt8(ascii: "\"") else { throw misplaced(at: position) }
                try scanToken(piece, at: &position, into: &sink)
            case .value, .elementOrEnd:
                switch byte {
                case UInt8(ascii: "{"):
                    try open(.object, at: position)
                    position += 1
                    sink.begin(.object)
                case UInt8(ascii: "["):
                    try open(.array, at: position)
                    position += 1
                    sink.begin(.array)
                default: try scanToken(piece, at: &position, into: &sink)
                }
            }
        }
        offset += piece.count
        return piece.count
    }

    /// Ends the text; throws if it is not whole.
    package mutating func finish(into sink: inout some JSONSink) throws(JSONSyntaxError) {
        if let first = carry.first {
            switch first {
            case UInt8(ascii: "\""): throw failure("unexpected end of input in a string", at: 0)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard token.isWholeNumber else { throw failure("expected a digit", at: 0) }
                carry.withUnsafeBytes { take($0, into: &sink) }
            default: throw failure("expected a value", at: -carry.count)
            }
        }
        if (1...2).contains(markLength ?? 0) { throw failure("expected a value", at: -(markLength ?? 0)) }
        guard expectation == .end else { throw misplaced(at: 0, isEnd: true) }
    }
}

extension JSONScanner {
    @inlinable
    mutating func close(
        _ byte: UInt8, at position: Int, in sink: inout some JSONSink
    ) throws(JSONSyntaxError) {
        guard let isObject = containers.last, (byte == UInt8(ascii: "}")) == isObject else {
            throw misplaced(at: position)
        }
        containers.removeLast()
        expectation = containers.isEmpty ? .end : .separator
        sink.end(isObject ? .object : .array)
    }

    /// Scans a string, a number or a word that begins here.
    @inlinable @inline(__always)
    mutating func scanToken(
        _ piece: UnsafeRawBufferPointer, at position: inout Int, into sink: inout some JSONSink
    ) throws(JSONSyntaxError) {
        let start = position
        token = JSONToken(isLenient: isLenient)
        guard try check(piece, from: start, at: &position) else {
            carry.append(contentsOf: piece[start...])
            checked = position - start
            position = piece.count
            return
        }
        take(UnsafeRawBufferPointer(rebasing: piece[start..<position]), into: &sink)
    }

    /// Gives a whole token to the sink.
    @inlinable @inline(__always)
    mutating func take(_ bytes: UnsafeRawBufferPointer, into sink: inout some JSONSink) {
        let isName = expectation == .name || expectation == .nameOrEnd
        expectation = isName ? .colon : containers.isEmpty ? .end : .separator
        weight += isName ? 0 : 1
        switch bytes[0] {
        case UInt8(ascii: "\""):
            let text = JSONStringText(
                bytes: UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1]), hasEscapes: token.hasEscapes)
            if token.hasFlaws {
                text.repaired().withUnsafeBytes {
                    Self.give(JSONStringText(bytes: $0, hasEscapes: true), isName, to: &sink)
                }
            } else {
                Self.give(text, isName, to: &sink)
            }
        case UInt8(ascii: "t"): sink.literal(.yes)
        case UInt8(ascii: "f"): sink.literal(.no)
        case UInt8(ascii: "n"): sink.literal(.null)
        default: sink.number(bytes)
        }
    }

    @inlinable @inline(__always)
    static func give(_ text: JSONStringText, _ isName: Bool, to sink: inout some JSONSink) {
        if isName { sink.name(text) } else { sink.string(text) }
    }

    /// Checks the token that begins at `start`, from `position` on if some of it is checked already. True if it is whole;
    /// then the position is behind it.
    @usableFromInline
    mutating func check(
        _ bytes: UnsafeRawBufferPointer, from start: Int, at position: inout Int
    ) throws(JSONSyntaxError) -> Bool {
        let outcome: JSONToken.Outcome
        switch bytes[start] {
        case UInt8(ascii: "\""):
            if position == start { position += 1 }
            outcome = token.scanString(bytes, at: &position, continuations: &continuations)
            if case .complete = outcome { position += 1 }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            outcome = token.scanNumber(bytes, at: &position)
            if case .failed("a number may not start with 0") = outcome { position = start }
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            outcome = JSONToken.scanLiteral(bytes, at: &position)
        default: outcome = .failed("expected a value")
        }
        switch outcome {
        case .complete: return true
        case .cut: return false
        case .failed(let reason): throw failure(reason, at: position)
        }
    }

    /// Goes on with the token that the last piece cut. True if it is whole; then it is in `carry`, and the position is
    /// behind it.
    @usableFromInline
    mutating func resume(
        _ piece: UnsafeRawBufferPointer, at position: inout Int
    ) throws(JSONSyntaxError) -> Bool {
        var length = 64
        // Until the token is whole, positions count from its first byte.
        let held = carry.count
        offset -= held
        while position < piece.count {
            let added = piece[position..<min(position + length, piece.count)]
            let before = carry.count
            carry.append(contentsOf: added)
            var end = checked
            let token = carry
            let isWhole = try token.withUnsafeBufferPointer { (token) throws(JSONSyntaxError) in
                try check(UnsafeRawBufferPointer(token), from: 0, at: &end)
            }
            if isWhole {
                carry.removeSubrange(end...)
                position += end - before
                offset += held
                return true
            }
            checked = end
            position = added.endIndex
            length *= 2
        }
        offset += held
        return false
    }

    @usableFromInline
    mutating func open(_ container: JSONContainer, at position: Int) throws(JSONSyntaxError) {
        guard containers.count < maximumDepth else {
            throw failure("nested deeper than \(maximumDepth) levels", at: position)
        }
        containers.append(container == .object)
        weight += container == .object ? 8 : 4
        expectation = container == .object ? .nameOrEnd : .elementOrEnd
    }

    @inlinable @inline(__always)
    mutating func skipSpace(_ byte: UInt8, at position: inout Int) throws(JSONSyntaxError) {
        switch byte {
        case 0x20, 0x09, 0x0D: break
        case 0x0A:
            line += 1
            lineStart = offset + position + 1
            continuations = 0
        default: throw misplaced(at: position)
        }
        position += 1
    }

    /// The failure of a byte that cannot be here, or of the end of the text.
    @usableFromInline
    func misplaced(at position: Int, isEnd: Bool = false) -> JSONSyntaxError {
        let reason =
            switch expectation {
            case .value, .elementOrEnd:
                isEnd ? "unexpected end of input, expected a value" : "expected a value"
            case .name, .nameOrEnd: "expected a member name in quotes"
            case .colon: "expected ':' after the member name"
            case .separator: containers.last == true ? "expected ',' or '}'" : "expected ',' or ']'"
            case .end: "unexpected text after the value"
            }
        return failure(reason, at: position)
    }

    @usableFromInline
    func failure(_ reason: String, at position: Int) -> JSONSyntaxError {
        JSONSyntaxError(reason: reason, line: line, column: offset + position - lineStart - continuations + 1)
    }
}
