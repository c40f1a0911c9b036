import OAuth
import TestSupport
import Testing
import Wire

@Suite("The search for the metadata of an authorization server")
struct ServerDiscoveryTests {
    @Test(
        "D-01 well_known: the address of the metadata is that of the case",
        arguments: try VectorGroup("well_known").cases)
    func addresses(vector: VectorCase) throws {
        let issuer = try #require(vector["issuer"]?.string)
        guard vector["expect"]?.string != "error" else {
            vector.expectFailure { try ServerDiscovery(issuer) }
            return
        }
        let name = try #require(vector["form"]?.string)
        let forms = MetadataAddress.Form(rawValue: name).map { [$0] } ?? MetadataAddress.Form.allCases
        #expect(try ServerDiscovery(issuer, forms: forms).addresses.map(\.text) == [#require(vector["url"]?.string)])
    }

    @Test(
        "only the metadata of a server on this machine may name endpoints and keys on this machine",
        arguments: ["token_endpoint", "userinfo_endpoint", "jwks_uri"])
    func loopback(name: String) throws {
        for (issuer, endpoint, isRefused) in [
            ("https://as.example", "http://127.0.0.1:7802/x", true), ("https://as.example", "https://127.1/x", true),
            ("https://as.example", "https://x.localhost/x", true), ("https://as.example", "https://[::]/x", true),
            ("http://127.0.0.1:9", "http://127.0.0.1:7802/x", false),
            ("https://x.localhost", "https://x.localhost/x", false),
        ] {
            let body = #"{"issuer":"\#(issuer)","\#(name)":"\#(endpoint)"}"#
            let read = { try metadata(issuer, body) }
            if isRefused {
                let error = #expect(throws: OAuthError.self) { try read() }
                #expect(error?.kind == .insecureTransport && error?.member == name)
            } else {
                #expect(try read().members[name] != nil)
            }
        }
        let alias = #"{"issuer":"https://as.example","mtls_endpoint_aliases":{"token_endpoint":"https://127.1/x"}}"#
        let error = #expect(throws: OAuthError.self) { try metadata("https://as.example", alias) }
        #expect(error?.kind == .insecureTransport && error?.member == "token_endpoint")
    }

    @Test(
        "an endpoint, or the place of the keys, to which no request can go is a warning; one elsewhere is known as such",
        arguments: ["token_endpoint", "revocation_endpoint", "jwks_uri"])
    func places(name: String) throws {
        let places = { (place: String) in
            try metadata("https://as.example", #"{"issuer":"https://as.example","\#(name)":"\#(place)"}"#)
        }
        #expect(try places("https://as.example/x").unusableEndpoints.isEmpty)
        #expect(try places("https://as.example/x").endpointsElsewhere.isEmpty)
        #expect(try places("http://as.example/x").unusableEndpoints.map(\.name) == ["endpoint_unusable"])
        let elsewhere = try places("https://other.example/x").endpointsElsewhere
        #expect(elsewhere.map(\.name) == [name])
        #expect(elsewhere.map(\.origin) == ["https://other.example"])
    }

    @Test("metadata that has a member error is metadata, and a part of it (206) is none")
    func oddAnswers() throws {
        let body = #"{"issuer":"https://op.example","error":"none","x":1}"#
        #expect(try metadata("https://op.example", body).members["x"] != nil)
        let error = #expect(throws: OAuthError.self) { try metadata("https://op.example", body, status: 206) }
        #expect(error?.kind == .httpStatus && error?.status == 206)
    }

    @Test("another document of the same issuer adds what this one lacks, one of another issuer adds nothing")
    func merged() throws {
        let body = { (issuer: String) in #"{"issuer":"\#(issuer)","a":1}"# }
        var first = try metadata("https://op.example", body("https://op.example"))
        let more = #"{"issuer":"https://op.example","a":2,"b":2}"#
        let foreign = #"{"issuer":"https://op.example/other","a":3,"b":3,"c":3}"#
        first.merge(try metadata("https://op.example/other", foreign))
        #expect(first.members.members.map(\.name) == ["issuer", "a"])
        first.merge(try metadata("https://op.example", more))
        #expect(first.members["a"] == .integer(1) && first.members["b"] == .integer(2) && first.members["c"] == nil)
    }

    @Test("D-02 an issuer with a path is asked for at three addresses, one without at two, each once")
    func order() throws {
        #expect(
            try ServerDiscovery("https://as.example/t").addresses.map(\.text) == [
                "https://as.example/t/.well-known/openid-configuration",
                "https://as.example/.well-known/oauth-authorization-server/t",
                "https://as.example/.well-known/openid-configuration/t",
            ])
        #expect(
            try ServerDiscovery("as.example").addresses.map(\.text) == [
                "https://as.example/.well-known/openid-configuration",
                "https://as.example/.well-known/oauth-authorization-server",
            ])
    }

    @Test("D-05 discovery_issuer: another issuer is refused", arguments: try VectorGroup("discovery_issuer").cases)
    func issuers(vector: VectorCase) throws {
        let asked = try #require((vector["given"] ?? vector["given_url"])?.string)
        let served = try #require(vector["served"]?.string)
        guard vector["match"] == .bool(true) else {
            let error = vector.expectFailure { try metadata(asked, #"{"issuer":"\#(served)"}"#) }
            #expect(error?.message.contains(served) == true)
            return
        }
        #expect(try metadata(asked, #"{"issuer":"\#(served)"}"#).issuer == served)
    }

    @Test("D-09 signed metadata is not read: what it says takes the place of nothing")
    func signedMetadata() throws {
        let other = #"{"issuer":"https://evil.example","token_endpoint":"https://evil.example/t"}"#
        let signed = "e30.\(Base64.encodeURL(Array(other.utf8)))."
        let plain = #""issuer":"https://op.example","token_endpoint":"https://op.example/t""#
        let metadata = try metadata("https://op.example", #"{\#(plain),"signed_metadata":"\#(signed)"}"#)
        #expect(metadata.issuer == "https://op.example")
        #expect(metadata.members["token_endpoint"] == "https://op.example/t")
    }

    @Test("D-05 the issuer that the caller expects is the one that counts")
    func expected() throws {
        let body = #"{"issuer":"https://login.example/{tenantid}/v2.0"}"#
        let template = "https://login.example/{tenantid}/v2.0"
        #expect(try metadata("https://login.example/common/v2.0", body, expecting: template).issuer == template)
        let error = #expect(throws: OAuthError.self) {
            try metadata("https://login.example/common/v2.0", body, expecting: "https://login.example/common/v2.0")
        }
        #expect(error?.kind == .metadataIssuerMismatch)
    }

    @Test("D-05 an issuer is compared by its bytes: the Kelvin sign is no K, though Unicode calls them equivalent")
    func composition() throws {
        #expect(throws: OAuthError.self) {
            try metadata("https://op.example/K", "{\"issuer\":\"https://op.example/\u{212A}\"}")
        }
    }

    @Test("D-05 a host name takes the issuer with a slash and without, and no other", arguments: ["", "/"])
    func host(slash: String) throws {
        #expect(try metadata("op.example", #"{"issuer":"https://op.example\#(slash)"}"#).issuer.hasPrefix("https"))
        #expect(throws: OAuthError.self) { try metadata("op.example", #"{"issuer":"http://op.example\#(slash)"}"#) }
        #expect(throws: OAuthError.self) { try metadata("op.example", #"{"issuer":"https://op.example/t\#(slash)"}"#) }
        for end in ["?x=1", "#x"] {
            let body = #"{"issuer":"https://op.example\#(slash)\#(end)"}"#
            #expect(throws: OAuthError.self) { try metadata("op.example", body) }
        }
    }

    @Test(
        "an address that lacks a slash is no host", arguments: ["http:/127.0.0.1/x", "HTTPS:/as.example", "https:foo"])
    func slash(address: String) {
        let error = #expect(throws: OAuthError.self) { try ServerDiscovery(address) }
        #expect(
            error?.message == "the issuer is not an absolute https URL"
                && error?.hint == "begin the issuer with https://")
    }

    @Test(
        "D-04, D-06, D-07 discovery_response: a response is read or refused as the case says",
        arguments: try VectorGroup("discovery_response").cases)
    func responses(vector: VectorCase) throws {
        let discovery = try ServerDiscovery("https://op.example.com")
        let read = { try discovery.metadata(in: vector.response(), of: discovery.addresses[0]) }
        switch vector["expect"]?.string {
        case "error": vector.expectFailure(of: read)
        case "error-on-use":
            let document = Document(try read().members)
            vector.expectFailure { try Endpoint("token_endpoint", in: document) }
        default:
            let metadata = try read()
            #expect(.object(metadata.members) == vector["body"])
            vector.expectWarnings(metadata.warnings)
        }
    }

    @Test("Metadata sets no member of the client, no file and no address of an API; empty lists are left out")
    func steering() throws {
        let metadata = try metadata(
            "https://op.example",
            """
            {"issuer":"https://op.example","client_id":"x","client_secret_file":"/etc/passwd","api_base":"https://a.example",
            "x_file":"/dev/zero","require_pushed_authorization_requests":true,"scopes_supported":[],"x":1,"error":""}
            """)
        #expect(
            metadata.members.members.map(\.name) == ["issuer", "require_pushed_authorization_requests", "x"])
        #expect(metadata.warnings.count == 4)
    }

    @Test(
        "D-02 the next address is asked only where this one has no metadata",
        arguments: [
            (404, "<html>", true), (410, "", true), (401, "", true), (400, #"{"error":"x"}"#, true),
            (200, "<html>", true), (429, "", false), (408, "", false), (500, "", false), (503, "<html>", false),
            (302, "", false), (200, "[]", false), (200, "{", false),
            (200, #"{"issuer":"https://other.example"}"#, false),
        ])
    func goingOn(status: Int, body: String, goesOn: Bool) throws {
        let type = body.hasPrefix("<") ? "text/html" : "application/json"
        let error = #expect(throws: OAuthError.self) {
            try metadata("https://op.example", body, status: status, type: type)
        }
        #expect(error.map { ServerDiscovery.goesOn(after: $0) } == goesOn)
    }

    @Test(
        "a redirect names the issuer to ask, unless that is the one that was asked behind a prefix",
        arguments: [
            ("/.well-known/openid-configuration", "/hub/.well-known/openid-configuration", "https://as.example/hub"),
            ("/.well-known/oauth-authorization-server/hub", "/hub/.well-known/oauth-authorization-server/hub", nil),
            ("/.well-known/oauth-authorization-server/app", "/x/.well-known/oauth-authorization-server/app", nil),
            ("/a/.well-known/openid-configuration", "/b/.well-known/openid-configuration", "https://as.example/b"),
            (
                "/.well-known/openid-configuration", "https://www.as.example/.well-known/openid-configuration",
                "https://www.as.example"
            ),
            ("/a/.well-known/openid-configuration", "/.well-known/openid-configuration/a", nil),
        ] as [(String, String, String?)])
    func redirect(path: String, target: String, issuer: String?) throws {
        let discovery = try ServerDiscovery("https://as.example")
        let head = HTTPResponseHead(
            status: 302, headers: [HTTPField("Location", target)], url: "https://as.example\(path)")
        let error = #expect(throws: OAuthError.self) {
            try discovery.metadata(in: EndpointResponse(head: head, body: []), of: discovery.addresses[0])
        }
        let hint = issuer.map { "if the redirect leads to the right server: oap discover \($0)" }
        #expect(error?.hint == hint ?? "correct the endpoint's URL")
    }

    @Test("metadata without an issuer is refused with what takes its place", arguments: ["{}", #"{"issuer":""}"#])
    func noIssuer(body: String) {
        let error = #expect(throws: OAuthError.self) { try metadata("https://as.example", body) }
        #expect(error?.kind == .invalidResponse && error?.message == "the metadata has no issuer")
        #expect(error?.hint?.contains("oap login NAME --authorization-endpoint URL --token-endpoint URL") == true)
    }

    private func metadata(
        _ asked: String, _ body: String, expecting issuer: String? = nil, status: Int = 200,
        type: String = "application/json"
    ) throws -> ServerMetadata {
        let discovery = try ServerDiscovery(asked, expecting: issuer)
        let head = HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", type)])
        return try discovery.metadata(
            in: EndpointResponse(head: head, body: Array(body.utf8)), of: discovery.addresses[0])
    }
}
