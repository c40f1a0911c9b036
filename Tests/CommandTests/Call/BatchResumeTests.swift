import Foundation
import TestSupport
import Testing
import Wire

@Suite("Batches that go on after their end")
struct BatchResumeTests {
    private let folder: TemporaryDirectory
    private var file: String { folder.path("resume") }

    init() throws { folder = try TemporaryDirectory() }

    private func batch(
        _ lines: [String], _ options: [String] = [], to responder: Responder, input: Program.Input? = nil
    ) -> Program {
        .oap(
            ["call", "--batch", "--api-base", responder.url(""), "--resume", file] + options,
            input: input ?? .text(lines.map { $0 + "\n" }.joined()), environment: ["OAP_ACCESS_TOKEN": "at-batch-1"])
    }

    private func ids(_ result: ProgramResult) throws -> [Int] {
        try result.text.split(separator: "\n")
            .map { try #require(try JSON(parsing: String($0)).object?["id"]?.integer) }.sorted()
    }

    @Test("a second run with the same input sends nothing that is done, and answers nothing twice")
    func done() throws {
        let responder = try Responder { request in .text("", status: request.target == "/2" ? 404 : 200) }
        let lines = [#"{"url":"/1","body":1}"#, #"{"url":"/2"}"#, "", #"{"url":"/4"}"#]
        #expect(try ids(batch(lines, to: responder).run().expect(status: 7)) == [1, 2, 4])
        let again = try batch(lines, to: responder).run().expect(status: 7).expect(output: "")
        again.expect(errorLine: "oap: call: a request failed in an earlier run")
        #expect(responder.requests.count == 3)
        let more = lines + [#"{"url":"/5"}"#]
        #expect(try ids(batch(more, to: responder).run().expect(status: 7)) == [5])
    }

    @Test("input that has changed, a file of something else and one that another run uses are refused")
    func refused() throws {
        let responder = try Responder { _ in .text("") }
        let lines = (1...20).map { #"{"url":"/\#($0)"}"# }
        try batch(lines, to: responder).run().expect(status: 0)
        for changed in [Array(lines.dropFirst()), lines.dropLast(), ["{}"] + lines, []] {
            try batch(changed, to: responder).run().expect(status: 3).expect(output: "")
        }
        #expect(responder.requests.count == 20)
        let lock = open(file, O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX) == 0)
        let result = try batch(lines, to: responder).run().expect(status: 11)
        #expect(result.errorText.contains("in use by another run"), "\(result)")
        close(lock)
        try "something else\n".write(toFile: file, atomically: true, encoding: .utf8)
        try batch(lines, to: responder).run().expect(status: 3)
        #expect(responder.requests.count == 20)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "something else\n")
    }

    @Test(
        "SIGINT and SIGKILL lose no answer: what is done is printed in whole lines, the rest is sent by the next run, a POST that was under way is not sent twice",
        arguments: [SIGINT, SIGTERM, SIGKILL])
    func killed(signal: Int32) throws {
        let (never, arrived) = (Responder.Gate(), ["/5": Responder.Gate(), "/6": Responder.Gate()])
        let responder = try Responder { request in
            guard let gate = arrived[request.target] else { return .text("x") }
            gate.open()
            return .text("").after(never)
        }
        let lines = (1...10).map { #"{"url":"/\#($0)"\#($0 == 6 ? "" : #","body":1"#)}"# }
        let program = try batch([], ["--parallel", "2"], to: responder, input: .open).start()
        program.write(lines.prefix(6).map { $0 + "\n" }.joined())
        for number in 1...4 { _ = try program.outputLine { $0.contains(#""id":\#(number),"#) } }
        for gate in arrived.values { gate.wait() }
        program.send(signal: signal)
        let result = try program.finish().expect(signal: signal)
        #expect(try ids(result) == [1, 2, 3, 4])
        never.open()
        let next = try batch(lines, ["--ordered"], to: responder).run().expect(status: 12)
        #expect(try ids(next) == [5, 6, 7, 8, 9, 10])
        #expect(next.text.hasPrefix(#"{"id":5,"error":"outcome_unknown""#), "\(next)")
        let posts = responder.requests.filter { $0.method == "POST" }.map(\.target)
        #expect(posts.count == Set(posts).count, "\(posts)")
        try batch(lines, to: responder).run().expect(status: 12).expect(output: "")
    }

    @Test("after SIGKILL no more requests are named than were under way")
    func flagged() throws {
        let (never, third) = (Responder.Gate(), Responder.Gate())
        // The answers of the first two come at once, so that they are in one turn with the start of the next two.
        let responder = try Responder { request in
            guard ["/1", "/2"].contains(request.target) else {
                if request.target == "/4" { third.open() }
                return .text("").after(never)
            }
            return .text("x")
        }
        let lines = (1...8).map { #"{"url":"/\#($0)","body":1}"# }
        let program = try batch(lines, ["--parallel", "2"], to: responder).start()
        try program.deliver()
        #expect(third.wait())
        program.send(signal: SIGKILL)
        try program.finish().expect(signal: SIGKILL)
        never.open()
        let next = try batch(lines, ["--ordered"], to: responder).run().expect(status: 12)
        let flagged = next.text.split(separator: "\n").filter { $0.contains("outcome_unknown") }
        #expect(flagged.count <= 2 && flagged.allSatisfy { !$0.contains(#""id":1,"#) }, "\(next)")
    }

    @Test("--retry-all-methods sends a POST again that was under way, and a key is the same in both runs")
    func repeated() throws {
        for options in [["--retry-all-methods"], ["--idempotency-key"], ["--idempotency-key=my run"]] {
            unlink(file)
            let (never, arrived) = (Responder.Gate(), Responder.Gate())
            let responder = try Responder { _ in
                arrived.open()
                return .text("").after(never)
            }
            let lines = [#"{"url":"/1","body":1}"#]
            let program = try batch(lines, options, to: responder).start()
            try program.deliver()
            arrived.wait()
            program.send(signal: SIGKILL)
            try program.finish().expect(signal: SIGKILL).expect(output: "")
            never.open()
            #expect(try ids(batch(lines, options, to: responder).run().expect(status: 0)) == [1])
            let keys = responder.requests.map { $0.headers.first("Idempotency-Key") }
            #expect(keys.count == 2 && keys[0] == keys[1], "\(keys)")
            switch options[0] {
            case "--retry-all-methods": #expect(keys[0] == nil)
            case "--idempotency-key": #expect(keys[0]?.hasSuffix("-1\"") == true && keys[0]?.utf8.count == 26)
            default: #expect(keys[0] == "\"my run-1\"")
            }
        }
    }

    @Test("a line that a rate limit has refused is sent by the next run")
    func limited() throws {
        let responder = try Responder(
            .text("", status: 429, headers: ["Retry-After: 1000"]), .text("x"), .text("x"), .text("x"))
        let lines = (1...3).map { #"{"url":"/\#($0)","body":1}"# }
        let first = try batch(lines, ["--parallel", "1"], to: responder).run().expect(status: 6)
        #expect(try ids(first) == [1])
        #expect(
            first.errorText.contains("run the same command again to continue with the lines that are left"), "\(first)")
        #expect(try ids(batch(lines, to: responder).run().expect(status: 0)) == [1, 2, 3])
        #expect(responder.requests.count == 4)
    }

    @Test("a record that the end of the process has cut is ignored")
    func cut() throws {
        let responder = try Responder { _ in .text("") }
        let lines = (1...3).map { #"{"url":"/\#($0)"}"# }
        try batch(lines, ["--parallel", "1"], to: responder).run().expect(status: 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try String(text.dropLast(3)).write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try ids(batch(lines, to: responder).run().expect(status: 0)) == [3])
        try batch(lines, to: responder).run().expect(status: 0).expect(output: "")
    }

    @Test("a signal ends a filter that never ends, after the answers before it")
    func endlessFilter() throws {
        let gate = Responder.Gate()
        let responder = try Responder { request in
            request.target == "/1" ? .text("") : .text("").after(gate)
        }
        let lines = [#"{"url":"/1"}"#, #"{"url":"/2"}"#]
        let options = ["--ordered", "--jq", "def f: f; if .id == 2 then f else .id end"]
        let program = try batch(lines, options, to: responder).start()
        _ = try program.outputLine { $0 == "1" }
        gate.open()
        program.send(signal: SIGTERM)
        try program.finish().expect(signal: SIGTERM).expect(output: "1\n")
    }
}
