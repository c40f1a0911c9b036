import JOSE
import Sandbox
import TestSupport
import Testing
import Wire

@Suite("The consent page") struct ConsentPageTests {
    private func ticket(_ page: SandboxResponse) throws -> String {
        String(try #require(page.text.firstMatch(of: /name="ticket" value="([^"]+)"/)).1)
    }

    @Test("the consent page names the client, the person and the scope, and decides by a form")
    func page() throws {
        let scene = try Scene { $0.consent = .page }
        let page = scene.get("/authorize", Scene.authorization)
        #expect(page.status == 200 && page.header("Content-Type") == "text/html; charset=utf-8")
        for part in ["<strong>sandbox</strong>", "Ada Lovelace", "<li>repo</li>", "action=\"consent\""] {
            #expect(page.text.contains(part))
        }
        let redirect = try scene.post("/consent", ["ticket": ticket(page), "decision": "allow"]).redirect()
        #expect(redirect["state"] == "s t")
        #expect(scene.token(Scene.exchange(try #require(redirect["code"]))).status == 200)
        let second = scene.get("/authorize", Scene.authorization)
        let denied = try scene.post("/consent", ["ticket": ticket(second), "decision": "deny"]).redirect()
        #expect(denied["error"] == "access_denied" && denied["state"] == "s t")
    }

    @Test("the consent page loads nothing, runs nothing, is in no frame, and its style is the one of the policy")
    func policy() throws {
        let scene = try Scene { $0.consent = .page }
        let page = scene.get("/authorize", Scene.authorization)
        let style = try #require(page.text.firstMatch(of: /<style>([^<]*)<\/style>/)).1
        let digest = Base64.encode(Digest.sha256(Array(style.utf8)))
        #expect(
            page.header("Content-Security-Policy") == "default-src 'none'; style-src 'sha256-\(digest)'; "
                + "form-action 'self' http://127.0.0.1:5000; frame-ancestors 'none'; base-uri 'none'")
        #expect(page.header("X-Frame-Options") == "DENY")
        for forbidden in ["<script", "src=", "http-equiv", "onclick"] { #expect(!page.text.contains(forbidden)) }
    }

    @Test("the consent page shows nothing of a client's name as markup")
    func escaping() throws {
        let scene = try Scene()
        let page = scene.get("/authorize", ["client_id": "<b>\"&"])
        #expect(page.status == 400 && !page.text.contains("<b>"))
        let foreign = try Scene {
            $0.consent = .page; $0.redirectURIs = ["app:/a?<b>"]
        }
        #expect(
            !foreign.get("/authorize", Scene.authorization.with(["redirect_uri": "app:/a?<b>"])).text.contains("<b>"))
    }

    @Test("the consent pages show the registered name of a client, and its identifier beside it")
    func clientName() throws {
        let scene = try Scene { $0.consent = .page }
        var metadata: JSONObject = [
            "client_name": .string("Ada's <b>mail</b>"), "redirect_uris": .array([.string(Scene.redirectURI)]),
            "grant_types": .array([
                .string("authorization_code"), .string("urn:ietf:params:oauth:grant-type:device_code"),
            ]),
            "token_endpoint_auth_method": .string("none"),
        ]
        let id = try #require(try scene.register(metadata)["client_id"]?.string)
        let shown = "<strong>Ada's &lt;b&gt;mail&lt;/b&gt;</strong> (<code>\(id)</code>)"
        let page = scene.get("/authorize", Scene.authorization.with(["client_id": id]))
        #expect(page.text.contains(shown) && page.text.contains("<h1>Let Ada's &lt;b&gt;mail&lt;/b&gt; in?</h1>"))
        let device = try scene.post("/device_authorization", ["client_id": id]).object()
        let code = try #require(device["user_code"]?.string)
        #expect(scene.get("/device", ["user_code": code]).text.contains(shown))
        metadata["client_name"] = .string(String(repeating: "n", count: 600))
        let long = try #require(try scene.register(metadata)["client_id"]?.string)
        let cut = scene.get("/authorize", Scene.authorization.with(["client_id": long])).text
        let start = String(repeating: "n", count: 60) + "…"
        #expect(cut.contains("<h1>Let \(start) in?</h1>") && cut.contains("<strong>\(start)</strong>"))
        #expect(try PageWidth.onPhone(cut) <= 360)
        metadata["client_name"] = .string("")
        let nameless = try scene.register(metadata)
        let other = try #require(nameless["client_id"]?.string)
        let plain = scene.get("/authorize", Scene.authorization.with(["client_id": other])).text
        #expect(plain.contains("The client <strong>\(other)</strong> wants"))
    }

    @Test("the error page shows the client_id or the redirect_uri that does not fit, beside those that would")
    func misfit() throws {
        let scene = try Scene()
        let client = scene.get("/authorize", Scene.authorization.with(["client_id": "sandbax"]))
        #expect(client.status == 400 && client.text.contains("<code>sandbax</code>"))
        #expect(client.text.contains("<code>sandbox, sandbox-public</code>"))
        let uri = "https://evil.example/" + String(repeating: "a", count: 400) + "<b>"
        let redirect = scene.get("/authorize", Scene.authorization.with(["redirect_uri": uri]))
        #expect(redirect.status == 400 && redirect.header("Location") == nil)
        #expect(redirect.text.contains("<code>\(uri.prefix(300))…</code>"))
        #expect(redirect.text.contains("http://127.0.0.1/callback, "), "\(redirect.text)")
        #expect(try PageWidth.onPhone(redirect.text) <= 360)
    }

    @Test("the consent page decides once, for ten minutes, with its ticket, and not from another site")
    func tickets() throws {
        let scene = try Scene { $0.consent = .page }
        let page = try ticket(scene.get("/authorize", Scene.authorization))
        let form: Form = ["ticket": page, "decision": "allow"]
        let host = HTTPField("Host", "127.0.0.1:4000")
        for origin in ["http://evil.example", "null", "http://127.0.0.1:4001"] {
            let response = scene.post("/consent", form, headers: [host, HTTPField("Origin", origin)])
            #expect(response.status == 403 && response.header("Location") == nil)
        }
        for change in [["ticket": "ticket_x"], ["ticket": nil], ["decision": "perhaps"], ["decision": nil]] as [Form] {
            #expect(scene.post("/consent", form.with(change)).status == 400)
        }
        let own = HTTPField("Origin", "http://127.0.0.1:4000")
        #expect(try scene.post("/consent", form, headers: [host, own]).redirect()["code"] != nil)
        #expect(scene.post("/consent", form).status == 400)

        let late = try ticket(scene.get("/authorize", Scene.authorization))
        scene.now += 600
        #expect(scene.post("/consent", form.with(["ticket": late])).status == 400)
    }

    @Test("the consent page is not shown where the client forbids it")
    func promptNone() throws {
        let scene = try Scene { $0.consent = .page }
        let redirect = try scene.get("/authorize", Scene.authorization.with(["prompt": "none"])).redirect()
        #expect(redirect["error"] == "consent_required")
        let automatic = try Scene()
        #expect(try automatic.get("/authorize", Scene.authorization.with(["prompt": "none"])).redirect()["code"] != nil)
    }
}
