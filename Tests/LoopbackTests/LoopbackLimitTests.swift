import Foundation
import Loopback
import Synchronization
import TestSupport
import Testing

@Suite("The limits of the loopback server")
struct LoopbackLimitTests {
    private static let close = "Host: a\r\nConnection: close\r\n\r\n"

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
}
