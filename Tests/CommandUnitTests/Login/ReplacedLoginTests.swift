import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A login over a login", .inProcess)
struct ReplacedLoginTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// A server with tokens of their own for each login.
    private func server(session: String = "null", revocationStatus: Int = 200) throws -> Responder {
        let count = Mutex(0)
        return try Responder { request in
            if request.target.hasPrefix("/authorize?") { return LoginHome.consent(to: request) }
            if request.target == "/revoke" { return .text("", status: revocationStatus) }
            let number = count.withLock {
                $0 += 1
                return $0
            }
            let members = #""token_type":"Bearer","expires_in":3600,"session_state":\#(session)"#
            return .json(#"{"access_token":"at-\#(number)","refresh_token":"rt-\#(number)",\#(members)}"#)
        }
    }

    private func profile(_ server: Responder) throws {
        try person.profile(server, ["revocation_endpoint": .string(server.url("/revoke"))])
    }

    @discardableResult private func logIn(_ options: String...) throws -> ProgramResult {
        try person.oap(["login", "work", "--open"] + options).run().expect(status: 0)
    }

    private func revoked(by server: Responder) throws -> [String] {
        try server.requests.filter { $0.target == "/revoke" }.map { request in
            try FormEncoding.parse(request.bodyText).first { $0.name == "token" }?.value ?? ""
        }
    }

    @Test("with --revoke-old it revokes the tokens that it replaces, once the new ones are stored")
    func revokes() throws {
        let server = try server()
        try profile(server)
        try logIn("--revoke-old")
        #expect(try revoked(by: server) == [])
        try logIn()
        #expect(try revoked(by: server) == [])
        let result = try logIn("--revoke-old")
        result.expect(errorLine: "oap: login: the earlier login: refresh_token and access_token revoked at the server")
        #expect(try revoked(by: server) == ["rt-2", "at-2"])
        #expect(try person.stored()["refresh_token"] == "rt-3")
        let order = server.requests.map(\.target).suffix(3)
        #expect(order == ["/token", "/revoke", "/revoke"])
    }

    @Test("a session that both logins share is not ended")
    func sharedSession() throws {
        let server = try server(session: #""7f3c2a91""#)
        try profile(server)
        try logIn()
        try logIn("--revoke-old").expect(
            errorLine: "oap: login: the earlier login is not revoked: the server has one session for both")
        #expect(try revoked(by: server) == [])
    }

    @Test("a revocation that fails, or that the server does not have, leaves the new login as it is")
    func failing() throws {
        let server = try server(revocationStatus: 400)
        try profile(server)
        try logIn()
        let result = try logIn("--revoke-old")
        #expect(result.errorText.contains("oap: login: warning: the earlier login is not revoked: "), "\(result)")
        #expect(try person.stored()["access_token"] == "at-2")
    }

    @Test("a server without a revocation leaves the earlier login, which is said")
    func unrevocable() throws {
        let server = try server()
        try person.profile(server)
        try logIn()
        try logIn("--revoke-old").expect(
            errorLine: "oap: login: the earlier login: not revoked at the server: no revocation_endpoint is known")
    }
}
