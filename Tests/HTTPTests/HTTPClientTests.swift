import Foundation
import HTTP
import TestSupport
import Testing
import Wire

@Suite("HTTP client")
struct HTTPClientTests {
    let client: HTTPClient

    init() throws { client = try HTTPClient(options: TransportOptions()) }

    private func send(
        _ method: String, _ url: String, headers: [HTTPField] = [], body: [UInt8]? = nil, maximumBody: Int = 1 << 20
    ) throws(HTTPError) -> HTTPResponse {
        try client.send(
            HTTPRequest(method: method, url: url, headers: headers, body: body), maximumBody: maximumBody)
    }

    private func failure(_ body: () throws(HTTPError) -> HTTPResponse) -> HTTPError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test("a GET sends nothing but what was asked for and returns status, header and content")
    func get() throws {
        let responder = try Responder(.text("hello", status: 404, headers: ["X-One: 1", "x-one:2"]))
        let response = try send("GET", responder.url("/a?b=c#d"), headers: [HTTPField("X-Asked", "yes")])
        #expect(response.head.status == 404)
        #expect(response.head.statusLine == "HTTP/1.1 404 Status")
        #expect(response.head.headers.values(of: "X-One") == ["1", "2"])
        #expect(response.head.url == responder.url("/a?b=c#d"))
        #expect(String(decoding: response.body, as: UTF8.self) == "hello")
        let request = try #require(responder.requests.first)
        #expect(
            request.head.replacingOccurrences(of: "gzip.*\r\n", with: "gzip…\r\n", options: .regularExpression) == """
                GET /a?b=c HTTP/1.1\r
                Host: 127.0.0.1:\(responder.port)\r
                User-Agent: oap\r
                Accept-Encoding: deflate, gzip…\r
                X-Asked: yes\r
                \r

                """)
    }

    @Test("a POST carries its content with a length and no content type of libcurl's")
    func post() throws {
        let responder = try Responder(.text("done"))
        _ = try send("POST", responder.url("/"), body: Array("a=b".utf8))
        let request = try #require(responder.requests.first)
        #expect(request.method == "POST")
        #expect(request.bodyText == "a=b")
        #expect(request.headers.values(of: "Content-Length") == ["3"])
        #expect(request.headers.first("Content-Type") == nil)
    }

    @Test("a request whose method means content has a length without one", arguments: ["POST", "PUT", "PATCH"])
    func emptyContent(method: String) throws {
        let responder = try Responder(.text("done"))
        _ = try send(method, responder.url())
        let request = try #require(responder.requests.first)
        #expect(request.method == method)
        #expect(request.headers.values(of: "Content-Length") == ["0"])
        #expect(request.headers.first("Content-Type") == nil)
    }

    @Test("any method can be sent, with content and without", arguments: ["DELETE", "OPTIONS", "PROPFIND", "GET"])
    func methods(method: String) throws {
        let responder = try Responder(.text("one"), .text("two"))
        _ = try send(method, responder.url())
        _ = try send(method, responder.url(), body: Array("{}".utf8))
        #expect(responder.requests.map(\.method) == [method, method])
        #expect(responder.requests.map { $0.headers.first("Content-Length") } == [nil, "2"])
        #expect(responder.requests.map(\.bodyText) == ["", "{}"])
    }

    @Test("HEAD has a header and no content, and leaves the connection usable")
    func head() throws {
        let responder = try Responder(.text("hello"), .text("again"))
        let response = try send("HEAD", responder.url())
        #expect(response.head.headers.first("Content-Length") == "5")
        #expect(response.body.isEmpty)
        #expect(String(decoding: try send("GET", responder.url()).body, as: UTF8.self) == "again")
        #expect(responder.connectionCount == 1)
    }

    @Test("nothing of one request is left in the next on the same connection")
    func reuse() throws {
        let responder = try Responder(.text("1"), .text("2"))
        _ = try send("POST", responder.url("/1"), headers: [HTTPField("X-A", "b")], body: [1, 2, 3])
        _ = try send("GET", responder.url("/2"))
        #expect(responder.connectionCount == 1)
        let second = try #require(responder.requests.last)
        #expect(second.method == "GET")
        #expect(second.headers.first("X-A") == nil && second.headers.first("Content-Length") == nil)
    }

    @Test("T-04 a redirect is returned, not followed", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) throws {
        let responder = try Responder(.redirect(status, to: "/other"), .text("followed"))
        let response = try send("GET", responder.url())
        #expect(response.head.status == status)
        #expect(response.head.headers.first("Location") == "/other")
        #expect(responder.requests.count == 1)
    }

    @Test("T-04 cookies are not kept")
    func noCookies() throws {
        let responder = try Responder(.text("1", headers: ["Set-Cookie: a=b"]), .text("2"))
        _ = try send("GET", responder.url())
        _ = try send("GET", responder.url())
        #expect(responder.requests.allSatisfy { $0.headers.first("Cookie") == nil })
    }

    @Test("T-11 interim answers are passed over")
    func interim() throws {
        let responder = try Responder(
            .raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n").then(
                .text("final", headers: ["X-Last: 1"])))
        let response = try send("GET", responder.url())
        #expect(response.head.status == 200)
        #expect(response.head.headers.first("Link") == nil)
        #expect(response.head.headers.first("X-Last") == "1")
        #expect(String(decoding: response.body, as: UTF8.self) == "final")
    }

    @Test("a chunked answer is put together, and its trailers are no header")
    func chunked() throws {
        let responder = try Responder(
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nX-Trailer: 1\r\n\r\n"))
        let response = try send("GET", responder.url())
        #expect(String(decoding: response.body, as: UTF8.self) == "abc")
        #expect(response.head.headers.first("X-Trailer") == nil)
    }

    @Test("a compressed answer is decoded")
    func gzip() throws {
        let responder = try Responder(.gzip(Array("hello hello hello".utf8)))
        #expect(String(decoding: try send("GET", responder.url()).body, as: UTF8.self) == "hello hello hello")
    }

    @Test("a client without compression asks for none, and leaves what comes as it is")
    func uncompressed() throws {
        var options = TransportOptions()
        options.compressed = false
        let responder = try Responder(.gzip(Array("hello".utf8)))
        let response = try HTTPClient(options: options).send(
            HTTPRequest(method: "GET", url: responder.url()), maximumBody: 1000)
        #expect(responder.requests.first?.headers.first("Accept-Encoding") == nil)
        #expect(response.body.starts(with: [0x1F, 0x8B]))
    }

    @Test("T-08 an answer of exactly the limit is taken, one byte more is not")
    func limit() throws {
        let responder = try Responder(.text("12345"), .text("123456"))
        #expect(try send("GET", responder.url(), maximumBody: 5).body.count == 5)
        #expect(
            failure { () throws(HTTPError) in try send("GET", responder.url(), maximumBody: 5) } == .tooLarge(limit: 5))
    }

    @Test("T-08 the limit counts decoded bytes: a megabyte of zeros in a kilobyte of gzip is too large")
    func bomb() throws {
        let responder = try Responder(.gzip([UInt8](repeating: 0, count: 1 << 20)))
        #expect(
            failure { () throws(HTTPError) in try send("GET", responder.url(), maximumBody: 100_000) }
                == .tooLarge(limit: 100_000))
    }

    @Test(
        "content that is kept may not grow out of all proportion, whether it ends or not; content that is passed on may",
        arguments: [(2, true), (64, false)])
    func disproportion(megabytes: Int, ends: Bool) throws {
        let gate = Responder.Gate()
        defer { gate.open() }
        let content = [UInt8](repeating: 0, count: megabytes << 20)
        let end = Responder.Reply.text("").after(gate)
        let responder = try Responder { _ in (try? .gzip(content).then(ends ? .raw("") : end)) ?? .close }
        final class Sink: ResponseReceiver {
            var keepsContent = true
            var size = 0
            func receive(head: HTTPResponseHead) -> Bool { true }
            func receive(content: UnsafeRawBufferPointer) -> Bool {
                size += content.count
                return true
            }
        }
        let sink = Sink()
        let request = HTTPRequest(method: "GET", url: responder.url())
        let error = #expect(throws: HTTPError.self) { try client.stream(request, receiver: sink) }
        #expect(error == .inflated(ratio: 200))
        #expect(ends || sink.size < content.count)
        guard ends else { return }
        sink.keepsContent = false
        try client.stream(request, receiver: sink)
        #expect(sink.size == 2 * content.count)
    }

    @Test("an endless answer ends at the limit")
    func endless() throws {
        let responder = try Responder(.endless())
        #expect(
            failure { () throws(HTTPError) in try send("GET", responder.url(), maximumBody: 100_000) }
                == .tooLarge(limit: 100_000))
    }

    @Test(
        "a header beyond the limits is refused, which are those of libcurl",
        arguments: [
            (1, 102_395, 100 << 10, "the header field X-0 of the response"),
            (1, 200_000, 100 << 10, "a header field of the response"),
            (4, 90_000, 300 << 10, "the header of the response"),
        ])
    func headerLimit(count: Int, size: Int, limit: Int, part: String) throws {
        let fields = (0..<count).map { "X-\($0): " + String(repeating: "a", count: size) }
        let responder = try Responder(.text("", headers: fields))
        let error = failure { () throws(HTTPError) in try send("GET", responder.url()) }
        let parts = [part, part.replacingOccurrences(of: "the header field X-0", with: "a header field")]
        #expect(parts.contains { error == .tooLarge(limit: limit, of: $0) }, "\(String(describing: error))")
        #expect(error?.message.hasSuffix(" is larger than \(limit) bytes") == true)
    }

    @Test("a header field of nearly a hundred kilobytes is taken, as by curl")
    func longField() throws {
        let value = String(repeating: "a", count: 100_000)
        let responder = try Responder(.text("", headers: ["X-A: \(value)", "X-B: \(value)"]))
        #expect(try send("GET", responder.url()).head.headers.values(of: "X-B") == [value])
    }

    @Test("a folded header line belongs to the field before it, and one whose name is no token is none")
    func folded() throws {
        let responder = try Responder(
            .raw("HTTP/1.1 200 OK\r\nX-A: one\r\n  two\r\nX-Empty:\r\nbad name: x\r\nContent-Length: 0\r\n\r\n"))
        let response = try send("GET", responder.url())
        #expect(response.head.headers.first("X-A") == "one two")
        #expect(response.head.headers.first("X-Empty") == "")
        #expect(response.head.headers.count == 3)
    }

    @Test("an empty header value is sent")
    func emptyValue() throws {
        let responder = try Responder(.text(""))
        _ = try send("GET", responder.url(), headers: [HTTPField("X-Empty", "")])
        #expect(responder.requests.first?.headers.values(of: "X-Empty") == [""])
    }

    @Test("T-13 Proxy-Authorization never reaches the server")
    func proxyAuthorization() throws {
        let responder = try Responder(.text(""))
        _ = try send("GET", responder.url(), headers: [HTTPField("proxy-authorization", "Basic eDp5")])
        #expect(responder.requests.first?.headers.first("Proxy-Authorization") == nil)
    }

    @Test("the path is sent as it is written")
    func path() throws {
        let responder = try Responder(.text(""))
        _ = try send("GET", responder.url("/a/../b/%7e;x?y=/../z"))
        #expect(responder.requests.first?.target == "/a/../b/%7e;x?y=/../z")
    }
}
