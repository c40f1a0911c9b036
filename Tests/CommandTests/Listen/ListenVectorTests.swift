import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("listen, by the vectors")
struct ListenVectorTests {
    @Test("L-01 to L-09 listen: oap listen does what the case expects", arguments: try VectorGroup("listen").cases)
    func vectors(vector: VectorCase) throws {
        switch vector.id {
        case "favicon", "other-path", "bad-state", "error-without-state", "post-not-asked", "head":
            try refused(vector)
        case "error-with-state", "good", "xss": try accepted(vector)
        case "after-good": try once(vector)
        case "post-form_post": try form(vector)
        case "host-header": try otherHost(vector)
        case "page-headers": try headers(vector)
        case "bind": try bind()
        case "idle-connection": try idle()
        case "slow-headers": try largeHeader()
        case "timeout": try timeout()
        case "sigint": try interrupted()
        default: Issue.record("no test for \(vector)")
        }
    }

    /// The case's request for a listener: `/cb` is its path, `st-1` its state. `/` alone is the short address of the login
    /// page, so another path takes its place.
    private func request(_ vector: VectorCase, _ listening: Listening) throws -> (method: String, target: String) {
        let words = try #require(vector["request"]?.string).split(separator: " ").filter { $0 != "second" }
        let path = words[1] == "/" ? "/other" : words[1]
        let target = path.replacing("/cb", with: listening.path).replacing("st-1", with: listening.state)
        return (String(words[0]), String(target))
    }

    /// The status with which the case's expectation begins.
    private func status(_ vector: VectorCase) throws -> String {
        String(try #require(vector["expect"]?.string).prefix { $0.isNumber })
    }

    private func refused(_ vector: VectorCase) throws {
        let listening = try Listening()
        let request = try request(vector, listening)
        let fields = ["Host: 127.0.0.1:\(listening.port)"] + (request.method == "POST" ? ["Content-Length: 0"] : [])
        let answer = try listening.send(request.method, request.target, fields)
        #expect(try answer.hasPrefix("HTTP/1.1 \(status(vector)) "), "\(answer)")
        try listening.finish()
    }

    private func accepted(_ vector: VectorCase) throws {
        let listening = try Listening()
        let request = try request(vector, listening)
        let page = try listening.send(request.method, request.target)
        #expect(page.hasPrefix("HTTP/1.1 200 ") && !page.contains("script") && !page.contains("%3C"))
        let flow = try listening.program.finish().expect(status: 0).object()
        #expect(flow["callback_url"]?.string?.hasSuffix(request.target) == true)
        guard vector.id != "good" else { return }
        let denied = try Program.oap(["callback-parse"], input: flow.input).run()
        guard vector.id == "error-with-state" else { return }
        #expect(try denied.expect(status: 4).object()["error"] == "access_denied")
    }

    private func once(_ vector: VectorCase) throws {
        let listening = try Listening()
        try listening.send("GET", listening.path + listening.query)
        let second = try? listening.send("GET", try request(vector, listening).target)
        if let second, !second.isEmpty { #expect(second.hasPrefix("HTTP/1.1 400 "), "\(second)") }
        let flow = try listening.program.finish().expect(status: 0).object()
        #expect(flow["callback_url"]?.string == listening.redirect)
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: listening.port) }
    }

    private func form(_ vector: VectorCase) throws {
        for mode in ["query", "form_post"] {
            let listening = try Listening(try Listening.flow(["--response-mode", mode]))
            let body = String(listening.query.dropFirst())
            let fields = [
                "Host: 127.0.0.1:\(listening.port)", "Content-Type: application/x-www-form-urlencoded",
                "Content-Length: \(body.utf8.count)",
            ]
            let answer = try listening.send("POST", listening.path, fields, content: body)
            if mode == "query" {
                #expect(answer.hasPrefix("HTTP/1.1 405 "))
                try listening.finish()
            } else {
                #expect(answer.hasPrefix("HTTP/1.1 200 "))
                let flow = try listening.program.finish().expect(status: 0).object()
                #expect(flow["callback_body"]?.string == body)
            }
        }
    }

    private func otherHost(_ vector: VectorCase) throws {
        let listening = try Listening()
        let field = try #require(vector["request"]?.string).replacing("51004", with: "\(listening.port)")
        let answer = try listening.send("GET", listening.path + listening.query, [field])
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        try listening.finish()
    }

    private func headers(_ vector: VectorCase) throws {
        let listening = try Listening()
        let page = try listening.send("GET", listening.path + listening.query)
        let fields = page.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
        for field in try #require(vector["expect"]?.strings) {
            let isPolicy = field.hasPrefix("Content-Security-Policy")
            #expect(fields.contains { $0 == field || (isPolicy && $0.hasPrefix(field + "; style-src '")) }, "\(field)")
        }
        try listening.program.finish().expect(status: 0)
    }

    private func bind() throws {
        let listening = try Listening(try Listening.flow(["--redirect-uri", "http://127.0.0.1:0/cb"]))
        #expect(listening.port > 0 && listening.path == "/cb")
        // The sockets of the process, by the kernel's table: only 127.0.0.1 (0100007F) and ::1 may be there.
        let sockets = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(listening.program.process)/fd")
            .compactMap {
                try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(listening.program.process)/fd/\($0)")
            }
        var addresses: [String] = []
        for table in ["tcp", "tcp6"] {
            let lines = (try? String(contentsOfFile: "/proc/net/\(table)", encoding: .utf8)) ?? ""
            for line in lines.split(separator: "\n").dropFirst() {
                let words = line.split(separator: " ")
                if words[3] == "0A", sockets.contains("socket:[\(words[9])]") { addresses.append(String(words[1])) }
            }
        }
        let port = String(listening.port, radix: 16, uppercase: true)
        let hexadecimal = String(repeating: "0", count: 4 - port.count) + port
        #expect(addresses == ["0100007F:\(hexadecimal)"])
        try listening.finish()
    }

    private func idle() throws {
        let listening = try Listening()
        let silent = try (0..<4).map { _ in try RawConnection(port: listening.port) }
        let start = ContinuousClock.now
        try listening.finish()
        #expect(ContinuousClock.now - start < .seconds(4), "it waited for a connection that says nothing")
        withExtendedLifetime(silent) {}
    }

    private func largeHeader() throws {
        let listening = try Listening()
        let slow = try RawConnection(port: listening.port)
        try slow.send("GET \(listening.path)\(listening.query) HTTP/1.1\r\n")
        let large = "X: \(String(repeating: "x", count: 16 << 10))"
        let answer = try listening.send(
            "GET", listening.path + listening.query, ["Host: 127.0.0.1:\(listening.port)", large])
        #expect(answer.hasPrefix("HTTP/1.1 431 "), "\(answer.prefix(100))")
        // It ends by itself, long before the minutes that oap listen waits for a person.
        #expect(try slow.readToEnd().hasPrefix("HTTP/1.1 200 ") == false)
        try listening.finish()
    }

    private func timeout() throws {
        let listening = try Listening(nil, ["--timeout", "0.2"])
        #expect(try listening.program.finish().expect(status: 6).object()["error"] == "timeout")
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: listening.port) }
    }

    private func interrupted() throws {
        let listening = try Listening()
        listening.program.send(signal: SIGINT)
        // A shell shows a death by SIGINT as 130.
        try listening.program.finish().expect(signal: SIGINT)
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: listening.port) }
    }
}
