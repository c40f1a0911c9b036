import Foundation
@testable import HTTP
import Redaction
import TestSupport
import Testing
@testable import Wire

@Suite("Trace")
struct TraceTests {
    private func trace(
        _ request: HTTPRequest, secrets: [String] = [], showsContent: Bool = false, answer: Responder.Reply
    ) throws -> [String] {
        let responder = try Responder(answer)
        var lines: [String] = []
        let trace = Trace(redactor: Redactor(secrets: secrets), showsContent: showsContent) { lines.append($0) }
        var options = TransportOptions()
        options.compressed = false
        var request = request
        request.url = responder.url(request.url)
        _ = try HTTPClient(options: options, trace: trace).send(request, maximumBody: 1000)
        return lines.map { $0.replacingOccurrences(of: "\(responder.port)", with: "PORT") }
    }

    @Test("K-20 heads are shown as curl shows them, contents are not")
    func heads() throws {
        let lines = try trace(
            HTTPRequest(method: "POST", url: "/token", headers: [HTTPField("X-A", "b")], body: Array("content".utf8)),
            answer: .text("answer"))
        #expect(
            lines.filter { !$0.hasPrefix("*") } == [
                "> POST /token HTTP/1.1", "> Host: 127.0.0.1:PORT", "> User-Agent: oap", "> X-A: b",
                "> Content-Length: 7", ">", "< HTTP/1.1 200 Status", "< Content-Length: 6",
                "< Content-Type: text/plain", "<",
            ])
        let notes = lines.filter { $0.hasPrefix("*") }
        #expect(notes.first == "*   Trying 127.0.0.1:PORT...")
        // libcurl 7 has the first wording, libcurl 8 the second.
        let wordings = ["* Connected to 127.0.0.1 (127.0.0.1", "* Established connection to 127.0.0.1 (127.0.0.1"]
        #expect(notes.contains { note in wordings.contains { note.hasPrefix($0) } })
        #expect(notes.last?.hasPrefix("* Connection #0 to host 127.0.0.1") ?? false)
        #expect(notes.last?.hasSuffix(" left intact") ?? false)
        #expect(!lines.contains { $0.contains("content\n") || $0.contains("answer") })
    }

    @Test("E-04 secrets are masked wherever they stand")
    func secrets() throws {
        let lines = try trace(
            HTTPRequest(
                method: "GET", url: "/cb?code=c0de&x=hunter2",
                headers: [HTTPField("Authorization", "Bearer abc.def"), HTTPField("X-Other", "-hunter2-")]),
            secrets: ["hunter2"],
            answer: .text("", headers: ["Set-Cookie: sid=1", "Location: /?access_token=t0k", "X-Echo: aHVudGVyMg=="]))
        for line in [
            "> GET /cb?code=***&x=*** HTTP/1.1", "> Authorization: Bearer ***", "> X-Other: -***-",
            "< Set-Cookie: ***", "< Location: /?access_token=***", "< X-Echo: ***==",
        ] {
            #expect(lines.contains(line), "\(line) is not among \(lines)")
        }
    }

    @Test("contents are shown without what is a credential by its name or form, though nobody knows it as a secret yet")
    func contents() throws {
        let lines = try trace(
            HTTPRequest(
                method: "POST", url: "/token", body: Array("grant_type=password&username=me&password=hush1".utf8)),
            showsContent: true,
            answer: .json(#"{"access_token":"hush2","n":{"refresh_token":"hush3"},"id":"eyJh.hush4.x","x":"shown"}"#))
        #expect(lines.contains("} grant_type=password&username=me&password=***"), "\(lines)")
        #expect(
            lines.contains(#"{ {"access_token":"***","n":{"refresh_token":"***"},"id":"***","x":"shown"}"#), "\(lines)")
        #expect(!lines.contains { $0.contains("hush") })
    }

    @Test("a secret in a line of libcurl is masked")
    func notes() throws {
        let lines = try trace(HTTPRequest(method: "GET", url: "/"), secrets: ["127.0.0.1"], answer: .text(""))
        #expect(lines.contains("*   Trying ***:PORT..."), "\(lines)")
        #expect(!lines.contains { $0.contains("127.0.0.1") }, "\(lines)")
    }

    @Test("a field that is a credential is masked however badly its line is made")
    func malformedFields() throws {
        let lines = try trace(
            HTTPRequest(method: "GET", url: "/"),
            answer: .text(
                "",
                headers: [
                    "Set-Cookie : s1", "Set-Cookie\t:s2", "Set-Cookie:\ts3", "Set-Cookie: a;", " s4", "\ts5: b",
                    "X-B : c",
                ]))
        let shown = lines.filter { $0.hasPrefix("< ") && !$0.hasPrefix("< Content-") && !$0.hasPrefix("< HTTP/") }
        #expect(!shown.contains { line in (1...5).contains { line.contains("s\($0)") } })
        #expect(shown.filter { $0.hasPrefix("< Set-Cookie: ***") }.count == 4)
        #expect(shown.contains("< X-B: c"))
    }

    @Test("control characters of the server reach no terminal")
    func controls() throws {
        let lines = try trace(
            HTTPRequest(method: "GET", url: "/"), answer: .text("", headers: ["X-A: \u{1B}[2J\u{9B}x"]))
        #expect(lines.contains("< X-A: \\x1b[2J\\x9bx"))
    }

    @Test("a head that is reported in pieces has the same lines as in one, wherever it is cut")
    func pieces() {
        let head = Array(
            "GET /?code=c0de HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer abc.def.ghi\r\nX-A: b\r\n\r\n".utf8)
        func lines(_ pieces: [ArraySlice<UInt8>]) -> [String] {
            var lines: [String] = []
            let trace = Trace(redactor: Redactor()) { lines.append($0) }
            for piece in pieces { Array(piece).withUnsafeBytes { trace.showSent($0) } }
            return lines
        }
        let whole = lines([head[...]])
        #expect(
            whole == ["> GET /?code=*** HTTP/1.1", "> Host: a", "> Authorization: Bearer ***", "> X-A: b", ">"])
        for cut in 0...head.count {
            #expect(lines([head[..<cut], head[cut...]]) == whole, "cut at \(cut)")
            for second in stride(from: cut, through: head.count, by: 7) {
                #expect(lines([head[..<cut], head[cut..<second], head[second...]]) == whole, "\(cut), \(second)")
            }
        }
    }

    @Test("a token longer than libcurl reports at once is masked to its end, over TLS too")
    func longToken() throws {
        let peer = try TLSPeer()
        var lines: [String] = []
        let trace = Trace(redactor: Redactor()) { lines.append($0) }
        let query = String(repeating: "a", count: 65_340)
        _ = try HTTPClient(options: peer.trusting, trace: trace).send(
            HTTPRequest(
                method: "GET", url: peer.url() + "?" + query,
                headers: [HTTPField("Authorization", "Bearer " + String(repeating: "Z", count: 403))]),
            maximumBody: 1 << 20)
        #expect(lines.contains("> Authorization: Bearer ***"))
        #expect(!lines.contains { $0.contains("ZZ") })
    }

    @Test("a line of marks that begin a parameter takes no time", .timeLimit(.minutes(1)))
    func longLine() throws {
        for mark in ["?", "?code=", "://", "\"", "\"\":", "%", "a"] {
            var lines: [String] = []
            let trace = Trace(redactor: Redactor(secrets: ["hunter2"])) { lines.append($0) }
            let field = "X-A: " + String(repeating: mark, count: 100_000 / mark.count) + "\r\n"
            let start = ContinuousClock.now
            Array(field.utf8).withUnsafeBytes { trace.showSent($0) }
            #expect(ContinuousClock.now - start < .seconds(5), "\(mark)")
            #expect(lines.count == 1 && lines.allSatisfy { $0.utf8.count < 17_000 && $0.hasSuffix("…") })
        }
    }

    @Test("a TLS connection says what it checked, and repeats no header in other words")
    func tls() throws {
        let peer = try TLSPeer()
        var lines: [String] = []
        let trace = Trace(redactor: Redactor()) { lines.append($0) }
        _ = try HTTPClient(options: peer.trusting, trace: trace).send(
            HTTPRequest(method: "GET", url: peer.url(), headers: [HTTPField("Authorization", "Bearer abc")]),
            maximumBody: 10_000)
        #expect(lines.contains { $0.hasPrefix("* SSL connection using TLSv1.") })
        #expect(lines.contains { $0.contains("SSL certificate verif") })
        #expect(!lines.contains { $0.contains("abc") || $0.contains("TLS handshake") })
    }
}
