import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Redirects of call", .inProcess)
struct CallRedirectTests {
    private func call(_ options: [String], _ responder: Responder) throws -> ProgramResult {
        try Program.oap(["call", "/x"] + options, input: responder.token.input).run()
    }

    @Test("redirects of oap call within the origin keep the token", arguments: [301, 302, 303, 307, 308])
    func sameOrigin(status: Int) throws {
        let responder = try Responder(.redirect(status, to: "/y?a=b"), .text("there"))
        try call(["-H", "X-Key: k"], responder).expect(status: 0).expect(output: "there").expectSilence()
        #expect(responder.requests.map(\.target) == ["/api/x", "/y?a=b"])
        #expect(responder.requests.last?.headers.first("Authorization") == "Bearer old-access")
        #expect(responder.requests.last?.headers.first("X-Key") == "k")
    }

    @Test("CD-02 redirects of oap call to another port carry no credential, and none to a third one")
    func otherOrigin() throws {
        let third = try Responder(.text("there"))
        let second = try Responder(.redirect(302, to: third.url("/z")))
        let first = try Responder(.redirect(307, to: second.url("/y")))
        try call(["-H", "X-Key: k", "-H", "Cookie: c", "-H", "Accept: text/x", "-A", "me"], first)
            .expect(status: 0).expect(output: "there")
        for (responder, target) in [(second, "/y"), (third, "/z")] {
            let expected = [
                "GET \(target) HTTP/1.1", "Host: 127.0.0.1:\(responder.port)", "Accept: text/x", "User-Agent: me",
            ]
            #expect(responder.requests.map(\.lines) == [expected])
        }
    }

    @Test("CD-02 redirects of oap call that came back to the first origin stay without credentials")
    func back() throws {
        let home = Mutex("")
        let other = try Responder { _ in .redirect(302, to: home.withLock { $0 }) }
        let responder = try Responder { request in
            request.target == "/home" ? .text("home") : .redirect(302, to: other.url("/away"))
        }
        home.withLock { $0 = responder.url("/home") }
        try call([], responder).expect(status: 0).expect(output: "home")
        #expect(responder.requests.map { $0.headers.first("Authorization") } == ["Bearer old-access", nil])
    }

    @Test("CD-02 redirects of oap call to another origin stop with --no-cross-origin, and nothing goes there")
    func noCrossOrigin() throws {
        let other = try Responder(.text("no"))
        let responder = try Responder(.redirect(302, to: other.url("/y")), .redirect(302, to: "/y"), .text("same"))
        try call(["--no-cross-origin"], responder).expect(status: 9).expect(output: "")
        try call(["--no-cross-origin"], responder).expect(status: 0).expect(output: "same")
        #expect(other.connectionCount == 0)
    }

    @Test(
        "CD-04 redirects of oap call become GET where HTTP says so, and keep method and body where it does not",
        arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func method(status: Int, expected: String) throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("the body", to: "body")
        for options in [["-d", "the body"], ["--input", file]] {
            let responder = try Responder(.redirect(status, to: "/y"), .text("ok"))
            try call(options, responder).expect(status: 0)
            let last = try #require(responder.requests.last)
            #expect(last.method == expected && last.bodyText == (expected == "GET" ? "" : "the body"))
            #expect((last.headers.first("Content-Type") == nil) == (expected == "GET"))
        }
    }

    @Test("CD-04 redirects of oap call never take a body to another origin")
    func body() throws {
        let other = try Responder(.text("no"))
        for status in [307, 308] {
            let responder = try Responder(.redirect(status, to: other.url()))
            try call(["-d", "the body"], responder).expect(status: 9).expect(output: "")
        }
        #expect(other.connectionCount == 0)
    }

    @Test("CA-11 a redirect that wants content of a pipe again gets it, up to 16 MiB; beyond that it is exit 7")
    func pipe() throws {
        let responder = try Responder(.redirect(307, to: "/y"), .text("there"))
        func call(_ content: Program.Input) throws -> ProgramResult {
            try Program.oap(
                ["call", "-n", responder.url("/x"), "--input", "-"], input: content,
                environment: ["OAP_ACCESS_TOKEN": "t"]
            ).run()
        }
        try call(.text("body")).expect(status: 0).expect(output: "there")
        #expect(responder.requests.map(\.bodyText) == ["body", "body"])
        let refusing = try Responder(.redirect(307, to: "/y"), .text("no"))
        let large = Program.Input.bytes([UInt8](repeating: 0x20, count: (16 << 20) + 1))
        let result = try Program.oap(
            ["call", "-n", refusing.url("/x"), "--input", "-"], input: large, environment: ["OAP_ACCESS_TOKEN": "t"]
        ).run().expect(status: 7)
        #expect(result.errorText.contains("too large to keep"))
        #expect(refusing.requests.count == 1)
    }

    @Test("CD-01 redirects of oap call that go round end after ten")
    func loop() throws {
        let responder = try Responder { _ in .redirect(302, to: "/again") }
        try call([], responder).expect(status: 9).expect(output: "")
        #expect(responder.requests.count == 11)
    }

    @Test(
        "CD-03 redirects of oap call to where no token may go are exit 9",
        arguments: [
            "http://api.example/", "ftp://127.0.0.1/", "file:///etc/passwd", "http://u:p@127.0.0.1/", "http://[::1",
            "javascript:1",
        ])
    func refused(location: String) throws {
        let responder = try Responder(.redirect(302, to: location))
        try call([], responder).expect(status: 9).expect(output: "")
    }

    @Test(
        "CD-05 redirects without a location, 300 and 304 are the answer of oap call", arguments: [300, 304, 302, 399])
    func answers(status: Int) throws {
        let responder = try Responder(.text("here", status: status))
        try call(["-q", "$status"], responder).expect(status: status == 304 ? 0 : 10)
    }

    @Test("redirects of oap call leave nothing of themselves in the output")
    func content() throws {
        let redirect = Responder.Reply.json(#"{"not":"this"}"#, status: 302, headers: ["Location: /y"])
        for options in [[], ["-c", "-q", "."], ["-o", "-"]] {
            let responder = try Responder(redirect, .json(#"{"this":1}"#))
            let result = try call(options, responder).expect(status: 0)
            #expect(result.text.hasPrefix(#"{"this":1}"#), "\(result)")
        }
        let responder = try Responder(redirect, .text("x"))
        #expect(try call(["-i"], responder).text.hasPrefix("HTTP/1.1 200"))
    }

    @Test("redirects of oap call are counted in $url")
    func url() throws {
        let responder = try Responder(.redirect(302, to: "/y"), .json("{}"))
        try call(["-rq", "$url"], responder).expect(output: responder.url("/y") + "\n")
    }
}
