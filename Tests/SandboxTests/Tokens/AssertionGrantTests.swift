import JOSE
import Sandbox
import Testing
import Wire

@Suite("Grants without a person") struct AssertionGrantTests {
    private static let exchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    private static let bearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let type = "urn:ietf:params:oauth:token-type:"

    @Test("client credentials give a token of the scope that is asked for, and nothing else")
    func clientCredentials() throws {
        let scene = try Scene()
        let answer = try scene.token(["grant_type": "client_credentials", "scope": "repo gist"]).object()
        #expect(answer.members.map(\.name) == ["access_token", "token_type", "expires_in", "scope"])
        #expect(answer["scope"] == .string("repo gist"))
        #expect(scene.token(["grant_type": "client_credentials", "scope": "admin"]).error == "invalid_scope")
        let all = try scene.token(["grant_type": "client_credentials"]).object()
        #expect(all["scope"] == .string("openid profile email offline_access user repo gist"))
    }

    @Test(
        "a token of any kind is exchanged for an access token",
        arguments: ["access_token", "refresh_token", "id_token"])
    func exchange(kind: String) throws {
        let scene = try Scene()
        let login = try scene.login()
        let answer = try scene.token([
            "grant_type": Self.exchange, "subject_token": try login.text(kind), "subject_token_type": Self.type + kind,
            "scope": "repo", "audience": "api",
        ]).object()
        #expect(answer["issued_token_type"] == .string(Self.type + "access_token"))
        #expect(answer["token_type"] == .string("Bearer") && answer["refresh_token"] == nil)
        let description = try scene.post(
            "/introspect", ["token": try answer.text("access_token")], headers: [Scene.basic()]
        ).object()
        #expect(description["sub"] == .string("1815") && description["scope"] == .string("repo"))
        #expect(description["aud"] == .array([.string("api")]))
    }

    @Test(
        "an exchange that breaks a rule is refused",
        arguments: [
            (["subject_token": nil], "invalid_request"), (["subject_token_type": nil], "invalid_request"),
            (["subject_token": "access_x"], "invalid_request"),
            (["subject_token_type": "urn:ietf:params:oauth:token-type:saml2"], "invalid_request"),
            (["subject_token_type": "urn:ietf:params:oauth:token-type:jwt"], "invalid_request"),
            (["actor_token": "access_x"], "invalid_request"),
            (["actor_token_type": "urn:ietf:params:oauth:token-type:access_token"], "invalid_request"),
            (["requested_token_type": "urn:ietf:params:oauth:token-type:jwt"], "invalid_request"),
            (["resource": "relative"], "invalid_target"), (["scope": "gist"], "invalid_scope"),
        ] as [(Form, String)])
    func exchangeErrors(change: Form, error: String) throws {
        let scene = try Scene()
        let form: Form = [
            "grant_type": Self.exchange, "subject_token": try scene.accessToken(scope: "repo"),
            "subject_token_type": Self.type + "access_token",
        ]
        #expect(scene.token(form).status == 200)
        let response = scene.token(form.with(change))
        #expect(response.status == 400 && response.error == error, "\(response.text)")
    }

    @Test("a token that was exchanged for somebody who acts names him, and those who acted before")
    func actor() throws {
        let scene = try Scene { $0.makesJWTAccessTokens = true }
        let client = try scene.token(["grant_type": "client_credentials", "scope": "repo"]).object()
        let access = Self.type + "access_token"
        var form: Form = [
            "grant_type": Self.exchange, "subject_token": try scene.login().text("access_token"),
            "subject_token_type": access,
        ]
        #expect(try scene.token(form).object().claims("access_token")["act"] == nil)
        form = form.with(["actor_token": try client.text("access_token"), "actor_token_type": access])
        let first = try scene.token(form).object()
        let claims = try first.claims("access_token")
        #expect(claims["sub"] == "1815")
        #expect(claims["act"] == .object(["sub": "sandbox"]))
        let described = scene.post("/introspect", ["token": try first.text("access_token")], headers: [Scene.basic()])
        #expect(try described.object()["act"] == .object(["sub": "sandbox"]))

        form = form.with(["subject_token": try first.text("access_token")])
        let second = try scene.token(form).object()
        #expect(
            try second.claims("access_token")["act"]
                == .object(["sub": "sandbox", "act": .object(["sub": "sandbox"])]))
        // An exchange without an actor keeps him who acts.
        form = form.with(["actor_token": nil, "actor_token_type": nil])
        #expect(try scene.token(form).object().claims("access_token")["act"] == .object(["sub": "sandbox"]))
    }

    @Test("an exchange gives a client no scope but its own", arguments: ["id_token", "access_token", "refresh_token"])
    func exchangeWithinScope(kind: String) throws {
        let scene = try Scene()
        let login = try scene.login()
        let client = try scene.register([
            "grant_types": .array([.string(Self.exchange)]), "scope": .string("openid gist"),
            "id_token_signed_response_alg": .string("ES256"),
        ])
        let basic = try Scene.basic(client.text("client_id"), client.text("client_secret"))
        let form: Form = [
            "grant_type": Self.exchange, "subject_token": try login.text(kind), "subject_token_type": Self.type + kind,
        ]
        let answer = try scene.token(form, headers: [basic]).object()
        #expect(answer["scope"] == .string(kind == "id_token" ? "openid gist" : "openid"))
        #expect(scene.token(form.with(["scope": "repo"]), headers: [basic]).error == "invalid_scope")
    }

    @Test("an exchange for more than the scope of the token is refused with that reason")
    func exchangeBeyondScope() throws {
        let scene = try Scene()
        let form: Form = [
            "grant_type": Self.exchange, "subject_token": try scene.accessToken(scope: "repo"),
            "subject_token_type": Self.type + "access_token",
        ]
        for (value, reason) in [
            ("gist", "the scope value gist exceeds the scope of the subject_token"),
            ("mail", "the scope value mail is unknown, or not available to this client"),
        ] {
            let response = scene.token(form.with(["scope": value]))
            #expect(response.error == "invalid_scope")
            #expect(try response.object().text("error_description") == reason)
        }
    }

    @Test("an expired or revoked token is not exchanged")
    func exchangeOfTheDead() throws {
        let scene = try Scene()
        let login = try scene.login()
        scene.now += 3600
        for kind in ["access_token", "id_token"] {
            let response = scene.token([
                "grant_type": Self.exchange, "subject_token": try login.text(kind),
                "subject_token_type": Self.type + kind,
            ])
            #expect(response.error == "invalid_request", "\(kind)")
        }
    }

    @Test(
        "an assertion under the client's secret brings a token, with the client named or not", arguments: [true, false])
    func assertion(isNamed: Bool) throws {
        let scene = try Scene()
        let key = try SigningKey(secret: Array(Scene.secret.utf8), algorithm: .hs256)
        let answer = try scene.token(
            ["grant_type": Self.bearer, "assertion": try key.sign(claims(scene).bytes), "scope": "repo"],
            headers: isNamed ? nil : []
        ).object()
        let description = try scene.post(
            "/introspect", ["token": try answer.text("access_token")], headers: [Scene.basic()]
        ).object()
        #expect(description["sub"] == .string("service") && description["client_id"] == .string("sandbox"))
    }

    @Test("an assertion under a registered key brings a token", arguments: [SignatureAlgorithm.es256, .edDSA])
    func registeredKey(algorithm: SignatureAlgorithm) throws {
        let scene = try Scene()
        let key = try SigningKey(generatedFor: algorithm)
        let publicKey = key.publicKey
        let client = try scene.register([
            "grant_types": .array([.string(Self.bearer)]), "id_token_signed_response_alg": .string("ES256"),
            "jwks": .object(["keys": .array([.object(try #require(publicKey))])]),
        ])
        let assertion = try key.sign(claims(scene, ["iss": client["client_id"]]).bytes)
        #expect(scene.token(["grant_type": Self.bearer, "assertion": assertion], headers: []).status == 200)
        #expect(scene.token(["grant_type": Self.bearer, "assertion": assertion + "A"], headers: []).status == 400)
    }

    @Test(
        "an assertion that is not believed is invalid_grant",
        arguments: [
            ["iss": nil], ["iss": .string("nobody")], ["iss": .string("sandbox-public")], ["sub": nil],
            ["sub": .string("")], ["aud": nil], ["aud": .string("https://other.example")],
            ["aud": .array([.string("x"), .integer(1)])], ["exp": nil], ["exp": .integer(1_800_000_000)],
            ["exp": .integer(1_800_003_601)], ["nbf": .integer(1_800_000_061)], ["nbf": .integer(.max)],
            ["nbf": .string("1800000000")], ["nbf": .null], ["iat": .integer(.max)], ["iat": .string("1800000000")],
            ["exp": .integer(.max)], ["exp": .string("1800000300")],
        ] as [[String: JSON?]])
    func assertionErrors(change: [String: JSON?]) throws {
        let scene = try Scene()
        let key = try SigningKey(secret: Array(Scene.secret.utf8), algorithm: .hs256)
        let form: Form = ["grant_type": Self.bearer, "assertion": try key.sign(claims(scene, change).bytes)]
        let response = scene.token(form)
        #expect(response.status == 400 && response.error == "invalid_grant", "\(response.text)")
    }

    @Test("an assertion under another secret, or none, is invalid_grant; a missing one invalid_request")
    func forged() throws {
        let scene = try Scene()
        let key = try SigningKey(secret: [UInt8](repeating: 1, count: 32), algorithm: .hs256)
        let unsigned = "\(Base64.encodeURL(#"{"alg":"none"}"#.utf8)).\(Base64.encodeURL(claims(scene).bytes))."
        for assertion in [try key.sign(claims(scene).bytes), unsigned, "x", "a.b.c"] {
            #expect(scene.token(["grant_type": Self.bearer, "assertion": assertion]).error == "invalid_grant")
        }
        #expect(scene.token(["grant_type": Self.bearer]).error == "invalid_request")
    }

    private func claims(_ scene: Scene, _ change: [String: JSON?] = [:]) -> JSON {
        var claims: JSONObject = [
            "iss": .string("sandbox"), "sub": .string("service"), "aud": .array([.string("\(Scene.issuer)/token")]),
            "exp": .integer(scene.now + 300),
        ]
        for (name, value) in change { claims[name] = value }
        return .object(claims)
    }
}
