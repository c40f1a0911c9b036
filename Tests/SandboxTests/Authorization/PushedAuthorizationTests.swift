import Sandbox
import Testing
import Wire

@Suite("A pushed authorization request") struct PushedAuthorizationTests {
    private func push(_ scene: Scene, _ change: Form = [:]) -> SandboxResponse {
        scene.post("/par", Scene.authorization.with(change), headers: [Scene.basic()])
    }

    @Test("P-04 a pushed authorization request is found by its URI, once, by its client, for a minute")
    func pushed() throws {
        let scene = try Scene { $0.requiresPushedRequests = true }
        let response = push(scene)
        let answer = try response.object()
        let uri = try answer.text("request_uri")
        #expect(response.status == 201 && answer["expires_in"] == .integer(60))

        #expect(scene.get("/authorize", ["client_id": "sandbox-public", "request_uri": uri]).status == 400)
        #expect(scene.get("/authorize", ["request_uri": uri]).status == 400)
        let redirect = try scene.get("/authorize", ["client_id": "sandbox", "request_uri": uri]).redirect()
        #expect(redirect["state"] == "s t")
        #expect(scene.token(Scene.exchange(try #require(redirect["code"]))).status == 200)
        #expect(scene.get("/authorize", ["client_id": "sandbox", "request_uri": uri]).status == 400)

        let late = try push(scene).object().text("request_uri")
        scene.now += 60
        #expect(scene.get("/authorize", ["client_id": "sandbox", "request_uri": late]).status == 400)
        #expect(try scene.get("/authorize", Scene.authorization).redirect()["error"] == "invalid_request")
    }

    @Test(
        "a pushed authorization request is checked when it is pushed",
        arguments: [
            (["response_type": "token"], "unsupported_response_type"), (["scope": "admin"], "invalid_scope"),
            (["redirect_uri": "http://evil.example/"], "invalid_request"), (["code_challenge": nil], "invalid_request"),
            (["request_uri": "urn:x"], "invalid_request"),
        ] as [(Form, String)])
    func errors(change: Form, error: String) throws {
        let response = push(try Scene(), change)
        #expect(response.status == 400 && response.error == error, "\(response.text)")
    }

    @Test("at most 256 pushed authorization requests and 100 registered clients are kept, the latest ones")
    func capacity() throws {
        let scene = try Scene()
        let uris = try (0..<257).map { _ in try push(scene).object().text("request_uri") }
        func status(_ uri: String) -> Int {
            scene.get("/authorize", ["client_id": "sandbox", "request_uri": uri]).status
        }
        #expect(status(uris[0]) == 400 && status(uris[1]) == 303 && status(uris[256]) == 303)
        let asked: JSONObject = ["redirect_uris": .array([.string(Scene.redirectURI)])]
        let clients = try (0..<101).map { _ in try scene.register(asked) }
        func isKept(_ client: JSONObject) throws -> Bool {
            let form = Scene.authorization.with(["client_id": try client.text("client_id")])
            return scene.get("/authorize", form).status == 303
        }
        #expect(try !isKept(clients[0]) && isKept(clients[1]) && isKept(clients[100]))
    }

    @Test("a pushed authorization request needs a client that authenticates")
    func authentication() throws {
        #expect(try Scene().post("/par", Scene.authorization).error == "invalid_client")
    }
}
