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
        "what is no range of bytes is refused",
        arguments: [
            "", "bytes", "bytes ", "bytes */*", "bytes 0-499", "bytes 5-4/10", "bytes 0-10/10", "bytes -5/10",
            "bytes +0-4/10", "bytes 0-4/10/2", "bytes 0-4/", "bytes 0-4/1e9", "items 0-4/10", "bytes=0-4/10",
            "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*", "bytes 0-4/10, bytes 5-9/10",
        ])
    func refused(text: String) { #expect(ContentRange(text) == nil) }
}
