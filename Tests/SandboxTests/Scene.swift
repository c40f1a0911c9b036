import JOSE
import Sandbox
import Testing
import Wire

/// A sandbox with a clock that stands still until it is moved, and what clients do with it.
final class Scene {
    /// Seconds since 1970.
    var now = 1_800_000_000
    let server: SandboxServer
    /// The certificate of the client in each request.
    var certificate: ClientCertificate?
    /// What is at the `jwks_uri` of clients.
    var keySets: (String) -> Result<[UInt8], SandboxError> = { _ in .failure(SandboxError("there is nothing")) }
    /// What was fetched.
    var fetched: [String] = []

    static let issuer = "http://127.0.0.1:4000"
    static let redirectURI = "http://127.0.0.1:5000/callback"
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    static let secret = "sandbox-secret-for-tests-and-nothing-else"

    init(issuer: String = issuer, _ configure: (inout SandboxSettings) throws -> Void = { _ in }) throws {
        var settings = SandboxSettings()
        try configure(&settings)
        var seed: UInt64 = 7
        let address = settings.takesCertificates ? "https://127.0.0.1:4001" : nil
        server = try SandboxServer(issuer: issuer, certificateAddress: address, settings: settings) { count in
            (0..<count).map { _ in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: seed >> 33)
            }
        }
    }

    func send(
        _ method: String, _ path: String, query: String? = nil, headers: [HTTPField] = [], body: [UInt8] = []
    ) -> SandboxResponse {
        let request = SandboxRequest(
            method: method, path: path, query: query, headers: headers, body: body, certificate: certificate)
        var done: Set<KeyFetch> = []
        while let fetch = server.keyFetch(for: request, without: done) {
            done.insert(fetch)
            fetched.append(fetch.url)
            _ = server.keep(keySets(fetch.url), of: fetch)
        }
        return server.respond(to: request, now: now)
    }

    /// GET with parameters; nil values are left out.
    func get(_ path: String, _ parameters: Form = [:], headers: [HTTPField] = []) -> SandboxResponse {
        send("GET", path, query: parameters.isEmpty ? nil : parameters.text, headers: headers)
    }

    /// A form.
    func post(_ path: String, _ form: Form, headers: [HTTPField] = []) -> SandboxResponse {
        let type = HTTPField("Content-Type", "application/x-www-form-urlencoded")
        return send("POST", path, headers: [type] + headers, body: Array(form.text.utf8))
    }

    /// JSON.
    func post(_ path: String, json: JSONObject, method: String = "POST", token: String? = nil) -> SandboxResponse {
        let bearer = token.map { [HTTPField("Authorization", "Bearer \($0)")] } ?? []
        return send(
            method, path, headers: [HTTPField("Content-Type", "application/json")] + bearer,
            body: JSON.object(json).bytes)
    }

    /// A token request of the confidential client.
    func token(_ form: Form, headers: [HTTPField]? = nil) -> SandboxResponse {
        post("/token", form, headers: headers ?? [Self.basic()])
    }

    /// A request to the API.
    func call(_ path: String, _ token: String, _ parameters: Form = [:], method: String = "GET") -> SandboxResponse {
        send(
            method, path, query: parameters.isEmpty ? nil : parameters.text,
            headers: [HTTPField("Authorization", "Bearer \(token)")])
    }
}

extension Scene {
    static func basic(_ id: String = "sandbox", _ secret: String = secret) -> HTTPField {
        let text = "\(FormEncoding.encode(id)):\(FormEncoding.encode(secret))"
        return HTTPField("Authorization", "Basic \(Base64.encode(text.utf8))")
    }

    /// The parameters of a good authorization request.
    static let authorization: Form = [
        "response_type": "code", "client_id": "sandbox", "redirect_uri": redirectURI, "scope": "openid email repo",
        "state": "s t", "nonce": "n", "code_challenge": challenge, "code_challenge_method": "S256",
    ]

    /// The form that trades a code.
    static func exchange(_ code: String) -> Form {
        [
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "code_verifier": verifier,
        ]
    }

    /// The code of a login.
    func code(_ change: Form = [:]) throws -> String {
        let response = get("/authorize", Self.authorization.with(change))
        return try #require(try response.redirect()["code"], "\(response)")
    }

    /// The tokens of a login.
    func login(_ change: Form = [:]) throws -> JSONObject {
        try token(Self.exchange(try code(change))).object()
    }

    /// An access token of a scope.
    func accessToken(scope: String = "openid email repo") throws -> String {
        let answer = try token(["grant_type": "client_credentials", "scope": scope]).object()
        return try #require(answer["access_token"]?.string)
    }

    /// Registers a client.
    func register(_ metadata: JSONObject) throws -> JSONObject {
        let response = post("/register", json: metadata)
        #expect(response.status == 201, "\(response.text)")
        return try response.object()
    }
}
