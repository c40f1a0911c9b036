import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A token that an API refuses and nothing renews")
struct RefusedTokenTests {
    private static let challenge = #"WWW-Authenticate: Bearer error="invalid_token""#

    @Test("it is not marked by the word of a server that only --allow-origin names")
    func allowedOrigin() throws {
        let managed = try ManagedHome(expiresIn: 1000, refreshable: false)
        let api = try ManagedHome.api()
        let other = try Responder { _ in .json("{}", status: 401, headers: [Self.challenge]) }
        try managed.put(managed.stored().with(["api_base": .string(api.url())]))
        let words = ["call", "-p", "work", "--allow-origin", other.url(), other.url("/x")]
        try managed.oap(words).run().expect(status: 8)
        #expect(other.requests.first?.headers.first("Authorization") == "Bearer at-0")
        #expect(try managed.stored()["refused_at"] == nil)
        #expect(try managed.oap("token", "work").run().expect(status: 0).text == "at-0\n")
    }

    @Test(
        "it is not marked for a 401 that does not call it invalid",
        arguments: [[], ["WWW-Authenticate: Bearer"], [#"WWW-Authenticate: Bearer error="invalid_request""#]])
    func otherReason(fields: [String]) throws {
        let managed = try ManagedHome(expiresIn: 1000, refreshable: false)
        let api = try Responder { _ in .json("{}", status: 401, headers: fields) }
        try managed.put(managed.stored().with(["api_base": .string(api.url())]))
        #expect(try managed.oap("call", "-p", "work", "/x").run().ending != .status(0))
        #expect(try managed.stored()["refused_at"] == nil)
        #expect(try managed.oap("token", "work").run().expect(status: 0).text == "at-0\n")
        // A login that is made if needed is needed, where it may be the token.
        let isUnclear = fields.first?.contains("invalid_request") != true
        #expect(try (managed.stored()["unauthorized_at"]?.integer != nil) == isUnclear)
        let login = try managed.oap("login", "work", "--if-needed").run()
        #expect((login.ending == .status(0)) == !isUnclear)
        #expect(login.errorText.contains("an API answered 401 to the stored token") == isUnclear, "\(login)")
        try managed.put(managed.stored().with(["refresh_token": "rt-0"]))
        try managed.oap("refresh", "work").run().expect(status: 0)
        #expect(try managed.stored()["unauthorized_at"] == nil)
    }

    @Test(
        "it is not marked where another process has stored another token meanwhile, or what renews it",
        arguments: [["access_token": "at-9"], ["refresh_token": "rt-9"]] as [JSONObject])
    func replacedMeanwhile(newer: JSONObject) throws {
        let home = try TemporaryDirectory()
        let api = try Responder { _ in
            _ = try? home.write("", to: "refused")
            return .json("{}", status: 401, headers: [Self.challenge])
        }
        let token: JSONObject = [
            "client_id": "c", "token_endpoint": "http://127.0.0.1:1/", "access_token": "at-0", "token_type": "Bearer",
            "expires_at": .integer(Int(time(nil)) + 1000), "api_base": .string(api.url()),
        ]
        try home.write(JSON.object(token).text, to: "kept")
        try home.write(JSON.object(token.with(newer)).text, to: "newer")
        // What the renewal finds is the old token, and what is read after it the newer one.
        try home.write(
            """
            case $1 in
            get)
                jq -n --rawfile secret "$HOME/kept" '{Secret: $secret}'
                test ! -e "$HOME/refused" || cp "$HOME/newer" "$HOME/kept" ;;
            store) jq -j .Secret > "$HOME/stored" ;;
            esac
            """, to: "script")
        // The locks of a helper are the user's, in whatever home it runs: this one is no other test's.
        let helper = newer["access_token"] == nil ? "fake-renewable" : "fake-replaced"
        try FileManager.default.createSymbolicLink(
            atPath: home.path("docker-credential-\(helper)"),
            withDestinationPath: "\(Fixture.project)/Tests/Fixtures/docker-credential-fake")
        let environment = [
            "HOME": home.path, "PATH": "\(home.path):/usr/bin:/bin", "OAP_STORE": "helper:\(helper)",
        ]
        let result = try Program.oap(["call", "-p", "work", "/x"], environment: environment).run()
        #expect(result.ending != .status(0), "\(result)")
        #expect(home.contains("refused"))
        #expect(!home.contains("stored"), "nothing was written over the newer token: \(result)")
    }
}
