import Testing
import Wire

@Suite("JSON, written")
struct JSONWriterTests {
    @Test(
        "a text that is compact already comes out as it went in",
        arguments: [
            #"{"z":9007199254740993,"a":1.10,"n":-0,"e":1E+400,"l":[null,true,false,"",{},[]]}"#,
            #"{"code_verifier":"a/b","x":"é€𝄞","":0,"t":"\"\\\b\f\n\r\t\u0000\u001f\u007f"}"#,
            #"["\ufeff"]"#.replacing(#"\ufeff"#, with: "\u{FEFF}"), "0", "null",
        ])
    func roundTrip(text: String) throws {
        let value = try JSON(parsing: text)
        #expect(value.text == text)
        #expect(value.bytes == Array(text.utf8))
        #expect(try JSON(parsing: value.text) == value)
    }

    @Test("spaces, and escapes that nothing needs, are not kept")
    func normalised() throws {
        #expect(try JSON(parsing: #" { "a" : [ 1 , "\u0041\/\u00e9" ] } "#).text == #"{"a":[1,"A/é"]}"#)
    }

    @Test("E-03 no control character of ASCII is written as it is", arguments: Array(0..<0x20) + [0x7F])
    func controls(code: Int) throws {
        let scalar = try #require(Unicode.Scalar(code))
        let value = JSON.object(["a\(scalar)": .string("b\(scalar)c")])
        #expect(!value.text.unicodeScalars.contains(scalar))
        #expect(try JSON(parsing: value.text) == value)
    }

    @Test("every other character is written as it is", arguments: ["\u{20}", "\u{80}", "\u{A0}", "\u{2028}", "𝄞"])
    func plain(text: String) {
        #expect(JSON.string(text).text == "\"\(text)\"")
    }
}
