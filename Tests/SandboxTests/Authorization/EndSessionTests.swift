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
}
