import Glibc
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("ID tokens in exchange and refresh", .inProcessWithoutPauses)
struct IDTokenExchangeTests {
    private func claims(_ more: JSONObject = [:]) -> JSONObject { SignedToken.claims.with(more) }

    private func answer(_ claims: JSONObject) throws -> Responder.Reply {
        .json(#"{"access_token":"new-access","token_type":"Bearer","id_token":"\#(try SignedToken.signed(claims))"}"#)
    }

    private static let client: JSONObject = [
        "scope": "openid", "issuer": "https://as.example", "nonce": "the-nonce",
        "id_token_signed_response_alg": "HS256",
        "client_secret": .string(SignedToken.secret),
    ]

    @Test("X-05 ID tokens that pass every check have their claims in the document")
    func accepted() throws {
        let responder = try Responder(try answer(claims()), try answer(claims()))
        let token = try Program.oap(["exchange"], input: responder.flow.with(Self.client).input).run()
            .expect(status: 0).expectSilence().object()
        #expect(token["id_token_claims"]?.object?["sub"] == "me" && token["nonce"] == nil)
        let renewed = try Program.oap(["refresh"], input: token.with(["refresh_token": "r"]).input).run()
        #expect(try renewed.expect(status: 0).object()["id_token_claims"]?.object?["sub"] == "me")
    }

    @Test(
        "X-05, V-05 ID tokens that fail a check are exit 9, and no token is shown",
        arguments: [["nonce": "other"], ["iss": "https://evil.example"], ["aud": "other"], ["exp": 1]] as [JSONObject])
    func refused(wrong: JSONObject) throws {
        let responder = try Responder(try answer(claims(wrong)))
        let result = try Program.oap(["exchange"], input: responder.flow.with(Self.client).input).run().expect(
            status: 9)
        result.expect(nowhere: "new-access")
        #expect(try result.object()["error"]?.string?.hasPrefix("id_token_") == true, "\(result)")
    }

    @Test(
        "ID tokens that lack what was asked for, or say otherwise, are exit 9",
        arguments: [
            ([:], ["at_hash": "of another access token"], "at_hash"),
            (["max_age": 60], [:], "auth_time"), (["max_age": 60], ["auth_time": 1], "auth_time"),
            (["max_age": "60"], ["auth_time": 1], "auth_time"),
            (["max_age": 60], ["auth_time": 9_999_999_999], "auth_time"),
            (["default_max_age": 60], ["auth_time": 1], "auth_time"),
            (["max_age": .null, "default_max_age": 60], ["auth_time": 1], "auth_time"),
            (["require_auth_time": true], [:], "auth_time"),
            (["claims": essential], [:], "acr"), (["claims": essential], ["acr": "weak"], "acr"),
        ] as [(JSONObject, JSONObject, String)])
    func asked(for members: JSONObject, claims more: JSONObject, claim: String) throws {
        let responder = try Responder(try answer(claims(more)))
        let document = responder.flow.with(Self.client).with(members)
        let result = try Program.oap(["exchange"], input: document.input).run().expect(status: 9)
        result.expect(nowhere: "new-access")
        #expect(try result.object()["error"] == "id_token_claim", "\(result)")
        #expect(result.errorText.contains("\(claim) of the ID token"), "\(result)")
    }

    /// The `claims` parameter that asks for one of two ways to log in.
    private static let essential: JSON = .object([
        "id_token": .object(["acr": .object(["essential": true, "values": .array(["strong", "stronger"])])])
    ])

    @Test("ID tokens that say what was asked for are accepted")
    func fulfilled() throws {
        let now = Int(time(nil))
        let responder = try Responder(try answer(claims(["acr": "stronger", "auth_time": .integer(now)])))
        let document = responder.flow.with(Self.client).with(["max_age": "60", "claims": Self.essential])
        try Program.oap(["exchange"], input: document.input).run().expect(status: 0).expectSilence()
    }

    @Test(
        "ID tokens whose age is limited by anything but whole seconds are not asked for: exit 3, and the code is not spent",
        arguments: [
            ["max_age": "60s"], ["max_age": ""], ["max_age": -1], ["max_age": .number("1.5")], ["max_age": true],
            ["default_max_age": "1h"], ["max_age": .null, "default_max_age": .array([60])],
        ] as [JSONObject])
    func badAge(members: JSONObject) throws {
        let responder = try Responder(try answer(claims()))
        let result = try Program.oap(["exchange"], input: responder.flow.with(Self.client).with(members).input).run()
        result.expect(status: 3)
        #expect(result.errorText.contains("max_age must be whole seconds"), "\(result)")
        #expect(responder.connectionCount == 0)
    }

    @Test("R-04 ID tokens of another person are refused at a refresh")
    func otherSubject() throws {
        let responder = try Responder(try answer(claims(["sub": "somebody else"])))
        let document = responder.token.with(Self.client).with(["id_token": "x", "id_token_claims": .object(claims())])
        try Program.oap(["refresh"], input: document.input).run().expect(status: 9).expect(nowhere: "new-access")
    }

    @Test("R-04 the ID token of another login of the same user is dropped at a refresh, and the earlier one is kept")
    func otherLogin() throws {
        let first = claims(["auth_time": 1_699_999_000])
        let later = claims(["auth_time": 1_699_999_500])
        for (claimed, status) in [(later, 0), (later.with(["sub": "somebody else"]), 9)] {
            let responder = try Responder(try answer(claimed), try answer(claimed))
            let document = responder.token.with(Self.client).with(["id_token": "x", "id_token_claims": .object(first)])
            let result = try Program.oap(["refresh"], input: document.input).run().expect(status: status)
            guard status == 0 else { continue }
            let text = "and keeps the earlier ID token: auth_time of the ID token is not what it was before the refresh"
            #expect(result.errorText.contains("warning: ") && result.errorText.contains(text), "\(result)")
            let token = try result.object()
            #expect(token["access_token"] == "new-access" && token["id_token"] == "x")
            #expect(token["id_token_claims"]?.object == first)
            try Program.oap(["refresh", "--strict"], input: document.input).run().expect(status: 9)
                .expect(nowhere: "new-access")
        }
    }

    @Test("X-05 ID tokens whose keys cannot be fetched cost no code")
    func keysFirst() throws {
        for reply in [Responder.Reply.text("", status: 500), .json("{}"), .redirect(302, to: "/k"), .close] {
            let responder = try Responder { request in request.target == "/keys" ? reply : .token }
            let document = responder.flow.with([
                "scope": "openid", "issuer": "https://as.example", "jwks_uri": .string(responder.url("/keys")),
            ])
            let result = try Program.oap(["exchange"], input: document.input).run()
            #expect(result.ending != .status(0) && result.ending != .status(12), "\(result)")
            #expect(Set(responder.requests.map(\.target)) == ["/keys"])
        }
    }

    @Test("the key of an ID token that is newer than the keys from before the request is fetched, once")
    func newKey() throws {
        let (old, new) = (try RSAKey(), try RSAKey())
        let token = try new.signed(claims(), id: "k2")
        let answer = Responder.Reply.json(#"{"access_token":"a","token_type":"Bearer","id_token":"\#(token)"}"#)
        let responder = try Responder(
            .json(old.set), answer, .json(new.set.replacing(#""k""#, with: #""k2""#)))
        let document = responder.flow.with([
            "scope": "openid", "issuer": "https://as.example", "nonce": "the-nonce",
            "id_token_signed_response_alg": "RS512", "jwks_uri": .string(responder.url("/keys")),
        ])
        let issued = try Program.oap(["exchange"], input: document.input).run().expect(status: 0).object()
        #expect(issued["id_token"]?.string == token)
        #expect(responder.requests.map(\.target) == ["/keys", "/token", "/keys"])
    }

    @Test(
        "a refresh goes on without keys: an ID token that cannot be checked is dropped, and the earlier one is kept",
        arguments: [true, false])
    func refreshWithoutKeys(hasIDToken: Bool) throws {
        let text = hasIDToken ? #","id_token":"eyJhbGciOiJSUzI1NiJ9.e30.AA""# : ""
        let answer = Responder.Reply.json(#"{"access_token":"new-access","token_type":"Bearer"\#(text)}"#)
        for reply in [Responder.Reply.text("", status: 404), .text("", status: 500), .json("{}"), .close] {
            let responder = try Responder { request in request.target == "/keys" ? reply : answer }
            let document = responder.token.with([
                "scope": "openid", "issuer": "https://as.example", "jwks_uri": .string(responder.url("/keys")),
                "id_token": "x", "id_token_claims": .object(claims()),
            ])
            let result = try Program.oap(["refresh"], input: document.input).run().expect(status: 0)
            let token = try result.object()
            #expect(token["access_token"] == "new-access" && token["id_token"] == "x")
            #expect(result.errorText.contains("and keeps the earlier ID token: ") == hasIDToken, "\(result)")
            #expect(responder.requests.filter { $0.method == "POST" }.count == 1)
        }
    }

    @Test("ID tokens that were not asked for are checked where the issuer and its keys are known, else dropped")
    func unasked() throws {
        let key = try RSAKey()
        var good = claims()
        good["nonce"] = nil
        let cases: [(claims: JSONObject, keys: String, reason: String?)] = [
            (good, key.set, nil),
            (good.with(["aud": "other"]), key.set, "aud of the ID token does not name the client"),
            (good, "{}", "/keys has no array"),
        ]
        for (claims, keys, reason) in cases {
            let token = try key.signed(claims)
            let responder = try Responder { request in
                if request.target == "/keys" { return .json(keys) }
                return .json(#"{"access_token":"new-access","token_type":"Bearer","id_token":"\#(token)"}"#)
            }
            let document = responder.flow.with([
                "issuer": "https://as.example", "jwks_uri": .string(responder.url("/keys")),
                "id_token_signed_response_alg": "RS512",
            ])
            let result = try Program.oap(["exchange"], input: document.input).run().expect(status: 0)
            let issued = try result.object()
            #expect(issued["access_token"] == "new-access")
            #expect(issued["id_token"]?.string == (reason == nil ? token : nil))
            #expect(issued["id_token_claims"]?.object?["sub"] == (reason == nil ? "me" : nil))
            guard let reason else {
                result.expectSilence()
                continue
            }
            let warning = "warning: the server sent an id_token that oap did not request, and oap dropped it: "
            #expect(result.errorText.contains(warning) && result.errorText.contains(reason), "\(result)")
            #expect(responder.requests.map(\.target).last == "/keys")
            let strict = try Program.oap(["exchange", "--strict"], input: document.input).run()
            strict.expect(nowhere: "new-access")
            #expect(strict.ending != .status(0), "\(strict)")
        }
    }

    @Test("ID tokens that fail by a setting are refused with the setting that would take them, and the code is gone")
    func settings() throws {
        let end = "; the code is used up: log in again"
        let keys = JSON.string("https://127.0.0.1:1/keys")
        let cases: [(members: JSONObject, claims: JSONObject, message: String, hint: String)] = [
            (
                [:], ["iss": "https://as.example/"],
                #"iss of the ID token is "https://as.example/", not the issuer "https://as.example"; they differ only "#
                    + "in the slash at the end",
                #"if iss names the right server, copy iss to the member "issuer" or to --issuer, "#
                    + "character by character"
            ),
            (
                ["id_token_signed_response_alg": "HS512"], [:],
                #"the ID token is signed with "HS256"; allowed: HS512"#,
                "if HS256 is right for the client, set the member \"id_token_signed_response_alg\", or use "
                    + "--id-token-signed-response-alg HS256"
            ),
            (
                ["client_secret": "short"], [:],
                "the key is too weak: the secret has 5 bytes, but HMAC needs at least 32",
                "the server must issue a longer client secret, or sign with another algorithm"
            ),
        ]
        for (members, more, message, hint) in cases {
            let responder = try Responder(try answer(claims(more)))
            let document = responder.flow.with(Self.client).with(["jwks_uri": keys]).with(members)
            try Program.oap(["exchange"], input: document.input).run().expect(status: 9)
                .expect(errorLine: "oap: exchange: \(message)").expect(errorLine: "oap: hint: \(hint)\(end)")
        }
    }

    @Test("--strict says that the code is used up")
    func strict() throws {
        let responder = try Responder(.json(#"{"access_token":"a","token_type":"Bearer","scope":"a"}"#))
        try Program.oap(["exchange", "--strict"], input: responder.flow.with(["scope": "a b"]).input).run()
            .expect(status: 10).expect(
                errorLine: "oap: hint: to get only a warning, leave --strict out; the code is used up: log in again")
    }
}
