@testable import OAuth
import TestSupport
import Testing
import Wire

@Suite("The search for the metadata of a protected resource")
struct ResourceDiscoveryTests {
    @Test(
        "The metadata of a resource is between host and path, else at the root of the host (RFC 9728 §3.1)",
        arguments: [
            ("https://api.example", ["https://api.example/.well-known/oauth-protected-resource"]),
            ("https://api.example/", ["https://api.example/.well-known/oauth-protected-resource"]),
            (
                "https://api.example:8443/mcp?k=v",
                [
                    "https://api.example:8443/.well-known/oauth-protected-resource/mcp?k=v",
                    "https://api.example:8443/.well-known/oauth-protected-resource",
                ]
            ),
        ])
    func addresses(resource: String, addresses: [String]) throws {
        #expect(try ResourceDiscovery(resource).addresses == addresses)
    }

    @Test("The challenge of a 401 names the metadata and the scope; no other status does")
    func challenge() throws {
        let resource = try ResourceDiscovery("https://api.example/mcp")
        let field = #"Bearer resource_metadata="https://api.example/m", scope="a b""#
        #expect(try resource.challenge(in: head(401, field)).metadata == "https://api.example/m")
        #expect(try resource.challenge(in: head(401, field)).scope == "a b")
        let bare = ResourceDiscovery.Challenge(isRefusal: true)
        #expect(try resource.challenge(in: head(401, #"Bearer scope="a""#)) == .init(isRefusal: true, scope: "a"))
        #expect(try resource.challenge(in: head(401, "Basic, Bearer x=")) == bare)
        #expect(try resource.challenge(in: head(403, field)) == .init())
    }

    @Test(
        "A resource names no address on plain http, on this machine, or of another kind",
        arguments: [
            ("http://api.example/m", OAuthError.Kind.insecureTransport), ("https://127.0.0.1/m", .insecureTransport),
            ("http://localhost:80/m", .insecureTransport), ("file:///etc/passwd", .invalidResponse),
            ("https://0.0.0.0/m", .insecureTransport), ("https://localhost./m", .insecureTransport),
            ("https://169.254.169.254/m", .insecureTransport),
            ("https://u:p@api.example/m", .invalidResponse), ("", .invalidResponse),
        ])
    func hostile(address: String, kind: OAuthError.Kind) throws {
        let resource = try ResourceDiscovery("https://api.example/mcp")
        let ofChallenge = #expect(throws: OAuthError.self) {
            try resource.challenge(in: head(401, #"Bearer resource_metadata="\#(address)""#))
        }
        #expect(ofChallenge?.kind == kind)
        let ofMetadata = #expect(throws: OAuthError.self) {
            try metadata(of: "https://api.example/mcp", resource: "https://api.example/mcp", servers: [address])
        }
        #expect(ofMetadata?.kind == kind)
    }

    @Test(
        "A challenge may name the metadata relative to the URL that was asked, at an address that it could name whole",
        arguments: [
            ("/m", "https://api.example/m"), ("m", "https://api.example/a/m"), ("../m", "https://api.example/m"),
            ("//other.example/m", "https://other.example/m"),
        ])
    func relative(address: String, metadata: String) throws {
        let resource = try ResourceDiscovery("https://api.example/mcp")
        for field in ["Bearer resource_metadata=\"\(address)\"", "Bearer resource_metadata='\(address)'"] {
            var head = head(401, field)
            head.url = "https://api.example/a/mcp"
            #expect(try resource.challenge(in: head).metadata == metadata)
        }
        #expect(throws: OAuthError.self) {
            try resource.challenge(in: head(401, "Bearer resource_metadata=//127.0.0.1/m"))
        }
    }

    @Test("A resource on this machine may name a server on this machine")
    func loopback() throws {
        let servers = ["http://127.0.0.1:8080/realms/x"]
        let resource = "http://127.0.0.1:9000/mcp"
        #expect(try metadata(of: resource, resource: resource, servers: servers).authorizationServers == servers)
    }

    @Test(
        "Metadata of another resource is refused; one above it at the same origin is not (RFC 9728 §3.3)",
        arguments: [
            ("https://api.example/mcp", true), ("https://api.example", true), ("https://api.example/", true),
            ("https://api.example/mcp/v1", true), ("https://api.example/mc", false),
            ("https://api.example/mcp/v1/x", false), ("https://evil.example/mcp", false),
            ("http://api.example/mcp", false), ("https://api.example:444/mcp", false),
            ("https://api.example/mcp?x", false), ("https://api.example/mcp#x", false), ("mcp", false),
        ])
    func otherResource(named: String, isRight: Bool) throws {
        guard !isRight else {
            #expect(try metadata(of: "https://api.example/mcp/v1", resource: named, servers: []).resource == named)
            return
        }
        let error = #expect(throws: OAuthError.self) {
            try metadata(of: "https://api.example/mcp/v1", resource: named, servers: [])
        }
        #expect(error?.kind == .metadataIssuerMismatch)
    }

    @Test("Of several authorization servers one must be chosen, and only one that is named")
    func choice() throws {
        let servers = ["https://a.example", "https://b.example"]
        let two = try metadata(of: "https://api.example", resource: "https://api.example", servers: servers)
        #expect(try two.authorizationServer("https://b.example") == "https://b.example")
        let error = #expect(throws: OAuthError.self) { try two.authorizationServer(nil) }
        #expect(error?.kind == .metadataMissing)
        #expect(servers.allSatisfy { error?.message.contains($0) == true })
        #expect(throws: OAuthError.self) { try two.authorizationServer("https://c.example") }
        let one = try metadata(of: "https://api.example", resource: "https://api.example", servers: [servers[0]])
        #expect(try one.authorizationServer(nil) == servers[0])
        let none = try metadata(of: "https://api.example", resource: "https://api.example", servers: [])
        #expect(throws: OAuthError.self) { try none.authorizationServer(nil) }
    }

    @Test("a list of authorization servers has strings alone, and no more than a hundred")
    func lists() throws {
        func read(_ list: String) throws -> [String] {
            let body = #"{"resource":"https://api.example","authorization_servers":\#(list)}"#
            let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
            return try ResourceDiscovery("https://api.example").metadata(
                in: EndpointResponse(HTTPResponse(head: head, body: Array(body.utf8)))
            ).authorizationServers
        }
        let many = { (count: Int) in JSON.strings(Array(repeating: "https://as.example", count: count)).text }
        #expect(try read(many(100)).count == 100)
        for list in [many(101), #"["https://as.example",1]"#, "[null]", #""https://as.example""#, "{}"] {
            let error = #expect(throws: OAuthError.self) { try read(list) }
            #expect(error?.kind == .invalidResponse && error?.member == "authorization_servers")
        }
        #expect(try read("null").isEmpty)
    }

    private func head(_ status: Int, _ challenge: String) -> HTTPResponseHead {
        HTTPResponseHead(status: status, headers: [HTTPField("WWW-Authenticate", challenge)])
    }

    private func metadata(of url: String, resource: String, servers: [String]) throws -> ResourceMetadata {
        let body = JSON.object([
            "resource": .string(resource), "authorization_servers": .array(servers.map(JSON.string)),
        ])
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
        return try ResourceDiscovery(url).metadata(in: EndpointResponse(head: head, body: body.bytes))
    }
}
