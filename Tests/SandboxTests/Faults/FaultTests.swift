import JOSE
import Sandbox
import Testing
import Wire

@Suite("Faults") struct FaultTests {
    private let form: Form = ["grant_type": "client_credentials", "scope": "repo"]

    private func scene(_ faults: String...) throws -> Scene {
        let parsed = try faults.map { try Fault(parsing: $0) }
        return try Scene { $0.faults = parsed }
    }

    @Test("faults hit as many requests as they say, after as many as they say")
    func count() throws {
        let scene = try scene("token:503x2,after=1,retry-after=7", "token:500,after=4")
        let responses = (0..<6).map { _ in scene.token(form) }
        #expect(responses.map(\.status) == [200, 503, 503, 200, 500, 500])
        #expect(responses[1].header("Retry-After") == "7" && responses[4].header("Retry-After") == nil)
        // As from a gateway: without an error code.
        #expect(responses[1].error == nil && responses[1].header("Content-Type") == "text/html; charset=utf-8")
        #expect(scene.get("/jwks").status == 200, "other endpoints are well")
    }

    @Test("faults are carried out or not, as their kind says")
    func kinds() throws {
        for (fault, isSpent) in [
            ("reset", false), ("lost", true), ("html", false), ("truncated", true), ("slow=2", true),
        ] {
            let scene = try scene("token:\(fault)x1")
            let exchange = Scene.exchange(try scene.code())
            let hit = scene.token(exchange)
            #expect(scene.token(exchange).error == (isSpent ? "invalid_grant" : nil), "\(fault)")
            switch (fault, hit.content) {
            case ("reset", .reset), ("lost", .reset): break
            case ("html", .bytes): #expect(hit.header("Content-Type") == "text/html; charset=utf-8")
            case ("truncated", .truncated(let bytes, let announced)): #expect(announced / 2 == bytes.count)
            case ("slow=2", .bytes): #expect(hit.delay == 2)
            default: Issue.record("\(fault): \(hit)")
            }
        }
    }

    @Test("faults give error codes as the endpoint gives its own")
    func errors() throws {
        #expect(try scene("token:error=invalid_grant").token(form).error == "invalid_grant")
        let client = try scene("token:error=invalid_client").token(form)
        #expect(client.status == 401)
        let fault = try Fault(parsing: "token:error=x_y,retry-after=3")
        let odd = try Scene {
            $0.faults = [fault]
            $0.answersFormEncoded = true
            $0.answersErrorsWith200 = true
        }.token(form)
        #expect(odd.status == 200 && odd.text.hasPrefix("error=x_y&") && odd.header("Retry-After") == "3")
        #expect(try client.challenge().scheme == "basic")
        let scene = try scene("api:error=invalid_tokenx1", "api:error=insufficient_scopex1")
        let token = try scene.accessToken()
        for (status, error) in [(401, "invalid_token"), (403, "insufficient_scope"), (200, nil)] {
            let response = scene.call("/user", token)
            #expect(response.status == status)
            #expect(
                AuthenticationChallenge.parse(response.headers.values(of: "WWW-Authenticate")).first?["error"] == error)
        }
    }

    @Test(
        "a status that needs a challenge has the one of its endpoint",
        arguments: [
            ("token", "/token", "basic", "invalid_client"), ("par", "/par", "basic", "invalid_client"),
            ("revoke", "/revoke", "basic", "invalid_client"), ("api", "/user", "bearer", "invalid_token"),
            ("userinfo", "/userinfo", "bearer", "invalid_token"),
        ])
    func unauthorized(endpoint: String, path: String, scheme: String, error: String) throws {
        let response = try scene("\(endpoint):401").get(path)
        #expect(response.status == 401 && response.error == error)
        #expect(try response.challenge().scheme == scheme)
    }

    @Test("a fault has a status and a code, if both are asked for")
    func codeWithStatus() throws {
        let response = try scene("token:503+error=temporarily_unavailable,retry-after=2").token(form)
        #expect(response.status == 503 && response.error == "temporarily_unavailable")
        #expect(response.header("Retry-After") == "2")
        let page = try scene("authorize:400").get("/authorize", Scene.authorization)
        #expect(page.status == 400 && page.text.contains("<h1>"), "a browser gets a page")
    }

    @Test(
        "a member of the token response is missing or wrong, as the fault says",
        arguments: [
            ("without=expires_in", "expires_in", nil), ("without=refresh_token", "refresh_token", nil),
            ("wrong=token_type", "token_type", .string("mac")), ("wrong=scope", "scope", .string("openid email")),
            ("wrong=expires_in", "expires_in", .string("3600")),
        ] as [(String, String, JSON?)])
    func member(fault: String, name: String, value: JSON?) throws {
        let answer = try scene("token:\(fault)").login()
        #expect(answer[name] == value && answer["access_token"] != nil)
    }

    @Test(
        "a fault of content that changes nothing is known, so that the sandbox can warn",
        arguments: [
            ("token:wrong=foo", true), ("token:without=id_token.foo", true), ("token:without=scope", false),
            ("token:wrong=id_token.aud", false), ("token:html", false), ("authorize:without=foo", true),
            ("authorize:without=iss", false),
        ])
    func idle(fault: String, isIdle: Bool) throws {
        let scene = try scene(fault)
        if fault.hasPrefix("token") {
            _ = try? scene.login()
        } else {
            _ = scene.get("/authorize", Scene.authorization)
        }
        #expect(scene.server.idleFault == (isIdle ? fault : nil))
        _ = scene.get("/jwks")
        #expect(scene.server.idleFault == nil)
    }

    @Test("a fault that no request met, or that changed nothing, is unused")
    func unused() throws {
        let scene = try scene("token:503x1", "token:without=foo", "introspect:wrong=active", "jwks:503,after=1")
        #expect(scene.server.unusedFaults.count == 4)
        for _ in 0..<2 { _ = scene.token(form) }
        _ = scene.get("/jwks")
        #expect(scene.server.unusedFaults == ["token:without=foo", "introspect:wrong=active", "jwks:503"])
        _ = scene.get("/jwks")
        #expect(scene.server.unusedFaults == ["token:without=foo", "introspect:wrong=active"])
    }

    @Test("CIBA and the logout have faults of their own")
    func places() throws {
        let scene = try scene(
            "ciba:error=unknown_user_idx1", "ciba:wrong=interval", "logout:400x1", "logout:error=x_yx1")
        let client: Form = ["client_id": "sandbox", "client_secret": Scene.secret]
        let ciba = client.with(["scope": "openid", "login_hint": "ada"])
        #expect(scene.post("/bc-authorize", ciba).error == "unknown_user_id")
        #expect(try scene.post("/bc-authorize", ciba).object()["interval"] == .string("1"))
        for _ in 0..<2 {
            let page = scene.get("/logout")
            #expect(page.status == 400)
            #expect(page.text.contains("<h1>"), "a browser gets a page")
        }
        #expect(scene.get("/logout").status == 200)
        #expect(scene.get("/authorize", Scene.authorization).status == 303)
        #expect(scene.server.unusedFaults.isEmpty)
    }

    @Test("a claim of the ID token is missing or wrong, under a good signature")
    func claim() throws {
        for (claim, value) in [
            ("aud", JSON.string("wrong-sandbox")), ("iss", .string("https://wrong.example")),
            ("nonce", .string("wrong-n")), ("exp", .integer(1_800_000_000 - 3600)),
        ] {
            let scene = try scene("token:wrong=id_token.\(claim)")
            let answer = try scene.login()
            #expect(try answer.claims("id_token")[claim] == value)
            let token = try JSONWebSignature(parsing: answer.text("id_token"))
            let key = try #require(scene.get("/jwks").object()["keys"]?.array?.first?.object)
            try token.verify(with: JSONWebKey(key), allowing: [.es256])
        }
        #expect(try scene("token:without=id_token.nonce").login().claims("id_token")["nonce"] == nil)
        let (signed, other) = (try Scene().login(), try scene("token:wrong=id_token.signature").login())
        #expect(try signed.claims("id_token")["sub"] == other.claims("id_token")["sub"])
        let token = try JSONWebSignature(parsing: other.text("id_token"))
        let key = try #require(scene().get("/jwks").object()["keys"]?.array?.first?.object)
        #expect(throws: JOSEError.self) { try token.verify(with: JSONWebKey(key), allowing: [.es256]) }
        let none = try scene("token:wrong=id_token.alg").login().text("id_token")
        #expect(none.hasSuffix(".") && none.hasPrefix(Base64.encodeURL(Array(#"{"alg":"none""#.utf8)).prefix(16)))
    }

    @Test("a parameter of the redirect is missing or wrong, and the others are as they were")
    func parameter() throws {
        let wrong = try scene("authorize:wrong=state").get("/authorize", Scene.authorization).redirect()
        #expect(wrong["state"] == "wrong-s t" && wrong["iss"] == Scene.issuer && wrong["code"] != nil)
        let other = try scene("authorize:wrong=iss").get(
            "/authorize", Scene.authorization.with(["response_mode": "fragment"])
        ).redirect("#")
        #expect(other["iss"] == "https://wrong.example" && other["state"] == "s t")
        let without = try scene("authorize:without=iss").get("/authorize", Scene.authorization).redirect()
        #expect(without["iss"] == nil && without["state"] == "s t")
        #expect(
            try scene("discovery:wrong=issuer").get("/.well-known/openid-configuration").object()["issuer"]
                == .string("https://wrong.example"))
    }

    @Test("a member is wrong in a form too, where the answer is one")
    func inForm() throws {
        let change: Form = ["response_mode": "form_post"]
        let page = try scene("authorize:wrong=state").get("/authorize", Scene.authorization.with(change))
        #expect(page.text.contains("name=\"state\" value=\"wrong-s t\">") && page.text.contains("name=\"code\""))
        let without = try scene("authorize:without=iss").get("/authorize", Scene.authorization.with(change))
        #expect(!without.text.contains("name=\"iss\"") && without.text.contains("name=\"state\" value=\"s t\">"))
        let fault = try Fault(parsing: "token:wrong=token_type")
        let scene = try Scene {
            $0.faults = [fault]
            $0.answersFormEncoded = true
        }
        let pairs = try FormEncoding.parse(scene.token(self.form).text)
        #expect(pairs.first { $0.name == "token_type" }?.value == "mac" && pairs.count == 4)
    }

    @Test("faults are there for every endpoint")
    func endpoints() throws {
        let paths: [Endpoint: String] = [
            .authorize: "/authorize", .token: "/token", .par: "/par", .device: "/device", .ciba: "/ciba",
            .introspect: "/introspect", .revoke: "/revoke", .register: "/register",
            .discovery: "/.well-known/openid-configuration", .jwks: "/jwks", .userinfo: "/userinfo",
            .logout: "/logout", .identity: "/job-identity", .api: "/user",
        ]
        for endpoint in Endpoint.allCases {
            let scene = try scene("\(endpoint.rawValue):599")
            let path = try #require(paths[endpoint])
            #expect(scene.get(path).status == 599)
            #expect(scene.get(path == "/user" ? "/jwks" : "/user").status != 599)
        }
    }

    @Test(
        "faults are written to the letter, or refused",
        arguments: [
            "", "token", "token:", "token:200", "token:600", "token:0503", "token:503x0", "token:503x", "token:503x-1",
            "token:503,", "token:503,retry-after", "token:503,retry-after=x", "token:503,later=1", "Token:503",
            "token:slow", "token:slow=", "token:slow=-1", "token:slow=1e3", "token:error=", "token:error=a b",
            "token:RESET", "token:without=", "token:wrong=a b", "token:503+error", "token:200+error=x", " token:503",
            "token :503", "token:503 ", "token:503;x2",
        ])
    func refused(text: String) {
        #expect(throws: FaultSyntaxError.self) { try Fault(parsing: text) }
    }

    @Test(
        "the refusal of a fault names what is wrong with it",
        arguments: [
            ("tokn:503", "there is no endpoint \"tokn\""),
            ("503", "a fault begins with the name of an endpoint and a colon"),
            ("token", "after token, a colon and a fault must follow"), ("token:50", "unknown fault of token"),
        ])
    func refusal(text: String, message: String) {
        #expect(#expect(throws: FaultSyntaxError.self) { try Fault(parsing: text) }?.message == message)
    }

    @Test("faults are read from their text")
    func parsed() throws {
        let fault = try Fault(parsing: "api:slow=0.25x3,after=2,retry-after=1")
        #expect(fault.endpoint == .api && fault.kind == .slow(0.25))
        #expect(fault.count == 3 && fault.skipped == 2 && fault.retryAfter == 1)
        #expect(try Fault(parsing: "token:error=expired_token").kind == .error("expired_token"))
        #expect(try Fault(parsing: "api:503+error=x").kind == .error("x", status: 503))
        #expect(try Fault(parsing: "token:wrong=id_token.expx2").kind == .wrong("id_token.exp"))
    }
}
