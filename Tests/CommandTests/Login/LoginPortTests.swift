import TestSupport
import Testing
import Wire

@Suite("The port of oap login")
struct LoginPortTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// A port that nothing listens on.
    private func freePort() throws -> Int {
        try #require(try Listening.flow()["redirect_uri"]?.string.flatMap { WebURL($0)?.port })
    }

    /// The redirect URIs of the authorization requests.
    private func redirects(_ server: Responder) -> [String?] { server.authorizations.map { $0["redirect_uri"] } }

    @Test("--port goes into a redirect URI that leaves the port open")
    func open() throws {
        let server = try LoginHome.server()
        try person.profile(server, ["redirect_uri": "http://127.0.0.1/callback"])
        let port = try freePort()
        try person.oap(["login", "work", "--open", "--port", "\(port)"]).run().expect(status: 0)
        #expect(redirects(server) == ["http://127.0.0.1:\(port)/callback"])
    }
}
