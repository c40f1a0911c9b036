import TestSupport
import Testing
import Wire

@Suite("Form encoding")
struct FormEncodingTests {
    @Test(
        "T-06 form_urlencode: a text is encoded and decoded as the case says",
        arguments: try VectorGroup("form_urlencode").cases)
    func vectors(vector: VectorCase) throws {
        let encoded = try #require(vector["encoded"]?.string)
        switch vector["direction"]?.string {
        case "parse":
            let pairs = try #require(vector["pairs"]?.array?.map { $0.strings ?? [] })
            #expect(try FormEncoding.parse(encoded).map { [$0.name, $0.value] } == pairs)
        case "decode" where vector["expect"]?.string == "error":
            #expect(throws: FormEncodingError.self) { try FormEncoding.decode(encoded) }
        case "decode": #expect(try FormEncoding.decode(encoded) == vector["decoded"]?.string)
        case nil:
            let decoded = try #require(vector["decoded"]?.string)
            #expect(FormEncoding.encode(decoded) == encoded)
            #expect(try FormEncoding.decode(encoded) == decoded)
        case .some(let other): Issue.record("no test for the direction \(other)")
        }
    }

    @Test("letters, digits and *-._ stay, a space is +, every other character of ASCII is escaped", arguments: 0..<0x80)
    func ascii(code: UInt8) throws {
        let text = String(Unicode.Scalar(code))
        let literal = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._".contains(text)
        let digits = String(code, radix: 16, uppercase: true)
        let escaped = code == 0x20 ? "+" : "%" + (digits.count == 1 ? "0" : "") + digits
        #expect(FormEncoding.encode(text) == (literal ? text : escaped))
        if code != 0 { #expect(try FormEncoding.decode(FormEncoding.encode(text)) == text) }
    }

    @Test("pairs are joined, a repeated name included")
    func pairs() throws {
        let pairs = [("resource", "https://a.example/"), ("resource", "b&c=d"), ("é", "")]
        let text = FormEncoding.encode(pairs.map { (name: $0.0, value: $0.1) })
        #expect(text == "resource=https%3A%2F%2Fa.example%2F&resource=b%26c%3Dd&%C3%A9=")
        #expect(try FormEncoding.parse(text).map { [$0.name, $0.value] } == pairs.map { [$0.0, $0.1] })
        #expect(FormEncoding.encode([]).isEmpty)
    }

    @Test(
        "pieces are split at & and at their first =, and nowhere else",
        arguments: [
            ("", []), ("&&", []), ("a=b=c", [["a", "b=c"]]), ("=b", [["", "b"]]), ("=", [["", ""]]),
            ("a=1;b=2", [["a", "1;b=2"]]), ("a=1&&b=2&", [["a", "1"], ["b", "2"]]), ("a%3Db=c%26d", [["a=b", "c&d"]]),
            ("+a=+", [[" a", " "]]), ("a=%2B", [["a", "+"]]),
        ] as [(String, [[String]])])
    func parse(text: String, pairs: [[String]]) throws {
        #expect(try FormEncoding.parse(text).map { [$0.name, $0.value] } == pairs)
    }

    @Test(
        "a form that does not decode is refused, in names as in values",
        arguments: [
            ("%", .badPercentEncoding), ("%4", .badPercentEncoding), ("%zz", .badPercentEncoding),
            ("%4g", .badPercentEncoding), ("a%", .badPercentEncoding), ("%C3", .invalidUTF8), ("%C0%AF", .invalidUTF8),
            ("%ED%A0%80", .invalidUTF8), ("%00", .nul), ("a%00b", .nul),
        ] as [(String, FormEncodingError)])
    func refused(text: String, error: FormEncodingError) {
        #expect(throws: error) { try FormEncoding.decode(text) }
        #expect(throws: error) { try FormEncoding.parse("a=1&b=\(text)") }
        #expect(throws: error) { try FormEncoding.parse("\(text)=1") }
    }

    @Test(
        "what does not decode is repaired where nobody compares it, and refused where somebody does",
        arguments: [
            ("%E0%A4%A", "\u{FFFD}%A"), ("%", "%"), ("100%", "100%"), ("%zz", "%zz"), ("bl%F6d", "bl\u{FFFD}d"),
            ("a%00b", "a\u{FFFD}b"), ("%4", "%4"), ("%%41", "%A"), ("+%2B", " +"), ("%C3%A9", "\u{E9}"),
        ])
    func lenient(text: String, value: String) throws {
        let pairs = try FormEncoding.parse("code=c&x=\(text)&\(text)=1", checking: ["code"])
        #expect(pairs.map { [$0.name, $0.value] } == [["code", "c"], ["x", value], [value, "1"]])
        guard (try? FormEncoding.decode(text)) == nil else { return }
        #expect(throws: FormEncodingError.self) { try FormEncoding.parse("code=\(text)", checking: ["code"]) }
        #expect(throws: FormEncodingError.self) { try FormEncoding.parse("%63ode=\(text)", checking: ["code"]) }
    }
}
