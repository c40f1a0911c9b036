import JOSE
import Sandbox
import TestSupport
import Testing
import Wire

@Suite("A request object") struct RequestObjectTests {
    /// A JWT with this header, and the signature of nobody.
    private func unsigned(_ claims: JSONObject, header: JSONObject = ["alg": .string("none")]) -> String {
        [header, claims].map { Base64.encodeURL(JSON.object($0).bytes) + "." }.joined()
    }

    private func refusal(_ response: SandboxResponse) throws -> String {
        let redirect = try response.redirect()
        #expect(redirect["error"] == "invalid_request_object" && redirect["code"] == nil, "\(redirect)")
        let prefix = "the request object is refused: "
        let text = try #require(redirect["error_description"])
        #expect(text.hasPrefix(prefix))
        return String(text.dropFirst(prefix.count))
    }

    @Test(
        "a request object of a client logs in, with every kind of key",
        arguments: [SignatureAlgorithm.rs256, .ps384, .es256, .es384, .es512, .edDSA])
    func signed(algorithm: SignatureAlgorithm) throws {
        let signer = try SigningClient(try Scene(), algorithm)
        let redirect = try signer.request(try signer.sign()).redirect()
        #expect(redirect[""] == Scene.redirectURI && redirect["state"] == "s t", "\(redirect)")
        let form = Scene.exchange(try #require(redirect["code"]))
        let basic = try Scene.basic(signer.id, signer.client.text("client_secret"))
        let answer = try signer.scene.token(form, headers: [basic]).object()
        #expect(
            try answer.claims("id_token")["nonce"] == .string("n") && answer["scope"] == .string("openid email repo"))
    }

    @Test("a request object may be signed with the secret of the client, also that of the built-in one")
    func secret() throws {
        let scene = try Scene()
        let signer = try SigningClient(scene)
        for algorithm in [SignatureAlgorithm.hs256, .hs384] {
            let key = try SigningKey(secret: Array(signer.client.text("client_secret").utf8), algorithm: algorithm)
            let object = try key.sign(JSON.object(signer.claims()).bytes)
            #expect(try signer.request(object).redirect()["code"] != nil, "\(algorithm)")
        }
        let key = try SigningKey(secret: Array(Scene.secret.utf8), algorithm: .hs256)
        let claims = try signer.claims(["client_id": .string("sandbox"), "iss": .null])
        let object = try key.sign(JSON.object(claims).bytes)
        #expect(try scene.get("/authorize", ["client_id": "sandbox", "request": object]).redirect()["code"] != nil)
        let redirect: Form = ["client_id": "sandbox-public", "redirect_uri": Scene.redirectURI, "request": object]
        #expect(try refusal(scene.get("/authorize", redirect)) == "the client has no secret for HS256")
    }

    @Test("only what is in a request object counts: parameters outside of it change and add nothing")
    func outside() throws {
        let signer = try SigningClient(try Scene())
        let other: Form = [
            "redirect_uri": "http://127.0.0.1:5000/other", "state": "other", "scope": "repo", "nonce": "other",
            "response_type": "token", "code_challenge": "other", "response_mode": "fragment",
        ]
        let redirect = try signer.request(try signer.sign(), beside: other).redirect()
        #expect(redirect[""] == Scene.redirectURI && redirect["state"] == "s t")
        let basic = try Scene.basic(signer.id, signer.client.text("client_secret"))
        let answer = try signer.scene.token(Scene.exchange(#require(redirect["code"])), headers: [basic]).object()
        #expect(
            try answer.claims("id_token")["nonce"] == .string("n") && answer["scope"] == .string("openid email repo"))

        for name in ["response_type", "code_challenge"] {
            let object = try signer.sign([name: .null])
            let lacking = try signer.request(object, beside: Scene.authorization.with(["client_id": signer.id]))
                .redirect()
            #expect(lacking["error"] == "invalid_request" && lacking["state"] == "s t")
            let reason = "\(name) is missing in the request object; no parameter outside of it counts"
            #expect(lacking["error_description"] == reason + " (RFC 9101 section 6.3)")
        }
        let stateless = try signer.request(try signer.sign(["state": .null]), beside: ["state": "other"]).redirect()
        #expect(stateless["state"] == nil && stateless["code"] != nil)
    }

    @Test(
        "a request object is refused with the reason when a claim is wrong, and the client gets its state back",
        arguments: [
            (["client_id": .string("sandbox")], "its client_id is sandbox, but the request is of client_"),
            (["client_id": .null], "it has no client_id that is a string"),
            (["client_id": .integer(1)], "it has no client_id that is a string"),
            (["iss": .string("sandbox")], "its iss is not the client_id"),
            (["aud": .string("https://other.example")], "its aud is not the issuer http://127.0.0.1:4000"),
            (["aud": .string(Scene.issuer + "/token")], "its aud is not the issuer"),
            (["aud": .strings([])], "its aud is not the issuer"), (["aud": .integer(1)], "its aud is not the issuer"),
            (["exp": .integer(1_800_000_000)], "it has expired"), (["exp": .string("x")], "its exp is not a time"),
            (["nbf": .integer(1_800_000_061)], "its nbf is in the future"),
            (["request": .string("e30.e30.")], "it has a request, which may not be in it"),
            (["request_uri": .string("urn:x")], "it has a request_uri, which may not be in it"),
            (["scope": .strings(["openid"])], "its scope is not a string"),
            (["code_challenge_method": .bool(true)], "its code_challenge_method is not a string"),
            (["resource": .array([.integer(1)])], "its resource is not a string or an array of strings"),
        ] as [(JSONObject, String)])
    func claims(change: JSONObject, reason: String) throws {
        let signer = try SigningClient(try Scene())
        let response = try signer.request(try signer.sign(change))
        #expect(try refusal(response).hasPrefix(reason))
        #expect(try response.redirect()["state"] == "s t")
        let pushed = try signer.push(try signer.sign(change))
        #expect(pushed.status == 400 && pushed.error == "invalid_request_object", "\(pushed.text)")
    }

    @Test("a request object may lack iss and aud, name several audiences, and have times that fit")
    func optional() throws {
        let signer = try SigningClient(try Scene())
        let (now, other) = (signer.scene.now, JSON.string("https://other.example"))
        for change in [
            ["iss": .null, "aud": .null], ["aud": .array([other, .string(Scene.issuer)])],
            ["exp": .integer(now + 1), "nbf": .integer(now), "iat": .integer(now)], ["max_age": .integer(60)],
            ["claims": .object(["userinfo": .object(["email": .null])])], ["login_hint": .null],
            ["sub": .string("ada")],
            ["resource": .strings(["https://a.example/", "https://b.example/"])],
        ] as [JSONObject] {
            #expect(try signer.request(try signer.sign(change)).redirect()["code"] != nil, "\(change)")
        }
    }

    @Test("a request object is refused when its sub is the client_id, as in an assertion of the client")
    func subject() throws {
        let signer = try SigningClient(try Scene())
        let response = try signer.request(try signer.sign(["sub": .string(try signer.id)]))
        #expect(try refusal(response) == "its sub may not be the client_id")
    }

    @Test(
        "a request object is refused when it was made for another purpose",
        arguments: [
            (nil, true), ("JWT", true), ("oauth-authz-req+jwt", true), ("application/oauth-authz-req+jwt", true),
            ("dpop+jwt", false), ("at+jwt", false), ("", false),
        ])
    func type(type: String?, isTaken: Bool) throws {
        let signer = try SigningClient(try Scene())
        let response = try signer.request(try signer.sign(type: type))
        guard !isTaken else {
            #expect(try response.redirect()["code"] != nil)
            return
        }
        #expect(try refusal(response) == "its typ must be oauth-authz-req+jwt or JWT")
    }

    @Test("a request object is refused with the reason when it is not signed by the client")
    func signature() throws {
        let scene = try Scene()
        let signer = try SigningClient(scene)
        let other = try SigningClient(scene)
        let claims = try signer.claims()
        let rsa = try SigningKey(generatedFor: .rs256)
        let members = signer.key.publicKey
        let publicKey = try #require(members)
        let good = try signer.sign()
        let parts = good.split(separator: ".")
        let changed = [
            parts[0], Substring(Base64.encodeURL(JSON.object(try signer.claims(["scope": .string("repo")])).bytes)),
            parts[2],
        ]
        let confused = try [Array(publicKey.text("x").utf8), Base64.decodeURL(publicKey.text("x")) ?? []].map {
            try SigningKey(secret: $0, algorithm: .hs256).sign(JSON.object(claims).bytes)
        }
        let (own, foreign) = (signer.key.keyID, rsa.keyID)
        let copied: JSONObject = ["kid": .string(try #require(own))]
        let unknown = "and the kid \(try #require(foreign)) for RS256"
        let named = try signer.key.sign(JSON.object(claims).bytes, header: ["kid": .string("unknown")])
        let notOurs = "it is not signed with a key of the client"
        var cases = [
            (try other.key.sign(JSON.object(claims).bytes, header: copied), notOurs),
            (changed.joined(separator: "."), notOurs),
            (try rsa.sign(JSON.object(claims).bytes), "the client has no key with the kty RSA \(unknown)"),
            (named, "the client has no key with the kty EC and the kid unknown for ES256"),
            (
                unsigned(claims),
                "it is not signed: only a client with request_object_signing_alg none may send alg none"
            ),
            (unsigned(claims, header: ["alg": .string("None")]), "its algorithm None is not allowed"),
            ("e30.e30.e30.e30.e30", "it is encrypted (JWE), and the sandbox has no key to decrypt it"),
            ("e30.", "it is not a signed JWT"), ("x", "it is not a signed JWT"),
            (try signer.key.sign(Array("[]".utf8)), "it has no claims"),
        ]
        cases += confused.map { ($0, notOurs) }
        for (object, reason) in cases {
            #expect(try refusal(signer.request(object, beside: ["redirect_uri": Scene.redirectURI])) == reason)
            let page = try signer.request(object)
            #expect(page.status == 400 && page.text.contains("<code>invalid_request_object</code>"))
            let elsewhere = try signer.request(object, beside: ["redirect_uri": "https://evil.example/"])
            #expect(elsewhere.status == 400 && elsewhere.header("Location") == nil)
            #expect(try signer.push(object).error == "invalid_request_object")
        }
    }

    @Test("a request object has the algorithm that the client has registered, and none only where that is registered")
    func algorithm() throws {
        let scene = try Scene()
        let back: Form = ["redirect_uri": Scene.redirectURI]
        let signer = try SigningClient(scene, .es256, ["request_object_signing_alg": .string("RS256")])
        let wanted = "which the client has registered as request_object_signing_alg"
        #expect(try refusal(signer.request(signer.sign(), beside: back)) == "its alg must be RS256, \(wanted)")
        let free = try SigningClient(scene, .es256, ["request_object_signing_alg": .string("none")])
        let object = unsigned(try free.claims())
        #expect(try free.request(object).redirect()["code"] != nil)
        let reason = "its alg is none, but it has a signature"
        #expect(try refusal(free.request(object + "AAAA", beside: back)) == reason)
        #expect(try refusal(free.request(free.sign(), beside: back)) == "its alg must be none, \(wanted)")
    }

    @Test("a client that registered to sign its requests may send no other, pushed or not")
    func required() throws {
        let signer = try SigningClient(try Scene(), .es256, ["require_signed_request_object": .bool(true)])
        let plain = Scene.authorization.with(["client_id": try signer.id])
        let reason = "this client must send a request object (require_signed_request_object)"
        let redirect = try signer.scene.get("/authorize", plain).redirect()
        #expect(redirect["error"] == "invalid_request" && redirect["error_description"] == reason)
        let basic = try Scene.basic(signer.id, signer.client.text("client_secret"))
        #expect(try signer.scene.post("/par", plain, headers: [basic]).object().text("error_description") == reason)
        #expect(try signer.request(signer.sign()).redirect()["code"] != nil)
    }

    @Test("a request object is pushed by the client that authenticates, and by no other")
    func pushed() throws {
        let scene = try Scene()
        let signer = try SigningClient(scene, .es256, ["require_pushed_authorization_requests": .bool(true)])
        let direct = try signer.request(try signer.sign()).redirect()
        #expect(direct["error"] == "invalid_request" && direct["state"] == "s t", "it must be pushed")
        let answer = try signer.push(try signer.sign(), beside: ["scope": "repo", "state": "other"]).object()
        let uri = try answer.text("request_uri")
        let redirect = try scene.get("/authorize", ["client_id": signer.id, "request_uri": uri]).redirect()
        #expect(redirect["state"] == "s t" && redirect["code"] != nil)
        let other = try SigningClient(scene)
        #expect(try other.push(signer.sign()).error == "invalid_request_object")
        #expect(try scene.post("/par", ["client_id": signer.id, "request": signer.sign()]).error == "invalid_client")
    }

    @Test("a request by reference is refused unless it was pushed, and may not have an object beside it")
    func reference() throws {
        let scene = try Scene()
        let form: Form = ["client_id": "sandbox", "request_uri": "https://app.example/request.jwt"]
        let page = scene.get("/authorize", form)
        #expect(page.status == 400 && page.text.contains("<code>request_uri_not_supported</code>"))
        let redirect = try scene.get("/authorize", Scene.authorization.with(form)).redirect()
        #expect(redirect["error"] == "request_uri_not_supported" && redirect["state"] == "s t")
        let both = try scene.get("/authorize", Scene.authorization.with(form).with(["request": "x"])).redirect()
        #expect(both["error"] == "invalid_request")
    }

    @Test("the log shows the harmless parameters in a request object")
    func log() throws {
        let signer = try SigningClient(try Scene())
        let query = (["client_id": try signer.id, "request": try signer.sign()] as Form).text
        let request = SandboxRequest(method: "GET", path: "/authorize", query: query)
        let response = signer.scene.server.respond(to: request, now: signer.scene.now)
        let entry = signer.scene.server.logEntry(request, response)
        #expect(entry["parameters"]?.object?["request"] == .string("***"))
        let shown = try #require(entry["request_object"]?.object)
        #expect(shown["scope"] == .string("openid email repo") && shown["aud"] == .string(Scene.issuer))
        #expect(shown["state"] == .string("***") && shown["code_challenge"] == .string("***"))
    }

    @Test(
        "registration keeps an algorithm of request objects that the client can use, and no other",
        arguments: [
            ("client_secret_basic", "ES256", false, true), ("client_secret_basic", "HS256", false, true),
            ("client_secret_basic", "none", false, true), ("client_secret_basic", "none", true, false),
            ("private_key_jwt", "HS256", false, false), ("private_key_jwt", "ES256K", false, false),
            ("private_key_jwt", "PS256", true, true),
        ])
    func registered(method: String, algorithm: String, mustSign: Bool, isKept: Bool) throws {
        let signer = try SigningClient(
            try Scene(), .es256,
            [
                "token_endpoint_auth_method": .string(method), "request_object_signing_alg": .string(algorithm),
                "require_signed_request_object": .bool(mustSign),
            ])
        #expect(signer.client["request_object_signing_alg"] == (isKept ? .string(algorithm) : nil))
        #expect(signer.client["require_signed_request_object"] == .bool(mustSign))
    }
}
