import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Another token of the same login is held against what was asked for at each use")
struct DerivedTokenCheckTests {
    private let managed: ManagedHome

    init() throws { managed = try ManagedHome(expiresIn: 1000) }

    /// A server that answers every token request with these members.
    private func server(_ members: JSONObject) throws -> Responder {
        let token: JSONObject = ["access_token": "wide", "token_type": "Bearer", "expires_in": 300]
        let server = try Responder { _ in .json(JSON.object(token.with(members)).text) }
        let stored = try managed.stored()
        try managed.put(stored.with(["scope": "a b c", "token_endpoint": .string(server.url("/token"))]))
        return server
    }

    @discardableResult
    private func token(_ options: String..., status: Int = 0) throws -> ProgramResult {
        try managed.oap(["token", "work"] + options).run().expect(status: status)
    }

    private static let wider = "warning: the server granted more scope than requested: a c"

    @Test("a token that is wider is a warning each time, and is not given away with --strict, though it is kept")
    func wider() throws {
        let server = try server(["scope": "a b c"])
        try token("--scope", "b", "--strict", status: 10).expect(output: "")
        for _ in 1...2 { try token("--scope", "b").expect(errorLine: "oap: token: \(Self.wider)") }
        #expect(server.requests.count == 2)
        try token("--scope", "b", "--strict", status: 10).expect(output: "")
        let run = ["run", "work", "--scope", "b"]
        let child = ["--", "sh", "-c", "echo $OAP_ACCESS_TOKEN"]
        try managed.oap(run + ["--strict"] + child).run().expect(status: 10).expect(output: "")
        try managed.oap(run + child).run().expect(status: 0).expect(errorLine: "oap: run: \(Self.wider)")
        try token("--scope", "a b c", "--strict")
        #expect(server.requests.count == 3)
    }

    @Test("oap call warns of a token that is wider, a new one and one that is kept")
    func call() throws {
        let server = try server(["scope": "a b c"])
        let api = try Responder { _ in .text("") }
        let call = ["call", "work", api.url("/x"), "--scope", "b"]
        for _ in 1...2 {
            try managed.oap(call).run().expect(status: 0).expect(errorLine: "oap: call: \(Self.wider)")
        }
        #expect(api.requests.count == 2 && server.requests.count == 1)
    }

    @Test("a scope that was exchanged for another one is both not granted and more than requested")
    func exchanged() throws {
        let server = try server(["scope": "a c"])
        for _ in 1...2 { try token("--scope", "b").expect(errorLine: "oap: token: \(Self.wider)") }
        try token("--scope", "b", "--strict", status: 10)
        #expect(server.requests.count == 1)
    }

    @Test("the token of the login in the place of a narrower one is a warning, and exit 10 with --strict")
    func same() throws {
        let server = try server(["access_token": "at-0", "scope": "b"])
        let warning = "warning: the server sent the access token of the login itself, not another token"
        for _ in 1...2 { try token("--scope", "b").expect(errorLine: "oap: token: \(warning)") }
        try token("--scope", "b", "--strict", status: 10).expect(output: "")
        try token("--exchange", "--scope", "b", "--strict", status: 10).expect(output: "")
        #expect(server.requests.count == 2)
    }

    @Test("a JWT for another audience than requested is a warning, and exit 10 with --strict")
    func audience() throws {
        let payload = Base64.encodeURL(Array(#"{"aud":["https://one.example/","two"]}"#.utf8))
        let server = try server(["access_token": .string("eyJhbGciOiJSUzI1NiJ9.\(payload).AA")])
        let warning = "warning: the token is for another audience than requested: https://one.example/ two"
        for _ in 1...2 { try token("--audience", "three").expect(errorLine: "oap: token: \(warning)") }
        try token("--audience", "three", "--strict", status: 10).expect(output: "")
        for name in ["https://one.example", "two"] { try token("--audience", name, "--strict") }
        try token("--resource", "https://one.example", "--strict")
        try token("--scope", "b", "--strict")
        #expect(server.requests.count == 5)
    }

    @Test("an audience or a resource without an origin keeps the places of the login")
    func places() throws {
        let server = try server([:])
        let (own, other) = (try Responder { _ in .text("") }, try Responder { _ in .text("") })
        let base: JSONObject = ["api_base": .string(own.url("/api"))]
        let resource: JSONObject = ["resource": .string(own.url("/api"))]
        for place in [base, resource, ["api_origins": .strings([own.url()])]] {
            var login = try managed.stored()
            login.remove(["api_base", "resource", "api_origins", "derived_tokens"])
            try managed.put(login.with(place))
            for options in [
                ["--audience", "foo"], ["--resource", "urn:x"], ["--audience", "foo", "--scope", "b"],
                ["--audience", "http://plain.example"],
            ] {
                try managed.oap(["call", "work", other.url("/x")] + options).run().expect(status: 9)
                try managed.oap(["call", "work", own.url("/x")] + options).run().expect(status: 0)
                guard place != ["api_origins": .strings([own.url()])] else { continue }
                try managed.oap(["call", "work", "/me"] + options).run().expect(status: 0)
                #expect(own.requests.last?.target == "/api/me")
            }
        }
        #expect(other.requests.isEmpty)
        let sent = try server.requests.map { try FormEncoding.parse($0.bodyText) }
        #expect(sent.allSatisfy { form in !form.contains { $0.name == "resource" && $0.value != "urn:x" } })
    }
}
