import Foundation
import Loopback
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("The loopback server")
struct LoopbackServerTests {
    private static let close = "Host: a\r\nConnection: close\r\n\r\n"

    @Test("the loopback server hands over method, target, header and body as they were sent")
    func request() throws {
        let seen = Mutex<LoopbackRequest?>(nil)
        let server = try ServedLoopback { request in
            seen.withLock { $0 = request }
            return .text("ok")
        }
        let answer = try RawConnection.exchange(
            "POST /a%20b?x=%2B&y=+ HTTP/1.1\r\nHost: h:1\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 5\r\n"
                + "Connection: close\r\n\r\nab\0cd", port: server.port)
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\nok"))
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == "POST" && request.target == "/a%20b?x=%2B&y=+")
        #expect(request.path == "/a%20b" && request.query == "x=%2B&y=+" && request.authority == "h:1")
        #expect(request.headers.values(of: "X-A") == ["1", "2"])
        #expect(request.body == Array("ab\0cd".utf8))
    }

    @Test("the loopback server takes an absolute target apart, whose authority beats the Host field")
    func absoluteTarget() throws {
        let server = try ServedLoopback { .text("\($0.path) \($0.query ?? "-") \($0.authority ?? "-")") }
        let answer = try RawConnection.exchange(
            "GET http://localhost:99/p?q HTTP/1.1\r\n" + Self.close, port: server.port)
        #expect(answer.hasSuffix("/p q localhost:99"))
    }

    @Test("the loopback server keeps a connection for further requests, and closes it where the answer says so")
    func keepAlive() throws {
        let server = try ServedLoopback { request in
            var response = LoopbackResponse.text("<\(request.path)>")
            response.closes = request.path == "/2"
            return response
        }
        let connection = try RawConnection(port: server.port)
        try connection.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(!(try connection.read(until: "</1>").contains("Connection: close")))
        try connection.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        let last = try connection.readToEnd()
        #expect(last.hasSuffix("</2>") && last.contains("Connection: close\r\n"))
    }

    @Test(
        "the loopback server answers what breaks a limit or the syntax by itself, and goes on",
        arguments: [431, 413, 414, 400])
    func limits(status: Int) throws {
        let server = try ServedLoopback { _ in .text("handled") }
        let request =
            switch status {
            case 431: "GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 64 << 10))\r\n" + Self.close
            case 414: "GET /\(String(repeating: "x", count: 64 << 10)) HTTP/1.1\r\n" + Self.close
            case 413: "POST / HTTP/1.1\r\nContent-Length: 65537\r\n" + Self.close + String(repeating: "x", count: 65537)
            default: "GET /\u{e9} HTTP/1.1\r\n" + Self.close
            }
        let answer = try RawConnection.exchange(request, port: server.port)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(!answer.contains("handled"))
        let next = try RawConnection.exchange("GET / HTTP/1.1\r\n" + Self.close, port: server.port)
        #expect(next.hasSuffix("handled"))
    }

    @Test("the loopback server takes a header and a body up to the limit")
    func withinLimits() throws {
        let server = try ServedLoopback { .text("\($0.headers.count) \($0.body.count)") }
        let fields = (0..<300).map { "X-\($0): \(String(repeating: "v", count: 40))\r\n" }.joined()
        let body = "Content-Length: 65536\r\n" + Self.close + String(repeating: "x", count: 65536)
        let answer = try RawConnection.exchange("POST / HTTP/1.1\r\n\(fields)\(body)", port: server.port)
        #expect(answer.hasSuffix("303 65536"), "\(answer)")
    }

    @Test("the loopback server takes request line and header up to the last byte of the limit, and none more")
    func headerLimit() throws {
        let server = try ServedLoopback { _ in .text("handled") }
        for excess in [0, 1] {
            let frame = "GET / HTTP/1.1\r\nX: \r\n" + Self.close
            let value = String(repeating: "x", count: LoopbackLimits().headerBytes + excess - frame.utf8.count)
            let answer = try RawConnection.exchange(
                "GET / HTTP/1.1\r\nX: \(value)\r\n" + Self.close, port: server.port)
            #expect(answer.hasPrefix(excess == 0 ? "HTTP/1.1 200 " : "HTTP/1.1 431 "), "\(answer)")
        }
    }

    @Test("the loopback server refuses a body in chunks that is too large, and takes one that is not")
    func chunks() throws {
        let server = try ServedLoopback { .text("\($0.body.count)") }
        let head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + Self.close
        let chunk = "8000\r\n\(String(repeating: "x", count: 0x8000))\r\n"
        let small = try RawConnection.exchange(head + chunk + "0\r\n\r\n", port: server.port)
        #expect(small.hasSuffix("\r\n\r\n32768"))
        let large = try RawConnection.exchange(head + chunk + chunk + chunk + "0\r\n\r\n", port: server.port)
        #expect(large.hasPrefix("HTTP/1.1 413 "))
    }

    @Test("the loopback server gives up connections that are silent, stay half or drip, and serves others meanwhile")
    func slowness() throws {
        var limits = LoopbackLimits()
        limits.time = .seconds(1)
        let server = try ServedLoopback(limits: limits) { _ in .text("ok") }
        let silent = try RawConnection(port: server.port)
        let half = try RawConnection(port: server.port)
        try half.send("GET / HTTP/1.1\r\nHost:")
        let dripping = try RawConnection(port: server.port)
        try dripping.send("GET / HTTP/1.1\r\n")
        let answer = try RawConnection.exchange("GET / HTTP/1.1\r\n" + Self.close, port: server.port)
        #expect(answer.hasSuffix("ok"))
        // Each byte would start an idle timer anew; the time for the whole request runs on.
        #expect(throws: RawConnection.Failure.self) {
            for _ in 0..<200 {
                try dripping.send("X")
                usleep(50_000)
            }
        }
        #expect(!(try silent.readToEnd().contains("200")))
        #expect(!(try half.readToEnd().contains("200")))
    }

    @Test(
        "the loopback server serves again when all the connections that it may have were silent ones",
        arguments: [4, 5, 12])
    func full(count: Int) throws {
        var limits = LoopbackLimits()
        limits.connections = 4
        limits.time = .seconds(1)
        let server = try ServedLoopback(limits: limits) { _ in .text("ok") }
        let silent = try (0..<count).map { _ in try RawConnection(port: server.port) }
        for connection in silent { #expect(!(try connection.readToEnd().contains("200"))) }
        let answer = try RawConnection.exchange("GET / HTTP/1.1\r\n" + Self.close, port: server.port)
        #expect(answer.hasSuffix("ok"))
    }

    @Test("the loopback server lets a connection wait while it has as many as it may have")
    func waiting() throws {
        var limits = LoopbackLimits()
        limits.connections = 4
        limits.time = .seconds(30)
        let seen = Mutex<[String]>([])
        let server = try ServedLoopback(limits: limits) { request in
            seen.withLock { $0.append(request.path) }
            return .text("<\(request.path)>")
        }
        var held = try (0..<4).map { _ in try RawConnection(port: server.port) }
        func ask(_ connection: RawConnection, _ path: String) throws {
            try connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try connection.read(until: "<\(path)>")
        }
        for connection in held { try ask(connection, "/held") }
        let next = try RawConnection(port: server.port)
        try next.send("GET /next HTTP/1.1\r\n" + Self.close)
        // Many turns of the server, in any of which it would serve the next.
        for _ in 0..<20 { try ask(held[0], "/held") }
        #expect(seen.withLock { $0 } == [String](repeating: "/held", count: 24))
        held.removeLast()
        #expect(try next.readToEnd().hasSuffix("</next>"))
    }

    @Test("the loopback server breaks a connection off without a byte")
    func reset() throws {
        let server = try ServedLoopback {
            $0.path == "/reset" ? LoopbackResponse(status: 500, body: .reset) : .text("ok")
        }
        #expect(throws: RawConnection.Failure(call: "recv", code: ECONNRESET)) {
            _ = try RawConnection.exchange("GET /reset HTTP/1.1\r\n" + Self.close, port: server.port)
        }
        let next = try RawConnection.exchange("GET / HTTP/1.1\r\n" + Self.close, port: server.port)
        #expect(next.hasSuffix("ok"))
    }

    @Test("the loopback server answers others while an answer waits")
    func delay() throws {
        let server = try ServedLoopback { request in
            var response = LoopbackResponse.text(request.path)
            if request.path == "/later" { response.delay = .milliseconds(300) }
            return response
        }
        let begin = ContinuousClock.now
        let slow = try RawConnection(port: server.port)
        try slow.send("GET /later HTTP/1.1\r\n" + Self.close)
        let fast = try RawConnection.exchange("GET /now HTTP/1.1\r\n" + Self.close, port: server.port)
        #expect(fast.hasSuffix("/now"))
        #expect(try slow.readToEnd().hasSuffix("/later"))
        #expect(ContinuousClock.now - begin >= .milliseconds(300))
    }

    @Test(
        "the loopback server sends content piece by piece, with and without a length, with pauses, whole or truncated")
    func generated() throws {
        let server = try ServedLoopback { request in
            var left = 3
            var pauses = true
            let length = request.path == "/chunks" ? nil : request.path == "/whole" ? 300_000 : 300_001
            return LoopbackResponse(
                status: 200,
                body: .generated(length: length) {
                    pauses.toggle()
                    guard pauses else { return .pause(.milliseconds(20)) }
                    left -= 1
                    return left < 0 ? .end : .bytes([UInt8](repeating: 0x78, count: 100_000))
                })
        }
        let whole = try RawConnection.exchange("GET /whole HTTP/1.1\r\n" + Self.close, port: server.port)
        #expect(whole.contains("Content-Length: 300000\r\n") && whole.filter { $0 == "x" }.count == 300_000)
        let chunks = try RawConnection.exchange("GET /chunks HTTP/1.1\r\n" + Self.close, port: server.port)
        #expect(chunks.contains("Transfer-Encoding: chunked\r\n") && chunks.hasSuffix("\r\n0\r\n\r\n"))
        let truncated = try RawConnection.exchange("GET /short HTTP/1.1\r\n" + Self.close, port: server.port)
        #expect(truncated.contains("Content-Length: 300001\r\n") && truncated.filter { $0 == "x" }.count == 300_000)
    }

    @Test("the loopback server survives clients that leave while an answer waits or is sent, and a stop meanwhile")
    func leaving() throws {
        let server = try ServedLoopback { request in
            var response = LoopbackResponse(
                status: 200, body: .generated(length: nil) { .bytes([UInt8](repeating: 0x78, count: 65536)) })
            if request.path == "/wait" { response.delay = .milliseconds(10) }
            if request.path == "/ever" { response.delay = .seconds(1000) }
            return response.status == 200 && request.path == "/ok" ? .text("ok") : response
        }
        for path in ["/endless", "/wait", "/wait", "/endless"] {
            let connection = try RawConnection(port: server.port)
            try connection.send("GET \(path) HTTP/1.1\r\n" + Self.close)
            if path == "/endless" { _ = try connection.read(until: "xxx") }
        }
        let ever = try RawConnection(port: server.port)
        try ever.send("GET /ever HTTP/1.1\r\n" + Self.close)
        let next = try RawConnection.exchange("GET /ok HTTP/1.1\r\n" + Self.close, port: server.port)
        #expect(next.hasSuffix("ok"))
        server.stop()
        #expect(throws: RawConnection.Failure(call: "connect", code: ECONNREFUSED)) {
            _ = try RawConnection(port: server.port)
        }
    }

    @Test("the loopback server ends with the last answer, which arrives whole though other connections are open")
    func lastAnswer() throws {
        let server = try ServedLoopback { _ in
            var response = LoopbackResponse.text(String(repeating: "x", count: 1 << 20))
            response.isLast = true
            return response
        }
        let idle = try (0..<20).map { _ in try RawConnection(port: server.port) }
        // More than the request is sent, and never read: the port must not close over it.
        let connection = try RawConnection(port: server.port)
        try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n" + String(repeating: "y", count: 400_000))
        let answer = try connection.readToEnd()
        #expect(answer.filter { $0 == "x" }.count == 1 << 20 && answer.contains("Connection: close\r\n"))
        server.waitForEnd()
        #expect(!connection.isBroken)
        withExtendedLifetime(idle) {}
        #expect(throws: RawConnection.Failure(call: "connect", code: ECONNREFUSED)) {
            _ = try RawConnection(port: server.port)
        }
    }

    @Test("the loopback server listens on both families of localhost at one port, or on one where that is asked")
    func families() throws {
        let both = try ServedLoopback(addresses: [.ipv4, .ipv6]) { _ in .text("ok") }
        for isIPv6 in [false, true] {
            let answer = try RawConnection.exchange(
                "GET / HTTP/1.1\r\n" + Self.close, port: both.port, isIPv6: isIPv6)
            #expect(answer.hasSuffix("ok"))
        }
        let one = try ServedLoopback(addresses: [.ipv6]) { _ in .text("ok") }
        #expect(throws: RawConnection.Failure.self) { _ = try RawConnection(port: one.port) }
        _ = try RawConnection(port: one.port, isIPv6: true)
        let all = try ServedLoopback(addresses: [try #require(LoopbackAddress(anywhere: "::"))]) { _ in .text("ok") }
        #expect(throws: RawConnection.Failure.self) { _ = try RawConnection(port: all.port) }
        _ = try RawConnection(port: all.port, isIPv6: true)
    }

    @Test("the loopback server says which port is taken, and takes it once it is free")
    func taken() throws {
        let server = try ServedLoopback { _ in .text("ok") }
        let port = server.port
        #expect(throws: LoopbackError.portTaken(address: "127.0.0.1", port: port)) {
            try LoopbackServer(addresses: [.ipv4], port: port) { _ in .text("unused") }
        }
        _ = try RawConnection.exchange("GET / HTTP/1.1\r\n" + Self.close, port: port)
        server.stop()
        let next = try LoopbackServer(addresses: [.ipv4], port: port) { _ in .text("unused") }
        #expect(next.run(for: .zero) == .timedOut)
    }

    @Test(
        "the loopback server takes for loopback what is beyond doubt",
        arguments: [
            ("127.0.0.1", true), ("127.8.9.10", true), ("::1", true), ("127.1", false), ("0.0.0.0", false),
            ("localhost", false), ("::ffff:127.0.0.1", false), ("192.0.2.1", false), ("", false), ("::", false),
        ])
    func addresses(text: String, isLoopback: Bool) {
        #expect((LoopbackAddress(loopback: text) != nil) == isLoopback)
    }
}
