import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The port of oap login", .inProcess)
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

    @Test("a login from a stored token alone takes a free port again, and a port that was named again")
    func stored() throws {
        let server = try LoginHome.server()
        let words = [
            "login", "work", "--open", "--client-id", "c", "--authorization-endpoint", server.url("/authorize"),
            "--token-endpoint", server.url("/token"),
        ]
        try person.oap(words).run().expect(status: 0)
        #expect(!person.home.contains(LoginHome.profile))
        #expect(try person.stored()["redirect_uri"] == nil)
        try person.oap(words + ["--redirect-uri", "http://localhost:0/cb"]).run().expect(status: 0)
        #expect(try person.stored()["redirect_uri"] == "http://localhost:0/cb")
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(redirects(server).last??.hasPrefix("http://localhost:") == true)
        let port = try freePort()
        try person.oap(words + ["--port", "\(port)"]).run().expect(status: 0)
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(redirects(server).suffix(2).allSatisfy { $0 == "http://localhost:\(port)/cb" })
    }
}
