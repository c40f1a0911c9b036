internal import Wire

/// One text to look for: a secret, or the part of its Base64 that does not depend on what stands around it.
struct SecretNeedle: Sendable, Equatable {
    private let scalars: [Unicode.Scalar]
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
        scalars = Array(text.unicodeScalars)
        self.kind = kind
    }

    /// What to look for to find a secret.
    static func needles(for secret: String) -> [SecretNeedle] {
        guard secret.unicodeScalars.count >= 4 else {
            return secret.isEmpty ? [] : [SecretNeedle(secret, .word)]
        }
        // HTTP Basic puts the form-encoded secret into Base64 (RFC 6749 §2.3.1).
        let encoded = [secret, FormEncoding.encode(secret)].flatMap { base64Cores(of: Array($0.utf8)) }
        return [SecretNeedle(secret, .anywhere)] + encoded.map { SecretNeedle($0, .base64) }
    }

    /// The bytes that a match may begin with.
    var firstBytes: [UInt8] {
        guard let first = scalars.first, let byte = String(first).utf8.first else { return [] }
        return [byte, UInt8(ascii: "%"), UInt8(ascii: "\\")] + (first == " " ? [UInt8(ascii: "+")] : [])
    }

    /// The range that a match at this index covers; nil where there is none.
    func range(in bytes: [UInt8], at index: Int) -> Range<Int>? {
        guard let end = match(bytes, at: index, scalars[...]) else { return nil }
        switch kind {
        case .anywhere: return index..<end
        case .word:
            let isWhole = [index - 1, end].allSatisfy { !bytes.indices.contains($0) || bytes[$0].isDelimiter }
            return isWhole ? index..<end : nil
        case .base64:
            let isExtended = { (index: Int) in bytes.indices.contains(index) && bytes[index].isBase64 }
            return (isExtended(index - 1) ? index - 1 : index)..<(isExtended(end) ? end + 1 : end)
        }
    }

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

extension SecretNeedle {
    /// Where the text ends that spells these scalars, each in any of its forms; nil where it does not.
    private func match(_ bytes: [UInt8], at index: Int, _ rest: ArraySlice<Unicode.Scalar>) -> Int? {
        guard let scalar = rest.first else { return index }
        for end in Self.spellings(of: scalar, in: bytes, at: index) {
            if let end = match(bytes, at: end, rest.dropFirst()) { return end }
        }
        return nil
    }

    /// The ends of the ways in which a scalar can stand here: itself, percent-encoded, `+`, escaped as in JSON.
    private static func spellings(of scalar: Unicode.Scalar, in bytes: [UInt8], at index: Int) -> [Int] {
        guard index < bytes.count else { return [] }
        switch bytes[index] {
        case UInt8(ascii: "%"):
            return [literal(scalar, bytes, index), percent(scalar, bytes, index)].compactMap(\.self)
        case UInt8(ascii: "\\"):
            return [literal(scalar, bytes, index), escape(scalar, bytes, index)].compactMap(\.self)
        case UInt8(ascii: "+") where scalar == " ": return [index + 1]
        default: return [literal(scalar, bytes, index)].compactMap(\.self)
        }
    }

    private static func literal(_ scalar: Unicode.Scalar, _ bytes: [UInt8], _ index: Int) -> Int? {
        if scalar.isASCII { return bytes[index] == UInt8(scalar.value) ? index + 1 : nil }
        let spelled = UTF8.encode(scalar).map(Array.init) ?? []
        return bytes[index...].starts(with: spelled) ? index + spelled.count : nil
    }

    private static func percent(_ scalar: Unicode.Scalar, _ bytes: [UInt8], _ index: Int) -> Int? {
        var position = index
        for byte in String(scalar).utf8 {
            guard position + 2 < bytes.count, bytes[position] == UInt8(ascii: "%"),
                let high = hexadecimalValue(of: bytes[position + 1]),
                let low = hexadecimalValue(of: bytes[position + 2]),
                high << 4 | low == byte
            else { return nil }
            position += 3
        }
        return position
    }

    private static func escape(_ scalar: Unicode.Scalar, _ bytes: [UInt8], _ index: Int) -> Int? {
        guard index + 1 < bytes.count else { return nil }
        if let short = shortEscapes[scalar], bytes[index + 1] == short { return index + 2 }
        var position = index
        for unit in String(scalar).utf16 {
            guard position + 5 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            else { return nil }
            let digits = bytes[(position + 2)..<(position + 6)].compactMap(hexadecimalValue(of:))
            guard digits.count == 4, digits.reduce(0, { $0 << 4 | UInt16($1) }) == unit else { return nil }
            position += 6
        }
        return position
    }

    private static let shortEscapes: [Unicode.Scalar: UInt8] = [
        "/": UInt8(ascii: "/"), "\"": UInt8(ascii: "\""), "\\": UInt8(ascii: "\\"), "\u{8}": UInt8(ascii: "b"),
        "\u{C}": UInt8(ascii: "f"), "\n": UInt8(ascii: "n"), "\r": UInt8(ascii: "r"), "\t": UInt8(ascii: "t"),
    ]
}

extension UInt8 {
    fileprivate var isBase64: Bool { isASCIILetterOrDigit || "+/-_".utf8.contains(self) }
    fileprivate var isDelimiter: Bool { self <= 0x20 || "\"'=&:,;".utf8.contains(self) }
}
