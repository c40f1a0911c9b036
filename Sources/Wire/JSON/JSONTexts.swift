/// Finds the JSON texts in a text that holds several, and arrives in pieces of any size. What is between the places at
/// which they are cut is not checked.
package struct JSONTexts {
    /// How texts follow each other.
    package enum Framing: Sendable {
        /// One a line: NDJSON, JSON Lines. Empty lines are ignored.
        case lines
        /// Behind U+001E each (RFC 7464).
        case sequence
        /// The elements of an array.
        case elements
    }

    package enum Part {
        /// The next bytes of a text, or all of it. Never empty.
        case text(UnsafeRawBufferPointer)
        case end
        /// The text ends, and may have been longer (RFC 7464 §2.4).
        case cut
    }

    /// What the framing does not allow.
    package enum Failure: Error, Equatable {
        /// There is a value, which is not an array.
        case noArray
        /// A byte that cannot be here.
        case misplaced(String)
    }

    private enum Place {
        /// Before the array, or before the first U+001E.
        case start
        /// Behind `[`.
        case first
        /// Before or in a text.
        case text
        /// Behind the array.
        case end
    }

    private let framing: Framing
    private var place: Place
    private var isInText = false
    private var first: UInt8 = 0
    private var last: UInt8 = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The bytes of a byte order mark before an array.
    private var markLength = 0

    package init(_ framing: Framing) {
        self.framing = framing
        place = framing == .lines ? .text : .start
    }

    /// The next part, behind which the position moves; nil at the end of the piece.
    package mutating func next(in piece: UnsafeRawBufferPointer, at position: inout Int) throws(Failure) -> Part? {
        while position < piece.count {
            let byte = piece[position]
            if isInText {
                let start = position
                position = end(of: piece, from: start)
                if position == start {
                    position += 1
                    if byte == UInt8(ascii: "]") { place = .end }
                    return ended()
                }
                last = piece[position - 1]
                return .text(UnsafeRawBufferPointer(rebasing: piece[start..<position]))
            } else if isSpace(byte) {
                position += 1
            } else if try begins(with: byte) {
                (isInText, first, depth, isInString, isEscaped) = (true, byte, 0, false, false)
            } else {
                position += 1
            }
        }
        return nil
    }

    /// Ends the texts. Returns the end of the last one, if the framing does not mark it; throws for an array without an end.
    package mutating func finish() throws(Failure) -> Part? {
        guard framing == .elements, place != .start else { return isInText ? ended() : nil }
        guard place == .end else { throw .misplaced("unexpected end of input in the array") }
        return nil
    }

    /// JSON's white space, and what may come before a text any number of times.
    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Takes a byte that is not in a text; true if a text begins with it.
    private mutating func begins(with byte: UInt8) throws(Failure) -> Bool {
        switch (place, byte) {
        case (_, 0x1E) where framing == .sequence:
            place = .text
            return false
        case (.start, _) where framing == .sequence:
            throw .misplaced("a JSON text sequence begins with U+001E")
        case (.start, UInt8(ascii: "[")):
            place = .first
            return false
        case (.start, _):
            if markLength < 3, byte == [0xEF, 0xBB, 0xBF][markLength] {
                markLength += 1
                return false
            }
            throw #""{-0123456789tfn"#.utf8.contains(byte) ? .noArray : .misplaced("expected a value")
        case (.first, UInt8(ascii: "]")):
            place = .end
            return false
        case (.end, _): throw .misplaced("unexpected text after the array")
        case (.text, UInt8(ascii: ",")) where framing == .elements,
            (.text, UInt8(ascii: "]")) where framing == .elements,
            (.first, UInt8(ascii: ",")):
            throw .misplaced("expected a value")
        case (.first, _), (.text, _):
            place = .text
            return true
        }
    }

    /// The end of a text, which its last byte may leave in doubt.
    private mutating func ended() -> Part {
        isInText = false
        let mayGoOn = framing == .sequence && !#""[{"#.utf8.contains(first) && !isSpace(last)
        return mayGoOn ? .cut : .end
    }

    /// Where the text that is under way ends, or the piece.
    private mutating func end(of piece: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard framing == .elements else {
            let separator: UInt8 = framing == .lines ? 0x0A : 0x1E
            return piece[start...].firstIndex(of: separator) ?? piece.count
        }
        var position = start
        while position < piece.count {
            let byte = piece[position]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: ","), UInt8(ascii: "]"):
                    guard depth > 0 else { return position }
                    if byte == UInt8(ascii: "]") { depth -= 1 }
                case UInt8(ascii: "}"): depth = max(0, depth - 1)
                default: break
                }
            }
            position += 1
        }
        return position
    }
}
