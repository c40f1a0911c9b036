/// The texts of a small XML document, each by the names of its elements from the root, with `/` between them.
///
/// It reads what services answer: elements, and attributes, which are passed over. A document type, a comment, an
/// instruction, an element that comes twice, and more than 32 levels are errors.
package struct XMLTexts {
    private var rest: ArraySlice<UInt8>
    private var path: [String] = []
    private var texts: [String: String] = [:]

    private static let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    private static let depth = 32

    /// Parses a document; nil for anything else.
    package init?(parsing bytes: [UInt8]) {
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else { return nil }
        rest = bytes[...]
        skipSpace()
        if rest.starts(with: "<?xml".utf8) {
            guard take(until: "?>") != nil else { return nil }
            skipSpace()
        }
        guard readElements() else { return nil }
        skipSpace()
        guard rest.isEmpty else { return nil }
    }

    /// The text of an element that has no others in it.
    package subscript(path: String...) -> String? { texts[path.joined(separator: "/")] }

    /// Reads up to the end of the root.
    private mutating func readElements() -> Bool {
        var text: [UInt8]?
        repeat {
            guard let piece = take(until: "<"), !path.isEmpty || piece.isEmpty else { return false }
            if text != nil { text = Array(piece) }
            guard let tag = tag(), let first = tag.first else { return false }
            if first == UInt8(ascii: "/") {
                let name = String(decoding: tag.dropFirst().prefix { !Self.space.contains($0) }, as: UTF8.self)
                guard name == path.last else { return false }
            } else {
                let name = tag.prefix { !Self.space.contains($0) && $0 != UInt8(ascii: "/") }
                let isName = name.allSatisfy { $0.isASCIILetterOrDigit || "_-.:".utf8.contains($0) }
                guard isName, !name.isEmpty, path.count < Self.depth else { return false }
                path.append(String(decoding: name, as: UTF8.self))
                text = []
            }
            if first == UInt8(ascii: "/") || tag.last == UInt8(ascii: "/") {
                guard end(with: text) else { return false }
                text = nil
            }
        } while !path.isEmpty
        return true
    }

    private mutating func end(with text: [UInt8]?) -> Bool {
        let name = path.joined(separator: "/")
        path.removeLast()
        guard let text else { return true }
        let (decoded, isKnown) = String(decoding: text, as: UTF8.self).withoutReferences
        guard texts[name] == nil, isKnown else { return false }
        texts[name] = decoded
        return true
    }

    /// What is between `<` and `>`; a quoted `>` does not count.
    private mutating func tag() -> ArraySlice<UInt8>? {
        var quote: UInt8?
        for index in rest.indices {
            let byte = rest[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                defer { rest = rest[(index + 1)...] }
                return rest[..<index]
            }
        }
        return nil
    }

    private mutating func take(until mark: String) -> ArraySlice<UInt8>? {
        let mark = Array(mark.utf8)
        guard let start = rest.indices.first(where: { rest[$0] == mark[0] && rest[$0...].starts(with: mark) }) else {
            return nil
        }
        defer { rest = rest[(start + mark.count)...] }
        return rest[..<start]
    }

    private mutating func skipSpace() { rest = rest.drop { Self.space.contains($0) } }
}

extension Unicode.Scalar {
    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    /// The character of a reference of XML or HTML, by what is between `&` and `;`: a name that XML knows, or a number.
    package init?(reference name: String) {
        let isHexadecimal = name.asciiLowercased.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        let isNumber = name.hasPrefix("#") && digits.utf8.allSatisfy(\.isASCIILetterOrDigit)
        let number = isNumber ? UInt32(digits, radix: isHexadecimal ? 16 : 10) : nil
        guard let scalar = Self.entities[name] ?? number.flatMap(Self.init), scalar.value != 0 else { return nil }
        self = scalar
    }
}

extension String {
    /// The text with the characters of its references, such as `&amp;` and `&#x3D;`, and whether each `&` begins one.
    package var withoutReferences: (text: String, isKnown: Bool) {
        let pieces = utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var (text, isKnown) = (String(Substring(pieces[0])), true)
        for piece in pieces.dropFirst() {
            let name = piece.prefix { $0 != UInt8(ascii: ";") }
            let scalar = name.endIndex < piece.endIndex ? Unicode.Scalar(reference: String(Substring(name))) : nil
            text += scalar.map { "\($0)\(Substring(piece[name.endIndex...].dropFirst()))" } ?? "&\(Substring(piece))"
            isKnown = isKnown && scalar != nil
        }
        return (text, isKnown)
    }
}
