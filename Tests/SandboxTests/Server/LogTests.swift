import Sandbox
import Testing
import Wire

@Suite("The log") struct LogTests {
    private let type = HTTPField("Content-Type", "application/x-www-form-urlencoded")

    private func entry(
        _ scene: Scene, _ method: String, _ path: String, query: String? = nil, headers: [HTTPField] = [],
        body: String = ""
    ) -> JSONObject {
        let request = SandboxRequest(
            method: method, path: path, query: query, headers: headers, body: Array(body.utf8))
        return scene.server.logEntry(request, scene.server.respond(to: request, now: scene.now))
    }

    @Test("the log names the client, the grant and the outcome of a request, and masks its secrets")
    func token() throws {
        let scene = try Scene()
        let code = try scene.code()
        let form = Scene.exchange(code)
        let good = entry(scene, "POST", "/token", headers: [type, Scene.basic()], body: form.text)
        #expect(good["client"] == .string("sandbox") && good["grant_type"] == .string("authorization_code"))
        #expect(good["status"] == .integer(200) && good["error"] == nil)
        #expect(good["authorization"] == .string("Basic ***"))
        let parameters = try #require(good["parameters"]?.object)
        #expect(parameters["code"] == .string("***") && parameters["code_verifier"] == .string("***"))
        #expect(parameters["redirect_uri"] == .string(Scene.redirectURI))

        let refused = entry(scene, "POST", "/token", headers: [type, Scene.basic()], body: form.text)
        #expect(refused["error"] == .string("invalid_grant"))
        #expect(refused["error_description"]?.string?.hasPrefix("the code was used before") == true)
        for line in [good, refused] {
            for secret in [code, Scene.secret, Scene.verifier, "access_", "refresh_"] {
                #expect(!JSON.object(line).text.contains(secret), "\(JSON.object(line).text)")
            }
        }
    }

    @Test("the log tells why a page refuses a request, and what a redirect tells the client")
    func page() throws {
        let scene = try Scene()
        let page = entry(scene, "GET", "/authorize", query: Scene.authorization.with(["redirect_uri": "x:/"]).text)
        #expect(page["client"] == .string("sandbox") && page["error"] == .string("invalid_request"))
        #expect(page["error_description"]?.string?.hasPrefix("redirect_uri is not registered") == true)
        let redirect = entry(scene, "GET", "/authorize", query: Scene.authorization.with(["scope": "admin"]).text)
        #expect(redirect["error"] == .string("invalid_scope") && redirect["status"] == .integer(303))
        let other = entry(scene, "GET", "/jwks")
        #expect(other["error"] == nil && other["client"] == nil, "nothing is left of the request before")
    }

    @Test("the log names the fault, and the client of an access token")
    func fault() throws {
        let scene = try Scene { $0.faults = [try Fault(parsing: "api:resetx1,after=1")] }
        let token = HTTPField("Authorization", "Bearer \(try scene.accessToken())")
        #expect(entry(scene, "GET", "/user", headers: [token])["client"] == .string("sandbox"))
        let line = entry(scene, "GET", "/user", headers: [token])
        #expect(line["fault"] == .string("api:resetx1") && line["status"] == .null)
    }
}
