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

    @Test("the loopback server tells of a connection that brings no request, and of no other")
    func unheard() throws {
        let count = Mutex(0)
        let server = try ServedLoopback(unheard: { count.withLock { $0 += 1 } }) { _ in .text("ok") }
        do { _ = try RawConnection(port: server.port) }
        let end = ContinuousClock.now + .seconds(5)
        while count.withLock(\.self) == 0, ContinuousClock.now < end { usleep(1000) }
        _ = try RawConnection.exchange("GET / HTTP/1.1\r\n" + Self.close, port: server.port)
        server.stop()
        #expect(count.withLock(\.self) == 1)
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

    @Test("the loopback server gives each request of a connection its own body")
    func bodies() throws {
        let server = try ServedLoopback { .text("<\(String(decoding: $0.body, as: UTF8.self))>") }
        let connection = try RawConnection(port: server.port)
        for body in ["first", "second", ""] {
            try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(try connection.read(until: ">").hasSuffix("\r\n\r\n<\(body)>"))
        }
    }

    @Test("the loopback server leaves its listening sockets to no program that is started", arguments: [false, true])
    func inheritance(isIPv6: Bool) throws {
        let server = try ServedLoopback(addresses: [isIPv6 ? .ipv6 : .ipv4]) { _ in .text("ok") }
        let sockets = (0..<Int32(1024)).filter { descriptor in
            var address = sockaddr_in6()
            var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            return withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
            } && Int(UInt16(bigEndian: address.sin6_port)) == server.port
                && address.sin6_family == sa_family_t(isIPv6 ? AF_INET6 : AF_INET)
        }
        #expect(sockets.count == 1)
        for descriptor in sockets { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
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

    @Test("the loopback server closes its port once: a later descriptor, which may have the number, stays open")
    func closedOnce() throws {
        let isOver = Mutex(false)
        let server = try LoopbackServer(addresses: [.ipv4]) { _ in
            var response = LoopbackResponse(
                status: 200,
                body: .generated(length: nil) { isOver.withLock { $0 } ? .end : .pause(.milliseconds(1)) })
            response.isLast = true
            return response
        }
        let connection = try RawConnection(port: server.port)
        try connection.send("GET / HTTP/1.1\r\n" + Self.close)
        while (try? RawConnection(port: server.port)) != nil { _ = server.run(for: .milliseconds(1)) }
        let later = (0..<8).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        defer { for descriptor in later { _ = Foundation.close(descriptor) } }
        _ = server.run(for: .milliseconds(20))
        #expect(later.allSatisfy { fcntl($0, F_GETFD) >= 0 })
        isOver.withLock { $0 = true }
        #expect(server.run())
    }

    @Test("the loopback server holds responses back until each is answered, in any order, and not a closed one")
    func held() throws {
        let count = Mutex(0)
        let server = try LoopbackServer(addresses: [.ipv4]) { request in
            var response = LoopbackResponse.text("not yet", status: 503)
            response.heldAs = Int(request.path.dropFirst())
            count.withLock { $0 += 1 }
            return response
        }
        var connections: [RawConnection] = []
        for number in 1...3 {
            let connection = try RawConnection(port: server.port)
            try connection.send("GET /\(number) HTTP/1.1\r\n" + Self.close)
            connections.append(connection)
            while count.withLock({ $0 }) < number { _ = server.run(for: .seconds(1)) }
        }
        for number in [3, 1, 1, 4] { server.answerHeld(number, with: .text("<\(number)>")) }
        for _ in 0..<20 { #expect(server.run(for: .zero)) }
        #expect(try connections[2].readToEnd().hasSuffix("\r\n\r\n<3>"))
        #expect(try connections[0].readToEnd().hasSuffix("\r\n\r\n<1>"))
        var late = LoopbackResponse.text("<2>")
        (late.delay, late.isLast) = (.milliseconds(50), true)
        let start = ContinuousClock.now
        server.answerHeld(2, with: late)
        #expect(server.run(for: .seconds(60)))
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        #expect(try connections[1].readToEnd().hasSuffix("\r\n\r\n<2>"))
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
        #expect(!next.run(for: .zero))
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
