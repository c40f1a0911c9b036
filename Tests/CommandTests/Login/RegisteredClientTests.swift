import Synchronization
import TestSupport
import Testing
import Wire

@Suite("The client that oap login --register gets")
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

    @Test("a server that issues a secret and the method none, and then wants the secret, gets a hint that helps")
    func idleSecret() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/openid-configuration":
                let endpoints = ["authorization", "token", "registration"].map { #""\#($0)_endpoint":"$/\#($0)""# }
                return .json(
                    #"{"issuer":"$",\#(endpoints.joined(separator: ","))}"#.replacing("$", with: address))
            case "/registration":
                let client = #"{"client_id":"new","client_secret":"hush","token_endpoint_auth_method":"none"}"#
                return .json(client, status: 201)
            case let target where target.hasPrefix("/authorization?"): return LoginHome.consent(to: request)
            default: return .json(#"{"error":"invalid_client"}"#, status: 401)
            }
        }
        let result = try person.oap(["login", "work", "--open", "--register", "--issuer", server.url()]).run().expect(
            status: 4)
        #expect(result.errorText.contains("--token-endpoint-auth-method client_secret_basic"), "\(result)")
    }
}

extension Responder {
    /// The client metadata of the registrations.
    fileprivate var metadata: [JSONObject] {
        requests.filter { $0.target == "/registration" }.compactMap { (try? JSON(parsing: $0.bodyText))?.object }
    }
}
