import Foundation
import TestSupport
import Testing
import Wire

@Suite("Batches and the streams of their process")
struct BatchStreamTests {
    @Test("a reader that begins late gets all answers")
    func lateReader() throws {
        let gate = Responder.Gate()
        let body = String(repeating: "x", count: 100_000)
        let responder = try Responder { request in
            switch request.target {
            case "/read": .text("").after(gate)
            case "/3": .text(body).opening(gate)
            default: .text(body)
            }
        }
        let lines = (1...3).map { "{\"url\":\"/\($0)\"}\n" }.joined()
        let result = try Program.shell(
            "oap call --batch | { oap call -n $OAP_API_BASE/read; grep -c xxx; }", input: .text(lines),
            environment: ["OAP_ACCESS_TOKEN": "t", "OAP_API_BASE": responder.url()]
        ).run()
        result.expect(output: "3\n")
    }

    @Test("a closed standard output ends the batch")
    func brokenPipe() throws {
        let responder = try Responder { _ in .text("x") }
        let lines = (1...1000).map { "{\"url\":\"/\($0)\"}\n" }.joined()
        var program = Program.oap(
            ["call", "--batch", "--api-base", responder.url("")], input: .text(lines),
            environment: ["OAP_ACCESS_TOKEN": "t"])
        program.output = .broken
        try program.run().expect(signal: SIGPIPE)
        #expect(responder.requests.count < 1000)
    }
}
