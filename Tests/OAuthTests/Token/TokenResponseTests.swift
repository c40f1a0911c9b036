import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Token responses")
struct TokenResponseTests {
    @Test(
        "X-01, K-01, DV-01 rfc_responses: a published answer is read as the case says",
        arguments: try VectorGroup("rfc_responses").cases(elsewhere: [
            "IntrospectionTests": ["rfc7662-2.2-active", "rfc7662-2.2-inactive"],
            "DPoPBindingTests": ["rfc9449-fig6"], "BoundGrantTests": ["rfc9449-fig20"],
        ]))
    func published(vector: VectorCase) throws {
        if vector.id == "rfc9126-2.2" {
            let pushed = try PushedAuthorizationResponse(vector.response())
            #expect(pushed.requestURI == vector["body"]?.object?["request_uri"]?.string)
            #expect(pushed.warnings.isEmpty)
            return
        }
        if vector.id == "rfc8628-3.2" {
            let flow = try DeviceAuthorizationResponse(vector.response()).flow(of: [:], start: 100)
            var expected = try #require(vector["body"]?.object)
            expected["expires_in"] = nil
            expected["expires_at"] = .integer(1900)
            #expect(JSON.object(flow) == .object(expected))
            return
        }
        let expected = TokenResponse.Expectation(grant: .init(named: "authorization_code"), scope: Scope([]))
        let read = { try TokenResponse(vector.response(), expecting: expected) }
        if vector["expect"]?.string == "ok" {
            let response = try read()
            #expect("\(response.tokenType) \(response.accessToken)" == vector["authorization"]?.string)
            #expect(response.refreshToken == vector["body"]?.object?["refresh_token"]?.string)
            #expect(response.expiresIn == vector["body"]?.object?["expires_in"]?.integer)
        } else {
            vector.expectFailure(of: read)
        }
    }

    @Test(
        "TX-02, K-05 token_exchange: the answer to a token exchange is read as the case says",
        arguments: try VectorGroup("token_exchange").cases(elsewhere: [
            "GrantTests": ["request-min", "many", "actor-without-type", "type-without-actor"]
        ]))
    func tokenExchange(vector: VectorCase) throws {
        let expected = TokenResponse.Expectation(
            grant: .init(named: "urn:ietf:params:oauth:grant-type:token-exchange"), scope: Scope([]))
        let response = try TokenResponse(vector.response(), expecting: expected)
        vector.expectWarnings(response.warnings)
        let document = TokenDocument.exchanged([:], for: response, method: .none, start: 0)
        #expect(document["issued_token_type"] == vector["response"]?.object?["issued_token_type"])
        if response.tokenType == "N_A" {
            let error = #expect(throws: OAuthError.self) {
                try AccessToken(response.accessToken, of: Document(document))
            }
            #expect(error?.kind == .tokenTypeUnsupported)
        }
    }

    @Test(
        "K-08 every lifetime is positive, whole and bounded, or there is none",
        arguments: [
            ("1", 1), ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_647), (#""2147483648""#, 2_147_483_647),
            ("0.9", nil), (#""0""#, nil), ("-0.5", nil), ("9007199254740993", nil), (#""""#, nil), (#"" ""#, nil),
            (#""1e3""#, 1000), (#""+5""#, nil), (#""0x10""#, nil), (#""\"5\"""#, nil), (#""[5]""#, nil), ("[5]", nil),
            ("{}", nil),
            (#""NaN""#, nil), (#""٣""#, nil), (#""007""#, nil),
        ] as [(String, Int?)])
    func lifetimes(value: String, seconds: Int?) throws {
        let response = try read(#"{"access_token":"at","token_type":"Bearer","expires_in":\#(value)}"#)
        #expect(response.expiresIn == seconds)
        #expect((seconds == nil) == (response.warnings == [.expiresInZero] || response.warnings == [.expiresInInvalid]))
        let document = TokenDocument.exchanged(["expires_at": .integer(5)], for: response, method: .none, start: 1000)
        #expect(document["expires_in"]?.integer == seconds)
        #expect(document["expires_at"]?.integer == seconds.map { 1000 + $0 })
    }

    @Test(
        "an access token that does not fit into a header field is refused",
        arguments: [#"a\u0020b"#, #"\u0020"#, #"a\u007F"#, #"\u007F"#, #"a\nb"#, "\u{E9}"])
    func unusableToken(text: String) throws {
        let error = #expect(throws: OAuthError.self) { try read(#"{"access_token":"\#(text)","token_type":"Bearer"}"#) }
        #expect(error?.kind == .invalidResponse && error?.member == "access_token")
        #expect(try read(##"{"access_token":"!~","token_type":"Bearer"}"##).accessToken == "!~")
    }

    @Test(
        "K-13 openid with a code brings an ID token, with any other grant it may",
        arguments: ["", #","id_token":"""#, #","id_token":null"#])
    func idTokenMissing(member: String) throws {
        let body = #"{"access_token":"at","token_type":"Bearer"\#(member)}"#
        let error = #expect(throws: OAuthError.self) { try read(body, grant: "authorization_code", scope: "a openid") }
        #expect(error?.kind == .idTokenMissing)
        for (grant, scope) in [
            ("refresh_token", "openid"), ("client_credentials", "openid"), ("authorization_code", "a"),
        ] {
            let response = try read(body, grant: grant, scope: scope)
            #expect(response.idToken == nil)
            #expect(response.warnings.isEmpty)
        }
    }

    @Test("K-13 an ID token that is not going to be verified is kept, with a warning")
    func unverified() throws {
        let answer = EndpointResponse(
            head: HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")]),
            body: Array(#"{"access_token":"at","token_type":"Bearer","id_token":"i"}"#.utf8))
        let openid = Scope(["openid"])
        for (expected, isTold) in [
            (TokenResponse.Expectation(grant: .init(named: "authorization_code"), scope: openid), true),
            (.init(grant: .init(named: "refresh_token"), scope: openid), true),
            (.init(grant: .init(named: "refresh_token"), scope: openid, verifiesIDToken: true), false),
        ] {
            let response = try TokenResponse(answer, expecting: expected)
            #expect(response.idToken == "i")
            #expect(response.warnings.map(\.name) == (isTold ? ["id_token_unverified"] : []))
        }
    }

    @Test(
        "RFC 9396 section 7: details that were granted are compared by type with those that were asked for",
        arguments: [
            (#","authorization_details":[{"type":"pay","amount":"9"}]"#, nil),
            ("", "the server does not say which authorization_details it granted"),
            (#","authorization_details":[]"#, #"the server granted no authorization_details of type "pay""#),
            (
                #","authorization_details":[{"type":"pay"},{"type":"read"}]"#,
                #"the server granted authorization_details that were not requested: "read""#
            ),
            (
                #","authorization_details":"all""#,
                "the granted authorization_details are not an array of objects with a type"
            ),
        ] as [(String, String?)])
    func details(member: String, warning: String?) throws {
        let document = Document([
            "token_endpoint": "https://as.example/t", "client_id": "c",
            "authorization_details": .array([.object(["type": "pay"])]),
        ])
        let grant = try Grant(.clientCredentials, of: document, .init())
        #expect(grant.parameters["authorization_details"] == #"[{"type":"pay"}]"#)
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
        let body = Array(#"{"access_token":"at","token_type":"Bearer"\#(member)}"#.utf8)
        let response = try TokenResponse(
            EndpointResponse(head: head, body: body), expecting: .init(grant, of: document))
        #expect(response.warnings.map(\.message) == (warning.map { [$0] } ?? []))
    }

    @Test(
        "RFC 9396 section 7: what the server changed or left out in details of the same type is another authorization",
        arguments: [
            (#"{"type":"pay","amount":10,"to":["a","b"],"at":[]}"#, true),
            (#"{"type":"pay","amount":10,"to":["b"],"at":[{"iban":"x"}],"new":{"id":1}}"#, true),
            (#"{"type":"pay","amount":10,"to":[]}"#, true),
            (#"{"type":"pay","amount":99999,"to":["a"]}"#, false), (#"{"type":"pay","amount":"10","to":["a"]}"#, false),
            (#"{"type":"pay","to":["a"]}"#, false), (#"{"type":"pay","amount":10}"#, false),
            (#"{"type":"pay","amount":10,"to":["a","c"]}"#, false), (#"{"type":"pay","amount":10,"to":"c"}"#, false),
            (#"{"type":"pay","amount":10,"to":["a"]},{"type":"pay","amount":11,"to":["a"]}"#, false),
        ])
    func changedDetails(granted: String, isSame: Bool) throws {
        let asked = try JSON(parsing: #"[{"type":"pay","amount":10,"to":["a","b"],"at":[]},{"type":"read"}]"#)
        let details = try #require(AuthorizationDetails(asked))
        let warnings = details.warnings(
            granting: try JSON(parsing: #"[\#(granted),{"type":"read"}]"#), isRenewal: false)
        let other = #"the server granted other authorization_details than requested: "pay""#
        #expect(warnings.map(\.message) == (isSame ? [] : [other]))
    }

    @Test(
        "RFC 8707: a JWT for neither the resource nor its origin is a warning",
        arguments: [
            (#""https://api.example/mcp""#, true), (#""https://api.example/mcp/""#, true),
            (#"["x","https://api.example"]"#, true), (#""https://api.example/""#, true), (#""wanted""#, true),
            (#""https://other.example""#, false), (#"["https://api.example.evil/mcp","c"]"#, false),
            (#""https://api.example/mc""#, false), (#"[]"#, true), (#"null"#, true),
            (#"5"#, false), (#"{"aud":"wanted"}"#, false), (#"[5]"#, false), (#"[5,"wanted"]"#, true),
        ])
    func audience(named: String, isMeant: Bool) throws {
        let resource: JSONObject = [
            "token_endpoint": "https://as.example/t", "client_id": "c", "resource": "https://api.example/mcp",
            "authorization_params": .object(["audience": "wanted"]),
        ]
        let jwt = { (audience: String) in
            "eyJhbGciOiJSUzI1NiJ9.\(Base64.encodeURL(Array(#"{"aud":\#(audience)}"#.utf8))).AA"
        }
        let warnings = { (document: Document, kind: Grant.Kind) in
            let supplement = Grant.Kind.Supplement(secrets: ["refresh_token": "rt"])
            let grant = try Grant(kind, of: document, supplement)
            let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
            let body = Array(#"{"access_token":"\#(jwt(named))","token_type":"Bearer"}"#.utf8)
            return try TokenResponse(EndpointResponse(head: head, body: body), expecting: .init(grant, of: document))
                .warnings.map(\.name)
        }
        let warning = isMeant ? [] : ["audience_other"]
        #expect(try warnings(Document(resource), .clientCredentials) == warning)
        #expect(try warnings(Document(resource.with(["resource": .null])), .clientCredentials) == [])
        // A renewal may bring the audience of before, of which was warned, unless another resource is asked for.
        let same = resource.with(["access_token": .string(jwt(named))])
        #expect(try warnings(Document(same), .refreshToken) == [])
        let other = resource.with(["access_token": .string(jwt(#""other""#))])
        #expect(try warnings(Document(other), .refreshToken) == warning)
        var asked = Document(same)
        asked.set("resource", to: "https://api.example/mcp", from: .option)
        #expect(try warnings(asked, .refreshToken) == warning)
    }

    @Test("K-14, K-21 unknown members and authorization_details are kept in their order, numbers to the letter")
    func unknownMembers() throws {
        let body =
            #"{"z":1.10,"access_token":"at","big":9007199254740993,"token_type":"Bearer","#
            + #""authorization_details":[{"type":"x","n":1e2}],"team":{"b":1,"a":null}}"#
        let document = try TokenDocument.exchanged(
            ["client_id": .string("c")], for: read(body), method: .none, start: 0)
        #expect(
            JSON.object(document).text
                == #"{"client_id":"c","grant_type":"authorization_code","token_endpoint_auth_method":"none","#
                + #""access_token":"at","token_type":"Bearer","z":1.10,"big":9007199254740993,"authorization_details":[{"type":"x","n":1e2}],"team":{"b":1,"a":null}}"#
        )
    }

    @Test("K-15 an error that is none does not follow the token", arguments: ["null", #""""#, "5", "{}"])
    func noError(value: String) throws {
        let response = try read(
            #"{"access_token":"at","token_type":"Bearer","error":\#(value),"error_description":"d"}"#)
        #expect(response.others.isEmpty)
    }

    @Test("a token beside ok:false is not taken")
    func notOK() throws {
        let error = #expect(throws: OAuthError.self) {
            try read(#"{"ok":false,"access_token":"x","token_type":"Bearer"}"#)
        }
        #expect(error?.kind == .invalidResponse)
        #expect(try read(#"{"ok":true,"access_token":"x","token_type":"Bearer"}"#).accessToken == "x")
    }

    @Test(
        "a refresh token is saved from a refused answer of success, and from no other",
        arguments: [
            (200, #"{"refresh_token":"new"}"#, "new"), (299, #"{"refresh_token":"new"}"#, "new"),
            (400, #"{"refresh_token":"new"}"#, nil), (500, #"{"refresh_token":"new"}"#, nil),
            (302, #"{"refresh_token":"new"}"#, nil), (200, #"{"refresh_token":"new","error":"x"}"#, nil),
            (200, #"{"refresh_token":""}"#, nil), (200, #"{"refresh_token":1}"#, nil),
        ])
    func rescue(status: Int, body: String, expected: String?) {
        let head = HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", "application/json")])
        let answer = EndpointResponse(head: head, body: Array(body.utf8))
        #expect(answer.issuedTokens()["refresh_token"]?.string == expected)
    }

    @Test("T-10 a redirect is refused with the place it leads to", arguments: [300, 301, 302, 303, 304, 307, 308, 399])
    func redirect(status: Int) {
        let headers = [HTTPField("Location", "https://evil.example/token?code=secret")]
        let error = #expect(throws: OAuthError.self) {
            try read(#"{"access_token":"at"}"#, status: status, headers: headers)
        }
        #expect(error?.kind == .redirectRefused)
        #expect(error?.status == status)
        #expect(error?.message.contains("https://evil.example;") == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test("K-02, K-03 a form is read as one only under its own label, or as text that has a token or an error")
    func forms() throws {
        let form = "access_token=at&token_type=bearer&expires=60&expires_in=5"
        #expect(try read(form, type: "application/x-www-form-urlencoded").expiresIn == 5)
        #expect(try read(form, type: "text/plain").accessToken == "at")
        for (type, kind) in [
            ("application/json", "parse"), ("text/html", "not_json"), ("application/octet-stream", "not_json"),
        ] {
            let error = #expect(throws: OAuthError.self) { try read(form, type: type) }
            #expect(error?.kind.name == kind)
        }
        for body in ["x=1", "hello", "access_token=a&access_token=b", "access_token=%"] {
            let error = #expect(throws: OAuthError.self) { try read(body, type: "text/plain") }
            #expect(error?.kind == .notJSON)
        }
    }

    @Test(
        "JSON that was cut off is no form, whatever its label",
        arguments: ["application/x-www-form-urlencoded", "text/plain"])
    func cutOff(type: String) throws {
        let error = #expect(throws: OAuthError.self) { try read(#"{"access_token":"at","x":"a&error=b"#, type: type) }
        #expect(error?.kind == .unreadableResponse)
    }

    private func read(
        _ body: String, grant: String = "client_credentials", scope: String = "", type: String = "application/json",
        status: Int = 200, headers: [HTTPField] = []
    ) throws -> TokenResponse {
        let head = HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", type)] + headers)
        return try TokenResponse(
            EndpointResponse(head: head, body: Array(body.utf8)),
            expecting: .init(grant: .init(named: grant), scope: Scope(splitting: scope)))
    }
}
