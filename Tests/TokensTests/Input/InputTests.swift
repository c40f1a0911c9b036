import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Standard input", .inProcessWithoutPauses)
struct InputTests {
    @Test(
        "standard input that is no JSON object is exit 3 with the place, and nothing is sent",
        arguments: [
            ("", "is empty"), (" \n", "line 2"), ("{\"a\":", "line 1"), ("\u{0}\u{1}", "line 1, column 1"),
            ("[]", "array, not an object"), ("null", "null, not an object"), ("{}{}", "line 1, column 3"),
            ("{\"a\":NaN}", "line 1"),
            ("{\"a\":1,\n\"a\":1}", "line 2"), (String(repeating: "[", count: 600), "line 1"),
        ])
    func malformed(input: String, words: String) throws {
        let responder = try Responder()
        let result = try Program.oap(
            ["refresh", "--token-endpoint", responder.url(), "--client-id", "c"], input: .text(input)
        ).run().expect(status: 3)
        let document = try result.object()
        #expect(
            document["error"] == "parse" && document["error_description"]?.string?.contains(words) == true, "\(result)")
        #expect(result.errorText.hasPrefix("oap: refresh: standard input is "), "\(result)")
        #expect(responder.connectionCount == 0)
    }

    @Test("standard input that is not UTF-8 is exit 3, never repaired")
    func invalidText() throws {
        try Program.oap(["refresh"], input: .bytes(Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8))).run()
            .expect(status: 3)
    }

    @Test("standard input may be 512 levels deep and no more")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            #"{"access_token":"a","x":"# + String(repeating: "[", count: depth - 1)
                + String(repeating: "]", count: depth - 1) + "}"
        }
        try Program.oap(["refresh", "--if-expired"], input: .text(nested(512))).run()
            .expect(status: 0).expect(output: nested(512) + "\n")
        try Program.oap(["refresh", "--if-expired"], input: .text(nested(513))).run().expect(status: 3)
    }

    @Test("standard input with very many members takes no more than a moment")
    func manyMembers() throws {
        let members = (0..<100_000).map { "\"m\($0)\":1" }.joined(separator: ",")
        var program = Program.oap(["refresh", "--if-expired"], input: .text(#"{"access_token":"a","# + members + "}"))
        program.deadline = .seconds(20)
        try program.run().expect(status: 0)
    }

    @Test(
        "the hint for no standard input names what the command takes",
        arguments: [
            (
                "exchange",
                """
                pipe in the document that oap callback-parse or oap device prints; for a grant without a user, use \
                --grant, and name a profile or use -n
                """
            ),
            ("authurl", "name a profile, pipe in a client document, or use -n to start without one"),
            ("listen", "pipe in the flow document that oap authurl prints"),
            ("callback-parse", "pipe in the flow document that oap authurl prints"),
        ])
    func hint(command: String, hint: String) throws {
        try Program.oap([command], input: .none).run().expect(status: 3).expect(errorLine: "oap: hint: \(hint)")
    }

    @Test("standard input that is a folder is exit 11")
    func folder() throws {
        try Program.oap(["refresh"], input: .file("/")).run().expect(status: 11)
    }
}
