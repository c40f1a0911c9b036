import JOSE
import Sandbox
import Testing
import Wire

@Suite("A client that authenticates") struct ClientAuthenticationTests {
    private let form: Form = ["grant_type": "client_credentials", "scope": "repo"]

    @Test("a client may send its secret as Basic or in the form")
    func secret() throws {
        let scene = try Scene()
        #expect(scene.token(form).status == 200)
        let posted = form.with(["client_id": "sandbox", "client_secret": Scene.secret])
        #expect(scene.token(posted, headers: []).status == 200)
    }

    @Test(
        "a client is refused with 401 and a challenge when it does not prove who it is",
        arguments: [
            ([], [:]), ([], ["client_id": "sandbox"]), ([], ["client_id": "nobody"]),
            ([], ["client_id": "sandbox", "client_secret": "wrong"]),
            ([], ["client_id": "sandbox-public", "client_secret": "x"]),
            ([Scene.basic("sandbox", "wrong")], [:]), ([Scene.basic("nobody", "x")], [:]),
            ([Scene.basic("sandbox", "")], [:]), ([Scene.basic("sandbox-public", "x")], [:]),
            ([HTTPField("Authorization", "Basic !!!!")], [:]), ([HTTPField("Authorization", "Bearer x")], [:]),
            ([HTTPField("Authorization", "Basic \(Base64.encode("%zz:x".utf8))")], [:]),
            ([HTTPField("Authorization", "Basic \(Base64.encode("sandbox".utf8))")], [:]),
            ([], ["client_assertion": "x", "client_assertion_type": "other"]),
        ] as [([HTTPField], Form)])
    func refused(headers: [HTTPField], change: Form) throws {
        let response = try Scene().token(form.with(change), headers: headers)
        #expect(response.status == 401 && response.error == "invalid_client", "\(response.text)")
        #expect(try response.challenge().scheme == "basic")
    }

    @Test(
        "a client is refused when it authenticates in two ways, or is two clients at once",
        arguments: [
            ["client_secret": Scene.secret], ["client_id": "sandbox-public"], ["client_assertion": "a.b.c"],
        ] as [Form])
    func ambiguous(change: Form) throws {
        let response = try Scene().token(form.with(change))
        #expect(response.status == 400 && response.error == "invalid_request", "\(response.text)")
    }

    @Test("a client is refused when the Authorization field stands twice or is incomplete")
    func fields() throws {
        for headers in [[Scene.basic(), Scene.basic()], [HTTPField("Authorization", "Basic")]] {
            #expect(try Scene().token(form, headers: headers).error == "invalid_request")
        }
    }

    @Test("a client has its identifier and secret form-decoded")
    func formDecoded() throws {
        let scene = try Scene()
        // Every byte as %XX, which only decoding makes right.
        let encoded = { (text: String) in text.utf8.map { "%" + String($0, radix: 16) }.joined() }
        let text = "\(encoded("sandbox")):\(encoded(Scene.secret))"
        let field = HTTPField("Authorization", "Basic \(Base64.encode(text.utf8))")
        #expect(scene.token(form, headers: [field]).status == 200)
    }

    @Test("a client may use only the way that it is registered with")
    func registeredMethod() throws {
        let scene = try Scene()
        let client = try scene.register([
            "token_endpoint_auth_method": .string("client_secret_post"),
            "grant_types": .array([.string("client_credentials")]),
        ])
        let (id, secret) = (try client.text("client_id"), try client.text("client_secret"))
        #expect(scene.token(form, headers: [Scene.basic(id, secret)]).error == "invalid_client")
        #expect(scene.token(form.with(["client_id": id, "client_secret": secret]), headers: []).status == 200)
    }

    @Test("a client without a secret may send an empty one as Basic")
    func emptySecret() throws {
        let scene = try Scene()
        let id: Form = ["client_id": "sandbox-public"]
        let code = Scene.exchange(try scene.code(id))
        #expect(scene.token(code, headers: [Scene.basic("sandbox-public", "")]).status == 200)
    }

    @Test("a client may not use a grant that it is not registered for")
    func unauthorized() throws {
        let response = try Scene().token(form.with(["client_id": "sandbox-public"]), headers: [])
        #expect(response.status == 400 && response.error == "unauthorized_client")
    }

    @Test("a client may sign an assertion with its secret, once")
    func secretJWT() throws {
        let scene = try Scene()
        let key = try SigningKey(secret: Array(Scene.secret.utf8), algorithm: .hs256)
        let form = try form.with(assertion(key, id: "sandbox", now: scene.now))
        #expect(scene.token(form, headers: []).status == 200)
        #expect(scene.token(form, headers: []).error == "invalid_client", "its jti is used")
    }

    @Test(
        "a client is told when its secret is too short for the algorithm of its assertion",
        arguments: [(SignatureAlgorithm.hs384, 48), (.hs512, 64)])
    func shortSecret(algorithm: SignatureAlgorithm, count: Int) throws {
        let scene = try Scene()
        // HMAC pads a short key with zeros: the code is that of the secret (RFC 2104 section 2).
        let padded = Array(Scene.secret.utf8) + [UInt8](repeating: 0, count: 64 - Scene.secret.utf8.count)
        let key = try SigningKey(secret: padded, algorithm: algorithm)
        let response = scene.token(try form.with(assertion(key, id: "sandbox", now: scene.now)), headers: [])
        #expect(response.status == 401 && response.error == "invalid_client")
        let reason = "the client secret has 41 bytes, but \(algorithm.rawValue) needs at least \(count)"
        #expect(try response.object().text("error_description") == "the assertion is refused: \(reason)")
    }

    @Test("a client may sign an assertion with a registered key, and with no other")
    func privateKeyJWT() throws {
        let scene = try Scene()
        let key = try SigningKey(generatedFor: .es256)
        let other = try SigningKey(generatedFor: .es256)
        let publicKey = key.publicKey
        let client = try scene.register([
            "token_endpoint_auth_method": .string("private_key_jwt"),
            "grant_types": .array([.string("client_credentials")]),
            "jwks": .object(["keys": .array([.object(try #require(publicKey))])]),
            "id_token_signed_response_alg": .string("ES256"),
        ])
        #expect(client["client_secret"] == nil)
        let id = try client.text("client_id")
        #expect(scene.token(try form.with(assertion(key, id: id, now: scene.now)), headers: []).status == 200)
        let wrong: [JSONObject] = [
            ["aud": .string("https://other.example")], ["exp": .integer(scene.now)], ["exp": .null],
            ["exp": .integer(scene.now + 100_000)], ["nbf": .integer(scene.now + 100)], ["iss": .string("sandbox")],
            ["jti": .string("same")], ["jti": .string("same")],
        ]
        for (index, change) in wrong.enumerated() where index != 6 {
            if index == 7 {
                _ = scene.token(try form.with(assertion(key, id: id, now: scene.now, change)), headers: [])
            }
            let response = scene.token(try form.with(assertion(key, id: id, now: scene.now, change)), headers: [])
            #expect(response.error == "invalid_client", "\(change)")
        }
        #expect(
            scene.token(try form.with(assertion(other, id: id, now: scene.now)), headers: []).error == "invalid_client")
    }

    @Test("a client may sign an assertion only with the algorithm that it is registered with")
    func registeredAlgorithm() throws {
        let scene = try Scene()
        let client = try scene.register([
            "token_endpoint_auth_method": .string("client_secret_jwt"),
            "token_endpoint_auth_signing_alg": .string("HS512"),
            "grant_types": .array([.string("client_credentials")]),
        ])
        let id = try client.text("client_id")
        for algorithm in [SignatureAlgorithm.hs256, .hs384, .hs512] {
            let key = try SigningKey(secret: Array(client.text("client_secret").utf8), algorithm: algorithm)
            let response = scene.token(try form.with(assertion(key, id: id, now: scene.now)), headers: [])
            guard algorithm != .hs512 else {
                #expect(response.status == 200, "\(response.text)")
                continue
            }
            #expect(response.status == 401 && response.error == "invalid_client")
            let reason = "this client must sign its assertion with HS512 (token_endpoint_auth_signing_alg)"
            #expect(try response.object().text("error_description") == reason)
        }
    }

    @Test(
        "a client may sign an assertion for the issuer, the token endpoint or the endpoint called, and no other",
        arguments: ["/par", "/introspect", "/revoke", "/device_authorization"])
    func audience(path: String) throws {
        let scene = try Scene { $0.takesCertificates = true }
        let key = try SigningKey(secret: Array(Scene.secret.utf8), algorithm: .hs256)
        let form = Scene.authorization.with(["token": "x"])
        let (issuer, alias) = (Scene.issuer, "https://127.0.0.1:4001")
        for (audience, isRight) in [
            (issuer, true), ("\(issuer)/token", true), (issuer + path, true), ("\(issuer)/register", false),
            ("\(alias)/token", true), (alias + path, true), (alias, false),
        ] {
            let change: JSONObject = ["aud": .string(audience), "jti": .string(audience)]
            let signed = try form.with(assertion(key, id: "sandbox", now: scene.now, change))
            let response = scene.post(path, signed)
            #expect((response.error == "invalid_client") == !isRight, "\(audience) at \(path): \(response.text)")
            #expect((200...201).contains(response.status) == isRight)
        }
    }

    @Test(
        "a client may not authenticate with a JWT that was made for another purpose",
        arguments: [
            (nil, true), ("JWT", true), ("client-authentication+jwt", true),
            ("application/client-authentication+jwt", true), ("oauth-authz-req+jwt", false), ("dpop+jwt", false),
            ("", false),
        ])
    func type(type: String?, isTaken: Bool) throws {
        let scene = try Scene()
        let key = try SigningKey(secret: Array(Scene.secret.utf8), algorithm: .hs256)
        let header: JSONObject = type.map { ["typ": .string($0)] } ?? [:]
        let signed = try form.with(assertion(key, id: "sandbox", now: scene.now, header: header))
        let response = scene.token(signed, headers: [])
        guard !isTaken else {
            #expect(response.status == 200, "\(response.text)")
            return
        }
        #expect(response.status == 401 && response.error == "invalid_client", "\(response.text)")
        let reason = "the assertion is refused: its typ must be client-authentication+jwt or JWT"
        #expect(try response.object().text("error_description") == reason)
    }

    private func assertion(
        _ key: borrowing SigningKey, id: String, now: Int, _ change: JSONObject = [:], header: JSONObject = [:]
    ) throws -> Form {
        var claims: JSONObject = [
            "iss": .string(id), "sub": .string(id), "aud": .string(Scene.issuer), "exp": .integer(now + 60),
            "jti": .string("one"),
        ]
        for member in change.members { claims[member.name] = member.value.isNull ? nil : member.value }
        return [
            "client_assertion": try key.sign(JSON.object(claims).bytes, header: header),
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        ]
    }
}
