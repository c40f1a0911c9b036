import Foundation
import TestSupport
import Testing
import Wire

/// A real browser at the login pages of servers that others wrote. Needs the packages chromium and chromium-driver.
@Suite("A person with a browser")
struct BrowserTests {
    @Test(
        "a person with a browser logs in on the server's own pages and ends on a page that says so",
        arguments: Peer.Server.allCases)
    func login(server: Peer.Server) throws {
        let redirectURI = try Self.freeRedirectURI()
        let login = Login(peer: try Peer(server, settings: ["MORE_REDIRECT_URIS": redirectURI]))
        let client = try login.client("cli-public").with("redirect_uri", .string(redirectURI))
        let folder = try TemporaryDirectory()
        let report = folder.path("report")
        try #require(mkfifo(report, 0o600) == 0)
        let pipe = try Program.shell(
            "oap authurl | oap listen --open | oap callback-parse | oap exchange",
            input: .file(try folder.write(JSON.object(client).text, to: "client.json")),
            environment: [
                "BROWSER": "\(Fixture.project)/Tests/Peers/chromium \(report)",
                "LOGIN": try #require(login.peer.description["user"]).text, "HOME": folder.path,
            ]
        ).start()
        let seen = try Program(path: "/bin/cat", arguments: [report]).run().expect(status: 0).object()
        try #require(seen["failure"] == nil, "\(seen["failure"]?.string ?? "")")
        #expect(seen["url"]?.string?.hasPrefix(redirectURI + "?") == true)
        #expect(seen["title"] == .string("Answer received"))
        let text = "The terminal says whether you are signed in. You can close this window."
        #expect(seen["text"] == .string("Answer received\n\(text)\noap"))
        // That the page has its colours tells that its policy lets its own style in.
        let colours = try #require(seen["colours"]?.object)
        #expect(colours["light"] == .string("rgba(243, 244, 246, 1)"))
        #expect(colours["dark"] == .string("rgba(15, 17, 21, 1)"))
        #expect(seen["complaints"]?.array?.isEmpty == true, "\(seen["complaints"]?.text ?? "")")
        let token = try pipe.finish().expect(status: 0).object()
        #expect(token["access_token"]?.string?.isEmpty == false && token["id_token_claims"] != nil)
    }

    /// A redirect URI whose port is free, as `oap authurl` chooses it: Glewlwyd wants to know the port beforehand.
    private static func freeRedirectURI() throws -> String {
        let flow = try Program.oap(
            ["authurl", "-n", "--client-id", "c", "--authorization-endpoint", "https://as.example/authorize"]
        ).run().expect(status: 0).object()
        return try #require(flow["redirect_uri"]?.string)
    }
}
