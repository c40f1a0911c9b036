import Foundation
import TestSupport
import Testing
import Wire

@Suite("Uploads of call")
struct UploadTests {
    private func call(
        _ options: [String], to responder: Responder, input: Program.Input? = nil
    ) throws -> ProgramResult {
        try Program.oap(
            ["call", "-n", responder.url("/x")] + options, input: input ?? .text(""),
            environment: ["OAP_ACCESS_TOKEN": "at-upload-1"]
        ).run()
    }

    /// What Python's email package reads in a multipart body, one part a line.
    private func parts(of request: Responder.Request, in folder: TemporaryDirectory) throws -> [String] {
        let type = try #require(request.headers.first("Content-Type"))
        let file = folder.path("message")
        try Data("Content-Type: \(type)\r\n\r\n".utf8 + request.body).write(to: URL(fileURLWithPath: file))
        let script = """
            import email.policy, sys
            message = email.message_from_bytes(open(sys.argv[1], "rb").read(), policy=email.policy.HTTP)
            assert message.is_multipart() and not message.defects, message.defects
            for part in message.iter_parts():
                assert not part.defects, part.defects
                fields = dict(part["Content-Disposition"].params)
                print(fields["name"], fields.get("filename"), part["Content-Type"], part.get_payload(decode=True))
            """
        let result = try Program(path: "/usr/bin/python3", arguments: ["-c", script, file]).run().expect(status: 0)
        return result.text.split(separator: "\n").map(String.init)
    }

    @Test("-T sends a file with PUT and without a type, and adds its name to a URL that ends with a slash")
    func put() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("one\r\n\0two", to: "a b.bin")
        let responder = try Responder { _ in .text("ok") }
        for (target, options) in [("/x", []), ("/x/", []), ("/x/?a=b", []), ("/x", ["-X", "PATCH"])] {
            try Program.oap(["call", target, "-T", file] + options, input: responder.token.input).run()
                .expect(status: 0)
        }
        let requests = responder.requests
        #expect(requests.map(\.target) == ["/api/x", "/api/x/a%20b.bin", "/api/x/?a=b", "/api/x"])
        #expect(requests.map(\.method) == ["PUT", "PUT", "PUT", "PATCH"])
        for request in requests {
            #expect(request.bodyText == "one\r\n\0two" && request.headers.first("Content-Type") == nil)
            #expect(request.headers.first("Content-Length") == "9")
        }
    }

    @Test("--input - is sent with its length up to 16 MiB, and in chunks beyond")
    func input() throws {
        let responder = try Responder { _ in .text("ok") }
        for (size, length) in [(7, "7"), (16 << 20, "\(16 << 20)"), ((16 << 20) + 1, nil)] {
            let text = String(repeating: "x", count: size)
            try call(["--input", "-"], to: responder, input: .text(text)).expect(status: 0)
            let request = try #require(responder.requests.last)
            #expect(request.headers.first("Content-Length") == length)
            #expect(request.bodySize == size)
        }
    }

    @Test("-T - sends standard input, and sends it again after a redirect")
    func standardInput() throws {
        let responder = try Responder(.redirect(307, to: "/y"), .text("ok"))
        try call(["-T", "-"], to: responder, input: .text("piped")).expect(status: 0).expect(output: "ok")
        #expect(responder.requests.map(\.bodyText) == ["piped", "piped"])
    }

    @Test("--form sends parts that Python's email package reads with their names, types and bytes")
    func form() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("\0\r\n--x", to: "photo.PNG")
        let odd = try folder.write("odd", to: "a;type=\"b\"")
        let responder = try Responder { _ in .text("ok") }
        let options = [
            "a=b=c; d", #"j={"x":1};type=application/json"#, "p=@\(file)", "q=@\(file);type=a/b;filename=x y.txt",
            "i=@-", "o=@\(odd);filename=o", "e=", "c=<\(file)", "d=<\(file);type=a/b",
        ]
        try call(options.flatMap { ["--form", $0] }, to: responder, input: .text("piped")).expect(status: 0)
        let request = try #require(responder.requests.first)
        #expect(request.method == "POST")
        #expect(
            try parts(of: request, in: folder) == [
                "a None None b'b=c; d'", #"j None application/json b'{"x":1}'"#,
                #"p photo.PNG image/png b'\x00\r\n--x'"#, #"q x y.txt a/b b'\x00\r\n--x'"#,
                "i - application/octet-stream b'piped'", "o o application/octet-stream b'odd'", "e None None b''",
                #"c None None b'\x00\r\n--x'"#, #"d None a/b b'\x00\r\n--x'"#,
            ])
    }

    @Test("texts of --form may stand between quotes, as in curl")
    func quoted() throws {
        let folder = try TemporaryDirectory()
        try folder.write("odd", to: #"a;"b".txt"#)
        let responder = try Responder { _ in .text("ok") }
        let file = #""\#(folder.path(#"a;\"b\".txt"#))""#
        let options = [
            "f=@\(file)", #"g=@\#(file);filename="x;y.txt";type=a/b"#, "h=<\(file)", #"i="<x;type=a/b""#,
            #"j="a;b";type=c/d"#, #"k="open"#, #"l="a" b"#, #"m="@x";type="a/b""#,
        ]
        try call(options.flatMap { ["--form", $0] }, to: responder).expect(status: 0)
        let expected = [
            "f a;%22b%22.txt text/plain b'odd'", "g x;y.txt a/b b'odd'", "h None None b'odd'",
            "i None None b'<x;type=a/b'", "j None c/d b'a;b'", #"k None None b'"open'"#, #"l None None b'"a" b'"#,
            "m None a/b b'@x'",
        ]
        #expect(try parts(of: try #require(responder.requests.first), in: folder) == expected)
    }

    @Test("--form-string sends its value as it is, in its place among the parts of --form")
    func literal() throws {
        let folder = try TemporaryDirectory()
        let responder = try Responder { _ in .text("ok") }
        let values = ["@x", "<x", #""a\"b" \"#, "a;type=b/c", "", "a=b"]
        let options = ["--form", "f=1"] + values.flatMap { ["--form-string", "s=\($0)"] } + ["--form", "l=2"]
        try call(options, to: responder).expect(status: 0)
        let dry = try call(options + ["--dry-run"], to: responder).expect(status: 0)
        try Program.shell(dry.text, shell: "/bin/sh", environment: ["OAP_ACCESS_TOKEN": "at-upload-1"]).run()
            .expect(status: 0)
        let expected = [
            "f None None b'1'", "s None None b'@x'", "s None None b'<x'", #"s None None b'"a\\"b" \\'"#,
            "s None None b'a;type=b/c'", "s None None b''", "s None None b'a=b'", "l None None b'2'",
        ]
        try #require(responder.requests.count == 2)
        for request in responder.requests { #expect(try parts(of: request, in: folder) == expected) }
    }

    @Test("a form of files and values has a length, and is sent again whole after a redirect and a retry")
    func again() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(String(repeating: "0123456789", count: 50_000), to: "file.txt")
        let responder = try Responder(
            .redirect(307, to: "/y"), .text("", status: 503, headers: ["Retry-After: 0"]), .text("ok"))
        let options = ["--form", "a=1", "--form", "f=@\(file)", "--form-string", "z=2", "--retry-all-methods"]
        try call(options, to: responder).expect(status: 0).expect(output: "ok")
        let requests = responder.requests
        try #require(requests.count == 3)
        #expect(Set(requests.map(\.bodyText)).count == 1 && requests[2].bodySize > 500_000)
        #expect(requests[2].headers.first("Content-Length") == String(requests[2].bodySize))
        let parts = try parts(of: requests[2], in: folder)
        #expect(parts.count == 3 && parts.last == "z None None b'2'")
    }

    @Test("--dry-run prints a form as options of curl, which send the same parts")
    func dryRun() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("\0x", to: "it's;\"odd\".txt")
        let responder = try Responder { _ in .text("ok") }
        let options = [
            "--form", "a=b;c", "--form", #"j={"x":"y;z"};type=application/json"#, "--form",
            "f=@\(file);filename=n o.txt", "--form", "g=<\(file)", "--form", #"h="<x""#,
        ]
        let dry = try call(options + ["--dry-run"], to: responder).expect(status: 0).expect(nowhere: "at-upload-1")
        #expect(responder.requests.isEmpty)
        try Program.shell(dry.text, shell: "/bin/sh", environment: ["OAP_ACCESS_TOKEN": "at-upload-1"]).run()
            .expect(status: 0)
        try call(options, to: responder).expect(status: 0)
        let requests = responder.requests
        try #require(requests.count == 2)
        #expect(try parts(of: requests[0], in: folder) == parts(of: requests[1], in: folder), "\(dry)")
    }

    @Test("a form or an upload whose file cannot be read is refused before anything is sent")
    func refused() throws {
        let folder = try TemporaryDirectory()
        let responder = try Responder { _ in .text("no") }
        try call(["--form", "a=@\(folder.path("none"))"], to: responder).expect(status: 11)
        try call(["--form", "a=@\(folder.path)"], to: responder).expect(status: 11)
        try call(["-T", folder.path("none")], to: responder).expect(status: 11)
        #expect(responder.requests.isEmpty)
    }
}
