import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Token documents")
struct TokenDocumentTests {
    @Test(
        "R-02, R-03, R-05, R-06 refresh_merge: the token after a refresh is that of the case",
        arguments: try VectorGroup("refresh_merge").cases(elsewhere: [
            "ManagedVectorTests": ["invalid_grant-store-changed", "network-error"]
        ]))
    func vectors(vector: VectorCase) throws {
        let old = try #require(vector["old"]?.object)
        let asked = Scope(splitting: try #require(old["scope"]?.string))
        let expected = TokenResponse.Expectation(
            grant: .init(named: "refresh_token"), scope: asked, verifiesIDToken: true)
        let read = { try TokenResponse(vector.response(), expecting: expected) }
        switch vector.id {
        case "invalid_grant":
            // Only the command knows that this means a new login; to the token endpoint it is an OAuth error.
            let error = #expect(throws: OAuthError.self) { try read() }
            #expect(error?.code == "invalid_grant")
        case "invalid_client", "503", "bad-token-type": vector.expectFailure(of: read)
        default:
            let response = try read()
            vector.expectWarnings(response.warnings)
            let new = TokenDocument.refreshed(old, by: response, start: 1000)
            for member in try #require(vector["new"]?.object).members {
                switch member.value {
                case .null: #expect(new[member.name] == nil)
                case .string(let text) where text.hasPrefix("i2 "): #expect(new[member.name] == .string("i2"))
                default: #expect(new[member.name] == member.value)
                }
            }
        }
    }

    @Test("T-14, K-09 expires_at counts from the start of the request")
    func expiresAt() throws {
        let response = try read(#"{"access_token":"a2","token_type":"Bearer","expires_in":60}"#)
        for document in [
            TokenDocument.exchanged([:], for: response, method: .none, start: 1000),
            TokenDocument.refreshed(["expires_at": .integer(5)], by: response, start: 1000),
        ] {
            #expect(document["expires_in"] == .integer(60))
            #expect(document["expires_at"] == .integer(1060))
        }
    }

    @Test(
        "the end of the right to renew counts from the start of the request, and 0 is no end, as Keycloak means it",
        arguments: [
            ("refresh_token_expires_in", "60", 1060), ("refresh_expires_in", "60", 1060),
            ("refresh_token_timeout", "60", 1060), ("refresh_token_expires_in", "0", nil),
            ("refresh_expires_in", "0", nil), ("refresh_expires_in", #""0""#, nil), ("refresh_expires_in", "-1", nil),
        ] as [(String, String, Int?)])
    func endOfRenewing(name: String, lifetime: String, end: Int?) throws {
        let old: JSONObject = ["refresh_token": .string("r"), "refresh_token_expires_at": .integer(5)]
        let response = try read(#"{"access_token":"a2","\#(name)":\#(lifetime)}"#)
        let new = TokenDocument.refreshed(old, by: response, start: 1000)
        #expect(new["refresh_token_expires_at"]?.integer == end)
        #expect(TokenDocument.isRenewable(new, now: 1059))
        #expect(TokenDocument.isRenewable(new, now: 1060) == (end == nil))
    }

    @Test("of the ends of the refresh token and of the whole authorization the earlier one counts")
    func earlierEnd() {
        let names = ["refresh_token_expires_at", "authorization_expires_at"]
        for (first, second) in [(10, 20), (20, 10)] {
            let document: JSONObject = [names[0]: .integer(first), names[1]: .integer(second)]
            #expect(TokenDocument.end(ofRenewing: document) == 10)
        }
        for name in names { #expect(TokenDocument.end(ofRenewing: [name: .integer(7)]) == 7) }
        #expect(TokenDocument.end(ofRenewing: [:]) == nil)
    }

    @Test("after a narrower token a refresh that names no scope leaves none, and what was granted stays known")
    func widenedAgain() throws {
        let old: JSONObject = ["scope": .string("a"), "granted_scope": .string("a b")]
        let new = TokenDocument.refreshed(old, by: try read(#"{"access_token":"a2"}"#), start: 0)
        #expect(new["scope"] == nil && new["granted_scope"] == .string("a b"))
    }

    @Test("X-04 an exchange drops what it used up and what belongs to older tokens, and keeps all else in its order")
    func exchanged() throws {
        var flow: JSONObject = ["n": .number("1.10"), "client_id": .string("c"), "scope": .string("a b")]
        let gone =
            Member.of(.callback, .exchange) + [
                "access_token", "access_token_file", "token_type", "expires_in", "expires_at", "refresh_token",
                "refresh_token_file", "id_token", "id_token_claims", "issued_token_type",
            ]
        for name in gone { flow[name] = .string("old") }
        flow["api_base"] = .string("https://api.example")
        flow["client_secret_file"] = .string("/secret")
        let response = try read(#"{"access_token":"a2","token_type":"bearer"}"#)
        #expect(
            JSON.object(TokenDocument.exchanged(flow, for: response, method: .post, start: 0)).text
                == #"{"n":1.10,"client_id":"c","scope":"a b","api_base":"https://api.example","client_secret_file":"/secret","#
                + #""grant_type":"authorization_code","token_endpoint_auth_method":"client_secret_post","access_token":"a2","token_type":"Bearer"}"#
        )
    }

    @Test("another grant leaves nothing of a login, and the same grant the other tokens of it")
    func otherLogin() throws {
        var login: JSONObject = ["client_id": "c", "expiry": "2099-01-01T00:00:00Z", "expires_on": "4070908800"]
        for name in Member.ofAll() { login[name] = "old" }
        let response = try read(#"{"access_token":"a2","token_type":"Bearer"}"#)
        for isRepeated in [false, true] {
            let grant = try Grant(
                .clientCredentials, of: Document(["client_id": "c"]), .init(isRepeated: isRepeated))
            let document = TokenDocument.exchanged(login, for: response, of: grant, method: .post, start: 0)
            let left = document.members.filter { $0.value == "old" || ["expiry", "expires_on"].contains($0.name) }
            #expect(Set(left.map(\.name)) == (isRepeated ? Set(Member.of(.login)).subtracting(["renewed_by"]) : []))
        }
        // The end of another token does not count for this one.
        let refreshed = TokenDocument.refreshed(login, by: response, start: 0)
        #expect(refreshed["expiry"] == nil && refreshed["expires_on"] == nil && refreshed["expires_at"] == nil)
    }

    @Test("where the server says the end in another member, it is the end of the token")
    func otherEnd() throws {
        let response = try read(#"{"access_token":"a2","expires_on":"1700000000"}"#)
        for document in [
            TokenDocument.exchanged([:], for: response, method: .none, start: 1000),
            TokenDocument.refreshed(["expires_at": 5], by: response, start: 1000),
        ] { #expect(document["expires_at"] == 1_700_000_000 && document["expires_on"] == "1700000000") }
    }

    @Test("a callback and an exchange use up these members, and no others")
    func usedUp() {
        #expect(Set(Member.of(.callback)) == ["authorization_url", "callback_url", "callback_body", "state"])
        #expect(
            Set(Member.of(.exchange)) == [
                "code", "code_verifier", "nonce", "device_code", "user_code", "verification_uri",
                "verification_uri_complete", "interval", "auth_req_id", "binding_message", "requested_expiry",
            ])
    }

    @Test("the way the client authenticates is written down where nobody said it, else left alone")
    func method() throws {
        let response = try read(#"{"access_token":"a","token_type":"Bearer"}"#)
        let said: JSONObject = ["token_endpoint_auth_method": .string("client_secret_post")]
        #expect(
            TokenDocument.exchanged(said, for: response, method: .basic, start: 0)["token_endpoint_auth_method"]?.string
                == "client_secret_post")
        for open: JSONObject in [[:], ["token_endpoint_auth_method": .null]] {
            #expect(
                TokenDocument.exchanged(open, for: response, method: .basic, start: 0)["token_endpoint_auth_method"]
                    == .string("client_secret_basic"))
        }
    }

    @Test("R-02 a new refresh token takes the place of the old one and of its file; without one both stay")
    func refreshTokenFile() throws {
        let old: JSONObject = [
            "refresh_token_file": .string("/r"), "access_token_file": .string("/a"), "x": .integer(1),
        ]
        let kept = TokenDocument.refreshed(old, by: try read(#"{"access_token":"a2","token_type":"Bearer"}"#), start: 0)
        #expect(kept["refresh_token_file"] == .string("/r"))
        #expect(kept["access_token_file"] == nil)
        #expect(kept["x"] == .integer(1))
        let body = #"{"access_token":"a2","token_type":"Bearer","refresh_token":"r2"}"#
        let rotated = TokenDocument.refreshed(old, by: try read(body), start: 0)
        #expect(rotated["refresh_token_file"] == nil)
        #expect(rotated["refresh_token"] == .string("r2"))
    }

    @Test("R-03 the claims of an ID token stay with it, and go when another comes")
    func claims() throws {
        let old: JSONObject = ["id_token": .string("i1"), "id_token_claims": .object(["sub": .string("s")])]
        let kept = TokenDocument.refreshed(old, by: try read(#"{"access_token":"a2"}"#), start: 0)
        #expect(kept["id_token"] == .string("i1"))
        #expect(kept["id_token_claims"] == old["id_token_claims"])
        let renewed = TokenDocument.refreshed(old, by: try read(#"{"access_token":"a2","id_token":"i2"}"#), start: 0)
        #expect(renewed["id_token"] == .string("i2"))
        #expect(renewed["id_token_claims"] == nil)
    }

    @Test("K-10 the granted scope is written down when the server names it, in one spelling")
    func scope() throws {
        let old: JSONObject = ["scope": .string("repo gist")]
        let body = { (scope: String) in #"{"access_token":"a","token_type":"Bearer","scope":\#(scope)}"# }
        for (scope, expected) in [
            (#""repo,gist""#, "repo gist"), (#"["gist"]"#, "gist"), ("null", "repo gist"), (#""""#, "repo gist"),
            ("5", "repo gist"),
        ] {
            let response = try read(body(scope), scope: "repo gist")
            #expect(TokenDocument.exchanged(old, for: response, method: .none, start: 0)["scope"]?.string == expected)
            #expect(TokenDocument.refreshed(old, by: response, start: 0)["scope"]?.string == expected)
        }
    }

    @Test(
        "an answer of as many members as fit is worked through in time", .timeLimit(.minutes(1)),
        arguments: [true, false])
    func manyMembers(isForm: Bool) throws {
        let names = (0..<90_000).map { "_" + String($0, radix: 36) }
        let body =
            isForm
            ? "access_token=a&" + names.map { "\($0)=" }.joined(separator: "&")
            : #"{"access_token":"a"\#(names.map { #","\#($0)":1"# }.joined())}"#
        let response = try read(body, type: isForm ? "application/x-www-form-urlencoded" : "application/json")
        #expect(response.others.count == names.count)
        let exchanged = TokenDocument.exchanged([:], for: response, method: .none, start: 0)
        let parsed = try #require(try JSON(parsing: JSON.object(exchanged).bytes).object)
        let refreshed = TokenDocument.refreshed(parsed, by: response, start: 0)
        let isKept = refreshed.members.map(\.name).filter { $0.hasPrefix("_") } == names
        #expect(isKept)
    }

    @Test("a scope of as many values as fit is compared in time", .timeLimit(.minutes(1)))
    func manyScopes() throws {
        let scope = (0..<90_000).map { String($0, radix: 36) }.joined(separator: " ")
        let response = try read(
            #"{"access_token":"a","token_type":"Bearer","scope":"\#(scope)"}"#, scope: scope + " more")
        #expect(response.warnings.map(\.name) == ["scope_reduced"])
    }

    private func read(_ body: String, scope: String = "", type: String = "application/json") throws -> TokenResponse {
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", type)])
        return try TokenResponse(
            EndpointResponse(head: head, body: Array(body.utf8)),
            expecting: .init(grant: .init(named: "refresh_token"), scope: Scope(splitting: scope)))
    }
}
