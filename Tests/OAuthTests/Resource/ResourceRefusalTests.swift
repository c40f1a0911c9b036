import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Refusals of an API")
struct ResourceRefusalTests {
    @Test(
        "CA-04 to CA-08 call_auth_decision: a refusal of an API means what the case says",
        arguments: try VectorGroup("call_auth_decision").cases(elsewhere: [
            "ManagedVectorTests": [
                "piped-document", "second-401-after-refresh", "token-changed-meanwhile", "unreplayable-body",
            ],
            "BoundTokenTests": ["d10"],
        ]))
    func vectors(vector: VectorCase) throws {
        let headers = vector["www_authenticate"]?.string.map { [HTTPField("WWW-Authenticate", $0)] } ?? []
        let refusal = ResourceRefusal(
            status: try #require(vector["status"]?.integer), headers: headers,
            scheme: try #require(vector["scheme"]?.string))
        switch vector["action"]?.string {
        case "refresh-and-retry-once", "reauth_required": #expect(refusal == .invalidToken)
        case "insufficient_scope": #expect(refusal == .insufficientScope("admin"))
        case "step_up_required": #expect(refusal == .stepUp(contexts: nil, maximumAge: "60"))
        case "pass-through": #expect(refusal == .other)
        default: Issue.record("no test for \(vector)")
        }
    }

    @Test(
        "CA-03, CA-05 a 401 whose challenges are all for other schemes says nothing of the token",
        arguments: [
            "Basic realm=\"Bearer error=invalid_request\"", "Digest nonce=x", "Negotiate abc=", "Negotiate, NTLM",
            "Cookie realm=x", "DPoP error=\"invalid_token\"", "Custom error=\"insufficient_scope\"",
        ])
    func foreign(challenge: String) {
        let headers = [HTTPField("WWW-Authenticate", challenge)]
        #expect(ResourceRefusal(status: 401, headers: headers, scheme: "Bearer") == .invalidToken)
        #expect(ResourceRefusal(status: 403, headers: headers, scheme: "Bearer") == .other)
    }

    @Test(
        "a token that has expired is not valid, in whatever words",
        arguments: ["INVALID_TOKEN", "expired_token", "token_expired", "TokenExpired", "invalid-token"])
    func expired(code: String) {
        let headers = [HTTPField("WWW-Authenticate", "Bearer error=\"\(code)\"")]
        #expect(ResourceRefusal(status: 401, headers: headers, scheme: "Bearer") == .invalidToken)
        #expect(ResourceRefusal.isTokenInvalid(status: 401, headers: headers))
        #expect(ResourceRefusal(status: 403, headers: headers, scheme: "Bearer") == .other)
    }

    @Test("CA-07 a 401 with another error for the token's scheme is passed on")
    func passedOn() {
        let headers = [HTTPField("WWW-Authenticate", "Basic realm=x, Bearer error=\"invalid_request\"")]
        #expect(ResourceRefusal(status: 401, headers: headers, scheme: "Bearer") == .other)
    }

    @Test(
        "claims that an API wants are those of the next login, whatever the alphabet of their Base64",
        arguments: [
            ("eyJhY2Nlc3NfdG9rZW4iOnsibmJmIjp7InZhbHVlIjoiMTYwNDEwNjY1MSJ9fX0=", true),
            ("eyJhY2Nlc3NfdG9rZW4iOnsibmJmIjp7InZhbHVlIjoiMTYwNDEwNjY1MSJ9fX0", true), ("W10", false), ("?", false),
        ])
    func claims(text: String, isObject: Bool) throws {
        let headers = [
            HTTPField("WWW-Authenticate", "Bearer realm=\"\", error=\"insufficient_claims\", claims=\"\(text)\"")
        ]
        let value: JSONObject = ["access_token": .object(["nbf": .object(["value": "1604106651"])])]
        let refusal = ResourceRefusal(status: 401, headers: headers, scheme: "Bearer")
        #expect(refusal == .stepUp(contexts: nil, maximumAge: nil, claims: isObject ? value : nil))
        #expect(refusal.loginMembers == (isObject ? ["claims": .object(value)] : nil))
    }

    @Test(
        "CA-04 a 401 whose field holds no challenge that can be read says as little as one without a field",
        arguments: ["", ",", "Bearer error=\"invalid_token", "error=invalid_request,error_description=Invalid request"])
    func unreadable(challenge: String) {
        let headers = [HTTPField("WWW-Authenticate", challenge)]
        #expect(ResourceRefusal(status: 401, headers: headers, scheme: "Bearer") == .invalidToken)
        #expect(ResourceRefusal(status: 403, headers: headers, scheme: "Bearer") == .other)
    }

    @Test("CA-04 the challenge is found on any line, its scheme in any case, by the API's own name too")
    func anyLine() {
        let lines = [
            HTTPField("www-authenticate", "Basic realm=x"), HTTPField("WWW-AUTHENTICATE", "bEARER error=invalid_token"),
        ]
        #expect(ResourceRefusal(status: 401, headers: lines, scheme: "Bearer") == .invalidToken)
        let own = [HTTPField("WWW-Authenticate", "Custom-Key realm=x")]
        #expect(ResourceRefusal(status: 401, headers: own, scheme: "Custom-KEY") == .invalidToken)
        #expect(ResourceRefusal(status: 403, headers: own, scheme: "Bearer") == .other)
    }

    @Test("CA-06, CA-08 a scope or a login that is wanted is named, behind other challenges too")
    func named() {
        let scope = [HTTPField("WWW-Authenticate", "Basic realm=x, Bearer error=insufficient_scope")]
        #expect(ResourceRefusal(status: 403, headers: scope, scheme: "Bearer") == .insufficientScope(nil))
        let login = [
            HTTPField("WWW-Authenticate", #"Bearer error="insufficient_user_authentication", acr_values="a b""#)
        ]
        #expect(
            ResourceRefusal(status: 401, headers: login, scheme: "Bearer") == .stepUp(contexts: "a b", maximumAge: nil))
        let foreign = [HTTPField("WWW-Authenticate", "Basic error=insufficient_scope")]
        #expect(ResourceRefusal(status: 403, headers: foreign, scheme: "Bearer") == .other)
    }

    @Test(
        "CA-06, CA-07, CA-12 no other status says anything of the token",
        arguments: [200, 302, 400, 402, 404, 407, 500])
    func otherStatus(status: Int) {
        for error in ["invalid_token", "insufficient_scope"] {
            let headers = [HTTPField("WWW-Authenticate", "Bearer error=\(error)")]
            #expect(ResourceRefusal(status: status, headers: headers, scheme: "Bearer") == .other)
        }
        #expect(
            ResourceRefusal(status: 403, headers: [HTTPField("WWW-Authenticate", "Bearer")], scheme: "Bearer") == .other
        )
    }

    @Test("a token is called invalid by a 401 with that word", arguments: [(401, true), (400, false), (403, false)])
    func invalidToken(status: Int, isInvalid: Bool) {
        let said = [HTTPField("WWW-Authenticate", "Bearer error=invalid_token")]
        #expect(ResourceRefusal.isTokenInvalid(status: status, headers: said) == isInvalid)
        let other = [HTTPField("WWW-Authenticate", "Bearer error=invalid_request")]
        for headers in [other, []] { #expect(!ResourceRefusal.isTokenInvalid(status: status, headers: headers)) }
    }

    @Test("CA-01 a token is sent in Authorization under the scheme that fits")
    func accessToken() throws {
        #expect(try AccessToken("at", of: Document([:])).field == HTTPField("Authorization", "Bearer at"))
        #expect(
            try AccessToken("a%2Fb~+/=", of: Document(["token_type": .string("bEARER")])).field.value
                == "Bearer a%2Fb~+/=")
        let token = try AccessToken("at", of: Document(["authorization_scheme": .string("token")]))
        #expect(token.field == HTTPField("Authorization", "token at"))
        #expect(token.scheme == "token")
    }

    @Test(
        "JS-06, CA-02 a token that is no bearer token, or does not fit into a header, is not sent",
        arguments: [
            ("at", #"{"token_type":"N_A"}"#, OAuthError.Kind.tokenTypeUnsupported),
            ("at", #"{"token_type":"DPoP"}"#, .metadataMissing),
            ("at", #"{"token_type":"mac"}"#, .tokenTypeUnsupported), ("at", #"{"token_type":1}"#, .usage),
            ("", "{}", .usage), ("a b", "{}", .usage),
            ("a\r\nX: y", "{}", .usage), ("é", "{}", .usage), ("a\u{7F}", "{}", .usage),
            ("at", #"{"authorization_scheme":"a b"}"#, .usage),
            ("at", #"{"authorization_scheme":""}"#, .usage), ("at", #"{"authorization_scheme":"a\r\nX:"}"#, .usage),
        ])
    func notSent(token: String, members: String, kind: OAuthError.Kind) throws {
        let document = Document(try #require(JSON(parsing: members).object))
        let error = #expect(throws: OAuthError.self) { try AccessToken(token, of: document) }
        #expect(error?.kind == kind)
    }
}
