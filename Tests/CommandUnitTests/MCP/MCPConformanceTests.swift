import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// The 33 scenarios for clients with authorization of modelcontextprotocol/conformance (src/scenarios/client/auth), by
/// their names there, with `oap login` and `oap call` as the client.
@Suite("oap in the conformance scenarios for MCP clients", .inProcess)
struct MCPConformanceTests {
    /// A scenario in which the client logs in.
    struct Success: Sendable, CustomTestStringConvertible {
        let name: String
        var server = MCPServer()
        var options = ["--register"]
        var environment: [String: String] = [:]
        /// The scope that is asked for.
        var scope: String?
        var client = "registered"
        /// What the authorization field of the token request begins with.
        var authorization: String?

        var testDescription: String { name }
    }

    /// A scenario in which the client must stop: without an authorization request, or after it.
    struct Stop: Sendable, CustomTestStringConvertible {
        let name: String
        let server: MCPServer
        var authorizations = 1

        var testDescription: String { name }
    }

    private static let published = "https://conformance-test.local/client-metadata.json"
    private static let document = #""client_id_metadata_document_supported":true"#
    private static let openID = "/.well-known/openid-configuration"
    private static let oauth = "/.well-known/oauth-authorization-server"

    private static let successes: [Success] =
        metadata + scopes + [
            Success(
                name: "auth/basic-cimd", server: MCPServer(serverMembers: document),
                options: ["--register", "--client-metadata-document", published], client: published),
            Success(name: "auth/token-endpoint-auth-none"),
            Success(
                name: "auth/token-endpoint-auth-basic", server: MCPServer(method: "client_secret_basic"),
                authorization: "Basic "),
            Success(name: "auth/token-endpoint-auth-post", server: MCPServer(method: "client_secret_post")),
            Success(
                name: "auth/pre-registration", server: MCPServer(method: "client_secret_basic", registers: false),
                options: ["--client-id", "pre-registered-client"],
                environment: ["OAP_CLIENT_SECRET": "pre-registered-secret"], client: "pre-registered-client",
                authorization: "Basic "),
            Success(name: "auth/iss-supported"),
            Success(name: "auth/iss-not-advertised", server: MCPServer(serverMembers: #""x":1"#, iss: nil)),
        ]

    private static let metadata = [
        Success(name: "auth/metadata-default"),
        Success(name: "auth/metadata-var1", server: MCPServer(isNamed: false, serverPath: openID)),
        Success(
            name: "auth/metadata-var2",
            server: MCPServer(
                resourcePath: "/.well-known/oauth-protected-resource", isNamed: false, serverPath: "\(oauth)/tenant1",
                prefix: "/tenant1")),
        Success(
            name: "auth/metadata-var3",
            server: MCPServer(
                resourcePath: "/custom/metadata/location.json", serverPath: "/tenant1\(openID)", prefix: "/tenant1")),
        Success(
            name: "auth/2025-03-26-oauth-metadata-backcompat",
            server: MCPServer(resourcePath: nil, prefix: "/oauth", issuer: "$")),
        Success(
            name: "auth/2025-03-26-oauth-endpoint-fallback",
            server: MCPServer(resourcePath: nil, serverPath: nil, iss: nil)),
    ]

    private static let scopes = [
        Success(
            name: "auth/scope-from-www-authenticate",
            server: MCPServer(challenged: "mcp:basic", resourceMembers: #""scopes_supported":["mcp:read"]"#),
            scope: "mcp:basic"),
        Success(
            name: "auth/scope-from-scopes-supported",
            server: MCPServer(resourceMembers: #""scopes_supported":["mcp:basic","mcp:read"]"#),
            scope: "mcp:basic mcp:read"),
        Success(name: "auth/scope-omitted-when-undefined"),
        Success(
            name: "auth/offline-access-scope",
            server: MCPServer(
                resourceMembers: #""scopes_supported":["mcp:basic"]"#,
                serverMembers: #""scopes_supported":["mcp:basic","offline_access"],\#(document)"#),
            scope: "mcp:basic offline_access"),
        Success(
            name: "auth/offline-access-not-supported",
            server: MCPServer(
                resourceMembers: #""scopes_supported":["mcp:basic"]"#,
                serverMembers: #""scopes_supported":["mcp:basic"]"#),
            scope: "mcp:basic"),
    ]

    private static let stops = [
        Stop(
            name: "auth/resource-mismatch", server: MCPServer(resource: "https://evil.example.com/mcp"),
            authorizations: 0),
        Stop(
            name: "auth/metadata-issuer-mismatch", server: MCPServer(issuer: "https://attacker.example.com"),
            authorizations: 0),
        Stop(name: "auth/iss-supported-missing", server: MCPServer(iss: nil)),
        Stop(name: "auth/iss-wrong-issuer", server: MCPServer(iss: "https://evil.example.com")),
        Stop(
            name: "auth/iss-unexpected", server: MCPServer(serverMembers: #""x":1"#, iss: "https://evil.example.com")),
        Stop(name: "auth/iss-normalized", server: MCPServer(iss: "$/")),
    ]

    /// The scenarios with a test of their own.
    private static let others = [
        "auth/scope-step-up", "auth/scope-retry-limit", "auth/authorization-server-migration",
        "auth/client-credentials-basic", "auth/wif-jwt-bearer", "auth/client-credentials-jwt",
        "auth/enterprise-managed-authorization", "auth/dpop", "auth/dpop-nonce",
    ]

    /// The scenarios that are not about authorization, and why `oap` has no part in them.
    private static let outside = [
        "initialize": "the handshake of MCP: `oap call` sends what it is given",
        "tools_call": "the same", "elicitation-sep1034-client-defaults": "questions of a server to the user",
        "sse-retry": "reconnects a stream of MCP messages", "request-metadata": "members of MCP requests",
        "sep-2322-client-request-state": "state of MCP requests",
        "http-standard-headers": "header fields that MCP derives from a message", "http-custom-headers": "the same",
        "http-invalid-tool-headers": "the same", "json-schema-ref-no-deref": "schemas of tools",
        "json-schema-2020-12-preservation": "the same",
    ]

    @Test("each scenario of the conformance tests is here once, and those that are left out have a reason")
    func complete() {
        let tested = Self.successes.map(\.name) + Self.stops.map(\.name) + Self.others
        #expect(tested.count == 33 && Set(tested).count == 33)
        #expect(Self.outside.count == 11 && Self.outside.values.allSatisfy { !$0.isEmpty })
    }

    private let person: LoginHome

    init() throws { person = try LoginHome() }

    private func login(
        _ server: Responder, _ options: [String], _ environment: [String: String] = [:]
    ) throws -> ProgramResult {
        try person.oap(["login", "work", "--open", "--resource", server.url("/mcp")] + options, environment).run()
    }

    private func call(_ server: Responder, _ method: String) throws -> ProgramResult {
        let message = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#
        return try person.oap(["call", "-p", "work", server.url("/mcp"), "--json", message]).run()
    }

    @Test("the client logs in, and its token is taken", arguments: successes)
    func success(scenario: Success) throws {
        let server = try scenario.server.start()
        // The server of that scenario does not promise iss, and its client is the same everywhere.
        let page = ["--authorization-endpoint", server.url("/authorize")]
        let options = scenario.options + (scenario.client == Self.published ? page : [])
        try login(server, options, scenario.environment).expect(status: 0)
        try call(server, "tools/list").expect(status: 0)
        let isRegistered = scenario.client == "registered"
        #expect(server.registrations.count == (isRegistered ? 1 : 0))
        if let metadata = server.registrations.first {
            #expect(metadata["application_type"] == "native")
            #expect(metadata["grant_types"] == .strings(["authorization_code", "refresh_token"]))
            #expect(metadata["token_endpoint_auth_method"] == .string(scenario.server.method))
        }
        let request = try #require(server.authorizations.first)
        #expect(request["client_id"] == scenario.client && request["scope"] == scenario.scope)
        #expect(request["code_challenge_method"] == "S256" && request["response_type"] == "code")
        let isRoot = scenario.server.resourcePath == "/.well-known/oauth-protected-resource"
        let resource = server.url(isRoot ? "" : "/mcp")
        let token = try #require(server.tokenRequests.first)
        #expect(request["resource"] == resource)
        #expect(try FormEncoding.parse(token.bodyText).contains { $0.name == "resource" && $0.value == resource })
        let sent = token.headers.first("Authorization")
        #expect(sent?.hasPrefix(scenario.authorization ?? "") ?? (scenario.authorization == nil))
        #expect(token.bodyText.contains("client_secret=") == (scenario.server.method == "client_secret_post"))
        #expect(server.requests.last?.headers.first("Authorization")?.hasPrefix("Bearer at.") == true)
    }

    @Test("the client stops, and asks for no token", arguments: stops)
    func stop(scenario: Stop) throws {
        let server = try scenario.server.start()
        try login(server, ["--register"]).expect(status: 9)
        #expect(server.authorizations.count == scenario.authorizations && server.tokenRequests.isEmpty)
    }

    @Test("auth/scope-step-up: the hint of a refused call, and the next login by address, keep what was granted")
    func scopeStepUp() throws {
        let server = try MCPServer(
            challenged: "mcp:basic", resourceMembers: #""scopes_supported":["mcp:profile"]"#, stepUp: "mcp:write"
        ).start()
        try login(server, ["--register", "--cache", "60"]).expect(status: 0)
        try call(server, "tools/list").expect(status: 0)
        let refused = try call(server, "tools/call").expect(status: 7)
        let command = "oap login work --scope 'mcp:basic mcp:write'"
        refused.expect(errorLine: "oap: hint: the token lacks a scope; the API wants 'mcp:write': \(command)")
        try person.oap(["login", "work", "--scope", "mcp:basic mcp:write", "--open"]).run().expect(status: 0)
        #expect(server.authorizations.last?["scope"] == "mcp:basic mcp:write")
        try call(server, "tools/call").expect(status: 0)
        // The address again: what the resource asks for now, and what the token has. No cache answers that.
        let probes = { server.requests.filter { $0.target == "/mcp" && $0.method == "GET" }.count }
        #expect(probes() == 1)
        try login(server, ["--cache", "60"]).expect(status: 0)
        #expect(probes() == 2)
        #expect(server.authorizations.last?["scope"] == "mcp:basic mcp:write")
        #expect(server.registrations.count == 1)
    }

    @Test("auth/scope-retry-limit: a call is not repeated, and another login not proposed for a scope that was granted")
    func retryLimit() throws {
        let server = try MCPServer(challenged: "mcp:admin", stepUp: "mcp:admin", refusesAlways: true).start()
        try login(server, ["--register"]).expect(status: 0)
        let count = server.requests.count
        let refused = try call(server, "tools/call").expect(status: 7)
        #expect(server.requests.count == count + 1 && server.authorizations.count == 1)
        #expect(refused.errorText.contains("'mcp:admin', but the token has this scope"), "\(refused)")
        #expect(!refused.errorText.contains("oap login"))
    }

    @Test("auth/authorization-server-migration: a resource with a new server gets a new client, if the user wants that")
    func migration() throws {
        let (first, second) = (try MCPServer().start(), try MCPServer(registers: true).start())
        let moved = person.home.path("moved")
        let (before, after) = (first.url(), second.url())
        let resource = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            guard request.target == "/.well-known/oauth-protected-resource/mcp" else {
                return .text("", status: 401, headers: ["WWW-Authenticate: Bearer"])
            }
            let (server, scope) = FileManager.default.fileExists(atPath: moved) ? (after, "two") : (before, "one")
            let lists = #""authorization_servers":["\#(server)"],"scopes_supported":["\#(scope)"]"#
            return .json(#"{"resource":"\#(address)/mcp",\#(lists)}"#)
        }
        try login(resource, ["--register"]).expect(status: 0)
        // A secret that a program prints is for the first server alone.
        let command: JSON = .strings(["echo", "initial-secret"])
        let kept = try person.profile().with(["initial_access_token_command": command])
        try person.home.write(JSON.object(kept).text, to: ".config/oap/profiles/work.json")
        try person.home.write("", to: "moved")
        let refused = try login(resource, ["--register"]).expect(status: 2)
        #expect(refused.errorText.contains("--register --save-profile"), "\(refused)")
        #expect(second.tokenRequests.isEmpty && second.registrations.isEmpty)
        try login(resource, ["--register", "--save-profile"]).expect(status: 0)
        #expect(second.registrations.count == 1 && second.authorizations.count == 1)
        #expect(!second.requests.contains { $0.head.contains("initial-secret") })
        let profile = try person.profile()
        #expect(profile["initial_access_token_command"] == nil)
        #expect(profile["issuer"] == .string(second.url()) && profile["client_id"] == "registered")
        try login(resource, []).expect(status: 0)
        #expect(first.registrations.count == 1 && second.registrations.count == 1)
        #expect(first.authorizations.map { $0["scope"] } == ["one"])
        #expect(second.authorizations.map { $0["scope"] } == ["two", "two"])
        #expect(try person.profile()["scope"] == "two")
    }

    @Test("a resource that leaves its server for endpoints of its own gets a token and a profile that name no issuer")
    func ownEndpoints() throws {
        let moved = person.home.path("moved")
        let before = MCPServer(serverPath: "\(Self.oauth)/as", prefix: "/as")
        let after = MCPServer(resourcePath: nil, serverPath: nil, iss: nil)
        let server = try Responder { (FileManager.default.fileExists(atPath: moved) ? after : before).answer($0) }
        try login(server, ["--register"]).expect(status: 0)
        #expect(try person.stored()["issuer"] == .string(server.url("/as")))
        try person.home.write("", to: "moved")
        try login(server, ["--register", "--save-profile"]).expect(status: 0)
        let token = try person.stored()
        for members in [token, try person.profile()] {
            #expect(members["issuer"] == nil)
            #expect(members["token_endpoint"] == .string(server.url("/token")))
        }
    }
}
