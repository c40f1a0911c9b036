internal import Wire

/// A block of a PEM text (RFC 7468).
struct PEMBlock: Sendable {
    /// For example `PRIVATE KEY`.
    let label: String
    /// Its lines, from the first to the last, with no space around them.
    private(set) var text: String
    private(set) var isWhole = false

    /// The blocks of a text, which may have other lines between them. A block ends before a line that would begin or end
    /// another one: libcrypto skips the first and reads the second, which nothing would have looked at.
    static func all(in text: String) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmingSpaces
            let end = blocks.last.map { "-----END \($0.label)-----" } ?? ""
            if blocks.last?.isWhole ?? true || line.hasPrefix("-----") && line != end {
                guard let label = line.between("-----BEGIN ", "-----") else { continue }
                blocks.append(PEMBlock(label: String(label), text: line + "\n"))
            } else {
                let last = blocks.count - 1
                blocks[last].text += line + "\n"
                blocks[last].isWhole = line == end
            }
        }
        return blocks
    }

    /// What the block encodes, in DER; nil for what is no Base64.
    var content: [UInt8]? {
        let lines = text.split(separator: "\n").dropFirst().dropLast()
        return Base64.decodeURL(
            String(lines.joined().map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.prefix { $0 != "=" }))
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " || text.first == "\t" || text.first == "\u{FEFF}" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    fileprivate func between(_ start: String, _ end: String) -> Substring? {
        guard hasPrefix(start), hasSuffix(end), count > start.count + end.count else { return nil }
        return dropFirst(start.count).dropLast(end.count)
    }
}
