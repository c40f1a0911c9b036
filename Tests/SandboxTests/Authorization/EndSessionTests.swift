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
}
