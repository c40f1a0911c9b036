import Foundation
import TestSupport
import Testing
import Wire

/// What was once wrong, and must not be again.
@Suite("What somebody found wrong once")
struct HardeningTests {
    private let token = #"{"access_token":"SEKRET-token-1","token_type":"Bearer"}"#

    private func exchange(_ responder: Responder, _ arguments: String...) -> Program {
        .oap(
            ["exchange"] + arguments,
            input: .text(
                #"{"client_id":"c","token_endpoint":"\#(responder.url("/"))","code":"C","redirect_uri":"a:/b"}"#))
    }

    private static let issued = #"{"access_token":"at","token_type":"Bearer"}"#

    @Test("a closed standard output is known before the code is spent")
    func closedOutput() throws {
        let responder = try Responder(.json(Self.issued))
        var program = exchange(responder)
        program.output = .closed
        try program.run().expect(status: 11)
        #expect(responder.requests.isEmpty)
    }

    @Test("a name too long for a file is known before the code is spent")
    func longName() throws {
        let responder = try Responder(.json(Self.issued))
        let folder = try TemporaryDirectory()
        try exchange(responder, "-o", folder.path(String(repeating: "a", count: 300))).run().expect(status: 11)
        #expect(responder.requests.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("-o onto a descriptor adds to what is there, as it does for others", arguments: ["/dev/stdout", "/dev/fd/1"])
    func descriptors(path: String) throws {
        let folder = try TemporaryDirectory()
        _ = try folder.write("kept\n", to: "log")
        var program = Program.shell(
            #"oap authurl -n --client-id c --authorization-endpoint https://a/b -o "$OUT" >> log"#)
        program.directory = folder.path
        program.environment["OUT"] = path
        try program.run().expect(status: 0)
        let log = try folder.read("log")
        #expect(log.hasPrefix("kept\n{") && log.hasSuffix("}\n"))
    }

    @Test("a path with a NUL, or an empty one, names no file", arguments: [#""""#, #""a\u0000b""#])
    func badPaths(path: String) throws {
        let document = #"{"client_id":"c","token_endpoint":"https://a/b","client_secret_file":\#(path)}"#
        try Program.oap(["exchange", "--grant", "client_credentials"], input: .text(document)).run().expect(status: 3)
    }

    @Test("a member that is null leaves its place to the variable")
    func nullMember() throws {
        let result = try Program.oap(
            ["authurl", "-q", ".client_id", "-r"],
            input: .text(#"{"client_id":null,"authorization_endpoint":"https://a/b"}"#),
            environment: ["OAP_CLIENT_ID": "x"]
        ).run().expect(status: 0)
        #expect(result.text == "x\n")
    }

    @Test("OAP_CLIENT_ID=true is the client of that name")
    func trueClient() throws {
        let result = try Program.oap(
            ["authurl", "-n", "--authorization-endpoint", "https://a/b", "-q", ".client_id"],
            environment: ["OAP_CLIENT_ID": "true"]
        ).run().expect(status: 0)
        #expect(result.text == "\"true\"\n")
    }

    @Test("the status of an error stays, whatever the filter makes of its body", arguments: [".", ".message|error"])
    func errorStatus(filter: String) throws {
        let responder = try Responder { request in
            request.head.hasPrefix("GET /html")
                ? .content(Array("<html>".utf8), status: 404, type: "text/html")
                : .json(#"{"message":"no"}"#, status: 404)
        }
        for path in ["/html", "/json"] {
            let result = try Program.oap(
                ["call", responder.url(path), "--error-body", "stdout", "-q", filter], input: .text(token)
            ).run().expect(status: 7)
            #expect(result.errorText.contains("404"))
        }
    }

    @Test("-i prints nothing before a filter that does not compile")
    func includeAndFilter() throws {
        let responder = try Responder(.json("{}"))
        let result = try Program.oap(["call", "-i", responder.url("/"), "-q", ".a b("], input: .text(token)).run()
        result.expect(status: 2)
        #expect(result.output.isEmpty && responder.requests.isEmpty)
    }

    @Test("--dry-run takes -o, and notices a filter that does not compile")
    func dryRun() throws {
        let folder = try TemporaryDirectory()
        let file = folder.path("line")
        let arguments = ["call", "https://a.example/", "--dry-run"]
        try Program.oap(arguments + ["-o", file], input: .text(token)).run().expect(status: 0).expect(output: "")
        #expect(try folder.read("line").hasPrefix("curl "))
        try Program.oap(arguments + ["-q", ".bad("], input: .text(token)).run().expect(status: 2)
    }

    @Test("a combining character behind a mark does not hide it")
    func combiningCharacter() throws {
        let responder = try Responder { _ in .text("ok") }
        let value = "\u{301}x"
        for options in [["-f", "n=\(value)"], ["--query", "n=\(value)"], ["--data-urlencode", "n=\(value)"]] {
            try Program.oap(["call", responder.url("/")] + options, input: .text(token)).run().expect(status: 0)
        }
        #expect(responder.requests[0].body == Array(#"{"n":"\#(value)"}"#.utf8))
        #expect(responder.requests[1].head.hasPrefix("GET /?n=%CC%81x "))
        #expect(responder.requests[2].body == Array("n=%CC%81x".utf8))
    }

    @Test(
        "an argument or a variable that is not UTF-8 is refused, not repaired",
        arguments: [
            (#"oap call -n https://a.example/ -d "$(printf 'a=\377')""#, "oap: an argument is not UTF-8"),
            (#"OAP_PROFILE="$(printf '\377')" oap token"#, "oap: token: the variable OAP_PROFILE is not UTF-8"),
        ])
    func invalidText(script: String, line: String) throws {
        try Program.shell(script).run().expect(status: 2).expect(errorLine: line)
    }

    @Test("lines of a header file end at line feeds alone")
    func headerFile() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("X-A: a\u{2028}X-Injected: 1\r\nX-B: b\n", to: "headers")
        let responder = try Responder(.text("ok"))
        try Program.oap(["call", responder.url("/"), "-H", "@\(file)"], input: .text(token)).run().expect(status: 0)
        let head = try #require(responder.requests.first).head
        #expect(head.contains("X-A: a\u{2028}X-Injected: 1\r\n") && head.contains("\r\nX-B: b\r\n"))
    }

    @Test("controls of a server do not reach a terminal: neither in a document nor in a message")
    func terminal() throws {
        let responder = try Responder { _ in .json(#"{"s":"\u001b]0;p\u0007","c":"\#u{9b}31m\#u{202e}"}"#) }
        var shown = Program.oap(["call", "-n", responder.url("/"), "-q", "."])
        shown.environment = ["OAP_ACCESS_TOKEN": "t"]
        shown.output = .terminal
        let result = try shown.run().expect(status: 0)
        #expect(!result.text.contains("\u{9b}") && !result.text.contains("\u{202e}"))
        #expect(result.text.contains(#"\u009b31m\u202e"#))
    }

    @Test("a terminal shows a new key only when asked to", arguments: ["jwk new", "store key"])
    func newKey(command: String) throws {
        var program = Program.oap(command.split(separator: " ").map(String.init))
        program.output = .terminal
        let refused = try program.run().expect(status: 2)
        #expect(refused.text == "")
        #expect(refused.errorText.contains("to write it to a file: -o "), "\(refused)")
        program.arguments += ["-o", "-"]
        #expect(try program.run().expect(status: 0).text.contains("\"kty\""))
    }

    @Test("nothing that a server or a document says of a head acts on a terminal: -i and --dry-run escape it there")
    func heads() throws {
        let odd = "\u{1B}]0;pwn\u{7}\u{9B}31m\u{202E}"
        let responder = try Responder { _ in .text("x", headers: ["X-A: a\(odd)b"]) }
        let document = JSON.object([
            "access_token": "t", "api_headers": .object(["X-A": "a\u{9B}31m\u{202E}b"]),
        ]).text
        for (options, shown) in [
            (["-i"], #"a\u{1b}]0;pwn\u{7}\u{9b}31m\u{202e}b"#), (["--dry-run"], #"a\u{9b}31m\u{202e}b"#),
        ] {
            var program = Program.oap(["call", responder.url("/"), "-d", "x\ny"] + options, input: .text(document))
            let plain = try program.run().expect(status: 0)
            #expect(plain.text.contains(options == ["-i"] ? odd : "a\u{9B}31m\u{202E}b"), "\(plain)")
            program.output = .terminal
            let result = try program.run().expect(status: 0)
            #expect(result.text.contains("X-A: \(shown)"), "\(result)")
            #expect(options == ["-i"] || result.text.contains("'x\r\ny'"), "\(result)")
        }
    }

    @Test("a variable that a command does not read does not break it")
    func oddVariable() throws {
        let program = Program.shell(#"NO_COLOR="$(printf '\377')" oap help > /dev/null"#)
        try program.run().expect(status: 0)
    }

    @Test("CA-13 -H sets no credential", arguments: ["Authorization: Bearer x", "authorization:", "DPoP: x"])
    func credentialHeaders(field: String) throws {
        let responder = try Responder(.text("ok"))
        try Program.oap(["call", responder.url("/"), "-H", field], input: .text(token)).run().expect(status: 2)
        #expect(responder.requests.isEmpty)
    }

    @Test("R-15 a token document works alone: what exchange prints is all that refresh needs")
    func tokenDocument() throws {
        let responder = try Responder { _ in
            .json(#"{"access_token":"at","token_type":"Bearer","refresh_token":"rt","scope":"a"}"#)
        }
        let secret = ["OAP_CLIENT_SECRET": "hush"]
        var first = exchange(responder, "--issuer", "https://as.example", "--scope", "a")
        first.environment.merge(secret) { $1 }
        let document = try first.run().expect(status: 0)
        let members = try document.object()
        for name in ["issuer", "client_id", "scope", "token_endpoint", "token_endpoint_auth_method"] {
            #expect(members[name] != nil, "\(name)")
        }
        #expect(!document.text.contains("hush"))
        try Program.oap(["refresh"], input: .text(document.text), environment: secret).run().expect(status: 0)
        #expect(responder.requests.last?.bodyText == "grant_type=refresh_token&refresh_token=rt")
    }

    @Test("a response that cannot be used says that the refresh token is used up")
    func spentToken() throws {
        let responder = try Responder(.json(#"{"access_token":"a","token_type":"mac","refresh_token":"new"}"#))
        let document = #"{"client_id":"c","token_endpoint":"\#(responder.url("/"))","refresh_token":"old"}"#
        let result = try Program.oap(["refresh"], input: .text(document)).run().expect(status: 9)
        #expect(result.errorText.contains("used up"))
    }

    @Test("signals that nobody expects leave no temporary file", arguments: [SIGQUIT, SIGALRM, SIGUSR1, SIGXCPU])
    func signals(number: Int32) throws {
        let folder = try TemporaryDirectory()
        let gate = Responder.Gate()
        let arrived = Responder.Gate()
        let responder = try Responder { _ in
            arrived.open()
            return .json(Self.issued).after(gate)
        }
        var program = exchange(responder, "-o", folder.path("token.json"))
        let home = try TemporaryDirectory()
        let document = #"{"client_id":"c","token_endpoint":"\#(responder.url("/"))","code":"C"}"#
        program.input = .file(try home.write(document, to: "flow.json"))
        let running = try program.start()
        #expect(arrived.wait())
        running.send(signal: number)
        try running.finish().expect(signal: number)
        gate.open()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
