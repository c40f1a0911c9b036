import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap login with the endpoints in variables", .inProcess)
struct LoginVariableTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// A server that logs everybody in.
    private func server(metadata: String?) throws -> Responder {
        try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case let target where target.hasPrefix("/.well-known/"):
                guard let metadata else { return .text("", status: 404) }
                return .json(metadata.replacing("$", with: address))
            case "/par": return .json(#"{"request_uri":"urn:r","expires_in":60}"#, status: 201)
            case let target where target.hasPrefix("/authorize?"):
                return LoginHome.consent(to: request)
            default: return .json(#"{"access_token":"at","token_type":"Bearer"}"#)
            }
        }
    }

    private func login(_ server: Responder, _ arguments: String...) -> Program { login(server, arguments) }

    private func login(_ server: Responder, _ arguments: [String]) -> Program {
        person.oap(
            ["login", "work"] + arguments,
            [
                "OAP_ISSUER": server.url(), "OAP_AUTHORIZATION_ENDPOINT": server.url("/authorize"),
                "OAP_TOKEN_ENDPOINT": server.url("/token"),
            ])
    }

    @Test("oap login pushes its request where only the metadata says that the server requires that, each time")
    func pushed() throws {
        let server = try server(
            metadata: """
                {"issuer":"$","authorization_endpoint":"$/authorize","token_endpoint":"$/token",\
                "pushed_authorization_request_endpoint":"$/par","require_pushed_authorization_requests":true}
                """)
        let first = try login(server, "--no-open", "--issuer", server.url(), "--client-id", "c", "--timeout", "1").run()
        first.expect(status: 6)
        #expect(first.errorText.contains("/authorize?client_id=c&request_uri=urn%3Ar\n"), "\(first)")
        #expect(server.requests.count { $0.target == "/par" } == 1)
        try person.home.write(#"{"client_id":"c","issuer":"\#(server.url())"}"#, to: LoginHome.profile)
        let later = try login(server, "--no-open", "--timeout", "1").run().expect(status: 6)
        #expect(later.errorText.contains("/authorize?client_id=c&request_uri=urn%3Ar\n"), "\(later)")
        #expect(server.requests.count { $0.target == "/par" } == 2)
    }

    @Test("oap login does without the metadata of a server that has none, if variables name the endpoints")
    func none() throws {
        let server = try server(metadata: nil)
        try login(server, "--open", "--issuer", server.url(), "--client-id", "c").run().expect(status: 0)
        #expect(try person.stored()["access_token"] == "at")
        // The profile names its server now.
        let words = ["--open", "--issuer", server.url(), "--client-id", "c", "--no-discovery"]
        try login(server, words).run().expect(status: 3)
        try login(server, words + ["--save-profile"]).run().expect(status: 3)
        try person.oap(["profile", "delete", "work"]).run().expect(status: 0)
        try person.oap(["logout", "work", "--local"]).run().expect(status: 0)
        try login(server, words).run().expect(status: 0)
        #expect(server.requests.count { $0.target.hasPrefix("/.well-known/") } == 2)
    }
}
