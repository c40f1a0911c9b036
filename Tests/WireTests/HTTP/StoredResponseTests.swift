import Testing

@testable import Wire

@Suite("Responses that a cache stores")
struct StoredResponseTests {
    private func fields(_ lines: [String]) -> [HTTPField] {
        lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return HTTPField(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
    }

    private func stored(_ lines: String..., status: Int = 200, body: String = "{}", at now: Int = 1000)
        -> StoredResponse?
    {
        let head = HTTPResponseHead(statusLine: "HTTP/1.1 \(status) Status", status: status, headers: fields(lines))
        return StoredResponse(HTTPResponse(head: head, body: Array(body.utf8)), now: now)
    }

    @Test("only a response of status 200 is taken, and no-store and Vary: * forbid to store it")
    func mayBeStored() throws {
        for status in [201, 203, 206, 304, 404] { #expect(stored(status: status) == nil) }
        #expect(try #require(stored("Cache-Control: private, max-age=0", "Vary: Accept, Cookie")).mayBeStored)
        #expect(try !#require(stored("Cache-Control: max-age=60, No-Store")).mayBeStored)
        #expect(try !#require(stored("Vary: Accept", "Vary: *")).mayBeStored)
    }

    @Test("it is fresh for as long as the user allows, its Age counted, unless it has no-cache")
    func freshness() throws {
        let response = try #require(stored("Cache-Control: max-age=1", "Age: 10"))
        #expect(response.isFresh(for: 60, now: 1000) && response.isFresh(for: 60, now: 1049))
        #expect(!response.isFresh(for: 60, now: 1050) && !response.isFresh(for: 0, now: 1000))
        // A clock that was set back makes nothing fresh for years.
        #expect(!response.isFresh(for: 60, now: 900))
        #expect(try !#require(stored("Cache-Control: no-cache")).isFresh(for: 60, now: 1000))
        #expect(response.head(url: "u", now: 1005).headers.values(of: "age") == ["15"])
    }

    @Test(
        "it is validated by its entity tag and its date, if these are valid",
        arguments: [
            (["ETag: \"a\""], ["If-None-Match: \"a\""]), (["ETag: W/\"a b\""], []),
            (["ETag: W/\"ab\""], ["If-None-Match: W/\"ab\""]),
            (["ETag: a"], []), (["ETag: \"é\""], []), (["ETag: \""], []), (["ETag: \"a\"b\""], []),
            (["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], ["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"]),
            (["Last-Modified: yesterday"], []), ([], []),
            (
                ["ETag: \"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"],
                ["If-None-Match: \"a\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"]
            ),
        ] as [([String], [String])])
    func conditions(lines: [String], expected: [String]) throws {
        let head = HTTPResponseHead(status: 200, headers: fields(lines))
        let response = try #require(StoredResponse(HTTPResponse(head: head, body: []), now: 1000))
        #expect(response.conditions == fields(expected))
    }

    @Test("a 304 replaces the fields of the response, but for those of the content and the entity tag")
    func validated() throws {
        let old = try #require(
            stored("ETag: \"a\"", "Content-Type: text/plain", "X: 1", "x: 2", "Y: 3", "Age: 50", body: "text"))
        let head = HTTPResponseHead(
            status: 304,
            headers: fields([
                "ETag: W/\"a\"", "Content-Type: text/html", "Content-Length: 0", "X: 4", "Connection: close",
            ]))
        let new = old.validated(by: head, now: 2000)
        #expect(!old.isFresh(for: 60, now: 2000) && new.isFresh(for: 60, now: 2059) && new.body == old.body)
        #expect(
            new.head(url: "u", now: 2001).headers
                == fields(["ETag: \"a\"", "Content-Type: text/plain", "Y: 3", "X: 4", "Age: 1"]))
        let forbidden = HTTPResponseHead(status: 304, headers: fields(["Cache-Control: no-store"]))
        #expect(!old.validated(by: forbidden, now: 2000).mayBeStored)
    }

    @Test("a file has all of it but the fields of the connection, and one that is cut or longer is damaged")
    func file() throws {
        let response = try #require(
            stored("X: \"é\\", "Connection: close", "Transfer-Encoding: chunked", body: "a\n\u{0}b"))
        #expect(StoredResponse(bytes: response.bytes) == response)
        #expect(response.head(url: "u", now: 1000).headers == fields(["X: \"é\\", "Age: 0"]))
        for count in response.bytes.indices { #expect(StoredResponse(bytes: Array(response.bytes[..<count])) == nil) }
        #expect(StoredResponse(bytes: response.bytes + [0]) == nil)
        for text in ["", "\n", "{}\n", "[]\n{}", #"{"date":1,"status_line":"","size":0,"headers":[["a"]]}"# + "\n"] {
            #expect(StoredResponse(bytes: Array(text.utf8)) == nil)
        }
    }
}
