import Foundation
import TestSupport
import Testing
import Wire

/// The scanner of texts that arrive in pieces, against the parser of whole texts.
@Suite("JSON in pieces")
struct JSONScannerTests {
    /// The value or the reason of a failure, of a text in pieces of this length.
    private static func scan(
        _ text: [UInt8], by length: Int, isLenient: Bool = false
    ) -> Result<JSON, JSONSyntaxError> {
        var (scanner, builder) = (JSONScanner(isLenient: isLenient), JSONTreeBuilder())
        do throws(JSONSyntaxError) {
            var rest = text[...]
            while !rest.isEmpty {
                // A copy, so that a byte behind the piece is not in the buffer.
                let piece = Array(rest.prefix(length))
                rest = rest.dropFirst(length)
                _ = try piece.withUnsafeBufferPointer { (piece) throws(JSONSyntaxError) in
                    try scanner.scan(UnsafeRawBufferPointer(piece), into: &builder)
                }
            }
            try scanner.finish(into: &builder)
            guard let value = builder.value else {
                return .failure(JSONSyntaxError(reason: "no value", line: 0, column: 0))
            }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private static func parse(_ text: [UInt8]) -> Result<JSON, JSONSyntaxError> {
        do throws(JSONSyntaxError) { return .success(try JSON(parsing: text)) } catch { return .failure(error) }
    }

    /// Compares both readers of a text, in pieces of every length of interest.
    private static func compare(_ text: [UInt8], _ location: SourceLocation = #_sourceLocation) {
        let whole = parse(text)
        if case .failure(let error) = whole, error.reason.contains("appears twice") { return }
        let shown = String(decoding: text.prefix(200), as: UTF8.self)
        for length in [1, 2, 3, 7, 8, 64, 65_536] {
            let pieces = scan(text, by: length)
            switch (whole, pieces) {
            case (.success(let a), .success(let b)): #expect(a == b, "\(shown) by \(length)", sourceLocation: location)
            case (.failure(let a), .failure(let b)):
                #expect(a == b, "\(shown) by \(length)", sourceLocation: location)
            default: Issue.record("\(whole) but \(pieces) for \(shown) by \(length)", sourceLocation: location)
            }
        }
    }

    @Test(
        "every text of JSONTestSuite gives the same value or error in pieces of any length",
        .enabled(if: SuiteFile.exist, SuiteFile.absence))
    func suite() throws {
        let files = try ["y_", "n_", "i_"].flatMap { try SuiteFile.all(beginning: $0) }
        #expect(files.count > 300)
        for file in files {
            Self.compare(file.text)
            Self.compare(file.asMember.text)
        }
    }

    @Test(
        "a valid text gives the same value in pieces of any length",
        arguments: [
            "null", "-0", "1.5e-7", "[]", "{}", " [ true , false,null ] ", "{\"a\":[1,{\"b\":\"c\"}],\"d\":{}}",
            #""plain text that is longer than eight bytes""#, #""\"\\\/\b\f\n\r\té€😀\u20ac""#,
            #""\ud83d\ude00\u0041\u00e9""#, "\"дом, 家, 😀 and a tail of ASCII\"", "{\n\"ключ\" :\n[ 1 ]\n}",
            "\u{FEFF}{}", "[\"\u{7F}\"]", "12345678901234567890.0123456789E+100",
        ])
    func valid(text: String) { Self.compare(Array(text.utf8)) }

    @Test(
        "a wrong text is refused for the same reason at the same place in pieces of any length",
        arguments: [
            "", " ", "[1,]", "[,1]", "[1 2]", "[", "]", "[1}", "{\"a\"}", "{\"a\":1,}", "{1:1}", "{} {}", "01", "-01",
            "1.", "-", "1e+", "1.e1", "tru", "truefalse", "nul ", "{\n\"é\": x}", "\"a\nb\"", #""\x""#, #""\u00G0""#,
            #""\ud83d\u0041""#, #""\ud83dx""#, #""\udc00""#, "\"abc", "\n\n  [1,\n2,é]", "\u{FEFF}x", "[\"é\"é]",
        ])
    func wrong(text: String) { Self.compare(Array(text.utf8)) }

    @Test(
        "bytes that are not UTF-8 are refused in pieces of any length",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xC3, 0x41], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3, 0xA9, 0xC3, 0x28],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) { Self.compare([0x22] + bytes + [0x22]) }

    @Test("texts with a byte changed, removed or doubled give the same value or error")
    func damaged() {
        let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00é家",true,null],"b":{"c":{}}}"#.utf8)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3_000 {
            var damaged = text
            let place = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
            case 1: damaged.remove(at: place)
            default: damaged.insert(text[Int.random(in: 0..<text.count, using: &random)], at: place)
            }
            Self.compare(damaged)
        }
    }

    @Test("of members with one name the last wins in the place of the first")
    func repeated() throws {
        let value = try Self.scan(Array(#"{"a":1,"b":2,"\u0061":3}"#.utf8), by: 4).get()
        #expect(value.text == #"{"a":3,"b":2}"#)
    }

    @Test("strings with escapes are appended to one array in linear time")
    func appended() throws {
        struct Collector: JSONSink {
            var (text, growths): ([UInt8], Int) = ([], 0)

            mutating func string(_ string: JSONStringText) {
                let capacity = text.capacity
                string.append(to: &text)
                if text.capacity != capacity { growths += 1 }
            }
            func begin(_: JSONContainer) {}
            func end(_: JSONContainer) {}
            func name(_: JSONStringText) {}
            func number(_: UnsafeRawBufferPointer) {}
            func literal(_: JSONLiteral) {}
        }
        var (scanner, collector) = (JSONScanner(), Collector())
        let strings = String(repeating: #","\u00e9""#, count: 10_000)
        _ = try Array("[0\(strings)]".utf8).withUnsafeBytes { try scanner.scan($0, into: &collector) }
        #expect(collector.text.count == 20_000)
        #expect(collector.growths < 40)
    }

    @Test("a text nested deeper than the limit is refused")
    func depth() throws {
        let deep = Array(String(repeating: "[", count: 513).utf8)
        #expect(throws: JSONSyntaxError(reason: "nested deeper than 512 levels", line: 1, column: 513)) {
            try Self.scan(deep, by: 64).get()
        }
    }

    @Test(
        "a lenient scanner replaces what is no character, as jq 1.7 does, in pieces of any length",
        arguments: [
            (#"["a\ud800b"]"#, "a\u{FFFD}b"), (#"["\udc00"]"#, "\u{FFFD}"), (#"["\ud83d\ud83d\ude00"]"#, "\u{FFFD}😀"),
            (#"["\\ud800\uDBFF\n"]"#, "\\ud800\u{FFFD}\n"), ("[\"caf\u{1}\"]", "caf\u{FFFD}"),
            ("[\"\u{2}\u{3}x\u{2}\"]", "\u{FFFD}x\u{FFFD}"), ("[\"é\u{1}€😀\"]", "é\u{FFFD}€😀"),
            (#"["\ud800\u00e9"]"#, "\u{FFFD}é"),
            ("[\"a\"]", "a"), ("\u{FEFF}[\"a\"]", "a"),
        ])
    func lenient(text: String, value: String) throws {
        // A Latin-1 byte, and a lead byte without and with some of what must follow.
        let bytes = text.utf8.map { $0 == 1 ? 0xE9 : $0 == 2 ? 0xE2 : $0 == 3 ? 0x82 : $0 }
        for length in [1, 2, 3, 5, 7, 8, 64] {
            let scanned = try Self.scan(bytes, by: length, isLenient: true).get()
            #expect(scanned == .array([.string(value)]), "by \(length)")
        }
        #expect(try JSON(answer: bytes) == .array([.string(value)]))
        if text.first == "[", text != "[\"a\"]" { #expect(throws: JSONSyntaxError.self) { try JSON(parsing: bytes) } }
    }

    @Test(
        "a lenient scanner bears nothing else",
        arguments: [
            "[\"\\ud80\"]", "[\"\\x\"]", "[\u{1}]", "[\"\u{1F}\"]", ")]}'", ")]}\n[]", ")]}'[]", "[]\n)]}'\n[]",
            ")]}'\n[2]", "while(1)[1]", "while(1);", "[1]for(;;);", "while(1);for(;;);[1]",
            "[\"a\"] 1",
            "{\"a\":1",
        ])
    func notLenient(text: String) {
        let bytes = text.utf8.map { $0 == 1 ? 0xE9 : $0 }
        for length in [1, 3, 64] {
            #expect(throws: JSONSyntaxError.self) { try Self.scan(bytes, by: length, isLenient: true).get() }
        }
        if !text.hasSuffix("\n[2]") { #expect(throws: JSONSyntaxError.self) { try JSON(answer: bytes) } }
    }

    @Test(
        "what guards a whole text from pages is skipped, behind a byte order mark too",
        arguments: [
            ")]}'\n[1]", ")]}',\r\n\n [1]", "while(1);[1]", "while (1);\n[1]", "for(;;);[1]", "for (;;); [1]",
        ], ["", "\u{FEFF}"])
    func guarded(text: String, mark: String) throws {
        #expect(try JSON(answer: Array((mark + text).utf8)) == .array([.integer(1)]))
    }
}
