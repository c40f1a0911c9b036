/// The scan of one string, number or word of a JSON text, which goes on after the text was cut in it.
///
/// A position is an index in the bytes; on return it is behind the last byte that was checked, or at the wrong one.
@usableFromInline
struct JSONToken {
    /// How far a scan came.
    @usableFromInline
    enum Outcome {
        /// To the end of the token: for a string the position of the closing quote, else behind the last byte.
        case complete
        /// To the end of the bytes; more are needed.
        case cut
        /// To a byte that is wrong.
        case failed(String)
    }

    private enum NumberState: UInt8 {
        case start, minus, zero, integer, point, fraction, exponent, sign, exponentDigits

        /// Whether the number may end here.
        var isWhole: Bool { self == .zero || self == .integer || self == .fraction || self == .exponentDigits }
    }

    /// Whether the string has escapes so far.
    @usableFromInline private(set) var hasEscapes = false
    /// Whether there is something in it that is no character: ``JSON/repaired(_:)`` replaces it.
    @usableFromInline private(set) var hasFlaws = false
    private var state = NumberState.start
    private let isLenient: Bool

    @usableFromInline
    init(isLenient: Bool = false) { self.isLenient = isLenient }

    /// Whether a number that is cut here is whole.
    var isWholeNumber: Bool { state.isWhole }

    private static func every(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Scans the content of a string; `continuations` grows by the number of UTF-8 continuation bytes.
    @usableFromInline
    mutating func scanString(
        _ bytes: UnsafeRawBufferPointer, at place: inout Int, continuations: inout Int
    ) -> Outcome {
        var position = place
        defer { place = position }
        while true {
            Self.skipPlain(bytes, at: &position)
            guard position < bytes.count else { return .cut }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""): return .complete
            case UInt8(ascii: "\\"):
                hasEscapes = true
                if let outcome = Self.skipEscapes(bytes, at: &position), !tolerates(outcome, &position, 6) {
                    return outcome
                }
            case 0..<0x20: return .failed("a control character in a string must be escaped")
            case 0xC2...0xDF:
                if let outcome = Self.skipPairs(bytes, at: &position, &continuations), !tolerates(outcome, &position) {
                    return outcome
                }
            default:
                if let outcome = Self.skipTriples(bytes, at: &position, &continuations), !tolerates(outcome, &position)
                {
                    return outcome
                }
            }
        }
    }

    private static let notUTF8 = "not valid UTF-8 in a string"
    private static let loneSurrogate = "a lone surrogate is no character"

    /// Skips what is no character, if that is to be replaced.
    private mutating func tolerates(_ outcome: Outcome, _ position: inout Int, _ length: Int = 1) -> Bool {
        guard isLenient, case .failed(let reason) = outcome, reason == Self.notUTF8 || reason == Self.loneSurrogate
        else { return false }
        hasFlaws = true
        position += length
        return true
    }

    /// Skips ASCII characters that mean themselves, eight at a time.
    private static func skipPlain(_ bytes: UnsafeRawBufferPointer, at position: inout Int) {
        let high = every(0x80)
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let quote = word ^ every(0x22)
            let backslash = word ^ every(0x5C)
            // The lowest of these bits is exact; a carry can only set higher ones.
            let control = (word &- every(0x20)) & ~word
            let special = (quote &- every(1)) & ~quote | (backslash &- every(1)) & ~backslash
            let found = (control | special | word) & high
            guard found == 0 else {
                position += found.trailingZeroBitCount >> 3
                return
            }
            position += 8
        }
        while position < bytes.count {
            let byte = bytes[position]
            guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5C else { return }
            position += 1
        }
    }

    /// Skips a run of escapes; nil behind it.
    private static func skipEscapes(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> Outcome? {
        while position < bytes.count, bytes[position] == UInt8(ascii: "\\") {
            guard position + 2 <= bytes.count else { return .cut }
            switch bytes[position + 1] {
            case UInt8(ascii: "u"):
                if let outcome = skipUnicodeEscape(bytes, at: &position) { return outcome }
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                position += 2
            default: return .failed("unknown escape in a string")
            }
        }
        return nil
    }

    private static func skipUnicodeEscape(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> Outcome? {
        let code: UInt32
        switch unit(bytes, at: position + 2) {
        case .value(let value): code = value
        case .cut: return .cut
        case .wrong(let place):
            position = place
            return .failed("expected four hexadecimal digits after \\u")
        }
        guard code & 0xF800 == 0xD800 else {
            position += 6
            return nil
        }
        let lone = Outcome.failed(loneSurrogate)
        guard code < 0xDC00 else { return lone }
        for (index, byte) in "\\u".utf8.enumerated() {
            guard position + 6 + index < bytes.count else { return .cut }
            guard bytes[position + 6 + index] == byte else { return lone }
        }
        switch unit(bytes, at: position + 8) {
        case .value(let low) where low & 0xFC00 == 0xDC00: position += 12
        case .value: return lone
        case .cut: return .cut
        case .wrong(let place):
            position = place
            return .failed("expected four hexadecimal digits after \\u")
        }
        return nil
    }

    private enum Unit {
        case value(UInt32)
        case cut
        case wrong(Int)
    }

    private static func unit(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Unit {
        var code: UInt32 = 0
        for position in start..<start + 4 {
            guard position < bytes.count else { return .cut }
            guard let digit = hexadecimalValue(of: bytes[position]) else { return .wrong(position) }
            code = code << 4 | UInt32(digit)
        }
        return .value(code)
    }

    /// Skips a run of characters of two bytes; nil behind it.
    private static func skipPairs(
        _ bytes: UnsafeRawBufferPointer, at position: inout Int, _ continuations: inout Int
    ) -> Outcome? {
        while position + 2 <= bytes.count, bytes[position] &- 0xC2 <= 0xDF - 0xC2 {
            guard bytes[position + 1] & 0xC0 == 0x80 else { return .failed(notUTF8) }
            position += 2
            continuations += 1
        }
        return position < bytes.count && bytes[position] &- 0xC2 <= 0xDF - 0xC2 ? .cut : nil
    }

    /// Skips a run of characters of three and four bytes (RFC 3629 §4); nil behind it.
    private static func skipTriples(
        _ bytes: UnsafeRawBufferPointer, at position: inout Int, _ continuations: inout Int
    ) -> Outcome? {
        while position < bytes.count {
            let lead = bytes[position]
            guard lead >= 0x80, lead &- 0xC2 > 0xDF - 0xC2 else { return nil }
            guard lead >= 0xE0, lead <= 0xF4 else { return .failed(notUTF8) }
            let length = lead < 0xF0 ? 3 : 4
            guard position + length <= bytes.count else { return .cut }
            let second = bytes[position + 1]
            let lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
            let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
            guard second >= lowest, second <= highest, bytes[position + 2] & 0xC0 == 0x80,
                length == 3 || bytes[position + 3] & 0xC0 == 0x80
            else { return .failed(notUTF8) }
            position += length
            continuations += length - 1
        }
        return nil
    }
}

extension JSONToken {
    @usableFromInline
    mutating func scanNumber(_ bytes: UnsafeRawBufferPointer, at place: inout Int) -> Outcome {
        var position = place
        defer { place = position }
        while position < bytes.count {
            let byte = bytes[position]
            if byte &- 0x30 <= 9 {
                switch state {
                case .integer, .fraction, .exponentDigits: break
                case .start, .minus: state = byte == 0x30 ? .zero : .integer
                case .point: state = .fraction
                case .exponent, .sign: state = .exponentDigits
                case .zero: return .failed("a number may not start with 0")
                }
            } else {
                switch (byte, state) {
                case (UInt8(ascii: "-"), .start): state = .minus
                case (UInt8(ascii: "."), .zero), (UInt8(ascii: "."), .integer): state = .point
                case (UInt8(ascii: "e"), .zero), (UInt8(ascii: "e"), .integer), (UInt8(ascii: "e"), .fraction),
                    (UInt8(ascii: "E"), .zero), (UInt8(ascii: "E"), .integer), (UInt8(ascii: "E"), .fraction):
                    state = .exponent
                case (UInt8(ascii: "+"), .exponent), (UInt8(ascii: "-"), .exponent): state = .sign
                default: return state.isWhole ? .complete : .failed("expected a digit")
                }
            }
            position += 1
        }
        return .cut
    }

    /// Scans `null`, `true` or `false` from its beginning.
    @usableFromInline
    static func scanLiteral(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> Outcome {
        let word: StaticString =
            switch bytes[position] {
            case UInt8(ascii: "t"): "true"
            case UInt8(ascii: "f"): "false"
            default: "null"
            }
        for index in 0..<word.utf8CodeUnitCount {
            guard position + index < bytes.count else { return .cut }
            guard bytes[position + index] == word.utf8Start[index] else { return .failed("expected a value") }
        }
        position += word.utf8CodeUnitCount
        return .complete
    }
}
