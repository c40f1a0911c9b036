import Testing
import Wire

@Suite("Several JSON texts in one")
struct JSONTextsTests {
    /// The texts, and ` CUT` behind one that may have been longer.
    private static func texts(_ framing: JSONTexts.Framing, _ text: String, by length: Int) throws -> [String] {
        var splitter = JSONTexts(framing)
        var texts: [String] = []
        var current: [UInt8] = []
        func take(_ part: JSONTexts.Part) {
            switch part {
            case .text(let bytes): return current += bytes
            case .end: texts.append(String(decoding: current, as: UTF8.self))
            case .cut: texts.append(String(decoding: current, as: UTF8.self) + " CUT")
            }
            current = []
        }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // A copy, so that a byte behind the piece is not in the buffer.
            let piece = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            try piece.withUnsafeBytes { piece in
                var position = 0
                while let part = try splitter.next(in: piece, at: &position) { take(part) }
                #expect(position == piece.count)
            }
        }
        if let part = try splitter.finish() { take(part) }
        #expect(current.isEmpty)
        return texts
    }

    private static let lengths = [1, 2, 3, 7, .max]

    @Test(
        "the texts of NDJSON are its lines, the empty ones left out",
        arguments: [
            ("{\"a\":1}\n2\n", ["{\"a\":1}", "2"]), ("1\r\n\r\n \n2", ["1\r", "2"]), ("", []), ("\n\n", []),
            (" [1,\u{1E}2] \nnull\n\"é\"", ["[1,\u{1E}2] ", "null", "\"é\""]),
        ])
    func lines(text: String, expected: [String]) throws {
        for length in Self.lengths { #expect(try Self.texts(.lines, text, by: length) == expected) }
    }

    @Test(
        "the texts of a sequence begin with U+001E, and a number or a word needs white space behind it",
        arguments: [
            ("\u{1E}{\"a\":\n1}\n\u{1E}[]", ["{\"a\":\n1}\n", "[]"]), ("", []), ("\u{1E}\u{1E}\n\u{1E}", []),
            ("\u{1E}12\u{1E}true\n\u{1E}\"a\"\u{1E}null", ["12 CUT", "true\n", "\"a\"", "null CUT"]),
            ("\n\u{1E} 1 ", ["1 "]),
        ])
    func sequence(text: String, expected: [String]) throws {
        for length in Self.lengths { #expect(try Self.texts(.sequence, text, by: length) == expected) }
    }

    @Test(
        "the texts of an array are its elements",
        arguments: [
            ("[1, [2,{\"]\":\",\"}] ,\"\\\"]\\\\\"]\n", ["1", "[2,{\"]\":\",\"}] ", "\"\\\"]\\\\\""]), ("", []),
            (" [ ] ", []), ("\u{FEFF}[{}]", ["{}"]), ("[[],[[]]]", ["[]", "[[]]"]), ("[1}]", ["1}"]), (" \n", []),
        ])
    func elements(text: String, expected: [String]) throws {
        for length in Self.lengths { #expect(try Self.texts(.elements, text, by: length) == expected, "\(length)") }
    }

    @Test(
        "what a framing does not allow is refused",
        arguments: [
            (.elements, "{\"a\":[]}", .noArray), (.elements, "null", .noArray), (.elements, "-1", .noArray),
            (.elements, "<p>", .misplaced("expected a value")), (.elements, "[,1]", .misplaced("expected a value")),
            (.elements, "[1,]", .misplaced("expected a value")), (.elements, "[1,,2]", .misplaced("expected a value")),
            (.elements, "[1", .misplaced("unexpected end of input in the array")),
            (.elements, "[1,", .misplaced("unexpected end of input in the array")),
            (.elements, "[]]", .misplaced("unexpected text after the array")),
            (.sequence, "1\n", .misplaced("a JSON text sequence begins with U+001E")),
        ] as [(JSONTexts.Framing, String, JSONTexts.Failure)])
    func refused(framing: JSONTexts.Framing, text: String, failure: JSONTexts.Failure) {
        for length in Self.lengths {
            #expect(throws: failure) { try Self.texts(framing, text, by: length) }
        }
    }

    @Test(
        "the names of NDJSON and of JSON text sequences are known",
        arguments: [
            ("application/x-ndjson", .lines), ("application/ndjson; charset=utf-8", .lines),
            ("Application/JSONL", .lines), ("application/x-jsonlines", .lines), ("application/json-lines", .lines),
            ("application/vnd.elasticsearch+x-ndjson;compatible-with=8", .lines), ("application/json-seq", .sequence),
            ("application/geo+json-seq", .sequence), ("application/json", nil), ("application/geo+json", nil),
            ("text/event-stream", nil), ("", nil), ("image/x-ndjson", nil),
        ] as [(String, JSONTexts.Framing?)])
    func names(type: String, framing: JSONTexts.Framing?) {
        #expect(MediaType(type).framing == framing)
    }
}
