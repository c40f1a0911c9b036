import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Endpoints")
struct EndpointTests {
    @Test(
        "T-01, T-02 transport: credentials go to a URL or not, as the case says",
        arguments: try VectorGroup("transport").cases)
    func vectors(vector: VectorCase) throws {
        let url = try #require(vector["url"]?.string)
        if vector["allowed"]?.bool == true {
            #expect(try Endpoint(url, name: "token_endpoint").url.text == url)
        } else {
            let error = vector.expectFailure { try Endpoint(url, name: "token_endpoint") }
            #expect(error?.member == "token_endpoint")
        }
    }

    @Test(
        "T-01 plain plain http is allowed on loopback only, whatever its spelling",
        arguments: [
            "http://127.0.1/t", "http://0x7f.0.0.1/t", "http://0177.0.0.1/t", "http://[::]/t",
            "http://[0:0:0:0:0:0:0:1]/t",
            "http://localhost./t", "http://user@as.example/t", "HTTP://AS.EXAMPLE/t", "http://10.0.0.1/t",
        ])
    func insecure(url: String) {
        let error = #expect(throws: OAuthError.self) { try Endpoint(url, name: "x") }
        #expect(error?.kind == .insecureTransport)
    }

    @Test(
        "T-02 an endpoint names no user and no other scheme, and has no fragment, an empty one included",
        arguments: [
            ("https://user@as.example/t", OAuthError.Kind.usage), ("https://user:pw@as.example/t", .usage),
            ("http://u@127.0.0.1/t", .usage), ("https:t", .usage), ("urn:x", .usage),
            ("https://as.example/t#", .metadataInvalid),
        ])
    func shape(url: String, kind: OAuthError.Kind) {
        let error = #expect(throws: OAuthError.self) { try Endpoint(url, name: "x") }
        #expect(error?.kind == kind)
    }

    @Test(
        "T-02 a query and a port of any size stay",
        arguments: ["https://as.example:0/t?a=b&c", "https://as.example:65535/?"])
    func kept(url: String) throws { #expect(try Endpoint(url, name: "x").url.text == url) }

    @Test("a client with a certificate goes to the alias of an endpoint, unless the endpoint was named for this use")
    func aliases() throws {
        var document = Document([
            "token_endpoint": .string("https://as.example/t"), "userinfo_endpoint": .string("https://as.example/u"),
            "authorization_endpoint": .string("https://as.example/a"),
            "mtls_endpoint_aliases": .object([
                "token_endpoint": .string("https://mtls.example/t"),
                "authorization_endpoint": .string("https://mtls.example/a"),
            ]),
        ])
        func host(_ name: String) throws -> String? { try Endpoint(name, in: document).url.host }
        #expect(try host("token_endpoint") == "as.example")
        document.hasCertificate = true
        #expect(try host("token_endpoint") == "mtls.example")
        #expect(try host("userinfo_endpoint") == "as.example")
        #expect(try host("authorization_endpoint") == "as.example")
        document.set("token_endpoint", to: .string("https://named.example/t"), from: .option)
        #expect(try host("token_endpoint") == "named.example")
        // A certificate needs TLS, on loopback too.
        for alias in ["http://mtls.example/u", "http://127.0.0.1:1/u"] {
            document.members["mtls_endpoint_aliases"] = .object(["userinfo_endpoint": .string(alias)])
            let error = #expect(throws: OAuthError.self) { try host("userinfo_endpoint") }
            #expect(error?.kind == .insecureTransport)
        }
    }

    @Test("an endpoint that the document lacks is missing, one that is no string is wrong")
    func ofDocument() throws {
        let document = Document(["a": .string("https://as.example/a"), "n": .integer(1), "e": .string(""), "z": .null])
        #expect(try Endpoint("a", in: document).url.host == "as.example")
        for (name, kind) in [
            ("b", OAuthError.Kind.metadataMissing), ("z", .metadataMissing), ("n", .metadataInvalid),
            ("e", .metadataInvalid),
        ] {
            let error = #expect(throws: OAuthError.self) { try Endpoint(name, in: document) }
            #expect(error?.kind == kind)
            #expect(error?.member == name)
        }
    }
}
