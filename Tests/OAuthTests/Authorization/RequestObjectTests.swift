import Foundation
import JOSE
import Testing
import Wire

@testable import OAuth

@Suite("Signed authorization requests")
struct RequestObjectTests {
    private func claims(_ members: JSONObject) throws -> (url: URLComponents, jws: JSONWebSignature, claims: JSONObject)
    {
        let key = try SigningKey(generatedFor: .ps256)
        let (text, publicKey) = (JSON.object(try key.privateKey() ?? [:]).text, key.publicKey)
        let client: JSONObject = [
            "client_id": "c", "issuer": "https://as.example", "authorization_endpoint": "https://as.example/a?tenant=1",
            "token_endpoint": "https://as.example/t", "scope": "openid",
        ]
        let document = Document(client.with(members))
        let entropy = AuthorizationRequest.Entropy(
            state: [UInt8](repeating: 1, count: 32), nonce: [UInt8](repeating: 2, count: 32),
            verifier: [UInt8](repeating: 3, count: 32))
        let plain = try AuthorizationRequest(
            of: document, redirectURI: RedirectURI("https://client.example/cb"), entropy: entropy)
        let signer = try JWTSigner(of: document, key: text, passPhrase: nil, for: .requestObject)
        let moment = RequestMoment(now: 1_700_000_000, random: [UInt8](repeating: 9, count: 16))
        let signed = try plain.signed(by: signer, for: document, at: moment, isPushed: true)
        #expect(signed.remembered == plain.remembered)
        // A person may open the URL later.
        let shown = try plain.signed(by: signer, for: document, at: moment, isPushed: false)
        let object = try #require(URLComponents(string: shown.url)?.queryItems?.first { $0.name == "request" }?.value)
        #expect(try JSON(parsing: JSONWebSignature(parsing: object).payload).object?["exp"] == 1_700_000_600)
        let url = try #require(URLComponents(string: signed.url))
        let jws = try JSONWebSignature(
            parsing: try #require(url.queryItems?.first { $0.name == "request" }?.value))
        try jws.verify(with: JSONWebKey(#require(publicKey)), allowing: [.ps256])
        return (url, jws, try #require(JSON(parsing: jws.payload).object))
    }

    @Test("OpenID Connect Core §6.1: response_type and scope of an OpenID request stand beside the object, as in it")
    func openID() throws {
        for (members, scope) in [
            (["scope": "profile openid"], "profile openid"),
            (["scope": "a,openid", "scope_separator": ","], "a,openid"),
        ] as [(JSONObject, String)] {
            let (url, _, claims) = try claims(members)
            let items = (url.queryItems ?? []).map { [$0.name, $0.value?.replacing("+", with: " ")] }
            #expect(
                Array(items.dropLast()) == [
                    ["tenant", "1"], ["client_id", "c"], ["response_type", "code"], ["scope", scope],
                ])
            #expect(claims["scope"] == .string(scope) && claims["response_type"] == "code")
        }
    }

    @Test("RFC 9101 §4, §5: the parameters are claims for the issuer, and only client_id stands beside them")
    func claims() throws {
        let (url, jws, claims) = try claims(["scope": "read"])
        #expect(url.queryItems?.map(\.name) == ["tenant", "client_id", "request"])
        #expect(jws.header["typ"] == "oauth-authz-req+jwt" && jws.header["kid"] != nil)
        #expect(claims["iss"] == "c" && claims["client_id"] == "c" && claims["aud"] == "https://as.example")
        #expect(claims["response_type"] == "code" && claims["redirect_uri"] == "https://client.example/cb")
        #expect(claims["iat"] == 1_700_000_000 && claims["exp"] == 1_700_000_060 && claims["nbf"] != nil)
        #expect(claims["state"] != nil && claims["code_challenge"] != nil)
        #expect(claims["sub"] == nil && claims["request"] == nil && claims["jti"]?.string?.isEmpty == false)
    }

    @Test("what is a number, an object or a list is one in the claims")
    func types() throws {
        let details = JSON.array([.object(["type": "payment", "amount": 5])])
        let claims = try claims([
            "max_age": 100, "claims": .object(["userinfo": .object(["email": .null])]),
            "authorization_details": details, "resource": .strings(["https://a.example", "https://b.example"]),
        ]).claims
        #expect(claims["max_age"] == 100 && claims["authorization_details"] == details)
        #expect(claims["claims"]?.object?["userinfo"]?.object?["email"] == .null)
        #expect(claims["resource"]?.strings == ["https://a.example", "https://b.example"])
    }

    @Test("a parameter made by hand is no claim of the JWT itself", arguments: ["iss", "aud", "exp", "jti", "sub"])
    func ownClaims(name: String) throws {
        let extra = JSONObject(unique: [.init(name: name, value: "x")])
        let error = #expect(throws: OAuthError.self) { try claims(["authorization_params": .object(extra)]) }
        #expect(error?.kind == .usage && error?.message.contains("the parameter \(name) ") == true)
        #expect(throws: OAuthError.self) {
            try claims(["authorization_params": .object(["dpop_jkt": "x"])])
        }
    }

    @Test("a request is signed where the document or the client's registration says so")
    func wanted() throws {
        func isSigned(_ members: JSONObject) throws -> Bool {
            try AuthorizationRequest.isSigned(for: Document(members))
        }
        #expect(try !isSigned([:]) && !isSigned(["require_signed_request_object": false]))
        #expect(try !isSigned(["request_object_signing_alg": "none"]))
        #expect(try isSigned(["require_signed_request_object": true]))
        #expect(try isSigned(["request_object_signing_alg": "RS256"]))
        #expect(throws: OAuthError.self) { try claims(["request_object_signing_alg": "RS256", "issuer": .null]) }
        #expect(throws: OAuthError.self) { try claims(["request_object_signing_alg": "ES256"]) }
    }
}
