import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The answer of call", .inProcess)
struct CallResultTests {
    @Test("the answer of oap call passes through byte for byte, whatever its type, status and framing")
    func passThrough() throws {
        let binary = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
        let replies: [Responder.Reply] = [
            .content(binary, type: "application/octet-stream"), .content(binary, type: "application/json"),
            try .gzip(binary), .content(binary, status: 201),
        ]
        for reply in replies {
            let result = try call([], reply).expect(status: 0).expectSilence()
            #expect(result.output == binary)
        }
        try call([], .chunked(["a", "bc", "\n"])).expect(status: 0).expect(output: "abc\n")
        try call([], .raw("HTTP/1.0 200 OK\r\n\r\nold").then(.close)).expect(status: 0).expect(output: "old")
        try call([], .content([], status: 204)).expect(status: 0).expect(output: "")
        try call([], .json(#" {"b":1.10,"b":2} "#)).expect(output: #" {"b":1.10,"b":2} "#)
    }

    @Test("a response that has not changed leaves the file of -o as it is")
    func unchanged() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("old", to: "f")
        let words = ["-H", #"If-None-Match: "v1""#, "-o", file]
        try call(words, .content([], status: 304)).expect(status: 0).expectSilence()
        try call(words + ["-q", ".a"], .content([], status: 304)).expect(status: 0).expectSilence()
        #expect(try folder.read("f") == "old")
        let envelope = words + ["--envelope", "-q", ".status"]
        try call(envelope, .content([], status: 304)).expect(status: 0)
        #expect(try folder.read("f") == "304\n")
        try call(words, .text("new")).expect(status: 0)
        #expect(try folder.read("f") == "new")
    }

    @Test("--max-items on a response that is no stream has no effect, and says so")
    func noItems() throws {
        let result = try call(["-q", ".[]", "--max-items", "1"], .json("[1,2]")).expect(status: 0)
        result.expect(output: "1\n2\n").expect(
            errorLine: "oap: call: warning: --max-items has no effect: the response is no stream, but one JSON text")
    }

    @Test(
        "an answer that breaks off gives a filter nothing, with exit 10 and the place",
        arguments: [".[].a", ".[] | .a", "map(.a)", "."])
    func broken(filter: String) throws {
        try call(["-q", filter], .chunked([#"[{"a":"#, #"1},{"a""#, #":2}"#])).expect(status: 10).expect(output: "")
            .expect(
                errorLine: """
                    oap: call: the response is not JSON, which the filter needs: expected ',' or ']' at line 1, column 17
                    """)
    }

    @Test(
        "a page in place of JSON is told with its type and its beginning, in which a secret is masked",
        arguments: [[], ["--paginate"]])
    func page(options: [String]) throws {
        let page = "<!DOCTYPE html>\n<html lang=en>at-secret-1" + String(repeating: " and so on", count: 9000)
        let responder = try Responder(.text(page, headers: ["Content-Type: text/html; charset=utf-8"]))
        let result = try Program.oap(
            ["call", "-n", responder.url("/"), "-q", ".a"] + options, environment: ["OAP_ACCESS_TOKEN": "at-secret-1"]
        ).run().expect(status: 10).expect(output: "").expect(nowhere: "at-secret-1")
        let beginning = "it begins with <!DOCTYPE html> <html lang=en>*** and so on and so on and so"
        #expect(
            result.errorText.contains("; the type of the response is text/html; charset=utf-8; \(beginning)"),
            "\(result)")
    }

    @Test("of members with one name a filter sees the last", arguments: [".a", ".a | .", "[.a] | .[0]"])
    func repeated(filter: String) throws {
        try call(["-q", filter], .json(#"{"a":1,"b":0,"a":2}"#)).expect(status: 0).expect(output: "2\n")
    }

    @Test("the answer of oap call has its head before it with -i")
    func include() throws {
        try call(["-i"], .text("body", headers: ["X-A: 1", "x-a: 2"])).expect(status: 0).expect(
            output:
                "HTTP/1.1 200 Status\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 4\r\nContent-Type: text/plain\r\n\r\nbody")
    }

    @Test("the answer of oap call is one object with --envelope, whatever the body")
    func envelope() throws {
        let result = try call(["--envelope"], .json(#"{"n":1.10}"#, headers: ["X-A: 1", "x-A: 2"])).expect(status: 0)
        let object = try result.object()
        #expect(object.members.map(\.name) == ["status", "headers", "url", "body"])
        #expect(object["headers"]?.object?["x-a"] == "1, 2")
        #expect(result.text.hasSuffix(#""body":{"n":1.10}}"# + "\n"))
        #expect(try call(["--envelope"], .text("text")).object()["body"] == "text")
        #expect(try call(["--envelope"], .text("")).object()["body"] == .null)
        #expect(try call(["--envelope"], .content([0xFF, 0x00])).object()["body_base64"] == "/wA=")
        let deep = String(repeating: "[", count: 511) + String(repeating: "]", count: 511)
        #expect(try call(["--envelope"], .text(deep)).object()["body"] == .string(deep))
        try call(["--envelope", "-rq", ".status, .body.a"], .json(#"{"a":"b"}"#, status: 404))
            .expect(status: 7).expect(output: "404\nb\n")
    }

    @Test(
        "the answer of oap call goes through a filter, which sees $status, $headers and $url",
        arguments: [
            (".a[]", "{\"a\":[1,2]}", "1\n2\n", 0), (".", "[1, 2]", "[1,2]\n", 0), ("$status", "0", "200\n", 0),
            ("$headers[\"x-y\"]", "{}", "z\n", 0), ("$url | endswith(\"/api/x\")", "{}", "true\n", 0), (".", "", "", 0),
            (".", "not json", "", 10), (".", "{} {}", "{}\n{}\n", 0), (".", "{} }", "", 10),
            (".", "\"text\"", "text\n", 0), (".[].x", "{}", "", 0),
            (".[].x", "[1]", "", 5), ("1, error", "{}", "1\n", 5),
        ])
    func filter(filter: String, body: String, output: String, status: Int) throws {
        try call(["-r", "-c", "-q", filter], .json(body, headers: ["X-Y: z"])).expect(status: status).expect(
            output: output)
    }

    @Test("the answer of oap call with -e and a filter decides the exit status, as does an empty body")
    func exitStatus() throws {
        try call(["-eq", ".a"], .json(#"{"a":false}"#)).expect(status: 1).expect(output: "false\n")
        try call(["-eq", ".a"], .json("")).expect(status: 1).expect(output: "")
        try call(["-eq", ".a"], .json(#"{"a":0}"#)).expect(status: 0)
    }

    @Test("the answer of oap call that is cut off is exit 6 for a GET and 12 for a POST, with what had come")
    func truncated() throws {
        try call([], .truncated("part", promised: 10)).expect(status: 6).expect(output: "part")
        try call(["-d", "a"], .truncated("part", promised: 10)).expect(status: 12).expect(output: "part")
        try call(["-q", "."], .truncated("{}", promised: 10)).expect(status: 6).expect(output: "")
    }

    @Test(
        "a compressed answer that ends before its compression does is cut off, whatever takes it, and leaves no file",
        arguments: [
            ["-q", ".a"], ["-i"], ["--envelope"], ["--paginate"], ["--paginate", "--slurp"], ["--stream-each", "."],
        ])
    func cutCompression(options: [String]) throws {
        let folder = try TemporaryDirectory()
        // gzip of `[{"a":1}]`, without the last four bytes, which are its length.
        let cut = try #require(
            Base64.decodeURL("H4sIAAAAAAACA4uuVkpUsjKsjQUAfXPL8g"), "the test's own content")
        let reply = Responder.Reply.content(cut, type: "application/json", headers: ["Content-Encoding: gzip"])
        try call(options + ["--retry", "0"], reply).expect(status: 6)
        if options[0] != "--paginate" { try call(options + ["-d", "a"], reply).expect(status: 12) }
        let file = folder.path("f")
        try call(options + ["--retry", "0", "-o", file], reply).expect(status: 6)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(
        "a filter of oap call runs on each JSON text of a response, as in jq, and on text that is not all characters",
        arguments: [
            ("{\"a\":1}\n{\"a\":2} {\"a\":3}{\"a\":4}\n", ".a", "1\n2\n3\n4\n"), ("1 2\n[]\n", ".", "1\n2\n[]\n"),
            ("[{\"a\":1}][{\"a\":2}]", ".[].a", "1\n2\n"), ("[{\"a\":1}]\n[{\"a\":2}]", ".[] | .a + 1", "2\n3\n"),
            ("{\"a\":1}{\"a\":2}", "$status + .a", "201\n202\n"), ("{\"a\":1}{\"a\":2}", ".a, halt", "1\n"),
            (#"{"a":"\ud83d"}"#, ".a", "\"\u{FFFD}\"\n"), (#"[{"a":"\udc00"}]"#, ".[] | .a + \"b\"", "\"\u{FFFD}b\"\n"),
            (")]}'\n{\"a\":1}", ".a", "1\n"), (")]}'\n[{\"a\":1}]", "map(.a)", "[1]\n"),
            ("\u{FEFF})]}',\n{\"a\":1}", ".a", "1\n"), ("for (;;);{\"a\":1}", ".a", "1\n"),
        ])
    func series(content: String, filter: String, output: String) throws {
        try call(["-cq", filter], .json(content)).expect(status: 0).expect(output: output)
        // A byte at a time; the line that guards a text comes at once.
        let line = ["\u{FEFF})]}',", ")]}'", "for (;;);"].first(where: content.hasPrefix) ?? ""
        let pieces = (line.isEmpty ? [] : [line]) + content.dropFirst(line.count).map(String.init)
        try call(["-cq", filter], .chunked(pieces, headers: ["Content-Type: application/json"]))
            .expect(status: 0).expect(output: output)
    }

    @Test("what only begins like a line that guards JSON is no result of nothing")
    func unguarded() throws {
        try call(["-q", ".a"], .json(")]}'{\"a\":1}")).expect(status: 10)
    }

    @Test("text of an API in Latin-1 is read by each option that reads JSON")
    func latin1() throws {
        let reply = Responder.Reply.content(
            Array("[{\"a\":\"caf".utf8) + [0xE9] + Array("\"}]".utf8), type: "application/json")
        let value = "\"caf\u{FFFD}\"\n"
        try call(["-q", ".[0].a"], reply).expect(status: 0).expect(output: value)
        try call(["--envelope", "-q", ".body[0].a"], reply).expect(status: 0).expect(output: value)
        try call(["--stream-each", ".a"], reply).expect(status: 0).expect(output: value)
        try call(["--paginate", "--next", "null", "-q", ".[0].a"], reply).expect(status: 0).expect(output: value)
        try call(["--paginate", "--slurp", "-q", ".[0].a"], reply).expect(status: 0).expect(output: value)
        let error = Responder.Reply.content(Array("{\"message\":\"caf".utf8) + [0xE9] + Array("\"}".utf8), status: 400)
        #expect(try call([], error).expect(status: 7).errorText.contains("answered 400 Status: caf\u{FFFD}\n"))
    }

    @Test("where a second text is none, there is no output of the first, and the place counts on")
    func brokenSeries() throws {
        let result = try call(["-q", ".a"], .json("{\"a\":1}\n<html>")).expect(status: 10).expect(output: "")
        #expect(result.errorText.contains("not JSON, which the filter needs: expected a value at line 2, column 1"))
        try call(["-q", ".a"], .json("{\"a\":1}\n{\"a\":")).expect(status: 10).expect(output: "1\n")
        try call(["-q", ".a"], .json("{\"a\":1} 2")).expect(status: 5).expect(output: "1\n")
    }

    @Test("the answer of oap call that takes longer than -m is exit 6 for a GET and 12 for a POST")
    func slow() throws {
        let gate = Responder.Gate()
        defer { gate.open() }
        try call(["-m", "0.2", "--retry", "1"], .text("x").after(gate)).expect(status: 6)
        try call(["-m", "0.2", "-d", "a"], .text("x").after(gate)).expect(status: 12)
    }
}
