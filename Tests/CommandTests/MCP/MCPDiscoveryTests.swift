import TestSupport
import Testing
import Wire

/// The situations of the Model Context Protocol's conformance tests for clients, by their names there.
@Suite("oap as a client of MCP servers")
struct MCPDiscoveryTests {
    /// An MCP server with its authorization server.
    struct Situation: Sendable, CustomTestStringConvertible {
        let name: String
        /// Where the metadata of the resource is.
        var resourcePath = "/.well-known/oauth-protected-resource/mcp"
        /// What the challenge says, with `$` for the address.
        var challenge = "Bearer"
        /// Further members of the resource's metadata.
        var resourceMembers = ""
        /// The path of the issuer, and where its metadata is.
        var issuer = ""
        var serverPath = "/.well-known/oauth-authorization-server"
        /// Further members of its metadata.
        var serverMembers = ""
        /// The scope that is asked for, and how the client is registered to authenticate.
        var scope: String?
        var method = "none"
        /// The paths that are asked, up to the registration.
        var asked: [String]

        var testDescription: String { name }

        func server() throws -> Responder {
            try Responder { request in
                let address = "http://" + (request.headers.first("Host") ?? "")
                func json(_ members: String, _ more: String, status: Int = 200) -> Responder.Reply {
                    .json(
                        ("{" + members + (more.isEmpty ? "" : ",") + more + "}").replacing("$", with: address),
                        status: status)
                }
                switch request.target {
                case "/mcp":
                    let field = "WWW-Authenticate: " + challenge.replacing("$", with: address)
                    return .text("", status: 401, headers: [field])
                case resourcePath:
                    return json(#""resource":"$/mcp","authorization_servers":["$\#(issuer)"]"#, resourceMembers)
                case serverPath:
                    let endpoints =
                        #""authorization_endpoint":"$/a","token_endpoint":"$/t","registration_endpoint":"$/register""#
                    return json(#""issuer":"$\#(issuer)",\#(endpoints)"#, serverMembers)
                case "/register":
                    let secret = #""client_secret":"s3cret-of-new","client_secret_expires_at":0"#
                    return json(#""client_id":"new""#, method == "none" ? "" : secret, status: 201)
                default: return .text("", status: 404)
                }
            }
        }
    }

    private static let wellKnown = "/.well-known/oauth-protected-resource"
    private static let oauth = "/.well-known/oauth-authorization-server"
    private static let openID = "/.well-known/openid-configuration"
    private static let usual = ["/mcp", "\(wellKnown)/mcp", oauth]

    private static let metadata: [Situation] = [
        Situation(
            name: "metadata-default",
            challenge: #"Bearer resource_metadata="$/.well-known/oauth-protected-resource/mcp""#,
            asked: usual),
        Situation(name: "metadata-var1", serverPath: openID, asked: usual + [openID]),
        Situation(
            name: "metadata-var2", resourcePath: wellKnown, issuer: "/tenant1", serverPath: "\(oauth)/tenant1",
            asked: ["/mcp", "\(wellKnown)/mcp", wellKnown, "\(oauth)/tenant1"]),
        Situation(
            name: "metadata-var3", resourcePath: "/custom/metadata/location.json",
            challenge: #"Bearer resource_metadata="$/custom/metadata/location.json""#, issuer: "/tenant1",
            serverPath: "/tenant1\(openID)",
            asked: [
                "/mcp", "/custom/metadata/location.json", "\(oauth)/tenant1", "\(openID)/tenant1", "/tenant1\(openID)",
            ]),
    ]

    private static let scopes: [Situation] = [
        Situation(
            name: "scope-from-www-authenticate", challenge: #"Bearer scope="mcp:basic""#,
            resourceMembers: #""scopes_supported":["mcp:basic","mcp:read"]"#, scope: "mcp:basic", asked: usual),
        Situation(
            name: "scope-from-scopes-supported", resourceMembers: #""scopes_supported":["mcp:basic","mcp:read"]"#,
            scope: "mcp:basic mcp:read", asked: usual),
        Situation(
            name: "scope-omitted-when-undefined", serverMembers: #""scopes_supported":["mcp:basic","offline_access"]"#,
            asked: usual),
        Situation(
            name: "offline-access-scope", resourceMembers: #""scopes_supported":["mcp:basic"]"#,
            serverMembers: #""scopes_supported":["mcp:basic","offline_access"]"#, scope: "mcp:basic offline_access",
            asked: usual),
        Situation(
            name: "offline-access-not-supported", resourceMembers: #""scopes_supported":["mcp:basic"]"#,
            serverMembers: #""scopes_supported":["mcp:basic"]"#, scope: "mcp:basic", asked: usual),
    ]

    private static let methods: [Situation] = ["client_secret_basic", "client_secret_post", "none"].map { method in
        Situation(
            name: "token-endpoint-auth \(method)",
            serverMembers: #""token_endpoint_auth_methods_supported":["\#(method)"]"#, method: method, asked: usual)
    }

    @Test(
        "an MCP server leads to a client that is registered for its scope and its way to authenticate",
        arguments: metadata + scopes + methods)
    func registration(situation: Situation) throws {
        let server = try situation.server()
        let script = "oap discover --resource \"$URL\" | oap register | oap authurl"
        let flow = try Program.shell(script, environment: ["URL": server.url("/mcp")]).run().expect(status: 0).object()
        #expect(server.requests.map(\.target) == situation.asked + ["/register"])
        let request = try #require(server.requests.last)
        let sent = try #require(JSON(parsing: request.bodyText).object)
        #expect(sent["token_endpoint_auth_method"] == .string(situation.method))
        #expect(sent["scope"]?.string == situation.scope && flow["scope"]?.string == situation.scope)
        let url = try #require(flow["authorization_url"]?.string)
        #expect(url.contains("&code_challenge_method=S256") && url.contains("&resource=http%3A%2F%2F127.0.0.1"))
        #expect(url.contains("client_id=new") && url.contains("&scope=") == (situation.scope != nil))
    }

    @Test("resource-mismatch, issuer-mismatch: metadata of another resource or issuer registers nobody")
    func mismatch() throws {
        for (name, members) in [
            ("resource", #""resource":"$/other""#), ("issuer", #""issuer":"https://evil.example""#),
        ] {
            let server = try Responder { request in
                let address = "http://" + (request.headers.first("Host") ?? "")
                switch request.target {
                case "\(Self.wellKnown)/mcp":
                    let own = name == "resource" ? members : #""resource":"$/mcp""#
                    return .json("{\(own),\"authorization_servers\":[\"$\"]}".replacing("$", with: address))
                case Self.oauth: return .json("{\(members)}")
                default: return .text("", status: 404)
                }
            }
            let script = "oap discover --resource \"$URL\" | oap register"
            let result = try Program.shell(script, environment: ["URL": server.url("/mcp")]).run().expect(status: 9)
            #expect(try result.object()["error"] == "issuer_mismatch", "\(name)")
            #expect(!server.requests.contains { $0.target == "/register" })
        }
    }

    @Test(
        "D-10, pkce-no-support: a server that does not list S256 is refused, after the registration and before the login"
    )
    func noPKCE() throws {
        let situation = Situation(
            name: "pkce", serverMembers: #""code_challenge_methods_supported":["plain"]"#, asked: [])
        let server = try situation.server()
        let script = "oap discover --resource \"$URL\" | oap register | oap authurl"
        let result = try Program.shell(script, environment: ["URL": server.url("/mcp")]).run().expect(status: 2)
        #expect(try result.object()["error"] == "pkce_unsupported")
    }

    @Test("basic-cimd: a client_id that is a URL needs no registration")
    func metadataDocument() throws {
        let situation = Situation(
            name: "cimd", serverMembers: #""client_id_metadata_document_supported":true"#, asked: [])
        let server = try situation.server()
        let script = "oap discover --resource \"$URL\" | oap authurl --client-id https://app.example/oap.json"
        let flow = try Program.shell(script, environment: ["URL": server.url("/mcp")]).run().expect(status: 0).object()
        #expect(flow["client_id_metadata_document_supported"] == true)
        #expect(flow["authorization_url"]?.string?.contains("client_id=https%3A%2F%2Fapp.example%2Foap.json") == true)
        #expect(server.requests.allSatisfy { $0.method == "GET" })
    }
}
