import Sandbox
import Testing
import Wire

@Suite("The end of a session") struct EndSessionTests {
    @Test("a session ends by an ID token of the sandbox, also when that has expired, and by no other")
    func hint() throws {
        let scene = try Scene()
        let token = try #require(try scene.login()["id_token"]?.string)
        scene.now += 1_000_000
        #expect(scene.get("/logout", ["id_token_hint": token]).status == 200)
        #expect(scene.post("/logout", ["id_token_hint": token]).status == 200)
        #expect(scene.get("/logout", ["client_id": "sandbox"]).status == 200)
        #expect(scene.get("/logout", ["id_token_hint": "e30.e30."]).status == 400)
        let elsewhere = scene.get("/logout", ["post_logout_redirect_uri": "https://app.example/"])
        #expect(elsewhere.status == 400 && elsewhere.header("Location") == nil)
    }

    @Test("a session ends with a redirect to where its client has registered, with the state")
    func redirect() throws {
        let scene = try Scene()
        let client = try scene.register([
            "redirect_uris": .array([.string(Scene.redirectURI)]),
            "post_logout_redirect_uris": .array([.string("https://app.example/bye")]),
        ])
        let id = try client.text("client_id")
        let form: Form = ["client_id": id, "post_logout_redirect_uri": "https://app.example/bye", "state": "s t"]
        let redirect = try scene.get("/logout", form).redirect()
        #expect(redirect == ["": "https://app.example/bye", "state": "s t"])
        for uri in ["https://app.example/", Scene.redirectURI] {
            let refused = scene.get("/logout", form.with(["post_logout_redirect_uri": uri]))
            #expect(refused.status == 400 && refused.header("Location") == nil)
        }
        let token = try #require(try scene.login()["id_token"]?.string)
        let own: Form = ["id_token_hint": token, "post_logout_redirect_uri": Scene.redirectURI]
        #expect(try scene.get("/logout", own).redirect()[""] == Scene.redirectURI)
        #expect(scene.get("/logout", own.with(["client_id": id])).status == 400)
    }

    @Test("a session ends at exactly a URI of post_logout_redirect_uris, registered or in a document of one's own")
    func exact() throws {
        let metadata: JSONObject = [
            "redirect_uris": .strings(["https://app.example/cb"]),
            "post_logout_redirect_uris": .strings(["http://127.0.0.1:7000/bye"]),
        ]
        let scene = try Scene { $0.clients = [try Client(own: metadata.named("mine"), settings: $0)] }
        for id in [try scene.register(metadata).text("client_id"), "mine"] {
            for (uri, isRight) in [
                ("http://127.0.0.1:7000/bye", true), ("http://127.0.0.1:7001/bye", false),
                ("https://app.example/cb", false),
            ] {
                let response = scene.get("/logout", ["client_id": id, "post_logout_redirect_uri": uri])
                #expect(response.status == (isRight ? 303 : 400), "\(id) to \(uri)")
                #expect(response.header("Location") == (isRight ? uri : nil))
            }
        }
    }

    @Test("a session of a client of one's own without post_logout_redirect_uris ends at a redirect URI, on any port")
    func loginURI() throws {
        let metadata: JSONObject = ["redirect_uris": .strings(["http://127.0.0.1/cb"])]
        let scene = try Scene { $0.clients = [try Client(own: metadata.named("mine"), settings: $0)] }
        let form: Form = ["client_id": "mine", "post_logout_redirect_uri": "http://127.0.0.1:7000/cb"]
        #expect(try scene.get("/logout", form).redirect()[""] == "http://127.0.0.1:7000/cb")
        let elsewhere = scene.get("/logout", form.with(["post_logout_redirect_uri": "http://127.0.0.1:7000/other"]))
        #expect(elsewhere.status == 400 && elsewhere.text.contains("http://127.0.0.1/cb"), "the page shows what is")
        let registered = try scene.register(metadata).text("client_id")
        #expect(scene.get("/logout", form.with(["client_id": registered])).status == 400)
    }
}

extension JSONObject {
    /// The metadata of a public client with this identifier.
    fileprivate func named(_ id: String) -> JSONObject {
        var document = self
        document["client_id"] = .string(id)
        return document
    }
}
