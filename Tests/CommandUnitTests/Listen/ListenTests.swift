import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("listen", .inProcess)
struct ListenTests {
    @Test("oap listen takes the redirect, shows a page that nothing can be put into, and passes the flow on")
    func redirect() throws {
        let listening = try Listening(try Listening.flow(["--param", "x=1"]).with(["number": .number("1.10")]))
        let page = try listening.send("GET", listening.path + listening.query)
        let fields = page.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
        #expect(fields[0] == "HTTP/1.1 200 OK")
        for field in [
            "Content-Type: text/html; charset=utf-8", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
            "Connection: close",
        ] { #expect(fields.contains(field)) }
        let policy = try #require(fields.first { $0.hasPrefix("Content-Security-Policy: ") })
        #expect(policy.hasPrefix("Content-Security-Policy: default-src 'none'; style-src 'sha256-"))
        #expect(page.hasSuffix("</html>\n") && !page.contains("<script") && !page.contains("http://"))
        #expect(!page.contains("the-code") && !page.contains(listening.state))
        let result = try listening.program.finish().expect(status: 0)
        let expected = listening.flow.with(["callback_url": .string(listening.redirect)])
        result.expect(output: JSON.object(expected).text + "\n")
        let code = try Program.oap(["callback-parse"], input: expected.input).run().expect(status: 0).object()
        #expect(code["code"] == "the-code" && code["authorization_url"] == nil)
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: listening.port) }
    }

    @Test("oap listen is not disturbed by what else a browser or an attacker sends", arguments: Disturbance.all)
    func disturbance(_ disturbance: Disturbance) throws {
        let listening = try Listening()
        let answer = try listening.send(
            disturbance.method, disturbance.filled(disturbance.target, for: listening),
            disturbance.fields.map { disturbance.filled($0, for: listening) }, content: disturbance.content)
        #expect(answer.hasPrefix("HTTP/1.1 \(disturbance.status) "), "\(answer)")
        #expect(!answer.contains("Answer received") && !answer.contains(listening.state))
        try listening.finish()
    }

    @Test("oap listen is not disturbed by connections that say nothing, say half, or come twenty at once")
    func connections() throws {
        let listening = try Listening()
        let silent = try (0..<20).map { _ in try RawConnection(port: listening.port) }
        let half = try RawConnection(port: listening.port)
        try half.send("GET \(listening.path)\(listening.query) HTTP/1.1\r\nHost: 127.0.0.1")
        let garbage = try RawConnection(port: listening.port)
        try garbage.send("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}")
        for connection in silent.prefix(10) { try connection.send("GET /favicon.ico HTTP/1.1\r\nHost: x\r\n\r\n") }
        for connection in silent.prefix(10) { _ = try connection.readToEnd() }
        let start = ContinuousClock.now
        try listening.finish()
        #expect(ContinuousClock.now - start < .seconds(4), "it waited for connections that bring nothing")
        withExtendedLifetime((silent, half, garbage)) {}
    }

    @Test("oap listen takes the first of many redirects, and no second")
    func twice() throws {
        let listening = try Listening()
        let connections = try (0..<10).map { _ in try RawConnection(port: listening.port) }
        for (number, connection) in connections.enumerated() {
            try connection.send(
                "GET \(listening.path)?code=\(number)&state=\(listening.state) HTTP/1.1\r\n"
                    + "Host: 127.0.0.1:\(listening.port)\r\n\r\n")
        }
        let answers = connections.map { (try? $0.readToEnd()) ?? "" }
        let winners = answers.indices.filter { answers[$0].hasPrefix("HTTP/1.1 200 ") }
        #expect(winners.count == 1)
        for answer in answers where !answer.isEmpty && !answer.contains("Answer received") {
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("Another sign-in"))
        }
        let url = try listening.program.finish().expect(status: 0).object()["callback_url"]?.string
        #expect(url?.contains("code=\(winners.first ?? -1)&") == true)
    }

    @Test("oap listen speaks of no success where the redirect brings no code, or an error beside it")
    func nothing() throws {
        let both = try Listening()
        let refusal = try both.send("GET", both.path + both.query + "&error=access_denied")
        #expect(refusal.contains("Not signed in") && !refusal.contains("Answer received"))
        try both.program.finish().expect(status: 0)
        let listening = try Listening()
        let page = try listening.send("GET", "\(listening.path)?state=\(listening.state)")
        #expect(page.contains("Not signed in"))
        let flow = try listening.program.finish().expect(status: 0).object()
        try Program.oap(["callback-parse"], input: flow.input).run().expect(status: 10)
    }

    @Test("oap listen takes an error with the right state, says so in the browser and repeats nothing of it")
    func refusal() throws {
        let listening = try Listening()
        let page = try listening.send(
            "GET", "\(listening.path)?error=%3Cscript%3E&error_description=bad%E9&state=\(listening.state)")
        #expect(page.hasPrefix("HTTP/1.1 200 ") && page.contains("Not signed in"))
        #expect(!page.contains("script") && !page.contains("%3C"))
        let flow = try listening.program.finish().expect(status: 0).object()
        #expect(flow["callback_url"]?.string?.contains("error_description=bad%E9") == true)
        let denied = listening.flow.with([
            "callback_url": .string(listening.redirect.replacing("code=the-code", with: "error=access_denied"))
        ])
        try Program.oap(["callback-parse"], input: denied.input).run().expect(status: 4)
    }

    @Test("oap listen takes a form in the mode form_post, and nothing else")
    func formPost() throws {
        let listening = try Listening(try Listening.flow(["--response-mode", "form_post"]))
        func post(_ content: String, type: String = "application/x-www-form-urlencoded") throws -> String {
            try listening.send(
                "POST", listening.path,
                [
                    "Host: 127.0.0.1:\(listening.port)", "Origin: https://as.example", "Content-Type: \(type)",
                    "Content-Length: \(content.utf8.count)",
                ], content: content)
        }
        let body = "code=a+b%2Fc&state=\(listening.state)"
        let refusal = try listening.send("GET", listening.path + listening.query)
        #expect(refusal.hasPrefix("HTTP/1.1 405 "))
        #expect(refusal.contains("\r\nAllow: POST\r\n"))
        #expect(try post(body, type: "text/plain").hasPrefix("HTTP/1.1 400 "))
        #expect(try post("code=x&state=bad").hasPrefix("HTTP/1.1 400 "))
        #expect(try post(body, type: "application/x-www-form-urlencoded; charset=utf-8").contains("Answer received"))
        let flow = try listening.program.finish().expect(status: 0).object()
        #expect(flow["callback_body"]?.string == body)
        let code = try Program.oap(["callback-parse"], input: flow.input).run().expect(status: 0).object()
        #expect(code["code"] == "a b/c")
    }
}
