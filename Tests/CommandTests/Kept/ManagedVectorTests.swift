import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Tokens that oap keeps, by the vectors")
struct ManagedVectorTests {
    @Test(
        "CA-04, CA-09, CA-10, CA-11 call_auth_decision: a refused call goes on as the case says",
        arguments: try VectorGroup("call_auth_decision").cases(only: [
            "piped-document", "second-401-after-refresh", "token-changed-meanwhile", "unreplayable-body",
        ]))
    func refusedCalls(vector: VectorCase) throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let newer = JSON.object(try managed.stored().with(["access_token": "at-9"])).text
        let (file, storesAnother) = (managed.file, vector.id == "token-changed-meanwhile")
        let api = try Responder { request in
            guard !request.head.contains("Bearer at-9\r\n") else { return .text("yes") }
            if storesAnother { try? Data(newer.utf8).write(to: URL(fileURLWithPath: file)) }
            return .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
        }
        let url = api.url("/me")
        switch vector["action"]?.string {
        case "pass-through":
            let input = Program.Input.text(JSON.object(try managed.stored()).text)
            let result = try Program.oap(["call", url], input: input).run().expect(status: 7)
            #expect(result.errorText.contains("oap refresh"), "\(result)")
            #expect(api.requests.count == 1 && managed.endpoint.requests.isEmpty)
        case "stop: pass the second 401 through, no second refresh":
            try managed.oap("call", "-p", "work", url).run().expect(status: 7)
            #expect(api.requests.count == 2 && managed.endpoint.requests.count == 1)
        case "retry-without-refresh":
            #expect(try managed.oap("call", "-p", "work", url).run().expect(status: 0).text == "yes")
            #expect(api.requests.count == 2 && managed.endpoint.requests.isEmpty)
        case "pass-through, kind body_not_replayable in the diagnostic":
            let script = "oap call -p work \(url) --input <(head -c 16777217 /dev/zero)"
            let result = try Program.shell(script, environment: ["HOME": managed.home.path]).run().expect(status: 7)
            #expect(result.errorText.contains("cannot be sent again"), "\(result)")
            #expect(api.requests.count == 1 && managed.endpoint.requests.isEmpty, "\(result)")
        default: Issue.record("no test for \(vector)")
        }
    }

    @Test(
        "R-06, R-12 refresh_merge: what is stored when a refresh fails is what the case says",
        arguments: try VectorGroup("refresh_merge").cases(only: ["invalid_grant-store-changed", "network-error"]))
    func failedRefresh(vector: VectorCase) throws {
        let managed = try ManagedHome()
        let file = managed.file
        let meanwhile = try vector["store_now"]?.object.map {
            let expiry = Int(Date().timeIntervalSince1970) + 1000
            return JSON.object(try managed.stored().with($0).with(["expires_at": .integer(expiry)])).text
        }
        let reply = try vector["response"].map {
            Responder.Reply.json($0.text, status: try #require(vector["status"]?.integer))
        }
        let endpoint = try Responder { _ in
            if let meanwhile { try? Data(meanwhile.utf8).write(to: URL(fileURLWithPath: file)) }
            return reply ?? .reset
        }
        // Without openid: what an ID token is checked with is no part of these cases.
        var old = try managed.stored().with(try #require(vector["old"]?.object)).with([
            "token_endpoint": .string(endpoint.url("/token")), "scope": "read",
        ])
        old["id_token"] = nil
        try managed.put(old)
        let result = try managed.oap("token", "work").run()
        switch vector["new"]?.string {
        case "keep the store; use a9":
            #expect(result.expect(status: 0).text == "a9\n")
            #expect(try managed.stored()["refresh_token"] == "r9")
        case "unchanged":
            result.expect(status: vector["ambiguous"] == .bool(true) ? 12 : 6)
            #expect(try managed.stored() == old)
        default: Issue.record("no test for \(vector)")
        }
        #expect(endpoint.requests.map(\.target) == ["/token"])
    }
}
