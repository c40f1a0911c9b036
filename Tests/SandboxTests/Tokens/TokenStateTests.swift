import Sandbox
import Testing
import Wire

@Suite("Introspection and revocation") struct TokenStateTests {
    private func introspect(_ scene: Scene, _ token: String) throws -> JSONObject {
        try scene.post("/introspect", ["token": token], headers: [Scene.basic()]).object()
    }

    @Test("introspection tells what a token is")
    func active() throws {
        let scene = try Scene()
        let login = try scene.login()
        let access = try introspect(scene, try login.text("access_token"))
        #expect(
            access == [
                "active": .bool(true), "scope": .string("openid email repo"), "client_id": .string("sandbox"),
                "sub": .string("1815"), "iss": .string(Scene.issuer), "username": .string("ada"),
                "token_type": .string("Bearer"), "exp": .integer(scene.now + 3600), "iat": .integer(scene.now),
            ])
        let refresh = try introspect(scene, try login.text("refresh_token"))
        #expect(refresh["active"] == .bool(true) && refresh["exp"] == .integer(scene.now + 14 * 86_400))
    }

    @Test("introspection tells nothing of a token that is not good")
    func inactive() throws {
        let scene = try Scene()
        let token = try scene.accessToken()
        scene.now += 3600
        for token in [token, "access_x", "refresh_x"] {
            #expect(try introspect(scene, token) == ["active": .bool(false)])
        }
    }

    @Test("introspection and revocation want a client that authenticates, and a token")
    func refused() throws {
        let scene = try Scene()
        #expect(scene.post("/introspect", ["token": "x"]).error == "invalid_client")
        #expect(scene.post("/introspect", ["token": "x", "client_id": "sandbox-public"]).error == "invalid_client")
        for path in ["/introspect", "/revoke"] {
            #expect(scene.post(path, [:], headers: [Scene.basic()]).error == "invalid_request")
            #expect(scene.post(path, ["token": "x"], headers: [Scene.basic("sandbox", "x")]).status == 401)
        }
    }

    @Test("revocation ends an access token alone, and with a refresh token all that came of the login")
    func revocation() throws {
        let scene = try Scene()
        let login = try scene.login()
        let (access, refresh) = (try login.text("access_token"), try login.text("refresh_token"))
        let form: Form = ["grant_type": "refresh_token", "refresh_token": refresh]
        let renewed = try scene.token(form).object().text("access_token")

        #expect(scene.post("/revoke", ["token": access], headers: [Scene.basic()]).status == 200)
        #expect(scene.call("/user", access).status == 401)
        #expect(scene.call("/user", renewed).status == 200)
        #expect(scene.post("/revoke", ["token": refresh], headers: [Scene.basic()]).status == 200)
        #expect(scene.call("/user", renewed).status == 401)
        #expect(scene.token(form).error == "invalid_grant")
        for token in [access, refresh, "unknown"] {
            #expect(scene.post("/revoke", ["token": token], headers: [Scene.basic()]).status == 200, "as good as done")
        }
    }

    @Test("revocation leaves another client's token alone")
    func foreign() throws {
        let scene = try Scene()
        let token = try scene.accessToken()
        let response = scene.post("/revoke", ["token": token, "client_id": "sandbox-public"])
        #expect(response.status == 400 && response.error == "invalid_grant")
        #expect(scene.call("/user", token).status == 200)
    }
}
