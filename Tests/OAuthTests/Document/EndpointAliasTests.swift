import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("The aliases of endpoints for clients with a certificate")
struct EndpointAliasTests {
    @Test(
        "M-01, M-02 a client with a certificate goes to the alias of an endpoint, and every other to the endpoint",
        arguments: try VectorGroup("mtls_aliases").cases(only: [
            "mtls-token", "plain-token", "mtls-no-alias", "mtls-bound-token-public-auth", "alias-http",
            "alias-not-object",
        ]))
    func aliases(vector: VectorCase) throws {
        var members = try #require(VectorGroup("mtls_aliases").context["metadata"]?.object)
        for member in vector["metadata_patch"]?.object?.members ?? [] { members[member.name] = member.value }
        var document = Document(members)
        document.hasCertificate = vector["mtls"] != .bool(false)
        let name = try #require(vector["endpoint"]?.string)
        guard let url = vector["url"]?.string else {
            let error = #expect(throws: OAuthError.self) { try Endpoint(name, in: document) }
            #expect(error?.kind.rawValue == vector["kind"]?.string)
            return
        }
        #expect(try Endpoint(name, in: document).url.text == url)
    }

    @Test("an endpoint that an option names is used as it is, and so is that of a browser")
    func named() throws {
        var document = Document([
            "token_endpoint": .string("https://as.example/token"),
            "end_session_endpoint": .string("https://as.example/end"),
            "mtls_endpoint_aliases": .object([
                "token_endpoint": .string("https://mtls.as.example/token"),
                "end_session_endpoint": .string("https://mtls.as.example/end"),
            ]),
        ])
        document.hasCertificate = true
        #expect(try Endpoint("end_session_endpoint", in: document).url.text == "https://as.example/end")
        document.set("token_endpoint", to: .string("https://other.example/token"), from: .option)
        #expect(try Endpoint("token_endpoint", in: document).url.text == "https://other.example/token")
    }
}
