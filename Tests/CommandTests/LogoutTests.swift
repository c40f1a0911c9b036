import TestSupport
import Testing
import Wire

@Suite("oap logout")
struct LogoutTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func oap(_ arguments: String..., input: Program.Input = .none) throws -> ProgramResult {
        try Program.oap(arguments, input: input, environment: ["HOME": home.path]).run()
    }

    private func store(_ document: JSONObject) throws {
        try oap("store", "put", "work", input: document.input).expect(status: 0)
    }

    private func expectForgotten() throws { try oap("store", "get", "work").expect(status: 8) }

    @Test("RV-03 revokes the refresh token first, then the access token, and forgets both")
    func revoked() throws {
        let server = try Responder(.text(""), .text(""))
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let result = try oap("logout", "work").expect(status: 0).expect(output: "")
        result.expect(
            errorLine: "oap: logout: work: refresh_token and access_token revoked at the server, forgotten here")
        #expect(
            server.requests.map(\.bodyText).map { $0.prefix { $0 != "&" } } == [
                "token=old-refresh", "token=old-access",
            ])
        try expectForgotten()
        try oap("logout", "work").expect(status: 8)
    }

    @Test("RV-03 forgets the token of a server that fails, is gone or names no endpoint, and says so")
    func notRevoked() throws {
        let server = try Responder(.text("", status: 503))
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let busy = try oap("logout", "work").expect(status: 6)
        #expect(busy.errorText.contains("work: forgotten here, but not revoked at the server: "))
        try expectForgotten()
        let gone = server.url("/revoke")
        server.stop()
        try store(server.token.with(["revocation_endpoint": .string(gone)]))
        try oap("logout", "work").expect(status: 6)
        try expectForgotten()
        try store(server.token)
        let silent = try oap("logout", "work").expect(status: 0)
        #expect(silent.errorText.contains("forgotten here; not revoked"))
        try expectForgotten()
    }

    @Test("RV-03 forgets the token of a client whose secret is not at hand")
    func noSecret() throws {
        let server = try Responder()
        try store(
            server.token.with([
                "revocation_endpoint": .string(server.url("/revoke")),
                "token_endpoint_auth_method": "client_secret_basic",
            ]))
        let result = try oap("logout", "work").expect(status: 3)
        #expect(result.errorText.contains("client_secret is missing"))
        #expect(server.connectionCount == 0)
        try expectForgotten()
    }

    @Test("takes what the token does not know from the profile")
    func profile() throws {
        let server = try Responder(.text(""))
        try home.write(#"{"revocation_endpoint":"\#(server.url("/r"))"}"#, to: ".config/oap/profiles/work.json")
        try store(server.client.with(["access_token": "at"]))
        try oap("logout", "work").expect(status: 0)
        #expect(server.requests.map(\.target) == ["/r"])
    }
}
