import Sandbox
import Testing
import Wire

@Suite("CIBA") struct BackchannelTests {
    private static let secret: Form = ["client_id": "sandbox", "client_secret": Scene.secret]

    private func ask(_ scene: Scene, _ more: Form) -> SandboxResponse {
        scene.post("/bc-authorize", Self.secret.with(["scope": "openid email", "login_hint": "ada"]).with(more))
    }

    private func poll(_ scene: Scene, _ login: JSONObject, client: Form = secret) throws -> SandboxResponse {
        scene.post(
            "/token",
            client.with([
                "grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": try login.text("auth_req_id"),
            ]))
    }

    @Test("CIBA is decided by itself after the first poll, and serves once")
    func automatic() throws {
        let scene = try Scene { $0.pollingInterval = 3 }
        let login = try ask(scene, ["requested_expiry": "60"]).object()
        #expect(login["expires_in"] == 60 && login["interval"] == 3)
        #expect(try poll(scene, login).error == "authorization_pending")
        #expect(try poll(scene, login).error == "slow_down")
        scene.now += 8
        let token = try poll(scene, login).object()
        #expect(try token.claims("id_token")["sub"] == "1815")
        scene.now += 8
        #expect(try poll(scene, login).error == "invalid_grant")
        // Its ID token says who is asked the next time.
        let hinted: Form = ["login_hint": nil, "id_token_hint": try token.text("id_token")]
        #expect(ask(scene, hinted).status == 200)
        #expect(ask(scene, ["login_hint": nil, "id_token_hint": "x"]).error == "unknown_user_id")
    }

    @Test("CIBA is refused where everything is refused, and ends")
    func denied() throws {
        let scene = try Scene { $0.consent = .deny }
        let login = try ask(scene, [:]).object()
        _ = try poll(scene, login)
        scene.now += 5
        #expect(try poll(scene, login).error == "access_denied")
        let late = try ask(scene, ["requested_expiry": "1"]).object()
        scene.now += 2
        #expect(try poll(scene, late).error == "expired_token")
    }

    @Test("the user decides on a page that shows the message, and nobody else's code does")
    func page() throws {
        let scene = try Scene { $0.consent = .page }
        #expect(scene.get("/ciba", ["login_hint": "ada"]).status == 400)
        let login = try ask(scene, ["binding_message": "W4SCT<b>"]).object()
        let page = scene.get("/ciba", ["login_hint": "ada"])
        #expect(page.status == 200 && page.text.contains("W4SCT&lt;b&gt;"))
        #expect(scene.get("/device", ["user_code": "ciba:1815"]).status == 400)
        let device: Form = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": try login.text("auth_req_id"),
        ]
        #expect(scene.post("/token", Self.secret.with(device)).error == "invalid_grant")
    }

    @Test(
        "a request that names nobody, two or a stranger, or that has no openid or an odd message, is refused",
        arguments: [
            (["login_hint": nil], "invalid_request"), (["id_token_hint": "x"], "invalid_request"),
            (["login_hint": nil, "login_hint_token": "x"], "invalid_request"),
            (["login_hint": "eve"], "unknown_user_id"), (["scope": "email"], "invalid_scope"),
            (["requested_expiry": "soon"], "invalid_request"),
            (["binding_message": "a\nb"], "invalid_binding_message"), (["client_secret": "wrong"], "invalid_client"),
            (["client_id": "sandbox-public", "client_secret": nil], "unauthorized_client"),
        ] as [(Form, String)])
    func refused(more: Form, error: String) throws {
        #expect(ask(try Scene(), more).error == error)
    }
}
