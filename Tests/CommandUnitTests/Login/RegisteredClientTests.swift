import Foundation
import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The client that oap login --register gets", .inProcess)
struct RegisteredClientTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    @Test(
        "a client for a resource is registered for all scopes of its server, and asks for its own", arguments: [0, 1])
    func widely(refusals: Int) throws {
        let count = Mutex(0)
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/oauth-protected-resource/mcp":
                return .json(
                    #"{"resource":"$/mcp","authorization_servers":["$"],"scopes_supported":["read"]}"#
                        .replacing("$", with: address))
            case "/.well-known/oauth-authorization-server":
                let endpoints = ["authorization", "token", "registration"].map { #""\#($0)_endpoint":"$/\#($0)""# }
                return .json(
                    #"{"issuer":"$","scopes_supported":["read","write"],\#(endpoints.joined(separator: ","))}"#
                        .replacing("$", with: address))
            case "/registration":
                var client = (try? JSON(parsing: request.bodyText))?.object ?? [:]
                if count.withLock({
                    $0 += 1; return $0 <= refusals
                }) {
                    return .json(#"{"error":"invalid_client_metadata"}"#, status: 400)
                }
                client["client_id"] = "new"
                return .json(JSON.object(client).text, status: 201)
            case let target where target.hasPrefix("/authorization?"): return LoginHome.consent(to: request)
            case "/token": return .json(#"{"access_token":"at","token_type":"Bearer"}"#)
            default: return .text("", status: 404)
            }
        }
        let words = ["login", "work", "--open", "--register", "--resource", server.url("/mcp")]
        let result = try person.oap(words).run().expect(status: 0)
        #expect(!result.errorText.contains("another scope"), "\(result)")
        #expect(server.metadata.map { $0["scope"] } == [["read write"], ["read write", "read"]][refusals])
        #expect(try person.profile()["scope"] == "read")
        #expect(server.requests.contains { $0.target.contains("scope=read&") })
    }

    /// A server that registers clients and redirects everybody.
    ///
    /// - Parameters:
    ///   - metadata: further metadata.
    ///   - client: the members of the registration besides those that were asked for.
    ///   - state: where the registered client is known.
    private func server(
        metadata: String = "", client: JSONObject, state: RegisteredClient = RegisteredClient()
    ) throws -> Responder {
        try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/openid-configuration":
                let endpoints = ["authorization", "token", "registration"].map { #""\#($0)_endpoint":"$/\#($0)""# }
                return .json(
                    #"{"issuer":"$",\#(endpoints.joined(separator: ","))\#(metadata)}"#.replacing("$", with: address))
            case "/registration":
                let asked = (try? JSON(parsing: request.bodyText))?.object ?? [:]
                state.register(asked)
                return .json(JSON.object(asked.with(client)).text, status: 201)
            case let target where target.hasPrefix("/authorization?"): return state.authorize(request)
            default: return state.token(for: request)
            }
        }
    }

    private func login(_ server: Responder, _ more: String...) throws -> ProgramResult {
        try person.oap(["login", "work", "--open", "--register", "--issuer", server.url()] + more).run()
    }

    private static let secret: JSONObject = [
        "client_id": "new", "client_secret": "hush", "client_secret_expires_at": 0,
    ]

    @Test("a server that issues a secret and the method none, which it lists, and then wants the secret, gets a hint")
    func idleSecret() throws {
        let metadata = #","token_endpoint_auth_methods_supported":["client_secret_basic","none"]"#
        let server = try server(metadata: metadata, client: Self.secret, state: RegisteredClient(wanting: "hush"))
        let result = try login(server).expect(status: 4)
        #expect(result.errorText.contains("--token-endpoint-auth-method client_secret_basic"), "\(result)")
    }

    @Test("a server that issues a secret to every client, and does not list the method none, has the secret used")
    func usedSecret() throws {
        let server = try server(client: Self.secret, state: RegisteredClient(wanting: "hush"))
        try login(server).expect(status: 0).expect(nowhere: "hush")
        #expect(server.metadata.map { $0["token_endpoint_auth_method"] } == ["none", "client_secret_basic"])
        #expect(try person.profile()["token_endpoint_auth_method"] == "client_secret_basic")
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
    }

    @Test("a registration for a method with a secret asks for none before")
    func namedMethod() throws {
        let server = try server(client: Self.secret, state: RegisteredClient(wanting: "hush"))
        try login(server, "--token-endpoint-auth-method", "client_secret_post").expect(status: 0)
        #expect(server.requests.last?.bodyText.contains("client_secret=hush") == true)
        let other = try LoginHome()
        let words = ["login", "work", "--open", "--register", "--issuer", server.url()]
        try other.oap(words + ["--token-endpoint-auth-method", "guess"]).run().expect(status: 2)
        #expect(server.metadata.count == 1)
    }

    @Test(
        "a registered client that the server has forgotten is mended by the command in the hint",
        arguments: ["token", "redirect", "page"])
    func forgotten(place: String) throws {
        let state = RegisteredClient()
        let server = try server(client: ["client_id": "new"], state: state)
        try login(server).expect(status: 0)
        state.forget(at: place)
        let result = try person.oap(["login", "work", "--open", "--timeout", "2"]).run()
        result.expect(status: place == "page" ? 6 : 4)
        let command = "login work --issuer \(server.url()) --register --save-profile"
        #expect(result.errorText.contains("register another client: oap \(command)"), "\(result)")
        #expect(!result.errorText.contains("no client secret was given"))
        state.remember()
        try person.oap(command.split(separator: " ").map(String.init) + ["--open"]).run().expect(status: 0)
        #expect(server.metadata.count == 2)
    }

    @Test("a client that is registered at the server of a variable has that server in its profile")
    func variable() throws {
        let server = try server(client: ["client_id": "new"])
        let words = ["login", "work", "--open", "--register"]
        let first = try person.oap(words, ["OAP_ISSUER": server.url()]).run().expect(status: 0)
        first.expect(errorLine: "oap: hint: oap call work URL uses the token, and oap token work prints it")
        #expect(try person.profile()["issuer"] == .string(server.url()))
        let again = try person.oap(words).run().expect(status: 0)
        again.expect(errorLine: "oap: login: the client of the profile is used; --save-profile registers another one")
        #expect(server.metadata.count == 1)
    }

    @Test("a renewal for a registered client that the server has forgotten is mended by the command in the hint")
    func forgottenLater() throws {
        let state = RegisteredClient()
        let server = try server(client: ["client_id": "new"], state: state)
        try login(server).expect(status: 0)
        state.forget(at: "token")
        let command = "login work --issuer \(server.url()) --register --save-profile"
        for words in [["refresh", "-p", "work"], ["token", "work"], ["call", "work", server.url()]] {
            var put = person.oap(["store", "put", "work"])
            put.input = try person.oap(["store", "get", "work"]).run().object().with(["expires_at": 1]).input
            try put.run().expect(status: 0)
            let result = try person.oap(words).run().expect(status: 4)
            let sign = "if the server has forgotten the registered client"
            result.expect(errorLine: "oap: hint: \(sign), register another client: oap \(command)")
        }
    }

    @Test("a client of one's own that the server does not know is not registered by a hint")
    func unknown() throws {
        let state = RegisteredClient()
        let server = try server(client: [:], state: state)
        state.forget(at: "token")
        let words = ["login", "work", "--open", "--issuer", server.url(), "--client-id", "own"]
        let result = try person.oap(words).run().expect(status: 4)
        #expect(!result.errorText.contains("--register"), "\(result)")
    }
}

/// How a server treats the client that it registered.
private final class RegisteredClient: Sendable {
    private let forgottenAt = Mutex("")
    private let method = Mutex("")
    private let secret: String?

    /// - Parameter secret: what a token request must hold, by the method for which the client was registered.
    init(wanting secret: String? = nil) { self.secret = secret }

    func register(_ client: JSONObject) {
        method.withLock { $0 = client["token_endpoint_auth_method"]?.string ?? "" }
    }

    /// Forgets the client: the `token` endpoint says so, or the `redirect`, or a `page` without a redirect.
    func forget(at place: String) { forgottenAt.withLock { $0 = place } }

    func remember() { forget(at: "") }

    func authorize(_ request: Responder.Request) -> Responder.Reply {
        switch forgottenAt.withLock(\.self) {
        case "redirect": LoginHome.consent(to: request, with: "error=unauthorized_client")
        case "page": .text("unknown client", status: 400)
        default: LoginHome.consent(to: request)
        }
    }

    func token(for request: Responder.Request) -> Responder.Reply {
        let basic = "Basic " + Data("new:\(secret ?? "")".utf8).base64EncodedString()
        let isProven =
            switch method.withLock(\.self) {
            case "client_secret_basic": request.headers.first("Authorization") == basic
            case "client_secret_post": request.bodyText.contains("client_secret=\(secret ?? "")")
            default: secret == nil
            }
        guard isProven, forgottenAt.withLock({ $0 != "token" }) else {
            return .json(#"{"error":"invalid_client"}"#, status: 401)
        }
        return .json(#"{"access_token":"at","token_type":"Bearer","refresh_token":"rt"}"#)
    }
}

extension Responder {
    /// The client metadata of the registrations.
    fileprivate var metadata: [JSONObject] {
        requests.filter { $0.target == "/registration" }.compactMap { (try? JSON(parsing: $0.bodyText))?.object }
    }
}
