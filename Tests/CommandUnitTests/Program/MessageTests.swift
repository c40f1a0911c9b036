import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Messages that name the cause", .inProcess)
struct MessageTests {
    private let managed: ManagedHome

    init() throws { managed = try ManagedHome(expiresIn: 1000) }

    @Test("metadata that cannot be read is what is said, not the endpoint that is sought in it")
    func metadata() throws {
        let issuer = "https://login.nowhere.invalid"
        let words = ["login", "off", "--issuer", issuer, "--client-id", "c", "--open"]
        let result = try managed.oap(words).run().expect(status: 6)
        #expect(result.errorText.contains("oap: login: cannot read the metadata of \(issuer): "), "\(result)")
        #expect(!result.errorText.contains("authorization_endpoint"))
    }

    @Test("plain http is refused to a call that sends no token without a word about one")
    func anonymous() throws {
        let result = try managed.oap("call", "--anonymous", "http://api.example/").run().expect(status: 9)
        result.expect(
            errorLine:
                "oap: call: plain http to api.example is refused: everybody on the way could read and change it")
    }

    @Test("an opaque token is called so, and who can say more is named")
    func opaque() throws {
        let result = try managed.oap("inspect", input: "0paqu3\n").run().expect(status: 3)
        result.expect(errorLine: "oap: inspect: the token is opaque: only its server can say what it means")
        #expect(result.errorText.contains("oap introspect"))
    }

    @Test("the hint for an endpoint names no variable that would not count")
    func variables() throws {
        let token: JSONObject = ["access_token": "a", "client_id": "c", "token_endpoint": "https://as.example/t"]
        let result = try Program.oap(["revoke"], input: token.input).run().expect(status: 3)
        #expect(result.errorText.contains("--revocation-endpoint"), "\(result)")
        #expect(!result.errorText.contains("OAP_REVOCATION_ENDPOINT"))
        var alone = Program.oap(["revoke", "-n"], environment: ["OAP_ACCESS_TOKEN": "a", "OAP_CLIENT_ID": "c"])
        alone.input = .none
        #expect(try alone.run().expect(status: 3).errorText.contains("OAP_REVOCATION_ENDPOINT"))
    }

    @Test("a key file that is missing can be made: the hint is the command")
    func key() throws {
        var program = managed.oap("store", "list")
        program.environment["OAP_STORE_KEY_FILE"] = managed.home.path("key")
        let result = try program.run().expect(status: 11)
        #expect(result.errorText.contains("oap store key -o \(managed.home.path("key"))"), "\(result)")
    }

    @Test("one request that fails in a batch is not counted")
    func one() throws {
        let api = try Responder { _ in .text("", status: 404) }
        let line = #"{"url":"\#(api.url("/x"))"}"#
        let result = try managed.oap(
            "call", "work", "--batch", "--allow-origin", api.url(), input: line + "\n"
        ).run().expect(status: 7)
        #expect(result.errorText.contains("oap: call: the request failed: "), "\(result)")
    }

    @Test("the hint after a 403 for a token with less scope than the login has is to ask for more, not to log in again")
    func scope() throws {
        let api = try Responder { _ in
            .text(
                "", status: 403, headers: [#"WWW-Authenticate: Bearer error="insufficient_scope", scope="gist""#])
        }
        func hint(granted: String) throws -> String {
            try managed.put(
                try managed.stored().with(["scope": .string(granted), "refresh_token": "rt-0"]))
            let renewing = try Responder { _ in
                .json(#"{"access_token":"less","token_type":"Bearer","expires_in":3600,"scope":"repo"}"#)
            }
            let token = try managed.stored().with(["token_endpoint": .string(renewing.url("/token"))])
            try managed.put(token)
            return try managed.oap("call", "work", "--scope", "repo", api.url("/x")).run().expect(status: 7).errorText
        }
        #expect(
            try hint(granted: "openid repo gist").contains(
                "the API wants 'gist', which the login has: leave --scope out, or add gist to it"))
        #expect(
            try hint(granted: "openid offline_access repo").contains(
                "oap login work --scope 'openid offline_access repo gist'"))
    }
}
