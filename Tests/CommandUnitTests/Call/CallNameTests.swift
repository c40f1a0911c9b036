import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap call with the name of a stored token", .inProcess)
struct CallNameTests {
    private let managed: ManagedHome
    private let api: Responder

    init() throws {
        managed = try ManagedHome(expiresIn: 3_600)
        api = try Responder { .text($0.headers.first("Authorization") ?? "none") }
    }

    @Test("the name comes before the URL, with or without -p of the same name")
    func named() throws {
        for words in [["work"], ["-p", "work"], ["work", "-p", "work"]] {
            try managed.oap(["call"] + words + [api.url("/x")]).run().expect(status: 0).expect(output: "Bearer at-0")
        }
        var batch = managed.oap(["call", "work", "--batch", "-q", ".status", "--api-base", api.url()])
        batch.input = .text(#"{"url":"\#(api.url("/x"))"}"#)
        try batch.run().expect(status: 0)
        #expect(api.requests.last?.headers.first("Authorization") == "Bearer at-0")
    }

    @Test("a batch without a token says so, before it says where the token may be sent")
    func noToken() throws {
        let hint = "oap: hint: to name a stored token: oap call NAME --batch; else set OAP_ACCESS_TOKEN"
        try Program.oap(["call", "--batch"]).run().expect(status: 3).expect(errorLine: hint)
    }
}
