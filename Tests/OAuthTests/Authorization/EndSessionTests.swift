import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("The logout at the server")
struct EndSessionTests {
    @Test(
        "EL-01 end_session: the URL has what the case says, and keeps the query of the endpoint",
        arguments: try VectorGroup("end_session").cases)
    func vectors(vector: VectorCase) throws {
        let input = try #require(vector["input"]?.object)
        var document: JSONObject = ["id_token": input["id_token_hint"] ?? .null]
        for name in ["end_session_endpoint", "client_id"] { document[name] = input[name] }
        let parameters = ["post_logout_redirect_uri", "state"].compactMap { name in
            input[name]?.string.map { (name: name, value: $0) }
        }
        let make = { () throws(OAuthError) in try EndSession(of: Document(document), parameters: parameters).url }
        guard vector["expect"] == nil else {
            vector.expectFailure(of: make)
            return
        }
        let pairs = try FormEncoding.parse(make().query ?? "")
        if let expected = vector["expect_query"]?.object {
            #expect(pairs.map(\.name) == expected.members.map(\.name))
            #expect(pairs.map { JSON.string($0.value) } == expected.members.map(\.value))
        }
        if let names = vector["expect_query_has_keys"]?.strings { #expect(Set(pairs.map(\.name)) == Set(names)) }
    }

    @Test("a redirect after the logout needs an absolute URI, and the client or its user to be known")
    func redirect() {
        let endpoint: JSONObject = ["end_session_endpoint": .string("https://op.example.com/logout")]
        let known = endpoint.with("client_id", .string("c"))
        let cases: [(JSONObject, String, ErrorKind)] = [
            (known, "/bye", .usage), (known, "https://a.example/#x", .usage),
            (endpoint, "https://a.example/", .metadataMissing),
        ]
        for (document, uri, kind) in cases {
            let error = #expect(throws: OAuthError.self) {
                try EndSession(of: Document(document), parameters: [("post_logout_redirect_uri", uri)])
            }
            #expect(error?.kind == kind)
        }
    }
}
