import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The answer of call, as a process")
struct CallResultTests {
    @Test("the answer of oap call of 50 MB passes in constant memory, and so does an upload")
    func memory() throws {
        let body = String(repeating: "x", count: 50 << 20)
        let folder = try TemporaryDirectory()
        let file = try folder.write(body, to: "body")
        let (peak, server) = try measuredCall(["--input", file], body)
        #expect(server.requests.first?.bodySize == body.utf8.count)
        #expect(peak < 40 << 20)
    }

    @Test(
        "a filter on the elements of an answer of 40 MB runs in little memory",
        arguments: [".[].name", ".[] | .name"])
    func elements(filter: String) throws {
        #expect(try measuredCall(["-r", "-q", filter], manyElements).peak < 40 << 20)
    }

    /// Runs a call with a filter in an address space of some 1.5 GB.
    private func limited(_ options: [String], _ reply: Responder.Reply) throws -> ProgramResult {
        let responder = try Responder(reply)
        var program = Program(
            path: "/bin/sh",
            arguments: ["-c", #"ulimit -v 1500000; exec "$0" "$@""#, Program.oapPath, "call", "-n", responder.url("/")]
                + options)
        program.environment = ["OAP_ACCESS_TOKEN": "t"]
        return try program.run()
    }

    @Test("an answer that inflates to far more than was sent is exit 10 for a filter, and passes through without one")
    func bomb() throws {
        let bomb = try Responder.Reply.gzip(
            Array(("[" + String(repeating: "{},", count: 11 << 20) + "{}]").utf8), type: "application/json")
        try limited(["--envelope"], bomb).expect(status: 10).expect(output: "")
            .expect(errorLine: "oap: call: the response decompresses to more than 200 times its size")
        for filter in ["length", ".", ".[0]"] { try expectRefusal(of: bomb, by: filter) }
        let responder = try Responder(bomb)
        var program = Program.oap(["call", "-n", responder.url("/")], environment: ["OAP_ACCESS_TOKEN": "t"])
        program.output = .file("/dev/null")
        try program.run().expect(status: 0)
    }

    @Test("an answer of a few kilobytes that inflates to many megabytes is exit 10 for a filter")
    func smallBomb() throws {
        let text = "[" + String(repeating: "[],", count: 5 << 20) + "0]"
        let bomb = try Responder.Reply.gzip(Array(text.utf8), type: "application/json")
        try expectRefusal(of: bomb, by: "length")
    }

    /// Expects exit 10 for the ratio, or for a limit that is reached before it shows.
    private func expectRefusal(of bomb: Responder.Reply, by filter: String) throws {
        let result = try limited(["-q", filter], bomb).expect(status: 10).expect(output: "")
        let reasons = [
            "the response decompresses to more than 200 times its size", "the response needs more memory than there is",
            "the response has more than 32 million values, too many for a filter",
        ]
        #expect(reasons.contains { result.errorText.hasPrefix("oap: call: \($0)\n") }, "\(result)")
    }

    @Test("a repetitive answer that inflates as JSON does is filtered", arguments: [2 << 20, 15 << 20])
    func repetitive(size: Int) throws {
        func row(_ id: Int) -> String {
            #"{"id":\#(id),"type":"repository","private":false,"owner":{"login":"octocat","admin":false}}"#
        }
        let rows = (0..<(size / row(10_000).utf8.count)).map { row($0) }
        let reply = try Responder.Reply.gzip(Array("[\(rows.joined(separator: ","))]".utf8), type: "application/json")
        try limited(["-q", "length"], reply).expect(status: 0).expect(output: "\(rows.count)\n")
    }

    @Test("of more values than a filter can hold is exit 10", arguments: ["{},", "[],", #"{"a":0},"#, "[0],"])
    func tooManyValues(piece: String) throws {
        let text = "[" + String(repeating: piece, count: (32 << 20) / piece.utf8.count) + "0]"
        let reply = Responder.Reply.json(text)
        for options in [["-q", "length"], ["--envelope", "-q", ".status"]] {
            let result = try limited(options, reply).expect(status: 10).expect(output: "")
            result.expect(errorLine: "oap: hint: to get a response of any size, leave the filter out")
        }
    }

    @Test("the answer of oap call arrives as it comes, before its end")
    func streaming() throws {
        let gate = Responder.Gate()
        let responder = try Responder(
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nfirst\n").then(.raw("second").after(gate)))
        let running = try Program.oap(["call", "/x"], input: responder.token.input).start()
        #expect(try running.firstLine() == "first")
        gate.open()
        try running.finish().expect(status: 0).expect(output: "first\nsecond")
    }

    @Test("the texts of a response that goes on are given as they come")
    func endlessSeries() throws {
        let gate = Responder.Gate()
        defer { gate.open() }
        let reply = Responder.Reply.raw(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\n{\"a\":2}\n")
        let responder = try Responder(reply.then(Responder.Reply.close.after(gate)))
        let running = try Program.oap(["call", "/x", "-q", ".a"], input: responder.token.input).start()
        #expect(try running.firstLine() == "1")
        #expect(try running.outputLine { $0 == "2" } == "2")
        gate.open()
        try running.finish().expect(status: 0)
    }
}
