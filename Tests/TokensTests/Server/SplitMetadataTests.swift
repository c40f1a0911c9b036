import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Metadata of which one document has what another lacks", .inProcessWithoutPauses)
struct SplitMetadataTests {
    private static let openID = "/.well-known/openid-configuration"
    private static let oauth = "/.well-known/oauth-authorization-server"

    /// A server whose first document names two endpoints, and whose second is this text; `$` stands for its address.
    private func server(second: String) throws -> Responder {
        try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            let first = #"{"issuer":"$","token_endpoint":"$/token","jwks_uri":"$/keys"}"#
            switch request.target {
            case Self.openID: return .json(first.replacing("$", with: address))
            case Self.oauth:
                return Int(second).map { .text("", status: $0) } ?? .json(second.replacing("$", with: address))
            case "/registration": return .json(#"{"client_id":"new"}"#, status: 201)
            case "/token": return .token
            default: return .text("", status: request.target == "/revocation" ? 200 : 404)
            }
        }
    }

    private static let good =
        #"{"issuer":"$","token_endpoint":"$/other","revocation_endpoint":"$/revocation","registration_endpoint":"$/registration"}"#

    private func client(_ server: Responder) -> JSONObject {
        ["issuer": .string(server.url()), "client_id": "c", "access_token": "at", "refresh_token": "rt"]
    }

    @Test("an endpoint that the first document lacks is taken from the second, and nothing that the first has")
    func merged() throws {
        let server = try server(second: Self.good)
        let revoke = Program.oap(["revoke"], input: client(server).input)
        try revoke.run().expect(status: 0).expectSilence()
        #expect(server.requests.map(\.target) == [Self.openID, Self.oauth, "/revocation", "/revocation"])
        let found = try Program.oap(["discover", server.url()]).run().expect(status: 0).object()
        #expect(found["token_endpoint"] == .string(server.url("/token")))
        #expect(found["registration_endpoint"] == .string(server.url("/registration")))
        let client = try Program.oap(["register", "-n", "--issuer", server.url()]).run().expect(status: 0).object()
        #expect(client["client_id"] == "new" && client["token_endpoint"] == .string(server.url("/token")))
    }

    @Test("the second document is not asked for what the first has")
    func enough() throws {
        let server = try server(second: Self.good)
        try Program.oap(["refresh"], input: client(server).input).run().expect(status: 0)
        #expect(server.requests.map(\.target) == [Self.openID, "/token"])
    }

    @Test("logout revokes at the endpoint of the second document, and asks for it once for several tokens")
    func logout() throws {
        let (server, bare) = (try server(second: Self.good), try server(second: "404"))
        let home = try TemporaryDirectory()
        let oap = { (arguments: [String], input: Program.Input) in
            Program.oap(arguments, input: input, environment: ["HOME": home.path])
        }
        for name in ["a", "b"] { try oap(["store", "put", name], client(server).input).run().expect(status: 0) }
        let result = try oap(["logout", "--all"], .none).run().expect(status: 0)
        #expect(result.errorText.contains("a: refresh_token and access_token revoked at the server"), "\(result)")
        #expect(server.requests.filter { $0.method == "GET" }.map(\.target) == [Self.openID, Self.oauth])
        #expect(server.requests.filter { $0.target == "/revocation" }.count == 4)
        for name in ["a", "b"] { try oap(["store", "put", name], client(bare).input).run().expect(status: 0) }
        let none = try oap(["logout", "--all"], .none).run().expect(status: 0)
        #expect(none.errorText.contains("no revocation_endpoint is known"), "\(none)")
        #expect(bare.requests.map(\.target) == [Self.openID, Self.oauth])
    }

    @Test("a token is kept while the server of the second document is busy")
    func busy() throws {
        let server = try server(second: "503")
        let home = try TemporaryDirectory()
        try Program.oap(["store", "put", "a"], input: client(server).input, environment: ["HOME": home.path]).run()
            .expect(status: 0)
        try Program.oap(["logout", "a"], environment: ["HOME": home.path]).run().expect(status: 6)
        try Program.oap(["store", "get", "a"], environment: ["HOME": home.path]).run().expect(status: 0)
    }

    @Test(
        "a second document of another issuer, or that is none, is passed over, and -v names it",
        arguments: [
            #"{"issuer":"$/","revocation_endpoint":"$/revocation"}"#, #"{"revocation_endpoint":"$/revocation"}"#,
            #"{"issuer":"$","issuer":"$","revocation_endpoint":"$/revocation"}"#, "<html>",
        ])
    func foreign(second: String) throws {
        let server = try server(second: second)
        let result = try Program.oap(["revoke", "-v"], input: client(server).input).run().expect(status: 3)
        #expect(result.errorText.contains("revocation_endpoint is missing, also in the metadata of"), "\(result)")
        #expect(second == "<html>" || result.errorText.contains("\(server.url(Self.oauth)) is not used: "), "\(result)")
        #expect(server.requests.allSatisfy { $0.method == "GET" })
        let found = try Program.oap(["discover", server.url()]).run().expect(status: 0).expectSilence().object()
        #expect(found["revocation_endpoint"] == nil)
    }

    @Test("discover uses the first document when the second is not to be had, and says so")
    func partly() throws {
        let server = try server(second: "503")
        let result = try Program.oap(["discover", server.url()]).run().expect(status: 0)
        #expect(result.errorText.contains("\(server.url(Self.oauth)) is not used: "), "\(result)")
        #expect(try result.object()["token_endpoint"] == .string(server.url("/token")))
    }

    @Test("--cache keeps both documents, and discover asks anew for what another command has kept of one")
    func cached() throws {
        let server = try server(second: Self.good)
        let home = try TemporaryDirectory()
        let run = { (arguments: [String]) in
            try Program.oap(
                arguments + ["--cache", "60"], input: client(server).input, environment: ["HOME": home.path]
            ).run().expect(status: 0)
        }
        let fetches = { server.requests.filter { $0.method == "GET" }.count }
        _ = try run(["refresh"])
        #expect(fetches() == 1)
        let found = try run(["discover", server.url()])
        #expect(fetches() == 3)
        #expect(try run(["discover", server.url()]).text == found.text)
        _ = try run(["revoke"])
        #expect(fetches() == 3)
    }
}
