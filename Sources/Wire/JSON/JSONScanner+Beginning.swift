extension JSONScanner {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Begins another text of a series, behind one that was finished. Places count on.
    package mutating func beginNext() { (expectation, weight, isBetween) = (.value, 0, true) }

    /// Skips a byte order mark at the beginning of the text, which editors do not show as a character.
    @usableFromInline
    mutating func skipMark(_ piece: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> Int {
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
}
