import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("The request of call", .inProcess)
struct CallRequestTests {
    /// Runs a call, and gives back what the API saw.
    private func request(_ options: [String], document more: JSONObject = [:]) throws -> Responder.Request {
        let responder = try Responder(.text("ok"))
        let result = try Program.oap(["call", "/x"] + options, input: responder.token.with(more).input).run()
            .expect(status: 0).expect(output: options.contains("HEAD") ? "" : "ok")
        // A file in a field is sent otherwise than by curl, and that is said.
        if !zip(options, options.dropFirst()).contains(where: { $0 == "-F" && $1.contains("=@") }) {
            result.expectSilence()
        }
        return try #require(responder.requests.first)
    }

    @Test("CA-01 the request of oap call carries the token, and what curl sends by itself")
    func plain() throws {
        let request = try request([])
        #expect(request.lines.first == "GET /api/x HTTP/1.1")
        #expect(request.lines.dropFirst(2) == ["Authorization: Bearer old-access", "Accept: */*"])
        #expect(request.headers.first("User-Agent")?.hasPrefix("oap/") == true)
        #expect(request.headers.first("Accept-Encoding")?.contains("gzip") == true)
    }

    @Test(
        "the request of oap call has the method that is asked for, else GET, or POST with a body",
        arguments: [
            (["-X", "DELETE"], "DELETE"), (["-X", "HEAD"], "HEAD"), (["-XPATCH", "-d", "a"], "PATCH"),
            (["-d", "a"], "POST"),
            (["-d", "a", "-G"], "GET"), (["-f", "a=b", "-X", "GET"], "GET"), (["-X", "REPORT"], "REPORT"),
            (["--fail", "-sSL"], "GET"),
        ])
    func method(options: [String], expected: String) throws {
        #expect(try request(options).method == expected)
    }

    @Test(
        "the request of oap call has the body and the label that curl would send",
        arguments: [
            (["-d", "a=1", "-d", "b=2"], "a=1&b=2", "application/x-www-form-urlencoded"),
            (["-d", "@FILE"], "onetwo", "application/x-www-form-urlencoded"),
            (["--data-binary", "@FILE"], "one\r\ntwo\n", "application/x-www-form-urlencoded"),
            (["--data-raw", "@FILE"], "@FILE", "application/x-www-form-urlencoded"),
            (["--data-urlencode", "a=b c&"], "a=b%20c%26", "application/x-www-form-urlencoded"),
            (["--data-urlencode", "=x y"], "x%20y", "application/x-www-form-urlencoded"),
            (["--data-urlencode", "n@FILE"], "n=one%0D%0Atwo%0A", "application/x-www-form-urlencoded"),
            (["-d", ""], "", "application/x-www-form-urlencoded"),
            (["--json", #"{"a":"#, "--json", "1}"], #"{"a":1}"#, "application/json"),
            (["-d", "<x/>", "-H", "Content-Type: text/xml"], "<x/>", "text/xml"),
            (["-d", "x", "-H", "Content-Type:"], "x", nil),
            (["--input", "FILE"], "one\r\ntwo\n", "application/json; charset=utf-8"),
            (["-X", "POST"], "", nil),
        ] as [([String], String, String?)])
    func body(options: [String], expected: String, type: String?) throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("one\r\ntwo\n", to: "file")
        let isRaw = options.first == "--data-raw"
        let request = try request(options.map { isRaw ? $0 : $0.replacing("FILE", with: file) })
        #expect(request.bodyText == expected)
        #expect(request.headers.first("Content-Type") == type)
        #expect(request.headers.first("Content-Length") == String(expected.utf8.count))
        #expect(request.headers.first("Accept") == (type == "application/json" ? "application/json" : "*/*"))
    }

    @Test(
        "the request of oap call has the JSON that gh would make of fields",
        arguments: [
            (
                ["-f", "a=1", "-F", "b=1", "-F", "c=true", "-F", "d=null", "-F", "e=x"],
                #"{"a":"1","b":1,"c":true,"d":null,"e":"x"}"#
            ),
            (["-f", "a[b]=1", "-f", "a[c][d]=2"], #"{"a":{"b":"1","c":{"d":"2"}}}"#),
            (["-f", "a[]=1", "-F", "a[]=2"], #"{"a":["1",2]}"#),
            (["-f", "a[][x]=1", "-f", "a[][y]=2", "-f", "a[][x]=3"], #"{"a":[{"x":"1","y":"2"},{"x":"3"}]}"#),
            (["-F", "a[]", "-f", "b[c][]"], #"{"a":[],"b":{"c":[]}}"#),
            (["-f", "a[]", "-f", "a[]=1"], #"{"a":["1"]}"#),
            (["-F", "a=@FILE"], #"{"a":"text\n"}"#), (["-f", "a=@FILE"], #"{"a":"@FILE"}"#),
            (["-f", "a=b=c"], #"{"a":"b=c"}"#),
            (["-F", "a=1.5", "-F", "b=01", "-F", "c=-7"], #"{"a":"1.5","b":"01","c":-7}"#),
        ])
    func fields(options: [String], expected: String) throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("text\n", to: "file")
        let request = try request(options.map { $0.replacing("=@FILE", with: "=@\(file)") })
        #expect(request.bodyText == expected.replacing("\"@FILE\"", with: "\"@\(file)\""))
        #expect(request.method == "POST" && request.headers.first("Content-Type") == "application/json; charset=utf-8")
    }

    @Test(
        "the request of oap call has the query that the options add",
        arguments: [
            ("/x?q=1", ["--query", "a b=c&d", "--query", "e="], "/api/x?q=1&a+b=c%26d&e="),
            ("/x", ["-G", "-d", "a=1", "--data-urlencode", "b=c d"], "/api/x?a=1&b=c%20d"),
            ("/x", ["-X", "GET", "-f", "a[b]=c", "-F", "d=null", "-F", "e[]"], "/api/x?a%5Bb%5D=c&d="),
            ("/x#part", ["--query", "a=b"], "/api/x?a=b"), ("/ä/../y", [], "/api/%C3%A4/../y"),
            ("/x?a=%2F+", [], "/api/x?a=%2F+"),
        ])
    func query(target: String, options: [String], expected: String) throws {
        let responder = try Responder(.text("ok"))
        try Program.oap(["call", target] + options, input: responder.token.input).run().expect(status: 0)
        #expect(responder.requests.first?.target == expected)
    }

    @Test("the request of oap call joins a path to api_base with one slash, and takes a whole URL as it is")
    func base() throws {
        for (base, expected) in [("", "/x"), ("/", "/x"), ("/v1", "/v1/x"), ("/v1/", "/v1/x")] {
            let responder = try Responder(.text("ok"), .text("ok"))
            let document = responder.token.with(["api_base": .string(responder.url(base))])
            try Program.oap(["call", "/x"], input: document.input).run().expect(status: 0)
            try Program.oap(["call", responder.url("/whole")], input: document.input).run().expect(status: 0)
            #expect(responder.requests.map(\.target) == [expected, "/whole"])
        }
    }

    @Test("the request of oap call has the fields of -H, of files and of the document, and leaves out what they remove")
    func headers() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("X-C: 3\r\nX-D: 4\n\n", to: "headers")
        let request = try request(
            [
                "-H", "X-A: 1", "-H", "X-A: 2", "-H", "X-B;", "-H", "@\(file)", "-H", "X-Preset:", "-A", "me/1", "-H",
                "accept: text/x",
            ],
            document: ["api_headers": .object(["X-Preset": "p", "X-Kept": "k", "Accept": "text/y"])])
        #expect(
            request.lines.dropFirst(2) == [
                "Authorization: Bearer old-access", "X-Kept: k", "X-A: 1", "X-A: 2", "X-B:", "X-C: 3", "X-D: 4",
                "accept: text/x", "User-Agent: me/1",
            ])
    }

    @Test("the request of oap call leaves out what the transport sends by itself when -H says so")
    func removal() throws {
        let request = try request(["-H", "User-Agent:", "-H", "Accept:", "-H", "accept-encoding:"])
        #expect(request.headers.map(\.name) == ["Host", "Authorization"])
    }

    @Test("the request of oap call has the scheme of the token, or the API's own")
    func scheme() throws {
        #expect(
            try request([], document: ["token_type": "bearer"]).headers.first("Authorization") == "Bearer old-access")
        #expect(try request(["--authorization-scheme", "token"]).headers.first("Authorization") == "token old-access")
    }

    @Test("the request of oap call has the body from standard input with -n")
    func standardInput() throws {
        for options in [["-d", "@-"], ["--input", "-"], ["--json", "@-"]] {
            let responder = try Responder(.text("ok"))
            try Program.oap(
                ["call", "-n", responder.url()] + options, input: .text("the body"),
                environment: ["OAP_ACCESS_TOKEN": "t"]
            ).run().expect(status: 0)
            #expect(responder.requests.first?.bodyText == "the body")
        }
    }

    @Test(
        "standard input that holds the document is no part of the request of oap call",
        arguments: [
            ["-d", "@-"], ["--json", "@-"], ["--data-urlencode", "a@-"], ["--input", "-"], ["-T", "-"],
            ["--form", "a=@-"], ["--form", "a=<-"],
        ])
    func takenInput(options: [String]) throws {
        let responder = try Responder(.text("no"))
        let result = try Program.oap(["call", responder.url()] + options, input: responder.token.input).run()
        result.expect(status: 2)
        #expect(result.errorText.contains("standard input holds the document"), "\(result)")
        #expect(responder.requests.isEmpty)
    }

    @Test(
        "the request of oap call is not sent where the token may not go",
        arguments: [
            ("http://api.example/", 9), ("http://127.0.0.1.evil.example/", 9), ("http://127.1/", 9),
            ("ftp://127.0.0.1/", 2),
            ("http://user:hunter2@127.0.0.1/", 2), ("https:///x", 2), ("x", 2), ("", 2), ("http://127.0.0.1:99999/", 2),
            ("https://a b/", 2), ("//127.0.0.1/x", 0),
        ])
    func target(url: String, status: Int) throws {
        let responder = try Responder(.text("ok"))
        let result = try Program.oap(["call", url], input: responder.token.input).run()
        result.expect(status: status).expect(nowhere: "hunter2")
        #expect(responder.requests.map(\.target) == (status == 0 ? ["/api//127.0.0.1/x"] : []))
    }

    @Test(
        "a request of oap call is not sent with a field that carries the token already, in whatever spelling",
        arguments: ["Authorization", "authorization", "DPoP", "dpop", "X-Token"])
    func credentialFields(name: String) throws {
        let responder = try Responder(.text("no"))
        let ways: [([String], JSONObject)] = [
            (["-H", "\(name): x"], [:]), ([], ["api_headers": .object([name: "x"])]),
        ]
        for (options, more) in ways {
            let document = responder.token.with(["authorization_header": "X-Token"]).with(more)
            try Program.oap(["call", "/x"] + options, input: document.input).run()
                .expect(status: options.isEmpty ? 3 : 2).expect(output: "")
        }
        #expect(responder.connectionCount == 0)
    }

    @Test("-H cannot say where the content ends, which would make a second request of the rest")
    func framing() throws {
        let responder = try Responder(.text("no"))
        for field in ["Content-Length: 2", "transfer-encoding: chunked", "Connection;"] {
            let result = try Program.oap(["call", "/x", "-d", "abc", "-H", field], input: responder.token.input).run()
            #expect(result.expect(status: 2).errorText.contains("-H cannot set"), "\(field)")
        }
        #expect(responder.connectionCount == 0)
        try Program.oap(["call", "/x", "-d", "abc", "-H", "Expect:"], input: responder.token.input).run()
            .expect(status: 0)
    }

    @Test(
        "a request of oap call is not sent with a control character in a field",
        arguments: ["\u{1}", "\u{7F}", "\u{1F}", "\u{B}"])
    func controlsInFields(control: String) throws {
        let responder = try Responder(.text("no"))
        try Program.oap(["call", "/x", "-H", "X-A: a\(control)b"], input: responder.token.input).run()
            .expect(status: 2).expect(errorLine: "oap: call: -H X-A: a control character cannot be sent")
        let document = responder.token.with(["api_headers": .object(["X-A": .string("a\(control)b")])])
        try Program.oap(["call", "/x"], input: document.input).run().expect(status: 3)
        #expect(responder.connectionCount == 0)
    }

    @Test("a request of oap call is not sent to a path behind an api_base with a query: exit 3")
    func baseWithQuery() throws {
        let responder = try Responder(.text("no"))
        let document = responder.token.with(["api_base": .string(responder.url("/api?a=b"))])
        try Program.oap(["call", "/x"], input: document.input).run().expect(status: 3)
            .expect(errorLine: "oap: call: api_base has a query")
        try Program.oap(["call", "/x", "--api-base", responder.url("/?a")], input: responder.token.input).run()
            .expect(status: 3)
        #expect(responder.connectionCount == 0)
    }

    @Test("CA-02 oap call sends nothing without a token, with one that is no bearer token, or a path and no api_base")
    func document() throws {
        try Program.oap(["call", "https://api.example/"], input: .text("{}")).run().expect(status: 3)
        try Program.oap(["call", "https://api.example/"], input: .text(#"{"access_token":"a","token_type":"N_A"}"#))
            .run()
            .expect(status: 9)
        try Program.oap(["call", "https://api.example/"], input: .text(#"{"access_token":"a\r\nX: y"}"#)).run()
            .expect(status: 3)
        try Program.oap(["call", "/x"], input: .text(#"{"access_token":"a"}"#)).run().expect(status: 2)
            .expect(errorLine: "oap: hint: give the whole URL, or --api-base")
    }
}
