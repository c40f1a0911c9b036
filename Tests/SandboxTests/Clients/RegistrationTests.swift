import JOSE
import Sandbox
import Testing
import Wire

@Suite("Client registration") struct RegistrationTests {
    private let metadata: JSONObject = [
        "redirect_uris": .array([.string("https://app.example/cb")]), "client_name": .string("An app"),
        "scope": .string("openid repo admin"), "id_token_signed_response_alg": .string("EdDSA"),
    ]

    @Test("client registration gives a client that can log in, and tells what became of what it asked for")
    func register() throws {
        let scene = try Scene()
        let client = try scene.register(metadata)
        #expect(client["token_endpoint_auth_method"] == .string("client_secret_basic"))
        #expect(client["grant_types"] == .array([.string("authorization_code"), .string("refresh_token")]))
        #expect(client["scope"] == .string("openid repo"), "what is not known is left out")
        #expect(client["client_name"] == .string("An app") && client["client_secret_expires_at"] == .integer(0))
        #expect(client["client_id_issued_at"] == .integer(scene.now))

        let (id, secret) = (try client.text("client_id"), try client.text("client_secret"))
        let change: Form = ["client_id": id, "redirect_uri": "https://app.example/cb", "scope": "openid"]
        let answer = try scene.token(
            Scene.exchange(scene.code(change)).with(["redirect_uri": "https://app.example/cb"]),
            headers: [Scene.basic(id, secret)]
        ).object()
        #expect(try JSONWebSignature(parsing: answer.text("id_token")).algorithmName == "EdDSA")
        #expect(try answer.claims("id_token")["aud"] == .string(id))
    }

    @Test("client registration makes the key that a client needs, for RS256 where it says nothing")
    func keys() throws {
        let scene = try Scene()
        #expect(try scene.get("/jwks").object()["keys"]?.array?.count == 1)
        _ = try scene.register(metadata)
        let client = try scene.register(["redirect_uris": .array([.string(Scene.redirectURI)])])
        #expect(client["id_token_signed_response_alg"] == .string("RS256"))
        let keys = try #require(scene.get("/jwks").object()["keys"]?.array)
        #expect(keys.map { $0.object?["alg"]?.string } == ["RS256", "ES256", "EdDSA"])
        for key in keys { for name in ["d", "p", "q", "k"] { #expect(key.object?[name] == nil) } }
    }

    @Test(
        "client registration refuses what RFC 7591 3.2.2 names",
        arguments: [
            (["redirect_uris": nil], "invalid_redirect_uri"),
            (["redirect_uris": .array([.string("/relative")])], "invalid_redirect_uri"),
            (["redirect_uris": .array([.string("https://app.example/#x")])], "invalid_redirect_uri"),
            (["redirect_uris": .array([.string("http://app.example/cb")])], "invalid_redirect_uri"),
            (["redirect_uris": .string("https://app.example/cb")], "invalid_client_metadata"),
            (["token_endpoint_auth_method": .string("tls_client_auth")], "invalid_client_metadata"),
            (["token_endpoint_auth_method": .string("private_key_jwt")], "invalid_client_metadata"),
            (["token_endpoint_auth_method": .integer(1)], "invalid_client_metadata"),
            (["token_endpoint_auth_signing_alg": .integer(1)], "invalid_client_metadata"),
            (["grant_types": .strings(["password"]), "redirect_uris": nil], "invalid_client_metadata"),
            (["grant_types": .string("password")], "invalid_client_metadata"),
            (["response_types": .string("token")], "invalid_client_metadata"),
            (["jwks_uri": .integer(1)], "invalid_client_metadata"),
            (
                ["jwks": .object(["keys": .array([])]), "jwks_uri": .string("https://app.example/jwks")],
                "invalid_client_metadata"
            ),
            (["jwks": .object(["keys": .array([.object(["kty": .string("oct")])])])], "invalid_client_metadata"),
            (["scope": .array([])], "invalid_client_metadata"),
            (["dpop_bound_access_tokens": .string("true")], "invalid_client_metadata"),
            (["require_pushed_authorization_requests": .integer(1)], "invalid_client_metadata"),
            (["require_signed_request_object": .integer(1)], "invalid_client_metadata"),
            (["request_object_signing_alg": .integer(1)], "invalid_client_metadata"),
            (["subject_type": .integer(1)], "invalid_client_metadata"),
            (["client_name": .integer(1)], "invalid_client_metadata"),
            (["contacts": .string("ada@example.com")], "invalid_client_metadata"),
            (["software_statement": .string("x")], "unapproved_software_statement"),
        ] as [([String: JSON?], String)])
    func refused(change: [String: JSON?], error: String) throws {
        var asked = metadata
        for (name, value) in change { asked[name] = value }
        let response = try Scene().post("/register", json: asked)
        #expect(response.status == 400 && response.error == error, "\(response.text)")
    }

    @Test(
        "client registration takes https, http on loopback and applications' schemes as redirect URIs, no browser's",
        arguments: [
            ("https://app.example/cb", true), ("http://127.0.0.1/cb", true), ("http://[::1]:1/cb", true),
            ("com.example.app:/cb", true), ("myapp://oauth-callback", true), ("javascript:alert(1)", false),
            ("JavaScript:alert(1)", false), ("data:text/html,x", false), ("vbscript:x", false),
            ("file:///etc/passwd", false), ("blob:https://app.example/x", false), ("about:blank", false),
            ("ws://app.example/", false), ("wss://app.example/", false), ("ftp://app.example/", false),
            ("mailto:ada@example.com", false), ("urn:ietf:wg:oauth:2.0:oob", false), ("https:/cb", false),
            ("https:///cb", false), ("https://a;b.example/cb", false), ("myapp://a,b/cb", false), ("http:/cb", false),
            ("http://127.0.0.1.example/cb", false),
        ])
    func redirectURI(uri: String, isTaken: Bool) throws {
        var asked = metadata
        asked["redirect_uris"] = .array([.string("https://app.example/first"), .string(uri)])
        let response = try Scene().post("/register", json: asked)
        #expect(response.status == (isTaken ? 201 : 400), "\(response.text)")
        #expect(response.error == (isTaken ? nil : "invalid_redirect_uri"))
    }

    @Test(
        "client registration registers its default in place of a value that it does not support, and says so",
        arguments: [
            ("id_token_signed_response_alg", "HS256", "RS256"), ("id_token_signed_response_alg", "PS512", "RS256"),
            ("token_endpoint_auth_method", "other", "client_secret_basic"), ("subject_type", "pairwise", "public"),
        ])
    func replaced(name: String, asked: String, registered: String) throws {
        var metadata = metadata
        metadata[name] = .string(asked)
        #expect(try Scene().register(metadata)[name] == .string(registered))
    }

    @Test("client registration refuses a public client for client credentials, and what is not JSON")
    func refusedShape() throws {
        let scene = try Scene()
        let asked: JSONObject = [
            "token_endpoint_auth_method": .string("none"), "grant_types": .array([.string("client_credentials")]),
        ]
        #expect(scene.post("/register", json: asked).error == "invalid_client_metadata")
        #expect(scene.post("/register", ["a": "b"]).error == "invalid_client_metadata")
    }

    @Test("client registration confirms what it keeps, and nothing that it does not know or do")
    func ignored() throws {
        let kept: JSONObject = [
            "redirect_uris": .array([.string(Scene.redirectURI)]), "client_name": .string("An app"),
            "client_uri": .string("https://app.example"), "contacts": .array([.string("ada@example.com")]),
            "software_id": .string("app"), "subject_type": .string("public"), "dpop_bound_access_tokens": .bool(false),
            "response_types": .array([.string("code")]),
        ]
        let unknown: JSONObject = [
            "userinfo_signed_response_alg": .string("PS256"), "id_token_encrypted_response_alg": .string("RSA1_5"),
            "tls_client_certificate_bound_access_tokens": .bool(true), "x": .object([:]), "logo_uri": .null,
            "client_id": .string("chosen"), "registration_access_token": .string("chosen"),
        ]
        var asked = kept
        for member in unknown.members { asked[member.name] = member.value }
        let client = try Scene().register(asked)
        for member in kept.members { #expect(client[member.name] == member.value, "\(member.name)") }
        for member in unknown.members { #expect(client[member.name] != member.value, "\(member.name)") }
        let added = Set(client.members.map(\.name)).subtracting(kept.members.map(\.name))
        #expect(
            added == [
                "token_endpoint_auth_method", "grant_types", "id_token_signed_response_alg",
                "authorization_signed_response_alg", "client_id", "client_id_issued_at", "client_secret",
                "client_secret_expires_at", "registration_access_token",
                "registration_client_uri",
            ])
    }

    @Test("client registration narrows what it supports in part, and tells what is registered")
    func narrowed() throws {
        let client = try Scene().register([
            "redirect_uris": .array([.string(Scene.redirectURI)]),
            "response_types": .strings(["code", "id_token", "code id_token"]),
            "grant_types": .strings(["authorization_code", "implicit", "refresh_token"]),
        ])
        #expect(client["response_types"] == .strings(["code"]))
        #expect(client["grant_types"] == .strings(["authorization_code", "refresh_token"]))
        let standard = try Scene().register(["redirect_uris": .array([.string(Scene.redirectURI)])])
        #expect(standard["response_types"] == .strings(["code"]))
    }

    @Test("client registration of nothing but what is not supported gives the code grant in its place")
    func replacedGrants() throws {
        let scene = try Scene()
        for grants in [nil, JSON.strings(["implicit"]), .strings(["password"])] {
            var asked: JSONObject = [
                "redirect_uris": .strings([Scene.redirectURI]), "response_types": .strings(["id_token"]),
            ]
            asked["grant_types"] = grants
            let client = try scene.register(asked)
            let registered = client["grant_types"]?.strings ?? []
            #expect(registered == (grants == nil ? ["authorization_code", "refresh_token"] : ["authorization_code"]))
            #expect(client["response_types"] == .strings(["code"]))
            let form = Scene.authorization.with(["client_id": try client.text("client_id")])
            #expect(try scene.get("/authorize", form).redirect()["code"] != nil)
        }
    }

    @Test(
        "client registration keeps a jwks_uri that can be fetched: https, or http on loopback",
        arguments: [
            ("https://app.example/jwks", true), ("http://127.0.0.1:1/jwks", true), ("http://localhost/jwks", true),
            ("http://[::1]/jwks", true), ("http://app.example/jwks", false), ("http://127.0.0.1.example/jwks", false),
            ("https://ada@app.example/jwks", false), ("https:///jwks", false), ("/jwks", false),
            ("file:///etc/passwd", false), ("https://app.example/jwks#x", false),
        ])
    func keySetURL(url: String, isKept: Bool) throws {
        var asked: JSONObject = ["redirect_uris": .strings([Scene.redirectURI]), "jwks_uri": .string(url)]
        let scene = try Scene()
        #expect(try scene.register(asked)["jwks_uri"] == (isKept ? .string(url) : nil))
        asked["token_endpoint_auth_method"] = .string("private_key_jwt")
        let response = scene.post("/register", json: asked)
        #expect(response.status == (isKept ? 201 : 400), "\(response.text)")
        #expect(response.error == (isKept ? nil : "invalid_client_metadata"))
    }

    @Test(
        "client registration keeps the algorithm of assertions that fits the authentication method, and no other",
        arguments: [
            ("client_secret_jwt", "HS384", true), ("client_secret_jwt", "ES256", false),
            ("private_key_jwt", "ES256", true), ("private_key_jwt", "HS256", false),
            ("private_key_jwt", "none", false), ("private_key_jwt", "ES256K", false),
            ("client_secret_basic", "HS256", false),
        ])
    func assertionAlgorithm(method: String, algorithm: String, isKept: Bool) throws {
        let key = try SigningKey(generatedFor: .es256)
        let publicKey = key.publicKey
        let client = try Scene().register([
            "redirect_uris": .array([.string(Scene.redirectURI)]), "token_endpoint_auth_method": .string(method),
            "token_endpoint_auth_signing_alg": .string(algorithm),
            "jwks": .object(["keys": .array([.object(try #require(publicKey))])]),
        ])
        #expect(client["token_endpoint_auth_signing_alg"] == (isKept ? .string(algorithm) : nil))
    }

    @Test("client registration holds a client to pushed requests that it asked for", arguments: [true, false])
    func pushedRequests(isRequired: Bool) throws {
        let scene = try Scene()
        let client = try scene.register([
            "redirect_uris": .array([.string(Scene.redirectURI)]), "token_endpoint_auth_method": .string("none"),
            "require_pushed_authorization_requests": .bool(isRequired),
        ])
        #expect(client["require_pushed_authorization_requests"] == .bool(isRequired))
        let form = Scene.authorization.with(["client_id": try client.text("client_id")])
        let plain = try scene.get("/authorize", form).redirect()
        #expect(plain["error"] == (isRequired ? "invalid_request" : nil))
        let uri = try scene.post("/par", form).object().text("request_uri")
        let pushed: Form = ["client_id": try client.text("client_id"), "request_uri": uri]
        #expect(try scene.get("/authorize", pushed).redirect()["code"] != nil)
    }

    @Test(
        "client registration of a scope that is not known at all leaves the client without any",
        arguments: ["admin", ""])
    func noScope(scope: String) throws {
        let scene = try Scene()
        let client = try scene.register([
            "grant_types": .array([.string("client_credentials")]), "scope": .string(scope),
        ])
        #expect(client["scope"] == nil)
        let basic = try Scene.basic(client.text("client_id"), client.text("client_secret"))
        for form in [[:], ["scope": "repo"]] as [Form] {
            let response = scene.token(form.with(["grant_type": "client_credentials"]), headers: [basic])
            #expect(response.status == 400 && response.error == "invalid_scope", "\(response.text)")
        }
        #expect(scene.token(["grant_type": "client_credentials", "scope": " "]).error == "invalid_scope")
    }

    @Test("a registered client is read, replaced and deleted with its own token")
    func manage() throws {
        let scene = try Scene()
        let client = try scene.register(metadata)
        let uri = try client.text("registration_client_uri")
        let path = String(uri.dropFirst(Scene.issuer.count))
        let token = try client.text("registration_access_token")
        let authorization = [HTTPField("Authorization", "Bearer \(token)")]
        #expect(try scene.get(path, headers: authorization).object() == client)

        var change = metadata
        change["client_id"] = client["client_id"]
        change["client_name"] = .string("Another")
        let changed = try scene.post(path, json: change, method: "PUT", token: token).object()
        #expect(changed["client_name"] == .string("Another") && changed["client_secret"] == client["client_secret"])
        for (name, value) in [
            ("client_id", JSON.string("sandbox")), ("client_secret", .string("chosen")),
            ("registration_access_token", .string(token)),
        ] {
            var wrong = change
            wrong[name] = value
            #expect(scene.post(path, json: wrong, method: "PUT", token: token).error == "invalid_request", "\(name)")
        }

        for headers in [[], [HTTPField("Authorization", "Bearer x")], [Scene.basic()]] {
            for target in [path, "/register/sandbox", "/register/"] {
                let response = scene.send("DELETE", target, headers: headers)
                #expect(response.status == 401)
                #expect(try response.challenge()["error"] == "invalid_token")
            }
        }
        #expect(scene.send("DELETE", path, headers: authorization).status == 204)
        #expect(scene.send("GET", path, headers: authorization).status == 401)
        #expect(try scene.post("/token", ["grant_type": "x", "client_id": client.text("client_id")]).status == 401)
    }
}
