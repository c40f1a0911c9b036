import JOSE
import Sandbox
import Testing
import Wire

@Suite("The code grant") struct CodeGrantTests {
    @Test("the code grant gives a bearer token, a refresh token and an ID token that are not kept by caches")
    func tokens() throws {
        let scene = try Scene()
        let response = scene.token(Scene.exchange(try scene.code()))
        let answer = try response.object()
        #expect(response.status == 200 && response.header("Cache-Control") == "no-store")
        #expect(response.header("Content-Type") == "application/json")
        #expect(
            answer.members.map(\.name) == [
                "access_token", "token_type", "expires_in", "scope", "refresh_token", "id_token",
            ])
        #expect(answer["token_type"] == .string("Bearer") && answer["expires_in"] == .integer(3600))
        #expect(answer["scope"] == .string("openid email repo"))
    }

    @Test("the code grant signs an ID token with a key of the key set, with at_hash, nonce and auth_time")
    func idToken() throws {
        let scene = try Scene()
        let code = try scene.code()
        let loggedIn = scene.now
        scene.now += 5
        let answer = try scene.token(Scene.exchange(code)).object()
        let keys = try #require(scene.get("/jwks").object()["keys"]?.array)
        let token = try JSONWebSignature(parsing: answer.text("id_token"))
        let key = try #require(keys.compactMap(\.object).first { $0["kid"]?.string == token.keyID })
        try token.verify(with: JSONWebKey(key), allowing: [.es256])

        let hash = Digest.sha256(Array(try answer.text("access_token").utf8))
        #expect(
            try answer.claims("id_token") == [
                "iss": .string(Scene.issuer), "sub": .string("1815"), "aud": .string("sandbox"),
                "exp": .integer(scene.now + 3600), "iat": .integer(scene.now), "auth_time": .integer(loggedIn),
                "nonce": .string("n"), "at_hash": .string(Base64.encodeURL(hash.prefix(16))),
            ])
    }

    @Test("the code grant gives no ID token without openid")
    func noIDToken() throws {
        #expect(try Scene().login(["scope": "repo"])["id_token"] == nil)
    }

    @Test("the code grant takes a code once; the second time revokes what the first brought")
    func replay() throws {
        let scene = try Scene()
        let code = try scene.code()
        let answer = try scene.token(Scene.exchange(code)).object()
        let token = try answer.text("access_token")
        #expect(scene.call("/user", token).status == 200)

        #expect(scene.token(Scene.exchange(code)).error == "invalid_grant")
        #expect(scene.call("/user", token).status == 401)
        let refresh = scene.token(["grant_type": "refresh_token", "refresh_token": try answer.text("refresh_token")])
        #expect(refresh.error == "invalid_grant")
    }

    @Test("the code grant takes a code for a minute")
    func expiry() throws {
        let scene = try Scene()
        let (first, second) = (try scene.code(), try scene.code())
        scene.now += 59
        #expect(scene.token(Scene.exchange(first)).status == 200)
        scene.now += 1
        #expect(scene.token(Scene.exchange(second)).error == "invalid_grant")
    }

    @Test(
        "the code grant gives every error of RFC 6749 5.2 and RFC 7636 4.6 that a code can have",
        arguments: [
            (["code": nil], "invalid_request"),
            (["code": "code_other"], "invalid_grant"),
            (["redirect_uri": nil], "invalid_grant"),
            (["redirect_uri": "http://127.0.0.1:5001/callback"], "invalid_grant"),
            (["code_verifier": nil], "invalid_request"),
            (["code_verifier": "short"], "invalid_request"),
            (["code_verifier": Scene.verifier + "x"], "invalid_grant"),
            (["code_verifier": Scene.challenge], "invalid_grant"),
            (["grant_type": nil], "invalid_request"),
            (["grant_type": "password"], "unsupported_grant_type"),
            (["resource": "relative"], "invalid_target"),
        ] as [(Form, String)])
    func errors(change: Form, error: String) throws {
        let scene = try Scene()
        let response = scene.token(Scene.exchange(try scene.code()).with(change))
        #expect(response.status == 400 && response.error == error, "\(response.text)")
        #expect(response.header("Cache-Control") == "no-store")
    }

    @Test("the code grant spends a code at a wrong verifier: nobody gets to guess twice")
    func guess() throws {
        let scene = try Scene()
        let form = Scene.exchange(try scene.code())
        #expect(scene.token(form.with(["code_verifier": Scene.challenge])).error == "invalid_grant")
        #expect(scene.token(form).error == "invalid_grant")
    }

    @Test("the code grant leaves a code good when the verifier has not even the form of one")
    func malformedVerifier() throws {
        let scene = try Scene()
        let form = Scene.exchange(try scene.code())
        #expect(scene.token(form.with(["code_verifier": Scene.verifier + "+/="])).error == "invalid_request")
        #expect(scene.token(form).status == 200)
    }

    @Test("the code grant gives tokens to the client that the code is for, and leaves it good when another asks")
    func otherClient() throws {
        let scene = try Scene()
        let form = Scene.exchange(try scene.code())
        let foreign = scene.post("/token", form.with(["client_id": "sandbox-public"]))
        #expect(foreign.error == "invalid_grant")
        #expect(scene.token(form).status == 200)
    }

    @Test("the code grant lets a token request narrow the resources, never widen them")
    func resources() throws {
        let scene = try Scene()
        let change: Form = ["resource": "https://a.example/"]
        let form = Scene.exchange(try scene.code(change))
        #expect(scene.token(form.with(["resource": "https://b.example/"])).error == "invalid_target")
        let answer = try scene.token(Scene.exchange(try scene.code(change)).with(change)).object()
        let description = try scene.post(
            "/introspect", ["token": answer.text("access_token")], headers: [Scene.basic()]
        ).object()
        #expect(description["aud"] == .array([.string("https://a.example/")]))
    }

    @Test("the refresh grant narrows the resources for its access token alone")
    func narrowedRefresh() throws {
        let scene = try Scene()
        let change: Form = ["resource": "https://a.example/"]
        let answer = try scene.token(Scene.exchange(try scene.code([:]))).object()
        let refresh: Form = ["grant_type": "refresh_token", "refresh_token": try answer.text("refresh_token")]
        for (form, audience) in [(refresh.with(change), JSON.array([.string("https://a.example/")])), (refresh, nil)] {
            let renewed = try scene.token(form).object()
            let description = try scene.post(
                "/introspect", ["token": renewed.text("access_token")], headers: [Scene.basic()]
            ).object()
            #expect(description["aud"] == audience)
        }
    }

    @Test("the code grant takes nothing but a form in the content, each parameter once")
    func shape() throws {
        let scene = try Scene()
        let form = Scene.exchange(try scene.code())
        let type = HTTPField("Content-Type", "application/x-www-form-urlencoded")
        let json = HTTPField("Content-Type", "application/json")
        for (headers, query, body) in [
            ([type], "x=1", form.text), ([json], nil, form.text), ([], nil, form.text),
            ([type], nil, form.text + "&code=other"), ([type], nil, form.text + "&x=%zz"),
            ([type], nil, form.text + "&x=%ff"),
        ] as [([HTTPField], String?, String)] {
            let response = scene.send(
                "POST", "/token", query: query, headers: headers + [Scene.basic()], body: Array(body.utf8))
            #expect(response.status == 400 && response.error == "invalid_request", "\(response.text)")
        }
        let get = scene.send("GET", "/token", headers: [Scene.basic()])
        #expect(get.status == 405 && get.header("Allow") == "POST")
        #expect(scene.token(form).status == 200, "nothing of this has spent the code")
    }

    @Test("the code grant answers form-encoded where it is asked to, errors too")
    func formEncoded() throws {
        let scene = try Scene { $0.answersFormEncoded = true }
        let response = scene.token(Scene.exchange(try scene.code()))
        let pairs = try FormEncoding.parse(response.text)
        #expect(response.header("Content-Type") == "application/x-www-form-urlencoded; charset=utf-8")
        #expect(pairs.first { $0.name == "expires_in" }?.value == "3600")
        #expect(pairs.first { $0.name == "scope" }?.value == "openid email repo")
        #expect(scene.token(["grant_type": "x"]).text.hasPrefix("error=unsupported_grant_type&"))
    }

    @Test("the code grant gives errors status 200 where it is asked to")
    func error200() throws {
        let response = try Scene { $0.answersErrorsWith200 = true }.token(["grant_type": "x"])
        #expect(response.status == 200 && response.error == "unsupported_grant_type")
    }
}
