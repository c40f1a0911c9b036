import Testing
import Wire

@Suite("Header fields and media types")
struct HTTPMessageTests {
    private let fields = [
        HTTPField("Link", "<a>"), HTTPField("content-type", "text/html"), HTTPField("LINK", "<b>"),
        HTTPField("X-Link", "<c>"),
    ]

    @Test(
        "a field is found whatever the case of its name, all of its lines in order",
        arguments: ["link", "Link", "LINK"])
    func values(name: String) {
        #expect(fields.values(of: name) == ["<a>", "<b>"])
        #expect(fields.first(name) == "<a>")
    }

    @Test("a field that is not there has no value", arguments: ["Lin", "Linkk", "", "\u{212A}"])
    func missing(name: String) {
        #expect(fields.values(of: name).isEmpty)
        #expect(fields.first(name) == nil)
    }

    @Test("the case of letters beyond ASCII is not touched")
    func asciiOnly() {
        #expect("ÄK\u{212A}Z[`".asciiLowercased == "Äk\u{212A}z[`")
        #expect(!"K".equalsIgnoringASCIICase("\u{212A}"))
        #expect(!"Ä".equalsIgnoringASCIICase("ä"))
        #expect("Bearer".equalsIgnoringASCIICase("bEARER"))
        #expect(!"[".equalsIgnoringASCIICase("{"))
        #expect(!"@".equalsIgnoringASCIICase("`"))
    }

    @Test(
        "a media type is told without its parameters and whatever its case",
        arguments: [
            ("application/json", "application/json", true, false),
            ("Application/JSON ; Charset=utf-8", "application/json", true, false),
            (" application/json", "application/json", true, false),
            ("application/vnd.x+json; a=\"b;c\"", "application/vnd.x+json", true, false),
            ("application/x-www-form-urlencoded; charset=UTF-8", "application/x-www-form-urlencoded", false, true),
            ("text/html", "text/html", false, false), ("application/jsonp", "application/jsonp", false, false),
            ("text/json", "text/json", false, false), ("", "", false, false), (";application/json", "", false, false),
        ])
    func mediaTypes(text: String, essence: String, isJSON: Bool, isForm: Bool) {
        let type = MediaType(text)
        #expect(type.essence == essence)
        #expect(type.isJSON == isJSON)
        #expect(type.isForm == isForm)
    }
}
