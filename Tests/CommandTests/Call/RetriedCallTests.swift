import Foundation
import TestSupport
import Testing
import Wire

@Suite("Calls that are tried again, as a process")
struct RetriedCallTests {
    private func call(_ options: [String], _ responder: Responder) throws -> ProgramResult {
        try Program.oap(["call", "/x"] + options, input: responder.token.input).run()
    }

    @Test("content from a pipe is sent again")
    func pipe() throws {
        let responder = try Responder(.text("no", status: 503), .text("yes"))
        let program = Program.shell(
            "oap call -X PUT /x --retry-delay 0.01 --input <(printf hello)", input: responder.token.input)
        try program.run().expect(status: 0).expect(output: "yes")
        #expect(responder.requests.map(\.bodyText) == ["hello", "hello"])
    }

    @Test("a reader that goes away during a pause ends the call")
    func brokenPipe() throws {
        let responder = try Responder { _ in .text("", status: 503, headers: ["Retry-After: 200"]) }
        try Program.shell("oap call /x 2> /dev/null | true; exit ${PIPESTATUS[0]}", input: responder.token.input).run()
            .expect(status: 141)
        #expect(responder.requests.count == 1)
    }
}
