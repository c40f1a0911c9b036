/// The links of the `Link` fields of a response (RFC 8288 §3, read as in appendix B.2).
package struct LinkHeader {
    /// One link with one relation.
    package struct Link {
        /// The target, relative to the response's URL; nil if it is not a URL.
        package let target: WebURL?
        /// The relation in lower case: `next`.
        package let relation: String
        /// The `anchor`, the resource that the link starts from, relative to the response's URL; nil if there is none.
        /// `PageWalk` of `Calls` follows no link from another resource (RFC 8288 §3.2).
        package let anchor: String?
    }

    /// The links in order: one for each relation.
    package private(set) var links: [Link] = []
    /// Whether a part of a field cannot be read: what follows in that field is ignored.
    package private(set) var isMalformed = false

    /// Reads all fields of the response at `base`.
    package init(_ fields: [HTTPField], base: WebURL) {
        for value in fields.values(of: "Link") {
            var scanner = FieldScanner(value)
            while let element = scanner.link() {
                let relations = element.parameters["rel"]?.utf8.split(whereSeparator: FieldScanner.isSpace) ?? []
                let target = base.resolving(written: element.target)
                let anchor = element.parameters["anchor"].map { base.resolving(written: $0)?.text ?? $0 }
                for relation in relations {
                    let name = String(decoding: relation, as: UTF8.self).asciiLowercased
                    // Other quotation marks, as they are typed or as HTML writes them, would hide the next page.
                    isMalformed = isMalformed || name.hasBytes { $0 > 0x7E || "&`\"'".utf8.contains($0) }
                    links.append(Link(target: target, relation: name, anchor: anchor))
                }
            }
            isMalformed = isMalformed || !scanner.isAtEnd
        }
    }
}

/// Reads the list of links in one field value.
extension FieldScanner {
    private static let semicolon = UInt8(ascii: ";")

    /// The next link: its target as it is written, and the first parameter of each name in lower case. Nil at the end,
    /// and where the text is no link.
    fileprivate mutating func link() -> (target: String, parameters: [String: String])? {
        // An element of the list may be empty (RFC 9110 §5.6.1).
        _ = take { Self.isSpace($0) || $0 == Self.comma }
        let start = position
        guard skip(UInt8(ascii: "<")) else { return nil }
        let target = take { $0 != UInt8(ascii: ">") } ?? ""
        guard skip(UInt8(ascii: ">")), let parameters = parameters() else {
            position = start
            return nil
        }
        return (target, parameters)
    }

    /// The parameters up to a comma or the end; nil if anything else follows them, or a quoted string has no end.
    private mutating func parameters() -> [String: String]? {
        var parameters: [String: String] = [:]
        skipSpace()
        while skip(Self.semicolon) {
            skipSpace()
            let name = take { !Self.isSpace($0) && !"=;,".utf8.contains($0) }?.asciiLowercased ?? ""
            skipSpace()
            var value = ""
            if skip(Self.equals) {
                skipSpace()
                let (start, isQuoted) = (position, peek() == Self.quote)
                // Single quotes are none of HTTP, but some servers write them.
                if let quoted = quotedString() ?? quotedString(in: UInt8(ascii: "'")) {
                    value = quoted
                } else {
                    guard !isQuoted else { return nil }
                    position = start
                    value = take { $0 != Self.semicolon && $0 != Self.comma } ?? ""
                }
            }
            // Only the first of a name counts (RFC 8288 §3.3).
            parameters[name] = parameters[name] ?? value
            skipSpace()
        }
        return isAtEnd || peek() == Self.comma ? parameters : nil
    }
}
