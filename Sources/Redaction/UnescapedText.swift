internal import Wire

/// A text with every escape decoded until none is left: `%XX`, `+` for a space, those of JSON strings, `\xXX`, and the
/// references of HTML. All escaped forms of a secret have the same unescaped form, even if the secret itself looks
/// escaped.
struct UnescapedText {
    private(set) var bytes: [UInt8] = []
    private(set) var hasEscapes = false
    /// The offset in the text of each byte or its escape, and the text's end.
    private var sources: [Int] = []
    /// The number of bytes after the last one that begins an escape.
    private var distance = longest
    /// The bytes of the longest escape, a pair of surrogates.
    private static let longest = 12

    init(_ text: [UInt8]) {
        guard text.contains(where: { beginsEscape($0) || $0 == plus }) else {
            bytes = text
            return
        }
        hasEscapes = true
        bytes.reserveCapacity(text.count)
        sources.reserveCapacity(text.count + 1)
        for index in text.indices {
            let byte = text[index]
            if beginsEscape(byte) { distance = 0 }
            guard distance < Self.longest else {
                push(byte, from: index)
                continue
            }
            distance += 1
            append(byte, from: index)
        }
        sources.append(text.count)
    }

    /// This text without the backslashes that are left.
    var withoutBackslashes: UnescapedText {
        var text = self
        let kept = bytes.indices.filter { bytes[$0] != backslash }
        (text.bytes, text.sources) = (kept.map { bytes[$0] }, kept.map { sources[$0] } + [sources[bytes.count]])
        return text
    }

    /// How many bytes of the text its last characters are, and an escape behind them that is not complete.
    func length(ofLast count: Int) -> Int {
        let partial = (1...11).last { bytes.suffix($0).count == $0 && bytes.suffix($0).isIncompleteEscape } ?? 0
        let start = max(0, bytes.count - partial - count)
        return hasEscapes ? sources[bytes.count] - sources[start] : bytes.count - start
    }

    /// The range of the text for a range of `bytes`.
    func source(of range: Range<Int>) -> Range<Int> {
        hasEscapes ? sources[range.lowerBound]..<sources[range.upperBound] : range
    }

    /// Appends a byte; if it completes an escape, replaces the escape by its value, repeatedly.
    private mutating func append(_ byte: UInt8, from index: Int) {
        push(byte, from: index)
        while let (length, result) = escapeAtEnd() {
            let start = sources[sources.count - length]
            bytes.removeLast(length)
            sources.removeLast(length)
            for byte in result { push(byte, from: start) }
            distance = 0
            guard result.count == 1 else { return }
        }
    }

    private mutating func push(_ byte: UInt8, from index: Int) {
        bytes.append(byte == plus ? UInt8(ascii: " ") : byte)
        sources.append(index)
    }

    private func escapeAtEnd() -> (length: Int, result: [UInt8])? {
        if at(3) == percent, let byte = hexadecimal(last: 2) { return (3, [UInt8(byte)]) }
        if at(2) == backslash, let short = Self.shortEscapes[at(1)] { return (2, [short]) }
        if at(4) == backslash, at(3) == UInt8(ascii: "x"), let byte = hexadecimal(last: 2) { return (4, [UInt8(byte)]) }
        if at(1) == UInt8(ascii: ";"), let length = (4...Self.longest).first(where: { at($0) == ampersand }) {
            let name = String(decoding: bytes.suffix(length - 1).dropLast(), as: UTF8.self)
            return Unicode.Scalar(reference: name).map { (length, Array(String($0).utf8)) }
        }
        guard let unit = unit(endingBefore: 0) else { return nil }
        if let scalar = Unicode.Scalar(unit) { return (6, Array(String(scalar).utf8)) }
        guard unit >= 0xDC00, let high = self.unit(endingBefore: 6), (0xD800..<0xDC00).contains(high),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00))
        else { return nil }
        return (12, Array(String(scalar).utf8))
    }

    /// The UTF-16 unit of an escape `\uXXXX` that ends this many bytes before the end.
    private func unit(endingBefore rest: Int) -> UInt32? {
        guard at(rest + 6) == backslash, at(rest + 5) == UInt8(ascii: "u") else { return nil }
        return hexadecimal(last: 4, before: rest)
    }

    private func hexadecimal(last count: Int, before rest: Int = 0) -> UInt32? {
        var value: UInt32 = 0
        for place in (1...count).reversed() {
            guard let digit = hexadecimalValue(of: at(rest + place)) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// The byte at a position from the end, 1 for the last; NUL before the first.
    private func at(_ place: Int) -> UInt8 { place <= bytes.count ? bytes[bytes.count - place] : 0 }

    private static let shortEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "\""): UInt8(ascii: "\""), backslash: backslash,
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
        UInt8(ascii: "t"): 0x09,
    ]
}

extension ArraySlice<UInt8> {
    /// Whether it begins an escape, or a pair of them (RFC 8259 §7), and ends before the escape does.
    var isIncompleteEscape: Bool {
        guard let first, beginsEscape(first), count < 12 else { return false }
        // Escapes within it would have been decoded: what looks like one that ended has another behind its sign.
        guard first != percent || count < 3 || dropFirst().contains(where: beginsEscape) else { return false }
        return dropFirst().allSatisfy {
            hexadecimalValue(of: $0) != nil || beginsEscape($0) || "uUxX#".utf8.contains($0)
                || first == ampersand && $0.isASCIILetterOrDigit
        }
    }
}

private func beginsEscape(_ byte: UInt8) -> Bool { byte == percent || byte == backslash || byte == ampersand }

private let ampersand = UInt8(ascii: "&")
private let percent = UInt8(ascii: "%")
private let backslash = UInt8(ascii: "\\")
private let plus = UInt8(ascii: "+")
