extension JSONScanner {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// What a line begins with that servers put before JSON, so that no page can run it as a script.
    static let guardLine = Array(")]}'".utf8)

    /// Begins another text of a series, behind one that was finished. Places count on.
    package mutating func beginNext() { (expectation, weight, isBetween) = (.value, 0, true) }

    /// Skips a byte order mark at the beginning of the text, which editors do not show as a character.
    @usableFromInline
    mutating func skipMark(_ piece: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> Int {
        guard guardLength == nil else { return try skipGuard(piece) }
        guard var length = markLength else { return 0 }
        var position = 0
        while position < piece.count, length < 3, piece[position] == Self.byteOrderMark[length] {
            position += 1
            length += 1
        }
        if length == 3 { lineStart = 3 }
        guard length == 3 || position < piece.count else {
            markLength = length
            return position
        }
        guard length == 0 || length == 3 else { throw failure("expected a value", at: position - length) }
        markLength = nil
        return position
    }

    /// Skips the line that guards the text.
    private mutating func skipGuard(_ piece: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> Int {
        var position = 0
        while position < piece.count, let length = guardLength {
            let byte = piece[position]
            if length < Self.guardLine.count {
                guard byte == Self.guardLine[length] else {
                    guard length == 0 else { throw failure("expected a value", at: position - length) }
                    guardLength = nil
                    return try skipMark(piece)
                }
                guardLength = length + 1
            } else if byte == 0x0A {
                (guardLength, markLength) = (nil, nil)
                (line, lineStart) = (line + 1, offset + position + 1)
            }
            position += 1
        }
        return position
    }
}
