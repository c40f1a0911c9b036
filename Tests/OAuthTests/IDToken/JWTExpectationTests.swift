import Testing
import Wire

@testable import OAuth

@Suite("What an ID token is checked against")
struct JWTExpectationTests {
    private let client: JSONObject = [
        "issuer": .string("https://as.example"), "client_id": .string("c"), "jwks_uri": .string("https://as.example/k"),
    ]

    @Test(
        "the ID token of a refresh is checked where one was checked before, or came with openid in the scope",
        arguments: [
            ("a", ["id_token_claims"], true), ("a", ["id_token", "id_token_claims"], true),
            ("openid", ["id_token_claims"], true), ("openid", ["id_token"], true), ("a", ["id_token"], false),
            ("openid", [], false),
        ])
    func refresh(scope: String, members: [String], isChecked: Bool) throws {
        var document = client.with("scope", .string(scope))
        for name in members { document[name] = .object(["sub": .string("me")]) }
        let grant = try Grant.refresh(Document(document), refreshToken: "r", scope: nil)
        #expect(JWTExpectation.isMade(after: grant, of: Document(document)) == isChecked)
        let expected = try JWTExpectation(after: grant, of: Document(document))
        #expect((expected != nil) == isChecked)
        if case .refresh(let original)? = expected?.occasion {
            #expect(original["sub"]?.string == "me" && members.contains("id_token_claims"))
        }
    }

    @Test(
        "an acr is demanded only where the request calls it essential",
        arguments: [
            (#"{"essential":true,"values":["a","b"]}"#, ["a", "b"]), (#"{"essential":true,"value":"a"}"#, ["a"]),
            (#"{"essential":false,"values":["a"]}"#, []), (#"{"values":["a"]}"#, []), (#"{"value":"a"}"#, []),
        ])
    func essentialContexts(acr: String, values: [String]) throws {
        let document = Document(
            client.with("scope", .string("openid")).with("code", .string("x"))
                .with("claims", .object(["id_token": .object(["acr": try JSON(parsing: acr)])])))
        let expected = try JWTExpectation(after: Grant.authorizationCode(document), of: document)
        #expect(expected?.essentialContexts == values)
    }
}
