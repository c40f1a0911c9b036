import Testing
import Wire

@Suite("JSON, read")
struct JSONParserTests {
    @Test("members keep their order and numbers their text")
    func kept() throws {
        let text = #"{"z":9007199254740993,"a":1.10,"m":[-0,1E+2,0.5e-7,123456789012345678901234567890]}"#
        let object = try #require(JSON(parsing: text).object)
        #expect(object.members.map(\.name) == ["z", "a", "m"])
        #expect(object["z"] == .number("9007199254740993"))
        #expect(object["a"] == .number("1.10"))
        #expect(
            object["m"]
                == .array(["-0", "1E+2", "0.5e-7", "123456789012345678901234567890"].map { .number($0) }))
    }

    @Test("every escape stands for its character")
    func escapes() throws {
        let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\uD834\uDD1E\u0000""#
        #expect(try JSON(parsing: text) == .string("\"\\/\u{8}\u{C}\n\r\tA\u{E9}\u{20AC}\u{1D11E}\u{0}"))
    }

    @Test(
        "no member stands twice, however its name is spelled",
        arguments: [
            #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"{"x":{"\u00e9":1,"é":2}}"#, #"[{"":1,"":2}]"#,
            #"{"0":0,"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0,"11":0,"12":0,"13":0,"14":0,"15":0,"3":0}"#,
            #"{"0":0,"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0,"11":0,"12":0,"13":0,"14":0,"15":0,"16":0,"\u0031\u0036":0}"#,
        ])
    func duplicates(text: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
        #expect(error?.reason.hasSuffix("appears twice") == true)
    }

    @Test("names that are only canonically equivalent are different names")
    func equivalentNames() throws {
        let object = try #require(JSON(parsing: #"{"\u00e9":1,"e\u0301":2,"K":3,"\u212a":4}"#).object)
        #expect(object.count == 4)
        #expect(object["\u{E9}"] == .integer(1))
        #expect(object["e\u{301}"] == .integer(2))
        #expect(object["K"] == .integer(3))
    }

    @Test("the same name may stand in different objects")
    func sameNameElsewhere() throws { _ = try JSON(parsing: #"{"a":{"a":[{"a":1},{"a":2}]}}"#) }

    @Test("JS-05 512 levels are read, 513 are not", arguments: [("[", "]"), (#"{"a":"#, "}")])
    func depth(open: String, close: String) throws {
        let nested = { (levels: Int) in
            String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
        }
        _ = try JSON(parsing: nested(512))
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: nested(513)) }
        #expect(error?.reason == "nested deeper than 512 levels")
        #expect(error?.column == 512 * open.count + 1)
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: String(repeating: open, count: 100_000)) }
    }

    @Test("a text that becomes a part of a document has two levels fewer, so that the document can be read again")
    func depthOfPart() throws {
        let nested = { (levels: Int) in
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        let part = try JSON(parsing: nested(510), depth: JSON.maximumDepthOfPart)
        _ = try JSON(parsing: JSON.object(["a": .object(["b": part])]).text)
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSON(parsing: nested(511), depth: JSON.maximumDepthOfPart)
        }
        #expect(error?.reason == "nested deeper than 510 levels")
    }

    @Test("levels that have been closed do not count")
    func breadth() throws {
        _ = try JSON(parsing: "[" + Array(repeating: "[[]]", count: 600).joined(separator: ",") + "]")
    }

    @Test("one byte order mark before the text is passed over, and no other")
    func byteOrderMark() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try JSON(parsing: mark + Array(" {}".utf8)) == .object([:]))
        #expect(try JSON(parsing: "\"\u{FEFF}\"") == .string("\u{FEFF}"))
        for text in [mark, mark + mark + [0x31], [0x20] + mark + [0x31], [0x31] + mark, [0xEF, 0xBB, 0x31]] {
            #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
        }
    }

    @Test(
        "JS-01 what is not UTF-8 is refused, never replaced",
        arguments: [
            [0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
            [0x61, 0x5C, 0x6E, 0xFF],
        ] as [[UInt8]])
    func invalidUTF8(content: [UInt8]) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: [0x22] + content + [0x22]) }
        #expect(error?.reason == "not valid UTF-8 in a string")
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: [0x7B, 0x22] + content + Array(#"":1}"#.utf8)) }
    }

    @Test(
        "a lone surrogate is no character",
        arguments: [
            #"\uD800"#, #"\uDC00"#, #"\uD800\uD800"#, #"\uDD1E\uD834"#, #"\uD800\n"#, #"\uD800A"#, #"\uD800\u0041"#,
            #"\udbff"#, #"\uD800\uE000"#, #"\uD800\uDBFF"#,
        ])
    func loneSurrogates(escape: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: "[\"ab\(escape)\"]") }
        #expect(error?.reason == "a lone surrogate is no character")
    }

    @Test("a control character in a string is refused", arguments: 0..<0x20)
    func controls(code: Int) {
        for text in [
            "\"\(Character(Unicode.Scalar(UInt8(code))))\"", "\"\\n\(Character(Unicode.Scalar(UInt8(code))))\"",
        ] {
            let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
            #expect(error?.reason == "a control character in a string must be escaped")
        }
    }

    @Test("DEL, C1 controls and noncharacters are legal in a string")
    func legal() throws {
        #expect(try JSON(parsing: "\"\u{7F}\u{85}\u{FFFE}\u{10FFFF}\"") == .string("\u{7F}\u{85}\u{FFFE}\u{10FFFF}"))
    }

    @Test(
        "JS-02 an error names the line, and the column in characters",
        arguments: [
            ("", 1, 1, "unexpected end of input, expected a value"),
            ("{\"a\": 1,\n \"b\": tru}", 2, 7, "expected a value"),
            ("{\"é€𝄞\": x}", 1, 9, "expected a value"),
            ("\u{FEFF}x", 1, 1, "expected a value"),
            ("{}\n\n  {}", 3, 3, "unexpected text after the value"),
            ("{\"a\"\r\n1}", 2, 1, "expected ':' after the member name"),
            ("{\"a\":1 \"b\"}", 1, 8, "expected ',' or '}'"),
            ("[1\n,2\n,3 4]", 3, 4, "expected ',' or ']'"),
            ("{a:1}", 1, 2, "expected a member name in quotes"),
            ("{\"a\":1,}", 1, 8, "expected a member name in quotes"),
            ("{\"a\":1,\n\"a\":2}", 2, 1, "the member \"a\" appears twice"),
            ("[012]", 1, 2, "a number may not start with 0"),
            ("[-]", 1, 3, "expected a digit"),
            ("[1.]", 1, 4, "expected a digit"),
            ("[\"\\x\"]", 1, 3, "unknown escape in a string"),
            ("[\"ab\\ud800\"]", 1, 5, "a lone surrogate is no character"),
            ("[\"\\u12g4\"]", 1, 7, "expected four hexadecimal digits after \\u"),
            ("[\"a\tb\"]", 1, 4, "a control character in a string must be escaped"),
            ("[\"abc", 1, 6, "unexpected end of input in a string"),
            ("[\"abc\\", 1, 7, "unexpected end of input in a string"),
        ])
    func place(text: String, line: Int, column: Int, reason: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
        #expect(error?.reason == reason)
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.description == "\(reason) at line \(line), column \(column)")
    }

    @Test("invalid UTF-8 is reported where it is")
    func placeOfInvalidUTF8() {
        let text = Array("[\"é\",\n\"ab".utf8) + [0xFF, 0x22, 0x5D]
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
        #expect(error?.description == "not valid UTF-8 in a string at line 2, column 4")
    }
}
