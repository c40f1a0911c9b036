import Testing
import Wire

@Suite("The texts of XML")
struct XMLTextsTests {
    @Test("texts are found by their path, with attributes passed over and references replaced")
    func texts() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <A xmlns="https://x.example/" b='>'>
              <B><C>a &lt;&amp;&#65;&#x42;</C><D/></B>
            \t<E >é</E >
            </A>

            """
        let texts = try #require(XMLTexts(parsing: Array(text.utf8)))
        #expect(texts["A", "B", "C"] == "a <&AB" && texts["A", "B", "D"] == "" && texts["A", "E"] == "é")
        #expect(texts["A", "B"] == nil && texts["C"] == nil)
    }

    @Test(
        "what is no XML of this kind is refused",
        arguments: [
            "", "x", "<", "<a", "<a>", "<a></b>", "</a>", "<a></a><b></b>", "<a></a>x", "x<a></a>", "<a>&x;</a>",
            "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#+5;</a>", "<a>&amp</a>", "<a><!-- --></a>", "<!DOCTYPE a><a></a>",
            "<a><![CDATA[x]]></a>", "<a><?x?></a>", "<a><b></b><b></b></a>", "<a b='></a>", "<></>", "<?xml",
            String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40), "<a>\u{0}</a>",
        ])
    func refused(text: String) {
        #expect(XMLTexts(parsing: Array(text.utf8)) == nil)
    }

    @Test("a megabyte of elements is read in time", .timeLimit(.minutes(1)))
    func large() {
        let text = "<a>" + (0..<50_000).map { "<b\($0)>x</b\($0)>" }.joined() + "</a>"
        #expect(XMLTexts(parsing: Array(text.utf8))?["a", "b49999"] == "x")
    }
}
