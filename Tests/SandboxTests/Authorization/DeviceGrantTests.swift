import Sandbox
import Testing
import Wire

@Suite("The device grant") struct DeviceGrantTests {
    private let client: Form = ["client_id": "sandbox-public", "scope": "openid repo"]

    private func start(_ scene: Scene) throws -> JSONObject {
        try scene.post("/device_authorization", client).object()
    }

    private func poll(_ scene: Scene, _ device: JSONObject) throws -> SandboxResponse {
        scene.post(
            "/token",
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "sandbox-public",
                "device_code": try device.text("device_code"),
            ])
    }

    @Test("the device grant hands out two codes, two addresses, a lifetime and an interval")
    func start() throws {
        let scene = try Scene { $0.pollingInterval = 3 }
        let device = try start(scene)
        let code = try device.text("user_code")
        #expect(code.wholeMatch(of: /[B-Z]{4}-[B-Z]{4}/) != nil)
        #expect(try device.text("verification_uri") == "\(Scene.issuer)/device")
        #expect(try device.text("verification_uri_complete") == "\(Scene.issuer)/device?user_code=\(code)")
        #expect(device["expires_in"] == .integer(600) && device["interval"] == .integer(3))
    }

    @Test("the device grant is decided by itself after the first poll, and serves once")
    func automatic() throws {
        let scene = try Scene()
        let device = try start(scene)
        #expect(try poll(scene, device).error == "authorization_pending")
        scene.now += 1
        let answer = try poll(scene, device).object()
        #expect(answer["refresh_token"] != nil && answer["scope"] == .string("openid repo"))
        #expect(try answer.claims("id_token")["sub"] == .string("1815"))
        scene.now += 1
        #expect(try poll(scene, device).error == "invalid_grant")
    }

    @Test("the device grant is refused where everything is refused")
    func denied() throws {
        let scene = try Scene { $0.consent = .deny }
        let device = try start(scene)
        #expect(try poll(scene, device).error == "authorization_pending")
        scene.now += 1
        #expect(try poll(scene, device).error == "access_denied")
    }

    @Test("the device grant slows down who polls too fast, by five seconds each time")
    func slowDown() throws {
        let scene = try Scene { $0.consent = .page }
        let device = try start(scene)
        var errors: [String?] = [try poll(scene, device).error]
        for pause in [0, 6, 5, 11, 10] {
            scene.now += pause
            errors.append(try poll(scene, device).error)
        }
        #expect(
            errors == [
                "authorization_pending", "slow_down", "authorization_pending", "slow_down", "authorization_pending",
                "slow_down",
            ])
    }

    @Test("the device grant expires, and the device is told so")
    func expired() throws {
        let scene = try Scene()
        let device = try start(scene)
        scene.now += 600
        #expect(try poll(scene, device).error == "expired_token")
        let page = scene.get("/device", ["user_code": try device.text("user_code")])
        #expect(page.status == 400 && page.text.contains("has expired"))
        scene.now += 600
        #expect(try poll(scene, device).error == "invalid_grant")
    }

    @Test(
        "the device grant is decided by a person who types the code, in whatever way it is written",
        arguments: ["allow", "deny"])
    func page(decision: String) throws {
        let scene = try Scene { $0.consent = .page }
        let device = try start(scene)
        #expect(scene.get("/device").text.contains("<input name=\"user_code\""))
        let typed = try device.text("user_code").lowercased().replacing("-", with: " ")
        let page = scene.get("/device", ["user_code": typed])
        #expect(page.text.contains(try device.text("user_code")), "the code is there to be compared")
        #expect(try poll(scene, device).error == "authorization_pending")
        let ticket = try #require(page.text.firstMatch(of: /name="ticket" value="([^"]+)"/)).1
        let done = scene.post("/consent", ["ticket": String(ticket), "decision": decision])
        #expect(done.text.contains(decision == "allow" ? "You allowed the device" : "You refused the device"))
        scene.now += 1
        let answer = try poll(scene, device)
        #expect(decision == "allow" ? answer.status == 200 : answer.error == "access_denied")
        #expect(scene.get("/device", ["user_code": typed]).status == 400, "a user code serves once")
    }

    @Test(
        "the device grant keeps its page through HEAD and reloads until one of them decides",
        arguments: ["allow", "deny"])
    func reload(decision: String) throws {
        let scene = try Scene { $0.consent = .page }
        let device = try start(scene)
        let code: Form = ["user_code": try device.text("user_code")]
        #expect(scene.send("HEAD", "/device", query: code.text).status == 200)
        let tickets = try (0..<2).map { _ in
            String(try #require(scene.get("/device", code).text.firstMatch(of: /name="ticket" value="([^"]+)"/)).1)
        }
        #expect(try poll(scene, device).error == "authorization_pending")
        #expect(scene.post("/consent", ["ticket": tickets[0], "decision": decision]).status == 200)
        for other in ["allow", "deny"] {
            #expect(scene.post("/consent", ["ticket": tickets[1], "decision": other]).status == 400)
        }
        #expect(scene.get("/device", code).status == 400)
        scene.now += 1
        let answer = try poll(scene, device)
        #expect(decision == "allow" ? answer.status == 200 : answer.error == "access_denied")
    }

    @Test("the device grant is not decided any more by a page that outlives its code")
    func latePage() throws {
        let scene = try Scene { $0.consent = .page }
        let device = try start(scene)
        scene.now += 599
        let page = scene.get("/device", ["user_code": try device.text("user_code")])
        let ticket = String(try #require(page.text.firstMatch(of: /name="ticket" value="([^"]+)"/)).1)
        scene.now += 1
        #expect(scene.post("/consent", ["ticket": ticket, "decision": "allow"]).status == 400)
    }

    @Test("the device grant opens at verification_uri_complete without a page where nobody is asked")
    func complete() throws {
        let scene = try Scene()
        let device = try start(scene)
        #expect(scene.get("/device", ["user_code": try device.text("user_code")]).text.contains("is connected"))
        #expect(try poll(scene, device).status == 200)
    }

    @Test("the device grant lets a code that was mistyped be typed again")
    func mistyped() throws {
        let page = try Scene { $0.consent = .page }.get("/device", ["user_code": "ABCD-\"FGH"])
        #expect(page.status == 400 && page.text.contains("<input name=\"user_code\" value=\"ABCD-&quot;FGH\""))
        #expect(page.text.contains("<p role=\"alert\">The code is not known"))
    }

    @Test("a device code is good for as long as the settings say")
    func lifetime() throws {
        let scene = try Scene { $0.deviceCodeLifetime = 2 }
        let device = try start(scene)
        #expect(device["expires_in"] == .integer(2))
        scene.now += 2
        #expect(try poll(scene, device).error == "expired_token")
    }

    @Test("the device grant is for its own client, and for clients that are registered for it")
    func clients() throws {
        let scene = try Scene()
        let form: Form = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": try start(scene).text("device_code"),
        ]
        #expect(scene.token(form).error == "invalid_grant")
        let other = try scene.register([
            "redirect_uris": .array([.string(Scene.redirectURI)]), "token_endpoint_auth_method": .string("none"),
        ])
        let response = scene.post("/device_authorization", ["client_id": try other.text("client_id")])
        #expect(response.status == 400 && response.error == "unauthorized_client")
        #expect(scene.post("/device_authorization", client.with(["scope": "admin"])).error == "invalid_scope")
        #expect(scene.post("/device_authorization", ["scope": "repo"]).error == "invalid_client")
    }
}
