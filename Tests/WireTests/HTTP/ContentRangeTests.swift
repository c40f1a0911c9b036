import Testing
import Wire

@Suite("Content-Range")
struct ContentRangeTests {
    @Test("a range of bytes is read with its size, if that is known")
    func ranges() throws {
        let range = try #require(ContentRange("bytes 0-499/1234"))
        #expect(range.bytes == 0...499 && range.size == 1234)
        let unknown = try #require(ContentRange("Bytes 7-7/*"))
        #expect(unknown.bytes == 7...7 && unknown.size == nil)
        let none = try #require(ContentRange("bytes */0"))
        #expect(none.bytes == nil && none.size == 0)
    }

    @Test(
        "a download goes on with a strong entity tag, or with a date that a second has passed since",
        arguments: [
            (#""a""#, nil, #""a""#), (#"W/"a""#, nil, nil), ("a", nil, nil), ("", nil, nil),
            ("Tue, 14 Nov 2023 22:13:20 GMT", "Tue, 14 Nov 2023 22:13:20 GMT", nil),
            (nil, "Tue, 14 Nov 2023 22:13:20 GMT", "Tue, 14 Nov 2023 22:13:20 GMT"),
            (#"W/"a""#, "Tue, 14 Nov 2023 22:13:20 GMT", nil), (nil, "Tue, 14 Nov 2023 22:13:21 GMT", nil),
            (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func validator(tag: String?, date: String?, expected: String?) {
        let fields = [("ETag", tag), ("Last-Modified", date), ("Date", "Tue, 14 Nov 2023 22:13:21 GMT")]
        let headers = fields.compactMap { name, value in value.map { HTTPField(name, $0) } }
        #expect(HTTPResponseHead(status: 200, headers: headers).rangeValidator == expected)
    }

    @Test(
        "what is no range of bytes is refused",
        arguments: [
            "", "bytes", "bytes ", "bytes */*", "bytes 0-499", "bytes 5-4/10", "bytes 0-10/10", "bytes -5/10",
            "bytes +0-4/10", "bytes 0-4/10/2", "bytes 0-4/", "bytes 0-4/1e9", "items 0-4/10", "bytes=0-4/10",
            "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*", "bytes 0-4/10, bytes 5-9/10",
        ])
    func refused(text: String) { #expect(ContentRange(text) == nil) }
}
