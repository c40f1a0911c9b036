import Testing
import Wire

@testable import OAuth

@Suite("A grant that is repeated")
struct RepeatedGrantTests {
    @Test(
        "a token is renewed by its refresh token, else by its own grant where that needs no person",
        arguments: [
            (#"{"refresh_token":"r","grant_type":"client_credentials"}"#, "refresh_token"),
            (#"{"refresh_token_file":"/r"}"#, "refresh_token"),
            (#"{"grant_type":"client_credentials"}"#, "client_credentials"),
            (#"{"grant_type":"urn:example:machine"}"#, "urn:example:machine"),
            (#"{"grant_type":"password","password_file":"/p"}"#, "password"),
            (#"{"grant_type":"password","token_params":{"password":"p"}}"#, "password"),
            (#"{"grant_type":"password"}"#, nil), (#"{"grant_type":"authorization_code"}"#, nil),
            (#"{"grant_type":"urn:ietf:params:oauth:grant-type:device_code"}"#, nil),
            (#"{"grant_type":"urn:openid:params:grant-type:ciba"}"#, nil),
            (#"{"grant_type":"urn:ietf:params:oauth:grant-type:token-exchange"}"#, nil), (#"{"grant_type":""}"#, nil),
            (#"{"grant_type":5}"#, nil), ("{}", nil), (#"{"refresh_token":"r","refresh_token_expires_at":5}"#, nil),
            (#"{"refresh_token":"r","refresh_token_expires_at":6}"#, "refresh_token"),
            (
                #"{"refresh_token":"r","authorization_expires_at":5,"grant_type":"client_credentials"}"#,
                "client_credentials"
            ),
        ])
    func renewalGrant(document: String, type: String?) throws {
        let members = try object(document)
        #expect(TokenDocument.renewalGrant(of: members, now: 5)?.type == type)
        #expect(TokenDocument.isRenewable(members, now: 5) == (type != nil))
    }

    @Test("a repeated grant asks for the scope of the first request, or for a narrower one")
    func scope() throws {
        let document = Document(try object(#"{"scope":"read","requested_scope":"read write"}"#))
        func sent(_ supplement: Grant.Kind.Supplement) throws -> String? {
            try Grant(.clientCredentials, of: document, supplement).parameters["scope"]
        }
        #expect(try sent(.init(isRepeated: true)) == "read write")
        #expect(try sent(.init(scope: "write", isRepeated: true)) == "write")
        #expect(try sent(.init()) == "read")
        let asked = Document(try object(#"{"scope":"read","requested_scope":""}"#))
        #expect(try Grant(.clientCredentials, of: asked, .init(isRepeated: true)).parameters["scope"] == nil)
    }

    @Test("parameters given by hand are remembered for a grant that can be repeated, but for secrets")
    func parameters() throws {
        let extra = [("audience", "a"), ("audience", "b"), ("password", "p"), ("username", "u")]
        let pairs = extra.map { (name: $0.0, value: $0.1) }
        let document = TokenDocument.remembering(
            pairs, of: .clientCredentials, in: try object(#"{"token_params":{"username":"old","x":"1"}}"#))
        let parameters = try #require(document["token_params"]?.object)
        #expect(parameters == (try object(#"{"username":"u","x":"1","audience":["a","b"]}"#)))
        #expect(TokenDocument.remembering(pairs, of: .authorizationCode, in: [:])["token_params"] == nil)
        var grant = try Grant.scoped(.clientCredentials, Document(document))
        try grant.addExtra([], of: Document(document))
        #expect(grant.parameters.pairs.filter { $0.name == "audience" }.map(\.value) == ["a", "b"])
    }

    @Test("a refresh names the resources of the first request again, unless the server wants none or others are named")
    func resource() throws {
        let members = try object(#"{"resource":["https://a.example/","https://b.example/"]}"#)
        func sent(_ members: JSONObject, _ extra: [(name: String, value: String)] = []) throws -> [String] {
            var grant = try Grant.refresh(Document(members), refreshToken: "r", scope: nil)
            try grant.addExtra(extra, of: Document(members))
            return grant.parameters.pairs.filter { $0.name == "resource" }.map(\.value)
        }
        #expect(try sent(members) == ["https://a.example/", "https://b.example/"])
        #expect(try sent(members, [("resource", "https://b.example/")]) == ["https://b.example/"])
        var without = members
        without["refresh_resource"] = .bool(false)
        #expect(try sent(without) == [])
    }

    private func object(_ text: String) throws -> JSONObject { try #require(try JSON(parsing: text).object) }
}
