/// The links of the `Link` fields of a response (RFC 8288 §3, read as in appendix B.2).
package struct LinkHeader {
    /// One link with one relation.
    package struct Link {
        /// The target, relative to the response's URL; nil if it is not a URL.
        package let target: WebURL?
        /// The relation in lower case: `next`.
        package let relation: String
        /// The `anchor`, the resource that the link starts from, relative to the response's URL; nil if there is none.
        package let anchor: String?
    }

    /// The links in order: one for each relation.
    package private(set) var links: [Link] = []
    /// Whether a part of a field cannot be read: what follows in that field is ignored.
    package private(set) var isMalformed = false

    /// Reads all fields of the response at `base`.
    package init(_ fields: [HTTPField], base: WebURL) {
        for value in fields.values(of: "Link") {
            var parser = LinkParser(value)
            while let element = parser.next() {
                let relations = element.parameters["rel"]?.utf8.split(whereSeparator: isSpace) ?? []
                let target = base.resolving(written: element.target)
                let anchor = element.parameters["anchor"].map { base.resolving(written: $0)?.text ?? $0 }
                for relation in relations {
                    let name = String(decoding: relation, as: UTF8.self).asciiLowercased
                    links.append(Link(target: target, relation: name, anchor: anchor))
                }
            }
            isMalformed = isMalformed || !parser.isAtEnd
        }
    }
}

private struct LinkParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ value: String) { bytes = Array(value.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    /// The next link: its target as it is written, and the first parameter of each name in lower case. Nil at the end,
    /// and where the text is no link.
    mutating func next() -> (target: String, parameters: [String: String])? {
        // An element of the list may be empty (RFC 9110 §5.6.1).
        skip { isSpace($0) || $0 == comma }
        let start = position
        guard skip(UInt8(ascii: "<")) else { return nil }
        let target = take { $0 != UInt8(ascii: ">") }
        guard skip(UInt8(ascii: ">")), let parameters = parameters() else {
            position = start
            return nil
        }
        return (target, parameters)
    }

    /// The parameters up to a comma or the end; nil if anything else follows them, or a quoted string has no end.
    private mutating func parameters() -> [String: String]? {
        var parameters: [String: String] = [:]
        skip(while: isSpace)
        while skip(semicolon) {
            skip(while: isSpace)
            let name = take { !isSpace($0) && !"=;,".utf8.contains($0) }.asciiLowercased
            skip(while: isSpace)
            var value = ""
            if skip(UInt8(ascii: "=")) {
                skip(while: isSpace)
                if skip(quote) {
                    guard let quoted = quotedString() else { return nil }
                    value = quoted
                } else {
                    value = take { $0 != semicolon && $0 != comma }
                }
            }
            // Only the first of a name counts (RFC 8288 §3.3).
            parameters[name] = parameters[name] ?? value
            skip(while: isSpace)
        }
        return isAtEnd || bytes[position] == comma ? parameters : nil
    }

    /// The content after an opening quotation mark, up to the closing one.
    private mutating func quotedString() -> String? {
        var content: [UInt8] = []
        while position < bytes.count {
            if skip(quote) { return String(decoding: content, as: UTF8.self) }
            if skip(UInt8(ascii: "\\")), isAtEnd { return nil }
            content.append(bytes[position])
            position += 1
        }
        return nil
    }

    private mutating func take(while isPart: (UInt8) -> Bool) -> String {
        let part = bytes[position...].prefix(while: isPart)
        position = part.endIndex
        return String(decoding: part, as: UTF8.self)
    }

    private mutating func skip(while isPart: (UInt8) -> Bool) {
        position = bytes[position...].prefix(while: isPart).endIndex
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

private let comma = UInt8(ascii: ",")
private let semicolon = UInt8(ascii: ";")
private let quote = UInt8(ascii: "\"")
