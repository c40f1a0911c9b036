import Foundation
import TestSupport
import Testing
import Wire

@Suite("A string or a number without an end")
struct LongTokenTests {
    @Test(
        "it is exit 10 in bounded memory, whatever the filter makes of it",
        arguments: [
            ("json", #"{"data":""#, "a", ["--jq", ".data"]), ("json", "[\"", "a", ["--jq", ".[].a?"]),
            ("json", "[\"", "a", ["--stream-each", ".a"]), ("x-ndjson", "\"", "a", ["--jq", ".a"]),
            ("x-ndjson", "1", "1", ["--jq", ".a"]),
        ] as [(String, String, String, [String])])
    func bounded(type: String, start: String, byte: String, options: [String]) throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/\(type)\r\n\r\n\(start)"
        let reply = Responder.Reply.raw(head).then(.repeating(String(repeating: byte, count: 1 << 20)))
        let responder = try Responder(reply)
        var program = Program(
            path: "/bin/sh",
            arguments: ["-c", #"ulimit -v 600000; exec "$0" "$@""#, Program.oapPath, "call", "-n", responder.url("/")]
                + options)
        program.environment = ["OAP_ACCESS_TOKEN": "t"]
        let result = try program.run().expect(status: 10).expect(output: "")
        let sentence = "the response has a string or a number of more than 128 MiB, too large for a filter"
        #expect(result.errorText.contains(sentence), "\(result)")
    }
}
