/// A block of a PEM text (RFC 7468).
package struct PEMBlock: Sendable {
    /// For example `PRIVATE KEY`; nothing else than such words, so that messages may have it.
    package let label: String
    /// The lines of the block, from the first to the last, as RFC 7468 §2 wants them.
    package let text: String
    package let isWhole: Bool

    /// The blocks of a text, which may have other text between them. Between the marks of a block, line ends may have become
    /// spaces or `\n`, or may be gone: so it is with keys that went through a variable or a form. A block ends before a
    /// mark that would begin or end another one: libcrypto skips the first and reads the second, which nothing would have
    /// looked at.
    package static func all(in text: String) -> [PEMBlock] {
        let marked = unescaped(text).replacing("-----", with: "\u{1}")
        let parts = marked.split(separator: "\u{1}", omittingEmptySubsequences: false)
        return parts.indices.dropFirst().dropLast().compactMap { index in
            guard parts[index].hasPrefix("BEGIN ") else { return nil }
            let label = parts[index].dropFirst(6)
            guard (1...40).contains(label.utf8.count), label.utf8.allSatisfy(isOfLabel) else { return nil }
            let isWhole = index + 3 < parts.count && parts[index + 2] == "END \(label)"
            return PEMBlock(label: String(label), text: lines(of: parts[index + 1], label), isWhole: isWhole)
        }
    }

    /// The bytes with their blocks as RFC 7468 §2 wants them, for a library that reads no others.
    package static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        let blocks = all(in: String(decoding: bytes, as: UTF8.self))
        guard !blocks.isEmpty, blocks.allSatisfy(\.isWhole) else { return bytes }
        return blocks.flatMap { Array($0.text.utf8) }
    }

    /// What the block encodes, in DER; nil for what is no Base64.
    package var content: [UInt8]? { Base64.decodeLoosely(text.split(separator: "\n").dropFirst().dropLast().joined()) }

    /// The lines of what is encoded.
    package var encoded: [String] {
        text.split(separator: "\n").dropFirst().dropLast().filter { !$0.contains(":") }.map(String.init)
    }

    private static func lines(of body: Substring, _ label: Substring) -> String {
        var words = body.split(whereSeparator: \.isWhitespace)[...]
        var (headers, rest) = ("", ""[...])
        // Those of an encrypted key (RFC 1421 §4.6) have one word each.
        while let word = words.popFirst() {
            if word.hasSuffix(":"), rest.isEmpty {
                headers += "\(word) \(words.popFirst() ?? "")\n"
            } else {
                rest += word
            }
        }
        var text = "-----BEGIN \(label)-----\n" + (headers.isEmpty ? "" : headers + "\n")
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END \(label)-----\n"
    }

    /// The text with a space for each backslash, and for the letter of a `\n`, `\r` or `\t`, however often it was escaped.
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var (plain, isEscaped) = ("".unicodeScalars, false)
        for scalar in text.unicodeScalars {
            let isLetter = isEscaped && "nrt".unicodeScalars.contains(scalar)
            isEscaped = scalar == "\\"
            plain.append(isEscaped || isLetter ? " " : scalar)
        }
        return String(plain)
    }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || byte == 0x20
    }
}

extension Base64 {
    /// Decodes Base64 of either alphabet, with line ends and with or without padding: what people copy.
    package static func decodeLoosely(_ text: some StringProtocol) -> [UInt8]? {
        let bytes = text.utf8.filter { $0 > 0x20 }.map { byte in
            byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
        }
        return decodeURL(String(decoding: bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self))
    }
}
