import Foundation
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

    @Test("RV-03 oap logout revokes the refresh token first, then the access token, and forgets both")
    func revoked() throws {
        let server = try Responder(.text(""), .text(""))
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let result = try oap("logout", "work").expect(status: 0).expect(output: "")
        result.expect(errorLine: "oap: logout: work: forgotten here")
        result.expect(errorLine: "oap: logout: work: refresh_token and access_token revoked at the server")
        #expect(
            server.requests.map(\.bodyText).map { $0.prefix { $0 != "&" } } == [
                "token=old-refresh", "token=old-access",
            ])
        try expectForgotten()
        try oap("logout", "work").expect(status: 8)
    }

    @Test("RV-03 oap logout forgets the token of a server that fails, is gone or names no endpoint, and says so")
    func notRevoked() throws {
        let server = try Responder(.text("", status: 503))
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let busy = try oap("logout", "work").expect(status: 6)
        #expect(busy.errorText.contains("work: not revoked at the server: the refresh_token is not revoked: "))
        #expect(server.requests.count == 2, "each token is tried")
        try expectForgotten()
        let gone = server.url("/revoke")
        server.stop()
        try store(server.token.with(["revocation_endpoint": .string(gone)]))
        try oap("logout", "work").expect(status: 6)
        try expectForgotten()
        try store(server.token)
        let silent = try oap("logout", "work").expect(status: 0)
        silent.expect(errorLine: "oap: logout: work: not revoked at the server, which names no revocation_endpoint")
        try expectForgotten()
    }

    @Test("RV-03 oap logout forgets the token of a client whose secret is not at hand")
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

    @Test("oap logout takes what the token does not know from the profile")
    func profile() throws {
        let server = try Responder(.text(""))
        try home.write(#"{"revocation_endpoint":"\#(server.url("/r"))"}"#, to: ".config/oap/profiles/work.json")
        try store(server.client.with(["access_token": "at"]))
        try oap("logout", "work").expect(status: 0)
        #expect(server.requests.map(\.target) == ["/r"])
    }

    @Test("RV-03 oap logout tells of each token, and no warning makes a revoked one an unrevoked one")
    func half() throws {
        let server = try Responder(.text("", status: 204), .text("", status: 503))
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let result = try oap("logout", "work").expect(status: 6)
        result.expect(errorLine: "oap: logout: work: refresh_token revoked at the server")
        #expect(result.errorText.contains("the access_token is not revoked"))
    }

    @Test("oap logout forgets a token whose profile or file is broken, and says that it is not revoked")
    func broken() throws {
        let server = try Responder(.text(""), .text(""))
        let document = server.token.with(["revocation_endpoint": .string(server.url("/revoke"))])
        try store(document)
        try home.write("{bad", to: ".config/oap/profiles/work.json")
        try oap("logout", "work").expect(status: 3).expect(errorLine: "oap: logout: work: forgotten here")
        try expectForgotten()
        try home.write("{}", to: ".config/oap/profiles/work.json")
        for (text, mode) in [("{bad", 0o600), (JSON.object(document).text, 0o644)] {
            try store(document)
            let file = try home.write(text, to: ".local/state/oap/tokens/work.json")
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            try oap("logout", "work").expect(status: 11).expect(errorLine: "oap: logout: work: forgotten here")
            try expectForgotten()
        }
        #expect(server.connectionCount == 0)
    }

    @Test("oap logout has forgotten the token when it is interrupted while the server is asked")
    func interrupted() throws {
        let (arrival, answer) = (Responder.Gate(), Responder.Gate())
        let server = try Responder { _ in
            arrival.open()
            return .text("").after(answer)
        }
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let logout = try Program.oap(["logout", "work"], environment: ["HOME": home.path]).start()
        #expect(arrival.wait())
        logout.send(signal: SIGINT)
        try logout.finish().expect(signal: SIGINT)
        answer.open()
        try expectForgotten()
    }

    @Test("oap logout leaves a token alone that is sealed with another key")
    func sealed() throws {
        let server = try Responder()
        let keys = try ["a", "b"].map { name in
            try oap("store", "key", "-o", home.path(name)).expect(status: 0)
            return ["HOME": home.path, "OAP_STORE_KEY_FILE": home.path(name)]
        }
        try Program.oap(["store", "put", "work"], input: server.token.input, environment: keys[0]).run()
            .expect(status: 0)
        try Program.oap(["logout", "work"], environment: keys[1]).run().expect(status: 11)
        try Program.oap(["token", "work"], environment: keys[0]).run().expect(status: 0)
    }

    @Test("oap logout sends no token of one client to the server of another, whose profile has its name")
    func foreignProfile() throws {
        let (own, other) = (try Responder(.token), try Responder(.text("")))
        try store(own.token)
        let profile: JSONObject = [
            "client_id": "other", "client_secret": "secret-of-other",
            "revocation_endpoint": .string(other.url("/revoke")),
        ]
        try home.write(JSON.object(profile).text, to: ".config/oap/profiles/work.json")
        let renewed = try oap("refresh", "-p", "work").expect(status: 0).expect(nowhere: "secret-of-other")
        #expect(renewed.errorText.contains("the profile is not used: its client_id is another than the token's"))
        #expect(own.requests[0].headers.first("Authorization") == nil)
        let out = try oap("logout", "work").expect(status: 0)
        #expect(out.errorText.contains("which names no revocation_endpoint"))
        #expect(other.connectionCount == 0)
    }
}
