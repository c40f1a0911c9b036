extension JSON {
    /// The deepest nesting of arrays and objects that is accepted.
    package static let maximumDepth = 512

    /// The deepest nesting of a text that becomes a part of a document: a response, the claims of an ID token. The
    /// whole document must stay within `maximumDepth`, or `oap` could not read its own output.
    package static let maximumDepthOfPart = maximumDepth - 2

    /// Reads exactly one JSON text (RFC 8259) in UTF-8. White space around it and one byte order mark before it are
    /// allowed (§8.1). A repeated member and a nesting deeper than `depth` are errors.
    ///
    /// - Parameter depth: the deepest nesting of arrays and objects.
    /// - Throws: ``JSONSyntaxError`` at the first wrong byte.
    package init(parsing bytes: [UInt8], depth: Int = maximumDepth) throws(JSONSyntaxError) {
        let result: Result<JSON, JSONSyntaxError> = bytes.withUnsafeBytes { text in
            var (scanner, builder) = (JSONScanner(maximumDepth: depth), DocumentBuilder())
            var failure: JSONSyntaxError?
            do throws(JSONSyntaxError) {
                try scanner.scan(text, into: &builder)
                try scanner.finish(into: &builder)
            } catch {
                failure = error
            }
            // The scanner went no further than its failure, so the repetition is before it.
            if let repeated = builder.repeated { failure = JSONSyntaxError(repeated, in: text) }
            guard let value = builder.value, failure == nil else {
                return .failure(failure ?? JSONSyntaxError(reason: "expected a value", line: 1, column: 1))
            }
            return .success(value)
        }
        self = try result.get()
    }

    /// Reads one JSON text from a string; as `init(parsing:)` for bytes.
    package init(parsing text: String, depth: Int = maximumDepth) throws(JSONSyntaxError) {
        try self.init(parsing: Array(text.utf8), depth: depth)
    }
}

extension JSONSyntaxError {
    /// A repeated name, which is a part of the text.
    fileprivate init(_ repeated: JSONStringText, in text: UnsafeRawBufferPointer) {
        let start = text.baseAddress.flatMap { base in repeated.bytes.baseAddress.map { $0 - base } } ?? 0
        // The column is that of the quote.
        let before = text.prefix(start - 1)
        let mark = before.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? mark
        self.init(
            reason: "the member \(JSON.string(repeated.string).text) appears twice",
            line: before.count { $0 == 0x0A } + 1, column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
    }
}

/// Builds the value of a text, and notes the first repeated name.
private struct DocumentBuilder: JSONSink {
    private struct Frame {
        let container: JSONContainer
        var elements: [JSON] = []
        var members: [JSONObject.Member] = []
        var names = MemberNames()
    }

    /// The innermost; around the whole text, an array of it.
    private var frame = Frame(container: .array)
    private var outer: [Frame] = []
    /// The names of the members whose values come.
    private var names: [String] = []
    /// The first name that an object had before.
    private(set) var repeated: JSONStringText?
    /// The value of the text, once it is whole.
    var value: JSON? { outer.isEmpty ? frame.elements.first : nil }

    mutating func begin(_ container: JSONContainer) {
        outer.append(frame)
        frame = Frame(container: container)
    }

    mutating func end(_ container: JSONContainer) {
        let value: JSON =
            container == .array ? .array(frame.elements) : .object(JSONObject(unique: frame.members))
        frame = outer.removeLast()
        add(value)
    }

    mutating func name(_ text: JSONStringText) {
        let name = text.string
        if repeated == nil, !frame.names.insert(name, after: frame.members) { repeated = text }
        names.append(name)
    }

    mutating func string(_ text: JSONStringText) { add(.string(text.string)) }

    mutating func number(_ text: UnsafeRawBufferPointer) { add(.number(String(decoding: text, as: UTF8.self))) }

    mutating func literal(_ literal: JSONLiteral) { add(literal.json) }

    private mutating func add(_ value: JSON) {
        switch frame.container {
        case .array: frame.elements.append(value)
        case .object: frame.members.append(.init(name: names.removeLast(), value: value))
        }
    }
}

/// Finds a repeated member name: by linear search in a small object, with a set in a large one.
private struct MemberNames {
    private var set: Set<[UInt8]> = []

    mutating func insert(_ name: String, after members: [JSONObject.Member]) -> Bool {
        guard members.count >= 16 else { return !members.contains { $0.name.isIdentical(to: name) } }
        if set.isEmpty { set = Set(members.map { Array($0.name.utf8) }) }
        return set.insert(Array(name.utf8)).inserted
    }
}
