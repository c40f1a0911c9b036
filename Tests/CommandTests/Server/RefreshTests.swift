import Glibc
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("refresh, as a process")
struct RefreshTests {
    @Test("oap refresh gives a document that works alone: it refreshes and calls again")
    func chain() throws {
        let answer = Responder.Reply.json(#"{"access_token":"a","token_type":"Bearer","refresh_token":"r"}"#)
        let responder = try Responder(answer, .token, .text("hello"))
        let document = responder.flow.with(["api_base": .string(responder.url())])
        try Program.shell("oap exchange | oap refresh | oap call /x", input: document.input).run()
            .expect(status: 0).expect(output: "hello")
        #expect(responder.requests.last?.headers.first("Authorization") == "Bearer new-access")
    }
}
