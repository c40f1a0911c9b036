import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A renewal that failed, and the other processes")
struct FailedRenewalTests {
    /// A home whose token has expired, at a server that answers so.
    private func home(_ reply: Responder.Reply, _ more: JSONObject = [:]) throws -> (ManagedHome, Responder) {
        let server = try Responder { _ in reply }
        let managed = try ManagedHome()
        try managed.put(managed.stored().with(["token_endpoint": .string(server.url("/token"))]).with(more))
        return (managed, server)
    }

    private func crowd(_ managed: ManagedHome, _ count: Int = 20, _ words: String...) throws -> [ProgramResult] {
        try (0..<count).map { _ in try managed.oap(words).start() }.map { try $0.finish() }
    }

    @Test(
        "a refresh token that is dead by another name is asked for once, dropped, and the login named",
        arguments: [
            Responder.Reply.json(#"{"error":"bad_refresh_token","error_description":"expired"}"#),
            .json(#"{"error":"invalid_request","error_description":"Refresh token is invalid"}"#, status: 400),
            .json(#"{"error":"unauthorized_client","error_description":"refresh_token is invalid"}"#, status: 403),
            .json(#"{"message":"Invalid refresh token"}"#, status: 401), .text("refresh token expired", status: 400),
        ])
    func dead(reply: Responder.Reply) throws {
        let (managed, server) = try home(reply)
        for result in try crowd(managed, 20, "token", "work") {
            result.expect(status: 8)
            #expect(result.errorText.contains("oap login work"), "\(result)")
        }
        #expect(server.requests.count == 1)
        #expect(try managed.stored()["refresh_token"] == nil && managed.stored()["refresh_refused_at"] != nil)
        let piped = try Program.oap(["refresh"], input: server.token.input).run().expect(status: 8)
        #expect(try piped.object()["error"] == "refresh_refused")
    }

    @Test(
        "a password to which a server answers with no token is not sent again by the next process",
        arguments: [Responder.Reply.text("<html>", status: 200), .text("", status: 200), .json("{}")])
    func password(reply: Responder.Reply) throws {
        let (managed, server) = try home(
            reply, ["grant_type": "password", "username": "u", "password": "p", "refresh_token": .null])
        for _ in 0..<2 { try managed.oap(["token", "work"]).run().expect(status: 10) }
        let last = try managed.oap(["token", "work"]).run().expect(status: 10)
        #expect(last.errorText.contains("the token endpoint answered a renewal 0 s ago: the "), "\(last)")
        #expect(server.requests.count == 1)
    }

    @Test("a login that is made if needed is made after a refusal by another name")
    func login() throws {
        let server = try Responder { request in
            request.bodyText.contains("client_credentials")
                ? .token
                : .json(#"{"error":"invalid_request","error_description":"Refresh token is invalid"}"#, status: 400)
        }
        let managed = try ManagedHome()
        try managed.put(managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let words = [
            "login", "work", "--if-needed", "--grant", "client_credentials", "--token-endpoint-auth-method", "none",
        ]
        try managed.oap(words + ["--token-endpoint", server.url("/token"), "--client-id", "c"]).run().expect(status: 0)
        #expect(try managed.stored()["access_token"] == "new-access")
    }

    @Test(
        "what is refused otherwise is asked once by all processes, and kept as it was",
        arguments: [
            (400, #"{"error":"invalid_request"}"#, 4), (401, #"{"error":"invalid_client"}"#, 4),
            (400, #"{"error":"unauthorized_client"}"#, 4), (403, #"{"error":"access_denied"}"#, 4),
            (404, "", 10), (200, #"{"error":"x"}"#, 4), (422, #"{"message":"no"}"#, 10),
        ])
    func refused(status: Int, body: String, exit: Int) throws {
        let (managed, server) = try home(.json(body, status: status))
        let before = try managed.stored()
        let results = try crowd(managed, 20, "token", "work")
        for result in results { result.expect(status: exit) }
        #expect(server.requests.count == 1)
        #expect(
            results.count { $0.errorText.contains(" a renewal 0 s ago") || $0.errorText.contains(" a renewal 1 s ago") }
                > 0)
        #expect(try managed.stored() == before)
        // The user asks in person.
        try managed.oap("refresh", "-p", "work").run().expect(status: exit)
        #expect(server.requests.count == 2)
        let again = try managed.oap("token", "work").run().expect(status: exit)
        #expect(
            again.errorText.contains("oap tries again in 12") || again.errorText.contains("oap tries again in 11"),
            "\(again)")
        #expect(server.requests.count == 2)
    }

    @Test("a refusal counts for what was asked: with another secret the server is asked at once")
    func otherInputs() throws {
        let (managed, server) = try home(.json(#"{"error":"invalid_client"}"#, status: 401))
        let token = try managed.stored().with(["token_endpoint_auth_method": "client_secret_basic"])
        for (secret, count) in [("one", 1), ("one", 1), ("two", 2), ("two", 2), ("one", 3)] {
            try managed.put(token.with(["client_secret": .string(secret)]))
            let result = try managed.oap("token", "work").run().expect(status: 4)
            #expect(server.requests.count == count && result.errorText.contains("invalid_client"), "\(result)")
            result.expect(nowhere: "\"\(secret)\"")
        }
        let lock = try String(contentsOfFile: managed.lock, encoding: .utf8)
        #expect(!lock.contains("rt-0") && !lock.contains("one") && lock.utf8.count < 200, "\(lock)")
    }

    @Test("the grant of a machine is refused once for all processes too")
    func machine() throws {
        let (managed, server) = try home(
            .json(#"{"error":"invalid_scope"}"#, status: 400),
            ["grant_type": "client_credentials", "token_endpoint_auth_method": "none", "refresh_token": .null])
        for result in try crowd(managed, 20, "token", "work") { result.expect(status: 4) }
        #expect(server.requests.count == 1)
    }

    @Test("a token that is good again forgets an earlier refusal")
    func forgotten() throws {
        let isBroken = Mutex(true)
        let server = try Responder { _ in
            isBroken.withLock(\.self)
                ? .json(#"{"error":"invalid_scope"}"#, status: 400)
                : .json(#"{"access_token":"at-9","token_type":"Bearer","expires_in":3600}"#)
        }
        let managed = try ManagedHome()
        try managed.put(managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        try managed.oap("token", "work").run().expect(status: 4)
        isBroken.withLock { $0 = false }
        try managed.oap("refresh", "-p", "work").run().expect(status: 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: managed.lock)).isEmpty)
    }

    @Test(
        "those that wait while a server is broken take its answer for theirs; who comes later asks",
        arguments: [500, 407])
    func herd(status: Int) throws {
        let (arrived, proceed) = (Responder.Gate(), Responder.Gate())
        let server = try Responder { _ in
            arrived.open()
            return Responder.Reply.text("", status: status).after(proceed)
        }
        let managed = try ManagedHome()
        try managed.put(managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let before = try managed.stored()
        let running = try (0..<30).map { _ in try managed.oap("token", "work").start() }
        #expect(arrived.wait())
        try managed.waitForLock(running)
        proceed.open()
        let exit = status == 500 ? 12 : 10
        for program in running { try program.finish().expect(status: exit) }
        #expect(server.requests.count == 1)
        #expect(try managed.stored() == before)
        try managed.oap("token", "work").run().expect(status: exit)
        #expect(server.requests.count == 2)
    }
}
