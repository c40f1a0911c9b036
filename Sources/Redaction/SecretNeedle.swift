internal import Wire

/// One text to look for: a secret, or the part of its Base64 that does not depend on what stands around it.
struct SecretNeedle: Sendable, Equatable {
    /// The text as it is.
    private let plain: [UInt8]
    /// The text with all escapes taken out, to be found among others of which that is true.
    private let unescaped: [UInt8]
    private let kind: Kind

    private enum Kind {
        /// Masked wherever it stands.
        case anywhere
        /// Masked where it is a whole word.
        case word
        /// Masked with the character on either side, which holds some of the secret's bits.
        case base64
    }

    private init(_ text: some StringProtocol, _ kind: Kind) {
        plain = Array(text.utf8)
        unescaped = UnescapedText(plain).bytes
        self.kind = kind
    }

    /// What to look for to find a secret.
    static func needles(for secret: String) -> [SecretNeedle] {
        let count = secret.unicodeScalars.count
        guard count >= shortest else { return count >= shortestWord ? [SecretNeedle(secret, .word)] : [] }
        // HTTP Basic puts the form-encoded secret into Base64 (RFC 6749 §2.3.1).
        let encoded = [secret, FormEncoding.encode(secret)].flatMap { base64Cores(of: Array($0.utf8)) }
        return [SecretNeedle(secret, .anywhere)] + encoded.map { SecretNeedle($0, .base64) }
    }

    /// Where the secret stands in a text, as it is or in any mixture of escapes. Takes time in proportion to the text.
    ///
    /// - Parameters:
    ///   - text: the same text without its escapes.
    ///   - cut: whether the beginning of the secret at the end of the text counts.
    func ranges(in bytes: [UInt8], _ text: UnescapedText, cut: Bool = false) -> [Range<Int>] {
        let beginning = cut ? Self.shortestBeginning : Int.max
        let found = bytes.occurrences(of: plain, beginning: beginning)
            .compactMap { widened($0, in: bytes, as: kind) }
        guard text.hasEscapes else { return found }
        // `%41%42` is two letters when the escapes are gone, and those stand in many words.
        let rule = unescaped.count < Self.shortest ? .word : kind
        return found
            + text.bytes.occurrences(of: unescaped, beginning: beginning).compactMap {
                widened(text.source(of: $0), in: bytes, as: rule)
            }
    }

    /// The range to mask for a match; nil where it is none.
    private func widened(_ range: Range<Int>, in bytes: [UInt8], as kind: Kind) -> Range<Int>? {
        let (before, end) = (range.lowerBound - 1, range.upperBound)
        switch kind {
        case .anywhere: return range
        case .word:
            let isWhole = [before, end].allSatisfy { !bytes.indices.contains($0) || bytes[$0].isDelimiter }
            return isWhole ? range : nil
        case .base64:
            let isExtended = { (index: Int) in bytes.indices.contains(index) && bytes[index].isBase64 }
            return (isExtended(before) ? before : range.lowerBound)..<(isExtended(end) ? end + 1 : end)
        }
    }

    /// The characters that a secret must have to be masked inside other words.
    private static let shortest = 4
    /// The characters that a secret must have to be masked at all: `a` is a word of many messages, and what is masked
    /// there would show the secret.
    private static let shortestWord = 3

    /// The bytes from which on the beginning of a secret is told from a word that it happens to begin with. Fewer give
    /// nothing away: six are what an error may show of a token.
    private static let shortestBeginning = 8

    /// Base64 of the bytes at each of the three places they can have in a group, without the characters that also
    /// depend on their neighbours, in both alphabets.
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
    /// Where some bytes stand, overlapping places as one range, in linear time (Knuth, Morris, Pratt); and the end,
    /// where it is the beginning of them, of so many bytes at least.
    fileprivate func occurrences(of needle: [UInt8], beginning shortest: Int) -> [Range<Int>] {
        guard let first = needle.first, Swift.min(needle.count, shortest) <= count, var start = firstIndex(of: first)
        else { return [] }
        var borders: [Int] = []
        var ranges: [Range<Int>] = []
        var matched = 0
        while start < count {
            let byte = self[start]
            while matched > 0, matched == needle.count || needle[matched] != byte {
                if borders.isEmpty { borders = needle.borders }
                matched = borders[matched - 1]
            }
            if needle[matched] == byte { matched += 1 }
            start += 1
            guard matched == needle.count else { continue }
            let range = (start - matched)..<start
            if let last = ranges.last, last.upperBound > range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<start
            } else {
                ranges.append(range)
            }
        }
        if matched < needle.count, matched >= shortest { ranges.append((count - matched)..<count) }
        return ranges
    }

    /// For each beginning of these bytes, how long the longest shorter beginning is that it also ends with.
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

extension UInt8 {
    fileprivate var isBase64: Bool { isASCIILetterOrDigit || "+/-_".utf8.contains(self) }
    fileprivate var isDelimiter: Bool { self <= 0x20 || "\"'=&:,;".utf8.contains(self) }
}
