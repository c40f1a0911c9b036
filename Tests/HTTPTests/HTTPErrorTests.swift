import Foundation
@testable import HTTP
import TestSupport
import Testing
import Wire

@Suite("HTTP errors")
struct HTTPErrorTests {
    private func failure(
        _ url: String, method: String = "GET", headers: [HTTPField] = [], body: [UInt8]? = nil,
        options: TransportOptions = TransportOptions()
    ) throws -> HTTPError {
        let client = try HTTPClient(options: options)
        return try #require(
            #expect(throws: HTTPError.self) {
                try client.send(
                    HTTPRequest(method: method, url: url, headers: headers, body: body), maximumBody: 1 << 20)
            })
    }

    @Test("T-01 plain http is refused before anything is looked up, and the query is not repeated")
    func insecure() throws {
        for host in [
            "as.example", "localhost.example", "127.1", "0.0.0.0", "2130706433", "[::2]", "[::ffff:127.0.0.1]",
        ] {
            let error = try failure("http://\(host)/token?code=secret")
            #expect(error == .insecureTransport(url: "http://\(host)/token"))
            #expect(!error.requestSent)
        }
    }

    @Test(
        "what is not a URL for a request is refused, without its query and its user information",
        arguments: [
            ("", ""), ("/relative?x=secret", "/relative"), ("ftp://a.example/", "ftp://a.example/"),
            ("https://", "https://"), ("https://u:secret@a.example/", "…@a.example/"),
            ("https://a.example/a b?secret", "https://a.example/a b"), ("file:///etc/passwd", "file:///etc/passwd"),
        ])
    func invalidURL(url: String, shown: String) throws { #expect(try failure(url) == .invalidURL(shown)) }

    @Test("T-12 a method or header that would break out of its line is refused")
    func injection() throws {
        let url = "http://127.0.0.1:1/"
        #expect(
            try failure(url, method: "GET / HTTP/1.1\r\nX")
                == .invalidRequest("not an HTTP method: GET / HTTP/1.1\\x0d\\x0aX"))
        #expect(try failure(url, method: "") == .invalidRequest("not an HTTP method: "))
        for end in ["\r\n", "\r", "\n", "\u{0}", "\n\u{301}"] {
            #expect(
                try failure(url, headers: [HTTPField("X-A", "b\(end)X-C: d")])
                    == .invalidRequest("the header X-A has a line end or NUL in its value"))
        }
        #expect(
            try failure(url, headers: [HTTPField("X-A: b", "c")]) == .invalidRequest("not a header name: X-A: b"))
        #expect(try failure(url, method: "HEAD", body: [1]) == .invalidRequest("a HEAD request cannot have content"))
    }

    @Test("a refused connection names host and port, and nothing was sent")
    func refused() throws {
        let responder = try Responder()
        responder.stop()
        let error = try failure(responder.url("/?code=secret"), method: "POST", body: [1])
        #expect(
            error
                == .network(
                    stage: .connect, message: "connection to 127.0.0.1 port \(responder.port) refused",
                    requestSent: false))
        #expect(!error.requestSent)
    }

    @Test(
        "the user information of a proxy is never quoted, whether or not the proxy is a URL",
        arguments: [
            "http://user:PASS@127.0.0.1:99999", "foo://user:PASS@127.0.0.1", "http://us er:PASS@127.0.0.1:1",
            "us er:PASS@127.0.0.1:1", "http://user:PA@SS@127.0.0.1:99999", "user:http://PASS@127.0.0.1:99999",
            "http://user:PASS@127.0.0.1:1/@", "http://\(String(repeating: "PASS", count: 100))@127.0.0.1:99999",
            "http://PASS@[::1", "http://user:PASS@127.0.0.1:1", "http://user:PASS@[",
        ])
    func proxyPassword(proxy: String) throws {
        var options = TransportOptions()
        options.route.proxy = proxy
        let error = try failure("https://as.invalid/", options: options)
        for part in ["PASS", "PA", "SS"] { #expect(!error.message.contains(part), "\(error.message)") }
    }

    @Test("a proxy that does not exist is a failure of DNS, said once")
    func unknownProxy() throws {
        var options = TransportOptions()
        options.route.proxy = "http://proxy.invalid:1"
        let error = try failure("https://as.invalid/", options: options)
        #expect(
            error
                == .network(stage: .dns, message: "could not resolve the proxy proxy.invalid", requestSent: false))
    }

    @Test("a proxy that is no URL is no failure of DNS", arguments: ["http://u:a b@127.0.0.1:1", "foo://127.0.0.1"])
    func noProxy(proxy: String) throws {
        var options = TransportOptions()
        options.route.proxy = proxy
        let error = try failure("https://as.invalid/", options: options)
        #expect(error == .invalidRequest("the proxy has no URL of a proxy"))
    }

    @Test("a host that does not exist is a failure of DNS")
    func unknownHost() throws {
        let error = try failure("https://as.invalid/")
        #expect(
            error == .network(stage: .dns, message: "could not resolve host as.invalid", requestSent: false))
    }

    @Test("a connection that ends without an answer may have carried the request out", arguments: ["GET", "POST"])
    func noAnswer(method: String) throws {
        let responder = try Responder(.close)
        #expect(
            try failure(responder.url(), method: method)
                == .network(
                    stage: .read,
                    message: "127.0.0.1 port \(responder.port) closed the connection without a response",
                    requestSent: true))
    }

    @Test("a connection that breaks may have carried the request out")
    func reset() throws {
        let responder = try Responder(.reset)
        let error = try failure(responder.url(), method: "POST", body: [1])
        guard case .network(.read, let message, true) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(message.hasPrefix("connection to 127.0.0.1 port \(responder.port) broke: "))
    }

    @Test("an answer that is cut off is a failure")
    func truncated() throws {
        let responder = try Responder(.truncated("abc", promised: 10))
        let error = try failure(responder.url())
        guard case .network(.read, let message, true) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(message.hasPrefix("the response of 127.0.0.1 port \(responder.port) was cut off"))
    }

    @Test("a chunked answer that is cut off is a failure")
    func truncatedChunks() throws {
        let responder = try Responder(
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab").then(.close))
        guard case .network(.read, _, true) = try failure(responder.url()) else {
            Issue.record("not a failure of reading")
            return
        }
    }

    @Test(
        "what is not HTTP, or breaks its own coding, is a malformed response",
        arguments: [
            "SSH-2.0-OpenSSH_9\r\n\r\n", "HTTP/1.1 200 OK\r\nno field\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX: y\r\n",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
        ])
    func malformed(answer: String) throws {
        let responder = try Responder(.raw(answer).then(.close))
        let error = try failure(responder.url())
        guard case .malformedResponse = error else {
            Issue.record("\(error)")
            return
        }
        #expect(error.requestSent)
    }

    @Test("T-09 no answer within the time is a timeout, and the request was sent")
    func timeout() throws {
        let gate = Responder.Gate()
        defer { gate.open() }
        let responder = try Responder(.text("late").after(gate))
        var options = TransportOptions()
        options.maximumTime = 0.3
        guard case .network(.timeout, _, true) = try failure(responder.url(), options: options) else {
            Issue.record("not a timeout")
            return
        }
    }

    /// A socket that listens on a free port of 127.0.0.1, and its address.
    private static func listener(backlog: Int32) -> (descriptor: Int32, address: sockaddr_in) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #expect(bind(listener, $0, length) == 0 && listen(listener, backlog) == 0)
                getsockname(listener, $0, &length)
            }
        }
        return (listener, address)
    }

    @Test("T-09 a connection that is not made within the time is a timeout, and nothing was sent")
    func connectTimeout() throws {
        // A listener whose queue is full answers no further connection.
        var (listener, address) = Self.listener(backlog: 0)
        defer { close(listener) }
        var waiting: [Int32] = []
        defer { waiting.forEach { close($0) } }
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                for _ in 0..<4 {
                    waiting.append(socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0))
                    connect(waiting[waiting.count - 1], $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var options = TransportOptions()
        options.connectTimeout = 0.1
        let error = try failure("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/", options: options)
        guard case .network(.timeout, _, false) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("a connection that is closed in place of a TLS handshake is called that, without OpenSSL's own words")
    func closedHandshake() throws {
        let (listener, address) = Self.listener(backlog: 1)
        defer { close(listener) }
        Thread.detachNewThread {
            let peer = accept(listener, nil, nil)
            var byte: UInt8 = 0
            recv(peer, &byte, 1, 0)
            close(peer)
        }
        let error = try failure("https://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")
        guard case .network(.tls, let message, false) = error else {
            Issue.record("\(error)")
            return
        }
        let reason = "it closed the connection during the handshake; if the server uses plain http, its URL begins with"
        #expect(message.contains(": \(reason) http://"), "\(message)")
    }

    @Test("X-03 a POST is not sent again by itself when a kept connection breaks, a GET is")
    func noSilentRepeat() throws {
        let responder = try Responder(.text("1"), .close, .text("3"), .close, .text("5"))
        let client = try HTTPClient(options: TransportOptions())
        func send(_ method: String, _ headers: [HTTPField] = []) throws -> HTTPResponse {
            try client.send(HTTPRequest(method: method, url: responder.url(), headers: headers), maximumBody: 100)
        }
        _ = try send("GET")
        #expect(try send("GET").body == Array("3".utf8))
        #expect(responder.requests.count == 3)
        let error = #expect(throws: HTTPError.self) { try send("POST") }
        #expect(
            error
                == .network(
                    stage: .stale,
                    message: "127.0.0.1 port \(responder.port) closed the connection without a response",
                    requestSent: true))
        #expect(responder.requests.count == 4)
    }

    @Test("a GET with a proof that serves once is not sent again by itself")
    func noSilentRepeatOfProofs() throws {
        let responder = try Responder(.text("1"), .close, .text("3"))
        let client = try HTTPClient(options: TransportOptions())
        let request = HTTPRequest(method: "GET", url: responder.url(), headers: [HTTPField("dpop", "proof")])
        _ = try client.send(request, maximumBody: 100)
        #expect(throws: HTTPError.self) { try client.send(request, maximumBody: 100) }
        #expect(responder.requests.count == 2)
    }

    @Test("a client serves on after a failure")
    func recovers() throws {
        let responder = try Responder(.reset, .text("ok"))
        let client = try HTTPClient(options: TransportOptions())
        let request = HTTPRequest(method: "POST", url: responder.url())
        #expect(throws: HTTPError.self) { try client.send(request, maximumBody: 100) }
        #expect(try client.send(request, maximumBody: 100).body == Array("ok".utf8))
    }

    @Test("without a file of its own, certificates that cannot be read are those of the system")
    func noAuthorities() throws {
        let error = TransferFailure(
            code: .init(77), detail: "", systemError: 0, proxyStatus: 0, requestSent: false,
            hasHead: false, isConnectionKept: false, target: try RequestTarget("https://a.example/"),
            options: TransportOptions()
        ).error
        #expect(error.message == "the certificates of the system: there are none")
    }

    @Test("control characters in what libcurl quotes are escaped in the message, whatever broke")
    func controls() throws {
        // CURLE_COULDNT_CONNECT, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_WRITE_ERROR
        for code in [7, 56, 18, 23] as [UInt32] {
            let error = TransferFailure(
                code: .init(code), detail: "x\u{1B}[2J\ny", systemError: 0, proxyStatus: 0, requestSent: true,
                hasHead: false, isConnectionKept: false, target: try RequestTarget("https://a.example/"),
                options: TransportOptions()
            ).error
            #expect(error.message.hasSuffix("x\\x1b[2J\\x0ay"), "\(error.message)")
        }
    }

    @Test(
        "every message is for people: lower case, no full stop",
        arguments: [
            HTTPError.invalidURL("x"), .invalidRequest("not an HTTP method: x"),
            .insecureTransport(url: "http://a.example/"),
            .tooLarge(limit: 5), .aborted, .file(path: "/x", message: "no such file"),
        ])
    func messages(error: HTTPError) {
        #expect(!error.message.hasSuffix("."))
        #expect(error.message.first?.isUppercase == false)
    }
}
