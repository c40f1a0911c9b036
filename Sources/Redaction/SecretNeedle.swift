internal import Wire

/// One text to search for: a secret, or the part of its Base64 that does not depend on the surrounding bytes.
struct SecretNeedle: Sendable, Equatable {
    private let plain: [UInt8]
    /// The text without escapes, to be found in other texts without escapes.
    private let unescaped: [UInt8]
    /// The texts without backslashes, if there are any: one before a sign that a server escapes becomes part of that
    /// escape, and is lost with it. So it is with the backslash of what is an escape in the secret, or with its value.
    private let bare: Set<[UInt8]>
    private let kind: Kind
    /// Whether the secret is so short that it may be an ordinary word.
    let isOfShortSecret: Bool

    var texts: [[UInt8]] { (plain == unescaped ? [plain] : [plain, unescaped]) + bare }

    var hasBackslash: Bool { !bare.isEmpty }

    private enum Kind {
        case anywhere
        case word
        /// Masked with the characters on both sides, which hold some of the secret's bits.
        case base64
        /// The protected header of JWTs: masked with the parts behind it.
        case header
    }

    private init(_ text: some StringProtocol, _ kind: Kind, isShort: Bool) {
        plain = Array(text.utf8)
        unescaped = UnescapedText(plain).bytes
        let rest = [unescaped, plain].map { text in text.filter { $0 != UInt8(ascii: "\\") } }
        bare = plain.contains(UInt8(ascii: "\\")) ? [rest[0], UnescapedText(rest[1]).bytes] : []
        self.kind = kind
        isOfShortSecret = isShort
    }

    static func needles(for secret: String) -> [SecretNeedle] {
        if secret.hasPrefix("eyJ"), secret.hasSuffix(".") { return [SecretNeedle(secret, .header, isShort: false)] }
        let own = needles(forExact: secret)
        // A header field loses the space around its value.
        let trimmed = secret.utf8.drop { isSpace($0) }.reversed().drop { isSpace($0) }.reversed()
        return trimmed.count == secret.utf8.count
            ? own : own + needles(forExact: String(decoding: Array(trimmed), as: UTF8.self))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func needles(forExact secret: String) -> [SecretNeedle] {
        let count = secret.unicodeScalars.count
        guard count >= shortest else {
            return count >= shortestWord ? [SecretNeedle(secret, .word, isShort: true)] : []
        }
        let isShort = count < shortestInOwnText
        // HTTP Basic encodes the form-encoded secret in Base64 (RFC 6749 §2.3.1).
        let encoded = [secret, FormEncoding.encode(secret)].flatMap { base64Cores(of: Array($0.utf8)) }
        return [SecretNeedle(secret, .anywhere, isShort: isShort)]
            + encoded.map { SecretNeedle($0, .base64, isShort: isShort) }
    }

    /// The ranges of the secret in a text, plain or with any mixture of escapes. Linear in the length of the text.
    ///
    /// - Parameters:
    ///   - text: the same text without its escapes.
    ///   - cut: whether to find beginnings of the secret, from which a server has cut the rest.
    ///   - bareText: that without backslashes; nil where no secret has any.
    func ranges(
        in bytes: [UInt8], _ text: UnescapedText, _ bareText: UnescapedText? = nil, cut: Bool = false
    ) -> [Range<Int>] {
        let found = bytes.occurrences(of: plain, cut: cut).compactMap { widened($0, in: bytes, as: kind) }
        guard text.hasEscapes else { return found }
        // Without escapes `%41%42` is two letters, which occur in many words.
        let places = { [kind] (text: UnescapedText, needle: [UInt8]) in
            let rule = needle.count < Self.shortest ? .word : kind
            return text.bytes.occurrences(of: needle, cut: cut).compactMap {
                widened(text.source(of: $0), in: bytes, as: rule)
            }
        }
        return found + places(text, unescaped) + (bareText.map { text in bare.flatMap { places(text, $0) } } ?? [])
    }

    /// The range to mask for a match; nil if the match does not count.
    private func widened(_ range: Range<Int>, in bytes: [UInt8], as kind: Kind) -> Range<Int>? {
        let (before, end) = (range.lowerBound - 1, range.upperBound)
        switch kind {
        case .anywhere: return range
        case .word:
            let isWhole = [before, end].allSatisfy { !bytes.indices.contains($0) || bytes[$0].isDelimiter }
            return isWhole ? range : nil
        case .header: return range.lowerBound..<bytes[end...].prefix(while: SensitiveContent.isTokenByte).endIndex
        case .base64:
            let isExtended = { (index: Int) in bytes.indices.contains(index) && bytes[index].isBase64 }
            return (isExtended(before) ? before : range.lowerBound)..<(isExtended(end) ? end + 1 : end)
        }
    }

    /// The least characters of a secret that is masked inside other words.
    private static let shortest = 4
    /// The least characters of a secret that is masked at all: `a` is a word of many messages, and the masks would
    /// reveal the secret.
    private static let shortestWord = 3
    /// The least characters of a secret that is masked in text of the program's own.
    private static let shortestInOwnText = 6

    /// Base64 of the bytes for each of the three offsets in a group, without the characters that depend on neighbouring
    /// bytes, in both alphabets.
    private static func base64Cores(of bytes: [UInt8]) -> [Substring] {
        (0..<3).flatMap { shift -> [Substring] in
            let padded = [UInt8](repeating: 0, count: shift) + bytes
            let whole = padded.count * 8 / 6
            let skipped = (shift * 8 + 5) / 6
            return [Base64.encode(padded), Base64.encodeURL(padded)].map { $0.prefix(whole).dropFirst(skipped) }
        }
    }
}

extension [UInt8] {
    /// The ranges of some bytes, overlapping ones merged, in linear time (Knuth, Morris, Pratt); with `cut`, also of
    /// beginnings of them.
    fileprivate func occurrences(of needle: [UInt8], cut: Bool) -> [Range<Int>] {
        guard let first = needle.first, cut || needle.count <= count, var start = firstIndex(of: first)
        else { return [] }
        var borders: [Int] = []
        var ranges: [Range<Int>] = []
        var matched = 0
        while start < count {
            let byte = self[start]
            if cut, matched >= Self.shortestMarkedBeginning, matched < needle.count, needle[matched] != byte,
                matched >= needle.shortestBeginning(before: self[start...])
            {
                ranges.merge((start - matched)..<start)
            }
            while matched > 0, matched == needle.count || needle[matched] != byte {
                if borders.isEmpty { borders = needle.borders }
                matched = borders[matched - 1]
            }
            if needle[matched] == byte { matched += 1 }
            start += 1
            if matched == needle.count { ranges.merge((start - matched)..<start) }
        }
        if cut, matched < needle.count, matched >= Self.shortestLastBeginning {
            ranges.merge((count - matched)..<count)
        }
        return ranges
    }

    /// The least bytes of a beginning of a secret that is masked at the end of a text. Fewer bytes may be an ordinary
    /// word and reveal little: error messages may show six bytes of a token.
    private static var shortestLastBeginning: Int { 8 }

    /// The least bytes before a mark of the cut, as libjq sets it after the first bytes of a value: 11 of them in 1.6 and
    /// 1.7, 25 in 1.8.
    private static var shortestMarkedBeginning: Int { 6 }

    /// The least bytes of a beginning that is masked before such a text: elsewhere than at a mark or the end, half of the
    /// secret, but 12 to 16 bytes. What secrets of a kind have in common, such as `eyJhbGciOi`, `github_pat_` or
    /// `sandbox-`, is shorter; 16 bytes reveal little of a token.
    private func shortestBeginning(before rest: ArraySlice<UInt8>) -> Int {
        if rest.startsWithMark { return Self.shortestMarkedBeginning }
        return rest.isIncompleteEscape ? Self.shortestLastBeginning : Swift.min(Swift.max(count / 2, 12), 16)
    }

    /// For each prefix, the length of the longest shorter prefix that is also its suffix.
    private var borders: [Int] {
        var borders = [0]
        var length = 0
        for byte in dropFirst() {
            while length > 0, self[length] != byte { length = borders[length - 1] }
            if self[length] == byte { length += 1 }
            borders.append(length)
        }
        return borders
    }
}

extension ArraySlice<UInt8> {
    /// Whether a mark of a cut is first, or behind an escape or a character (then U+FFFD) that the cut has split.
    fileprivate var startsWithMark: Bool {
        guard let first, !first.isASCIILetterOrDigit else { return false }
        let split = prefix(12).prefix { $0 != UInt8(ascii: ".") && $0 != "…".utf8.first }
        guard split.isEmpty || split.isIncompleteEscape || split.elementsEqual("\u{FFFD}".utf8) else { return false }
        let rest = dropFirst(split.count)
        return rest.starts(with: "...".utf8) || rest.starts(with: "…".utf8)
    }
}

extension [Range<Int>] {
    /// Appends a range that begins or ends last, merged with the one before if they overlap.
    mutating func merge(_ range: Range<Int>) {
        if let last, last.upperBound > range.lowerBound {
            let end = Swift.max(last.upperBound, range.upperBound)
            self[count - 1] = Swift.min(last.lowerBound, range.lowerBound)..<end
        } else {
            append(range)
        }
    }

    /// The ranges in order, overlapping ones taken together.
    var merged: [Range<Int>] { sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { $0.merge($1) } }
}

extension UInt8 {
    fileprivate var isBase64: Bool { isASCIILetterOrDigit || "+/-_".utf8.contains(self) }
    fileprivate var isDelimiter: Bool { self <= 0x20 || "\"'=&:,;".utf8.contains(self) }
}
