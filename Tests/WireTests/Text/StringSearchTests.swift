import Testing
import Wire

@Suite("Search in strings")
struct StringSearchTests {
    @Test(
        "a text is found where it occurs first, by bytes",
        arguments: [
            ("http://a//b", "//", 5), ("aaab", "aab", 1), ("a", "", 0), ("", "", 0), ("", "a", nil), ("ab", "abc", nil),
            ("e\u{301}x", "e", 0), ("äöü", "ö", 2), ("\r\n", "\n", 1),
        ])
    func firstRange(text: String, sought: String, start: Int?) {
        let found = text.firstRange(of: sought)
        #expect(found.map { text.utf8.distance(from: text.utf8.startIndex, to: $0.lowerBound) } == start)
        #expect(found.map { Array(text.utf8[$0]) == Array(sought.utf8) } ?? true)
        #expect(text.contains(sought) == (start != nil))
    }

    @Test("a part of a text is searched in, and its indices are those of the text")
    func part() {
        let text = "a://b://c"
        let rest = text[text.index(text.startIndex, offsetBy: 2)...]
        #expect(rest.firstRange(of: "://").map { String(text[..<$0.lowerBound]) } == "a://b")
    }

    @Test(
        "each occurrence is replaced, and what was put in is not searched again",
        arguments: [
            ("a.b.c", ".", "..", "a..b..c"), ("aaa", "aa", "b", "ba"), ("abc", "", "x", "abc"), ("", "a", "b", ""),
            ("e\u{301}", "e", "a", "a\u{301}"), ("x", "x", "", ""),
        ])
    func replacing(text: String, sought: String, other: String, result: String) {
        #expect(Array(text.replacing(sought, with: other).utf8) == Array(result.utf8))
    }

    @Test("places are filled in one pass: what is in a value is no place, and neither is a name without a value")
    func filling() {
        let values = ["a": "{{b}}", "b": "1", "": "x"]
        #expect("{{a}} {{b}}{{b}} {{c}} }} {{".filling(values) == "{{b}} 11 {{c}} }} {{")
        #expect("{{b}}".filling([:]) == "{{b}}")
        #expect("{{}}".filling(values) == "x")
    }
}
