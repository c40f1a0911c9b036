import Sandbox
import Testing
import Wire

@Suite("Scripts of other origins") struct CrossOriginTests {
    private func origin(_ text: String) -> [HTTPField] { [HTTPField("Origin", text)] }

    @Test(
        "a script from loopback reads what the server answers to it, also the errors",
        arguments: ["http://localhost:5173", "http://127.0.0.1:4000", "http://[::1]:1"])
    func read(from text: String) throws {
        let scene = try Scene()
        for path in ["/.well-known/openid-configuration", "/jwks", "/userinfo", "/user", "/gists/public"] {
            let response = scene.get(path, headers: origin(text))
            #expect(response.header("Access-Control-Allow-Origin") == text, "\(path)")
            #expect(response.header("Vary") == "Origin")
        }
        let token = scene.post("/token", ["grant_type": "x"], headers: origin(text))
        #expect(token.header("Access-Control-Allow-Origin") == text)
    }

    @Test("a script may send the fields that a client needs, with the methods that the endpoint has")
    func preflight() throws {
        let asks = origin("http://localhost:5173") + [HTTPField("Access-Control-Request-Method", "POST")]
        let scene = try Scene { $0.faults = [try Fault(parsing: "token:503")] }
        let response = scene.send("OPTIONS", "/token", headers: asks)
        #expect(response.status == 204 && response.header("Access-Control-Allow-Methods") == "POST")
        #expect(response.header("Access-Control-Allow-Headers") == "Authorization, Content-Type, DPoP")
        #expect(scene.send("OPTIONS", "/user", headers: asks).status == 204)
        #expect(scene.send("OPTIONS", "/token").status == 503, "without an origin it is a request as any other")
    }

    @Test(
        "a script of another site reads nothing, and none reads a page",
        arguments: [
            ("https://evil.example", "/jwks"), ("null", "/jwks"), ("http://127.0.0.1.evil.example", "/jwks"),
            ("http://localhost:5173", "/authorize"), ("http://localhost:5173", "/device"),
        ])
    func closed(text: String, path: String) throws {
        #expect(try Scene().get(path, headers: origin(text)).header("Access-Control-Allow-Origin") == nil)
    }

    @Test("a script of a redirect URI's origin reads what it needs")
    func redirectURI() throws {
        let scene = try Scene { $0.redirectURIs = ["https://app.example/cb"] }
        let response = scene.get("/jwks", headers: origin("https://app.example"))
        #expect(response.header("Access-Control-Allow-Origin") == "https://app.example")
    }
}
