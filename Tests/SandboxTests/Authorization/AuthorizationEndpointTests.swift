import JOSE
import Sandbox
import Testing
import Wire

@Suite("The authorization endpoint") struct AuthorizationEndpointTests {
    @Test("the authorization endpoint sends a code, the state and the issuer to the redirect URI")
    func code() throws {
        let response = try Scene().get("/authorize", Scene.authorization)
        let redirect = try response.redirect()
        #expect(redirect[""] == Scene.redirectURI)
        #expect(redirect["state"] == "s t" && redirect["iss"] == Scene.issuer)
        #expect(redirect["code"]?.hasPrefix("code_") == true)
        #expect(redirect.count == 4)
        #expect(response.header("Cache-Control") == "no-store")
    }

    @Test("the authorization endpoint takes the request as a form too")
    func form() throws {
        let scene = try Scene()
        #expect(try scene.post("/authorize", Scene.authorization).redirect()["code"] != nil)
    }

    @Test(
        "the authorization endpoint tells the person, and nobody else, what is wrong before the way back is known",
        arguments: [
            (["client_id": nil], "client_id is missing"),
            (["client_id": "nobody"], "The client is not known"),
            (["redirect_uri": "http://127.0.0.1:5000/other"], "redirect_uri is not registered"),
            (["redirect_uri": "http://127.0.0.1:5000/callback/"], "redirect_uri is not registered"),
            (["redirect_uri": "http://127.0.0.1:5000/callback?x=1"], "redirect_uri is not registered"),
            (["redirect_uri": "http://127.0.0.1:5000/callback#"], "redirect_uri is not registered"),
            (["redirect_uri": "http://ada@127.0.0.1:5000/callback"], "redirect_uri is not registered"),
            (["redirect_uri": "http://127.0.0.2:5000/callback"], "redirect_uri is not registered"),
            (["redirect_uri": "https://127.0.0.1:5000/callback"], "redirect_uri is not registered"),
            (["redirect_uri": "http://evil.example/callback"], "redirect_uri is not registered"),
            (["redirect_uri": nil], "redirect_uri is missing"),
            (["request_uri": "urn:ietf:params:oauth:request_uri:x"], "The request_uri is not known"),
        ] as [(Form, String)])
    func page(change: Form, message: String) throws {
        let response = try Scene().get("/authorize", Scene.authorization.with(change))
        #expect(response.status == 400)
        #expect(response.header("Location") == nil)
        #expect(response.text.contains(message), "\(response.text)")
    }

    @Test("the authorization endpoint refuses a parameter that stands twice without redirecting")
    func duplicate() throws {
        let response = try Scene().send(
            "GET", "/authorize", query: Scene.authorization.text + "&client_id=sandbox")
        #expect(response.status == 400 && response.text.contains("appears twice: client_id"))
    }

    @Test(
        "the authorization endpoint gives the client every error of RFC 6749 4.1.2.1 that a request can have",
        arguments: [
            (["response_type": nil], "invalid_request"),
            (["response_type": "token"], "unsupported_response_type"),
            (["response_type": "code id_token"], "unsupported_response_type"),
            (["scope": "repo admin"], "invalid_scope"),
            (["scope": "a\"b"], "invalid_scope"),
            (["code_challenge": nil], "invalid_request"),
            (["code_challenge": "short"], "invalid_request"),
            (["code_challenge": String(repeating: "a", count: 64)], "invalid_request"),
            (["code_challenge_method": nil], "invalid_request"),
            (["code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge_method": "S512"], "invalid_request"),
            (["response_mode": "web_message"], "invalid_request"),
            (["request": "e30."], "invalid_request_object"),
            (["prompt": "none login"], "invalid_request"),
            (["resource": "relative"], "invalid_target"),
            (["resource": "https://a.example/#x"], "invalid_target"),
        ] as [(Form, String)])
    func errors(change: Form, error: String) throws {
        let redirect = try Scene().get("/authorize", Scene.authorization.with(change)).redirect()
        #expect(redirect["error"] == error, "\(redirect)")
        #expect(redirect["error_description"]?.isEmpty == false)
        #expect(redirect["state"] == "s t" && redirect["iss"] == Scene.issuer && redirect["code"] == nil)
    }

    @Test("the authorization endpoint gives a client that is not registered for the code grant unauthorized_client")
    func unauthorized() throws {
        let scene = try Scene()
        let client = try scene.register([
            "redirect_uris": .array([.string(Scene.redirectURI)]), "grant_types": .array([.string("refresh_token")]),
        ])
        let redirect = try scene.get(
            "/authorize", Scene.authorization.with(["client_id": client.text("client_id")])
        ).redirect()
        #expect(redirect["error"] == "unauthorized_client")
    }

    @Test("the authorization endpoint gives access_denied where everything is refused")
    func denied() throws {
        let scene = try Scene { $0.consent = .deny }
        #expect(try scene.get("/authorize", Scene.authorization).redirect()["error"] == "access_denied")
    }

    @Test("the authorization endpoint gives the error code of a fault as it gives its own: in the redirect")
    func fault() throws {
        let fault = try Fault(parsing: "authorize:error=temporarily_unavailable")
        let scene = try Scene { $0.faults = [fault] }
        #expect(try scene.get("/authorize", Scene.authorization).redirect()["error"] == "temporarily_unavailable")
    }

    @Test("the authorization endpoint takes any port of a loopback address, and a registered URI to the letter")
    func redirectURIs() throws {
        let scene = try Scene { $0.redirectURIs = ["https://app.example/cb?x=1", "app:/cb"] }
        for uri in [
            "http://127.0.0.1:1/callback", "http://[::1]:65535/callback", "http://localhost:80/callback",
            "http://127.0.0.1/callback", "https://app.example/cb?x=1", "app:/cb",
        ] {
            let redirect = try scene.get("/authorize", Scene.authorization.with(["redirect_uri": uri])).redirect()
            #expect(uri.hasPrefix(redirect[""] ?? "-") && redirect["code"] != nil, "\(uri)")
        }
        for uri in ["https://app.example:8443/cb?x=1", "https://app.example/cb", "app:/cb/", "APP:/cb"] {
            #expect(scene.get("/authorize", Scene.authorization.with(["redirect_uri": uri])).status == 400, "\(uri)")
        }
    }

    @Test("the authorization endpoint puts the answer where response_mode says")
    func modes() throws {
        let scene = try Scene()
        let fragment = try scene.get("/authorize", Scene.authorization.with(["response_mode": "fragment"]))
            .redirect("#")
        #expect(fragment[""] == Scene.redirectURI && fragment["code"] != nil && fragment["state"] == "s t")

        let page = scene.get(
            "/authorize", Scene.authorization.with(["response_mode": "form_post", "state": "\"><script>"]))
        #expect(page.status == 200)
        #expect(page.text.contains("<form method=\"post\" action=\"\(Scene.redirectURI)\">"))
        #expect(page.text.contains("name=\"state\" value=\"&quot;&gt;&lt;script&gt;\""))
        #expect(page.header("Content-Security-Policy")?.contains("form-action 'self' http://127.0.0.1:5000;") == true)
    }

    @Test("the authorization endpoint ignores a scope that it does not know beside openid, and grants the rest")
    func unknownScope() throws {
        let scene = try Scene()
        #expect(try scene.login(["scope": "openid address phone repo"])["scope"] == .string("openid repo"))
        let client = try scene.register([
            "redirect_uris": .array([.string(Scene.redirectURI)]), "scope": .string("openid"),
        ])
        let change: Form = ["client_id": try client.text("client_id"), "scope": "openid repo"]
        let redirect = try scene.get("/authorize", Scene.authorization.with(change)).redirect()
        #expect(redirect["error"] == "invalid_scope", "it knows the scope, but not for this client")
    }

    @Test("the authorization endpoint does without PKCE where it is asked to, and then takes no verifier")
    func withoutChallenge() throws {
        let scene = try Scene { $0.requiresPKCE = false }
        let change: Form = ["code_challenge": nil, "code_challenge_method": nil]
        let form = Scene.exchange(try scene.code(change))
        #expect(scene.token(form.with(["code_verifier": nil])).status == 200)
        let injected = Scene.exchange(try scene.code(change))
        #expect(scene.token(injected).error == "invalid_grant")
        #expect(scene.token(Scene.exchange(try scene.code())).status == 200)
        #expect(scene.token(Scene.exchange(try scene.code()).with(["code_verifier": nil])).error == "invalid_request")
    }

    @Test("the page of form_post sends itself with the only script that its policy allows")
    func formPost() throws {
        let page = try Scene().get("/authorize", Scene.authorization.with(["response_mode": "form_post"]))
        let script = try #require(page.text.firstMatch(of: /<script>([^<]*)<\/script>/)).1
        let digest = Base64.encode(Digest.sha256(Array(script.utf8)))
        #expect(page.header("Content-Security-Policy")?.contains("; script-src 'sha256-\(digest)'; ") == true)
    }

    @Test("the authorization endpoint takes the plain challenge only where it is asked to")
    func plain() throws {
        let scene = try Scene { $0.allowsPlainChallenge = true }
        let change: Form = ["code_challenge": Scene.verifier, "code_challenge_method": "plain"]
        #expect(try scene.token(Scene.exchange(scene.code(change))).status == 200)
        let wrong = Scene.exchange(try scene.code(change)).with(["code_verifier": Scene.challenge])
        #expect(scene.token(wrong).error == "invalid_grant")
    }
}
