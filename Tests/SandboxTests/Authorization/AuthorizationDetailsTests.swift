import JOSE
import Sandbox
import Testing
import Wire

@Suite("Authorization details (RFC 9396)") struct AuthorizationDetailsTests {
    private static let payment = #"{"type":"payment_initiation","amount":9}"#
    private static let accounts = #"{"type":"account_information","actions":["read"]}"#
    private static let both = "[\(payment),\(accounts)]"

    private func details(_ text: String) throws -> JSON { try JSON(parsing: text) }

    @Test("§7, §9: a response, an access token that is a JWT, and introspection have what was asked for")
    func granted() throws {
        let scene = try Scene { $0.makesJWTAccessTokens = true }
        let token = try scene.login(["authorization_details": Self.both])
        #expect(try token["authorization_details"] == details(Self.both))
        #expect(try token.claims("access_token")["authorization_details"] == details(Self.both))
        let form: Form = ["token": try token.text("access_token")]
        let state = try scene.post("/introspect", form, headers: [Scene.basic()]).object()
        #expect(try state["authorization_details"] == details(Self.both))
        #expect(try scene.login()["authorization_details"] == nil)
        #expect(try scene.login(["authorization_details": "[]"])["authorization_details"] == nil)
    }

    @Test("§6: a token request may have some of the granted objects, and no others")
    func narrowed() throws {
        let scene = try Scene()
        let ask: Form = ["authorization_details": "[\(Self.accounts)]"]
        let code = try scene.code(["authorization_details": Self.both])
        let token = try scene.token(Scene.exchange(code).with(ask)).object()
        #expect(try token["authorization_details"] == details("[\(Self.accounts)]"))
        let refresh: Form = ["grant_type": "refresh_token", "refresh_token": try token.text("refresh_token")]
        // The refresh token has all that was granted.
        #expect(try scene.token(refresh).object()["authorization_details"] == details(Self.both))
        let more: Form = ["authorization_details": #"[{"type":"payment_initiation","amount":10}]"#]
        #expect(scene.token(refresh.with(more)).error == "invalid_authorization_details")
        let exchange: Form = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "subject_token": try token.text("access_token"),
            "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
        ]
        let exchanged = try scene.token(exchange).object()
        #expect(try exchanged["authorization_details"] == details("[\(Self.accounts)]"))
        #expect(scene.token(exchange.with(more)).error == "invalid_authorization_details")
    }

    @Test("client credentials, the device flow and CIBA have them too")
    func otherGrants() throws {
        let scene = try Scene()
        let ask: Form = ["scope": "openid", "authorization_details": Self.both]
        let own = try scene.token((["grant_type": "client_credentials"] as Form).with(ask)).object()
        #expect(try own["authorization_details"] == details(Self.both))
        let device = try scene.post("/device_authorization", ask, headers: [Scene.basic()]).object()
        let ciba = try scene.post(
            "/bc-authorize", ask.with(["login_hint": "ada"]), headers: [Scene.basic()]
        ).object()
        let polls: [Form] = [
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                "device_code": try device.text("device_code"),
            ],
            ["grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": try ciba.text("auth_req_id")],
        ]
        for poll in polls {
            #expect(scene.token(poll).error == "authorization_pending")
            scene.now += 5
            #expect(try scene.token(poll).object()["authorization_details"] == details(Self.both))
        }
    }

    @Test(
        "§5: what is malformed or of another type is refused",
        arguments: [
            "{}", "x", "[1]", "[{}]", #"[{"type":1}]"#, #"[{"type":"other"}]"#,
            #"[{"type":"payment_initiation","locations":"x"}]"#, #"[{"type":"payment_initiation","identifier":1}]"#,
        ])
    func refused(text: String) throws {
        let scene = try Scene()
        let ask: Form = ["authorization_details": text]
        let answer = try scene.get("/authorize", Scene.authorization.with(ask)).redirect()
        #expect(answer["error"] == "invalid_authorization_details" && answer["code"] == nil, "\(answer)")
        let own = scene.token((["grant_type": "client_credentials"] as Form).with(ask))
        #expect(own.status == 400 && own.error == "invalid_authorization_details")
    }

    @Test("§10: the types are in the metadata, settings add some, and a client may be limited to its own")
    func types() throws {
        let scene = try Scene { $0.detailTypes.append("photo") }
        let supported = try scene.get("/.well-known/oauth-authorization-server").object()
        let types = supported["authorization_details_types_supported"]
        #expect(types == .strings(["payment_initiation", "account_information", "photo"]))
        let photo: Form = ["authorization_details": #"[{"type":"photo"}]"#]
        #expect(try scene.login(photo)["authorization_details"] != nil)
        let client = try SigningClient(
            scene, .es256, ["authorization_details_types": .strings(["photo", "unknown"])])
        #expect(client.client["authorization_details_types"] == .strings(["photo"]))
        for (text, isTaken) in [(#"[{"type":"photo"}]"#, true), (Self.both, false)] {
            // As a claim it is an array, not a text (RFC 9396 §3).
            let object = try client.sign(["authorization_details": details(text)])
            #expect(try (client.request(object).redirect()["code"] != nil) == isTaken)
        }
    }

    @Test("the page asks the user about each type")
    func page() throws {
        let scene = try Scene { $0.consent = .page }
        let page = scene.get("/authorize", Scene.authorization.with(["authorization_details": Self.both])).text
        #expect(page.contains("<li>payment_initiation</li>") && page.contains("<li>account_information</li>"))
    }
}
