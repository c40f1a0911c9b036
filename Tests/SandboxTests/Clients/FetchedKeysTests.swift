import JOSE
import Sandbox
import Testing
import Wire

@Suite("The keys at a jwks_uri") struct FetchedKeysTests {
    private static let url = "http://127.0.0.1:5001/jwks"
    private let form: Form = ["grant_type": "client_credentials", "scope": "repo"]

    /// The document with these keys.
    private func document(_ keys: [JSONObject?]) -> Result<[UInt8], SandboxError> {
        .success(JSON.object(["keys": .array(keys.compactMap { $0.map { .object($0) } })]).bytes)
    }

    /// A client that authenticates with its key, which is at its `jwks_uri`.
    private func client(_ scene: Scene, _ metadata: JSONObject = [:]) throws -> SigningClient {
        var members: JSONObject = [
            "jwks": .null, "jwks_uri": .string(Self.url), "token_endpoint_auth_method": .string("private_key_jwt"),
            "grant_types": .strings(["authorization_code", "client_credentials"]),
        ]
        for member in metadata.members { members[member.name] = member.value }
        let client = try SigningClient(scene, .es256, members)
        let key = client.key.publicKey
        scene.keySets = { _ in document([key]) }
        return client
    }

    /// A token request with an assertion by a key.
    private func token(_ client: SigningClient, _ key: borrowing SigningKey, id: String? = nil) throws
        -> SandboxResponse
    {
        let scene = client.scene
        let claims: JSONObject = [
            "iss": .string(try client.id), "sub": .string(try client.id), "aud": .string(Scene.issuer),
            "exp": .integer(scene.now + 60),
            "jti": .string("\(scene.fetched.count) \(UInt64.random(in: 0...UInt64.max))"),
        ]
        let header: JSONObject = id.map { ["kid": .string($0)] } ?? [:]
        let change: Form = [
            "client_assertion": try key.sign(JSON.object(claims).bytes, header: header),
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        ]
        return scene.token(form.with(change), headers: [])
    }

    private func reason(_ response: SandboxResponse) throws -> String {
        #expect(response.status == 401 && response.error == "invalid_client", "\(response.text)")
        return try response.object().text("error_description")
    }

    @Test("the keys at a jwks_uri are fetched with the first assertion, and then kept")
    func assertion() throws {
        let scene = try Scene()
        let client = try client(scene)
        #expect(client.client["jwks_uri"] == .string(Self.url) && client.client["jwks"] == nil)
        #expect(scene.fetched.isEmpty)
        for _ in 0..<3 { #expect(try token(client, client.key).status == 200) }
        #expect(scene.fetched == [Self.url])
    }

    @Test("the keys at a jwks_uri are fetched again when none has made the signature, also under the same kid")
    func rotation() throws {
        let scene = try Scene()
        let client = try client(scene)
        #expect(try token(client, client.key).status == 200)
        let other = try SigningKey(generatedFor: .es256)
        let members = other.publicKey
        #expect(try reason(token(client, other)).contains(" at \(Self.url)"), "it is not there yet")
        scene.keySets = { _ in document([members]) }
        #expect(try token(client, other).status == 200)
        #expect(try token(client, client.key).status == 401, "the old key is no longer there")

        let name = try #require(members?["kid"]?.string)
        let third = try SigningKey(generatedFor: .es256)
        var renamed = third.publicKey
        renamed?["kid"] = .string(name)
        scene.keySets = { [renamed] _ in document([renamed]) }
        scene.fetched = []
        #expect(try token(client, third, id: name).status == 200)
        #expect(scene.fetched.count == 1)
    }

    @Test("the keys at a jwks_uri verify request objects, plain and pushed, and assertions of the JWT bearer grant")
    func objects() throws {
        for path in ["/authorize", "/par", "/token"] {
            let scene = try Scene()
            let client = try client(scene, ["token_endpoint_auth_method": .string("client_secret_basic")])
            let basic = try Scene.basic(client.id, client.client.text("client_secret"))
            switch path {
            case "/authorize": #expect(try client.request(client.sign()).redirect()["code"] != nil)
            case "/par": #expect(try client.push(client.sign()).status == 201)
            default:
                let assertion = try client.sign(["sub": .string("ada"), "exp": .integer(scene.now + 60)])
                let grant: Form = ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion]
                #expect(scene.post("/token", grant, headers: [Scene.basic()]).status == 200)
                #expect(scene.post("/token", grant, headers: [basic]).error == "unauthorized_client")
            }
            #expect(scene.fetched == [Self.url], "\(path)")
        }
    }

    @Test("the keys at a jwks_uri are fetched also where a request object does not name the client")
    func nameless() throws {
        let scene = try Scene()
        let client = try client(scene, ["token_endpoint_auth_method": .string("client_secret_basic")])
        let reason = "the request object is refused: it has no client_id that is a string"
        let object = try client.sign(["client_id": .null, "iss": .null])
        #expect(try client.request(object).redirect()["error_description"] == reason)
        scene.keySets = { _ in .failure(SandboxError("they are there already")) }
        let pushed = try client.push(try client.sign(["client_id": .null]))
        #expect(try pushed.object().text("error_description") == reason)
        #expect(scene.fetched.count == 1)
        let other = try self.client(scene, ["token_endpoint_auth_method": .string("client_secret_basic")])
        let first = try other.push(try other.sign(["client_id": .null]))
        #expect(try first.object().text("error_description") == reason)
    }

    @Test(
        "the reason is named when the keys at a jwks_uri cannot be fetched",
        arguments: [
            (
                .failure(SandboxError("connection to 127.0.0.1 port 1 refused")),
                "connection to 127.0.0.1 port 1 refused"
            ),
            (.success(Array("<html>".utf8)), "the response is not a JWK Set"),
            (.success(Array("[]".utf8)), "the response is not a JWK Set"),
            (.success(Array("{\"keys\": {}}".utf8)), "the response is not a JWK Set"),
        ] as [(Result<[UInt8], SandboxError>, String)])
    func failure(answer: Result<[UInt8], SandboxError>, cause: String) throws {
        let scene = try Scene()
        let client = try client(scene)
        let good = scene.keySets
        scene.keySets = { _ in answer }
        let sentence = "the keys at \(Self.url) could not be fetched: \(cause)"
        #expect(try reason(token(client, client.key)) == "the assertion is refused: \(sentence)")
        scene.keySets = good
        #expect(try token(client, client.key).status == 200)
        scene.keySets = { _ in answer }
        let other = try SigningKey(generatedFor: .es256)
        #expect(try reason(token(client, other)) == "the assertion is refused: \(sentence)")
        #expect(try token(client, client.key).status == 200, "the keys before are still good")
    }

    @Test("a fetch that failed before is not the reason why a signature under HMAC is wrong")
    func failureBefore() throws {
        let scene = try Scene()
        let client = try client(scene, ["token_endpoint_auth_method": .string("client_secret_basic")])
        scene.keySets = { _ in .failure(SandboxError("no answer")) }
        let failed = try client.push(client.sign()).object().text("error_description")
        #expect(failed.hasSuffix("could not be fetched: no answer"), "\(failed)")
        let secret = try SigningKey(secret: [UInt8](repeating: 7, count: 32), algorithm: .hs256)
        let pushed = try client.push(secret.sign(JSON.object(client.claims()).bytes))
        let reason = "the request object is refused: it is not signed with a key of the client"
        #expect(try pushed.object().text("error_description") == reason)
    }

    @Test("keys at a jwks_uri that are not understood are ignored, and a secret there is none of the client")
    func unusable() throws {
        let scene = try Scene()
        let client = try client(scene)
        let key = client.key.publicKey
        let secret = Array(repeating: UInt8(7), count: 64)
        let shared: JSONObject = ["kty": .string("oct"), "k": .string(Base64.encodeURL(secret))]
        scene.keySets = { _ in document([["kty": .string("new")], shared, key]) }
        #expect(try token(client, client.key).status == 200)
        #expect(try token(client, SigningKey(secret: secret, algorithm: .hs256)).error == "invalid_client")
        scene.keySets = { _ in document([shared]) }
        let other = try SigningKey(generatedFor: .es256)
        #expect(try reason(token(client, other)).contains("the client has no key with the kty EC"))
    }

    @Test("the certificate of a client may be in the keys at its jwks_uri")
    func certificate() throws {
        let scene = try Scene { $0.takesCertificates = true }
        let client = try client(scene, ["token_endpoint_auth_method": .string("self_signed_tls_client_auth")])
        var key = client.key.publicKey
        key?["x5c"] = .strings([Base64.encode([1, 2, 3])])
        scene.keySets = { [key] _ in document([key]) }
        scene.certificate = ClientCertificate(der: [1, 2, 3], isTrusted: false, subject: "CN=any")
        let request = form.with(["client_id": try client.id])
        for _ in 0..<2 { #expect(scene.token(request, headers: []).status == 200) }
        #expect(scene.fetched == [Self.url])
        scene.certificate = ClientCertificate(der: [4], isTrusted: true, subject: "CN=other")
        #expect(scene.token(request, headers: []).error == "invalid_client")
    }

    @Test("nothing is fetched for a client without a jwks_uri, for HMAC, or away from the endpoints that verify")
    func needless() throws {
        let scene = try Scene()
        let known = try SigningClient(scene)
        let other = try SigningKey(generatedFor: .es256)
        #expect(try known.push(other.sign(JSON.object(known.claims()).bytes)).status == 400)
        let client = try client(scene)
        let secret = try SigningKey(secret: Array(Scene.secret.utf8), algorithm: .hs256)
        #expect(try token(client, secret).status == 401)
        #expect(scene.get("/jwks", ["request": try client.sign()]).status == 200)
        #expect(scene.get("/echo", ["request": try client.sign()]).status == 401)
        #expect(scene.fetched.isEmpty)
    }

    @Test("a client of one's own may have a jwks_uri")
    func own() throws {
        let key = try SigningKey(generatedFor: .es256)
        let members = key.publicKey
        let scene = try Scene {
            let document: JSONObject = [
                "client_id": .string("mine"), "jwks_uri": .string(Self.url),
                "grant_types": .strings(["client_credentials"]),
                "token_endpoint_auth_method": .string("private_key_jwt"),
            ]
            $0.clients = [try Client(own: document, settings: $0)]
        }
        scene.keySets = { _ in document([members]) }
        let claims: JSONObject = [
            "iss": .string("mine"), "sub": .string("mine"), "aud": .string(Scene.issuer),
            "exp": .integer(scene.now + 60),
        ]
        let change: Form = [
            "client_assertion": try key.sign(JSON.object(claims).bytes),
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        ]
        #expect(scene.token(form.with(change), headers: []).status == 200)
    }
}
