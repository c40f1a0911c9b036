import JOSE
import Sandbox
import Testing
import Wire

@Suite("Settings of one's own") struct OwnSettingsTests {
    @Test("scope values of one's own are granted, and named in the metadata")
    func scope() throws {
        let scene = try Scene { $0.scopes = ["mail.read", "repo"] }
        #expect(try scene.login(["scope": "openid mail.read"])["scope"] == .string("openid mail.read"))
        let supported = try scene.get("/.well-known/openid-configuration").object()["scopes_supported"]?.strings
        #expect(supported?.last == "mail.read" && supported?.filter { $0 == "repo" }.count == 1)
    }

    @Test("a client of one's own logs in with its own name, secret and redirect URI")
    func client() throws {
        let scene = try Scene {
            let document: JSONObject = [
                "client_id": .string("mine"), "client_secret": .string("s3"), "scope": .string("openid"),
                "redirect_uris": .strings(["https://app.example/cb"]),
            ]
            $0.clients = [try Client(own: document, settings: $0)]
        }
        let change: Form = ["client_id": "mine", "redirect_uri": "https://app.example/cb", "scope": "openid"]
        let form = Scene.exchange(try scene.code(change)).with(["redirect_uri": "https://app.example/cb"])
        #expect(scene.token(form, headers: [Scene.basic("mine", "other")]).status == 401)
        let answer = try scene.token(form, headers: [Scene.basic("mine", "s3")]).object()
        #expect(try answer.claims("id_token")["aud"] == .string("mine"))
    }

    @Test(
        "client metadata that names no client, or lacks a secret that it needs, is refused",
        arguments: [
            ["redirect_uris": .strings(["https://app.example/cb"])],
            ["client_id": .string("mine")],
            [
                "client_id": .string("mine"), "redirect_uris": .strings(["https://app.example/cb"]),
                "token_endpoint_auth_method": .string("client_secret_basic"),
            ],
        ] as [JSONObject])
    func brokenClient(document: JSONObject) {
        #expect(throws: SandboxError.self) { try Client(own: document, settings: SandboxSettings()) }
    }

    @Test("a person of one's own is in userinfo, in the ID token and in the API, each claim by its scope")
    func person() throws {
        let scene = try Scene {
            $0.people[0] = try Person(claims: [
                "sub": .string("42"), "preferred_username": .string("grace"), "name": .string("Grace"),
                "email": .string("grace@example.com"), "groups": .strings(["navy"]), "iss": .string("x"),
            ])
        }
        let answer = try scene.login(["scope": "openid email"])
        let claims = try answer.claims("id_token")
        #expect(claims["sub"] == .string("42") && claims["email"] == .string("grace@example.com"))
        #expect(claims["groups"] == .strings(["navy"]) && claims["name"] == nil)
        #expect(claims["iss"] == .string(Scene.issuer), "claims of the protocol are the server's")
        let token = try answer.text("access_token")
        #expect(try scene.call("/userinfo", token).object()["groups"] == .strings(["navy"]))
        #expect(try scene.call("/user", token).object()["login"] == .string("grace"))
        #expect(throws: SandboxError.self) { try Person(claims: ["name": .string("Nobody")]) }
    }

    @Test("of several persons the login_hint chooses, and the first one is signed in without")
    func people() throws {
        let scene = try Scene {
            $0.people = try ["ada", "grace"].map { name in
                try Person(claims: ["sub": .string("id-\(name)"), "email": .string("\(name)@example.com")])
            }
        }
        var numbers: [String: Set<Int?>] = [:]
        for (hint, subject) in [
            (nil, "id-ada"), ("grace@example.com", "id-grace"), ("id-grace", "id-grace"), ("nobody", "id-ada"),
        ] {
            let answer = try scene.login(["login_hint": hint])
            #expect(try answer.claims("id_token")["sub"] == .string(subject))
            let token = try answer.text("access_token")
            numbers[subject, default: []].insert(try scene.call("/user", token).object()["id"]?.integer)
            #expect(try scene.call("/userinfo", token).object()["sub"] == .string(subject))
            #expect(try scene.call("/user", token).object()["login"] == .string(subject))
        }
        #expect(numbers.values.allSatisfy { $0.count == 1 } && Set(numbers.values).count == 2, "\(numbers)")
    }

    @Test("codes and refresh tokens are good for as long as the settings say")
    func lifetimes() throws {
        let scene = try Scene {
            $0.codeLifetime = 1
            $0.refreshTokenLifetime = 5
        }
        let code = try scene.code()
        let refresh = try scene.login().text("refresh_token")
        scene.now += 1
        #expect(scene.token(Scene.exchange(code)).error == "invalid_grant")
        scene.now += 4
        let form: Form = ["grant_type": "refresh_token", "refresh_token": refresh]
        #expect(scene.token(form).error == "invalid_grant")
    }

    @Test("ID tokens of the built-in clients are signed with the algorithm of the settings")
    func algorithm() throws {
        let scene = try Scene { $0.idTokenAlgorithm = .rs256 }
        #expect(try JSONWebSignature(parsing: scene.login().text("id_token")).algorithmName == "RS256")
        #expect(scene.server.clientDocument["id_token_signed_response_alg"] == .string("RS256"))
    }

    @Test("access tokens are JWTs of RFC 9068 where that is asked for, and no ID tokens")
    func accessToken() throws {
        let scene = try Scene { $0.makesJWTAccessTokens = true }
        let answer = try scene.login()
        let text = try answer.text("access_token")
        let token = try JSONWebSignature(parsing: text)
        #expect(token.header["typ"] == .string("at+jwt"))
        let claims = try answer.claims("access_token")
        #expect(claims["aud"] == .string(Scene.issuer) && claims["client_id"] == .string("sandbox"))
        #expect(claims["sub"] == .string("1815") && claims["scope"] == answer["scope"])
        let key = try #require(scene.get("/jwks").object()["keys"]?.array?.first?.object)
        try token.verify(with: JSONWebKey(key), allowing: [.es256])
        #expect(scene.call("/user", text).status == 200)
        #expect(scene.get("/logout", ["id_token_hint": text]).status == 400)
    }

    @Test("an access token that is a JWT has the groups, roles and entitlements of its user, and no other claim")
    func groups() throws {
        let lists = ["groups", "roles", "entitlements"].map { JSONObject.Member(name: $0, value: .strings([$0])) }
        let scene = try Scene {
            $0.makesJWTAccessTokens = true
            let others: JSONObject = ["sub": "42", "team": "navy"]
            $0.people[0] = try Person(claims: JSONObject(unique: lists + others.members))
        }
        let claims = try scene.login().claims("access_token")
        #expect(lists.allSatisfy { claims[$0.name] == $0.value } && claims["team"] == nil)
        let machine = try scene.token(["grant_type": "client_credentials"]).object()
        #expect(try machine.claims("access_token")["groups"] == nil)
    }
}
