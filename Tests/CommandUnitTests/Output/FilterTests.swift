import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Filters", .inProcess)
struct FilterTests {
    private static let input = Program.Input.text(
        #"{"access_token":"a","n":9007199254740993,"l":[1,"x",null],"t":"é"}"#)

    @Test(
        "filters shape the result as jq's options do",
        arguments: [
            (["-q", ".t"], "\"é\"\n", 0), (["-q", ".t", "-r"], "é\n", 0), (["-q", ".l[]", "-r"], "1\nx\nnull\n", 0),
            (["-jq", ".l[]"], "1xnull", 0), (["-q", ".l"], "[1,\"x\",null]\n", 0),
            (["-q", ".l", "--pretty"], "[\n  1,\n  \"x\",\n  null\n]\n", 0),
            (["-q", ".l", "--pretty", "-c"], "[1,\"x\",null]\n", 0), (["-q", "empty"], "", 0),
            (["-eq", ".t"], "\"é\"\n", 0), (["-eq", ".none"], "null\n", 1), (["-eq", "empty"], "", 1),
            (["-eq", ".l|length,false"], "3\nfalse\n", 1),
            (
                ["--arg", "v", "1", "--argjson", "w", "{\"a\":1}", "-cq", "[$v,$w,$ARGS.named.v]"],
                "[\"1\",{\"a\":1},\"1\"]\n", 0
            ),
            (["-q", ".l[], error(\"no\")"], "1\n\"x\"\nnull\n", 5), (["-q", ".t.x"], "", 5),
            (["-q", "1, halt_error"], "1\n", 5), (["-q", ".l[0:2][], halt, 9"], "1\n\"x\"\n", 0),
        ])
    func shapes(options: [String], output: String, status: Int) throws {
        try Program.oap(["refresh", "--if-expired"] + options, input: Self.input).run()
            .expect(status: status).expect(output: output)
    }

    @Test("filters that fail on the data say why, and halt_error says only its own text")
    func messages() throws {
        try Program.oap(["refresh", "--if-expired", "-q", "error(\"my words\")"], input: Self.input).run()
            .expect(status: 5).expect(errorLine: "oap: refresh: the filter failed: my words")
        let halted = try Program.oap(
            ["refresh", "--if-expired", "-q", "\"own\\n\" | halt_error"], input: Self.input
        ).run().expect(status: 5)
        #expect(halted.errorText == "own\n", "\(halted)")
    }

    @Test(
        "a filter that takes an array for its elements is shown with the [] that it lacks",
        arguments: [
            (".login", ".[].login"), (".login | length", ".[].login | length"), (". | .login.x", ". | .[].login.x"),
            (".[0].login", nil), (".login, .logins", nil),
        ])
    func elements(filter: String, mended: String?) throws {
        let responder = try Responder(.json(#"[{"login":"ada"}]"#))
        let result = try Program.oap(["call", "/x", "-q", filter], input: responder.token.input).run()
        guard let mended else { return #expect(!result.errorText.contains("hint"), "\(result)") }
        result.expect(status: 5).expect(
            errorLine: "oap: hint: for each element of the array, the filter is '\(mended)'")
    }

    @Test("a filter that takes an array in the response for its elements is shown with the [] that it lacks")
    func innerElements() throws {
        let responder = try Responder(.json(#"{"items":[{"login":"ada"}]}"#))
        try Program.oap(["call", "/x", "-q", ".items.login"], input: responder.token.input).run().expect(status: 5)
            .expect(errorLine: "oap: hint: for each element of the array, the filter is '.items[].login'")
    }

    @Test(
        "filters that do not compile are exit 2, and nothing is sent",
        arguments: [
            ["refresh"], ["exchange", "--grant", "client_credentials"], ["call", "/x", "-d", "a=b"],
            ["call", "/x", "-X", "DELETE"], ["call", "/x", "-X", "PUT"],
        ])
    func unusable(command: [String]) throws {
        let responder = try Responder(.token)
        for filter in ["bad(", "$undefined", ".a[", "nofunction", "include \"x\"; 1", "$__loc__x"] {
            let result = try Program.oap(command + ["-q", filter], input: responder.token.input).run()
            result.expect(status: 2).expect(output: "")
            #expect(result.errorText.hasPrefix("oap: \(command[0]): the filter does not compile: "), "\(result)")
        }
        #expect(responder.connectionCount == 0)
    }

    @Test("filters of a GET that do not compile are exit 2, whatever came of the request")
    func unusableInGet() throws {
        let responder = try Responder(.json("{}"), .text("no", status: 404), .close)
        for _ in 1...3 {
            try Program.oap(["call", "/x", "-q", "bad(", "--retry", "1"], input: responder.token.input).run()
                .expect(status: 2).expect(output: "")
        }
        responder.stop()
        try Program.oap(["call", "/x", "-q", "bad(", "--retry", "1"], input: responder.token.input).run()
            .expect(status: 2)
    }

    @Test("filters cannot read files or the environment's secrets beyond what jq itself gives")
    func surroundings() throws {
        try Program.oap(["refresh", "--if-expired", "-rq", "input"], input: Self.input).run().expect(status: 5)
    }

    @Test("filters give an error document no way past them")
    func failing() throws {
        try Program.oap(["refresh", "-q", "."], input: .text("{}")).run().expect(status: 3).expect(output: "")
    }
}
