import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("listen")
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

    @Test("the page of oap listen may have its style and nothing else: the policy names the digest of that style")
    func policy() throws {
        let listening = try Listening()
        let page = try listening.send("GET", listening.path + listening.query)
        let style = try #require(page.firstMatch(of: /<style>((?s).*)<\/style>/)).output.1
        let judge = "openssl dgst -sha256 -binary | openssl base64"
        let digest = try Program.shell(judge, input: .text(String(style))).run().expect(status: 0).text.dropLast()
        #expect(page.contains("Content-Security-Policy: default-src 'none'; style-src 'sha256-\(digest)'\r\n"))
        try listening.program.finish().expect(status: 0)
    }

    /// What may come before the redirect, and how it is answered.
    struct Disturbance: Sendable, CustomTestStringConvertible {
        var name: String
        var status: Int
        var method = "GET"
        var target = "PATH?QUERY"
        var fields = ["Host: HOST"]
        var content = ""
        var testDescription: String { name }

        /// The text with the listener's own values in it.
        func filled(_ text: String, for listening: Listening) -> String {
            text.replacing("PATH?QUERY", with: listening.path + listening.query)
                .replacing("PATH", with: listening.path).replacing("STATE", with: listening.state)
                .replacing("BEGINNING", with: listening.state.dropLast())
                .replacing("HOST", with: "127.0.0.1:\(listening.port)").replacing("PORT", with: "\(listening.port)")
        }
    }

    static let disturbances = [
        Disturbance(name: "an icon", status: 404, target: "/favicon.ico"),
        Disturbance(name: "the root", status: 404, target: "/?code=x&state=STATE"),
        Disturbance(name: "a longer path", status: 404, target: "PATH/?code=x&state=STATE"),
        Disturbance(name: "an encoded path", status: 404, target: "/%63allback?code=x&state=STATE"),
        Disturbance(name: "no state", status: 400, target: "PATH?code=x"),
        Disturbance(name: "another state", status: 400, target: "PATH?code=x&state=bad"),
        Disturbance(name: "an empty state", status: 400, target: "PATH?code=x&state="),
        Disturbance(name: "the beginning of the state", status: 400, target: "PATH?code=x&state=BEGINNING"),
        Disturbance(name: "more than the state", status: 400, target: "PATH?code=x&state=STATEx"),
        Disturbance(name: "half a state", status: 400, target: "PATH?code=x&xstate=STATE"),
        Disturbance(name: "a forged error", status: 400, target: "PATH?error=access_denied"),
        Disturbance(name: "a forged error with a state", status: 400, target: "PATH?error=access_denied&state=bad"),
        Disturbance(name: "a state in the fragment", status: 400, target: "PATH?code=x#state=STATE"),
        Disturbance(name: "HEAD", status: 405, method: "HEAD"),
        Disturbance(name: "POST", status: 405, method: "POST", fields: ["Host: HOST", "Content-Length: 0"]),
        Disturbance(name: "PUT", status: 405, method: "PUT", fields: ["Host: HOST", "Content-Length: 0"]),
        Disturbance(
            name: "a preflight for private networks", status: 405, method: "OPTIONS",
            fields: [
                "Host: HOST", "Origin: https://evil.example", "Access-Control-Request-Method: GET",
                "Access-Control-Request-Private-Network: true",
            ]),
        Disturbance(name: "a prefetch", status: 403, fields: ["Host: HOST", "Sec-Purpose: prefetch;prerender"]),
        Disturbance(name: "an old prefetch", status: 403, fields: ["Host: HOST", "Purpose: prefetch"]),
        Disturbance(name: "a preview", status: 403, fields: ["Host: HOST", "X-Purpose: preview"]),
        Disturbance(name: "another host", status: 400, fields: ["Host: evil.example:PORT"]),
        Disturbance(name: "localhost", status: 400, fields: ["Host: localhost:PORT"]),
        Disturbance(name: "another port", status: 400, fields: ["Host: 127.0.0.1"]),
        Disturbance(name: "no host", status: 400, fields: ["Accept: */*"]),
        Disturbance(name: "two hosts", status: 400, fields: ["Host: HOST", "Host: HOST"]),
        Disturbance(
            name: "another host in the target", status: 400, target: "http://evil.example:PORT/callback?state=STATE"),
        Disturbance(
            name: "64 KiB of header", status: 431,
            fields: ["Host: HOST", "X: \(String(repeating: "x", count: 64 << 10))"]),
        Disturbance(name: "64 KiB of target", status: 414, target: "PATH?\(String(repeating: "x", count: 64 << 10))"),
        Disturbance(
            name: "a body", status: 413, method: "POST",
            fields: ["Host: HOST", "Content-Length: 70000"], content: String(repeating: "x", count: 70_000)),
    ]

    @Test("oap listen is not disturbed by what else a browser or an attacker sends", arguments: disturbances)
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

    @Test(
        "oap listen prefers a redirect to that of a program that does not wait for the page: nobody knows whose it was")
    func gone() throws {
        let listening = try Listening()
        listening.program.send(signal: SIGSTOP)
        var connection: RawConnection? = try RawConnection(port: listening.port)
        try connection?.send(
            "GET \(listening.path)?code=stolen&state=\(listening.state) HTTP/1.1\r\n"
                + "Host: 127.0.0.1:\(listening.port)\r\n\r\n")
        connection = nil
        listening.program.send(signal: SIGCONT)
        _ = try listening.program.errorLine { $0.contains("warning: a program that has ended sent a response") }
        try listening.finish()
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
        #expect(try listening.send("GET", listening.path + listening.query).hasPrefix("HTTP/1.1 405 "))
        #expect(try post(body, type: "text/plain").hasPrefix("HTTP/1.1 400 "))
        #expect(try post("code=x&state=bad").hasPrefix("HTTP/1.1 400 "))
        #expect(try post(body, type: "application/x-www-form-urlencoded; charset=utf-8").contains("Answer received"))
        let flow = try listening.program.finish().expect(status: 0).object()
        #expect(flow["callback_body"]?.string == body)
        let code = try Program.oap(["callback-parse"], input: flow.input).run().expect(status: 0).object()
        #expect(code["code"] == "a b/c")
    }

    @Test("oap listen uses less than 16 MiB of memory, whatever it is sent")
    func memory() throws {
        #if DEBUG
            let limit = 24  // here the Swift runtime is a library, and larger
        #else
            let limit = 16
        #endif
        let listening = try Listening()
        for disturbance in Self.disturbances {
            _ = try listening.send(disturbance.method, disturbance.target, content: disturbance.content)
        }
        let size = 32 << 20
        let fields = ["Host: 127.0.0.1:\(listening.port)", "Content-Length: \(size)"]
        let content = String(repeating: "x", count: size)
        #expect(try listening.send("POST", listening.path, fields, content: content).hasPrefix("HTTP/1.1 413 "))
        let status = try String(contentsOfFile: "/proc/\(listening.program.process)/status", encoding: .utf8)
        let peak = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let kibibytes = try #require(Int(peak.filter(\.isNumber)))
        #expect(kibibytes < limit << 10, "\(peak)")
        try listening.finish()
    }
}
