extension JSON {
    /// The deepest nesting of arrays and objects that is accepted.
    package static let maximumDepth = 512

    /// The deepest nesting of a text that becomes a part of a document: a response, the claims of an ID token. The
    /// whole document must stay within `maximumDepth`, or `oap` could not read its own output.
    package static let maximumDepthOfPart = maximumDepth - 2

    /// Reads exactly one JSON text (RFC 8259) in UTF-8. White space around it and one byte order mark before it are
    /// allowed (§8.1). A repeated member and a nesting of arrays and objects deeper than `depth` are errors.
    ///
    /// - Throws: ``JSONSyntaxError`` at the first wrong byte.
    package init(parsing bytes: [UInt8], depth: Int = maximumDepth) throws(JSONSyntaxError) {
        let result: Result<JSON, JSONSyntaxError> = bytes.withUnsafeBytes { text in
            var (scanner, builder) = (JSONScanner(maximumDepth: depth), JSONTreeBuilder())
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
            reason: "the member \(JSON.string(repeated.string.shownName).text) appears twice",
            line: before.count { $0 == 0x0A } + 1, column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
    }
}
