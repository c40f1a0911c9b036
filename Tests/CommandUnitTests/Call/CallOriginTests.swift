import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("The origins that oap call sends a token to", .inProcess)
struct CallOriginTests {
    @Test("a token is not sent to another origin than its document names, unless --allow-origin names it")
    func another() throws {
        let (own, other) = (try Responder { _ in .json("{}") }, try Responder { _ in .json("{}") })
        let input = own.token.input
        for options in [[], ["--dry-run"]] {
            let refused = try Program.oap(["call", other.url("/me")] + options, input: input).run().expect(status: 9)
            refused.expect(errorLine: "oap: call: the token is for \(own.url()), not for \(other.url())")
                .expect(
                    errorLine: "oap: hint: to send the token to \(other.url()), use --allow-origin \(other.url())")
        }
        #expect(other.connectionCount == 0 && own.connectionCount == 0)
        try Program.oap(["call", other.url("/me"), "--allow-origin", other.url()], input: input).run()
            .expect(status: 0)
        let listed = own.token.with(["api_origins": .array([.string(other.url())])])
        try Program.oap(["call", other.url("/me")], input: listed.input).run().expect(status: 0)
        try Program.oap(["call", own.url("/me")], input: listed.input).run().expect(status: 0)
        #expect(other.requests.allSatisfy { $0.headers.first("Authorization") == "Bearer old-access" })
        try Program.oap(["call", "/me", "--allow-origin", "nowhere"], input: input).run().expect(status: 2)
        // A document that names no place leaves the URL to the caller, also beside --allow-origin.
        var open = own.token
        open["api_base"] = nil
        try Program.oap(["call", other.url("/me"), "--allow-origin", own.url()], input: open.input).run()
            .expect(status: 0)
    }
}
