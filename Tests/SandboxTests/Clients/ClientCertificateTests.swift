import JOSE
import Sandbox
import TestSupport
import Testing
import Wire

@Suite("Client certificates at the sandbox") struct ClientCertificateTests {
    private static let der: [UInt8] = [1, 2, 3]
    private static let own = ClientCertificate(
        der: der, isTrusted: true, subject: "CN=ci,O=Example",
        names: [("dns", "ci.test"), ("uri", "spiffe://a/b"), ("ip", "10.0.0.1"), ("email", "ci@example.org")])
    private static let other = ClientCertificate(der: [4], isTrusted: true, subject: "CN=other")

    /// A sandbox that takes certificates, and the client of a registration with this metadata.
    private static func scene(_ metadata: JSONObject) throws -> (scene: Scene, client: String) {
        let scene = try Scene { $0.takesCertificates = true }
        var asked: JSONObject = ["grant_types": .strings(["client_credentials"])]
        for member in metadata.members { asked[member.name] = member.value }
        return (scene, try #require(try scene.register(asked)["client_id"]?.string))
    }

    private static func token(_ scene: Scene, _ client: String) -> SandboxResponse {
        scene.token(["grant_type": "client_credentials", "client_id": client], headers: [])
    }

    @Test(
        "a client authenticates with a trusted certificate that has the registered name",
        arguments: [
            ("tls_client_auth_subject_dn", "CN=ci,O=Example"), ("tls_client_auth_san_dns", "ci.test"),
            ("tls_client_auth_san_uri", "spiffe://a/b"), ("tls_client_auth_san_ip", "10.0.0.1"),
            ("tls_client_auth_san_email", "ci@example.org"),
        ])
    func issued(member: String, value: String) throws {
        let (scene, client) = try Self.scene([
            "token_endpoint_auth_method": .string("tls_client_auth"), member: .string(value),
        ])
        scene.certificate = Self.own
        #expect(Self.token(scene, client).status == 200)
        let untrusted = ClientCertificate(
            der: [1], isTrusted: false, subject: "CN=ci,O=Example", names: [("dns", "ci.test")])
        for certificate in [Self.other, untrusted, nil] {
            scene.certificate = certificate
            let refused = Self.token(scene, client)
            #expect(refused.status == 401)
            #expect(try refused.object()["error"] == .string("invalid_client"))
        }
    }

    @Test("a client authenticates with the certificate in its jwks, whoever issued it, and with no other")
    func selfSigned() throws {
        var key = try #require(try SigningKey(generatedFor: .es256).publicKey)
        key["x5c"] = .strings([Base64.encode(Self.der)])
        let (scene, client) = try Self.scene([
            "token_endpoint_auth_method": .string("self_signed_tls_client_auth"),
            "jwks": .object(["keys": .array([.object(key)])]),
        ])
        scene.certificate = ClientCertificate(der: Self.der, isTrusted: false, subject: "CN=any")
        #expect(Self.token(scene, client).status == 200)
        scene.certificate = Self.other
        #expect(Self.token(scene, client).status == 401)
    }

    @Test("a token bound to a certificate is of use only with it, and introspection names its thumbprint")
    func bound() throws {
        let (scene, client) = try Self.scene([
            "token_endpoint_auth_method": .string("tls_client_auth"), "tls_client_auth_san_dns": .string("ci.test"),
            "tls_client_certificate_bound_access_tokens": .bool(true),
        ])
        scene.certificate = Self.own
        let token = try #require(try Self.token(scene, client).object()["access_token"]?.string)
        #expect(scene.call("/user", token).status == 200)
        let answer = try scene.post("/introspect", ["token": token, "client_id": client]).object()
        #expect(answer["cnf"]?.object?["x5t#S256"] == .string(Base64.encodeURL(Digest.sha256(Self.der))))
        for certificate in [Self.other, nil] {
            scene.certificate = certificate
            let refused = scene.call("/user", token)
            #expect(refused.status == 401)
            let challenge = refused.headers.first("WWW-Authenticate") ?? ""
            #expect(challenge.contains("error=\"invalid_token\"") && challenge.contains("certificate"))
            let exchange: Form = [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": token,
                "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
            ]
            #expect(scene.token(exchange).status == 400)
        }
    }

    @Test("the refresh token of a public client is bound to the certificate too")
    func refresh() throws {
        let (scene, client) = try Self.scene([
            "token_endpoint_auth_method": .string("none"),
            "grant_types": .strings(["authorization_code", "refresh_token"]),
            "redirect_uris": .strings([Scene.redirectURI]), "tls_client_certificate_bound_access_tokens": .bool(true),
        ])
        let code = try scene.code(["client_id": client])
        let form = Scene.exchange(code).with(["client_id": client])
        let refused = scene.token(form, headers: [])
        #expect(refused.status == 400 && refused.text.contains("mtls_endpoint_aliases"))
        scene.certificate = Self.own
        let token = try #require(try scene.token(form, headers: []).object()["refresh_token"]?.string)
        let renewal: Form = ["grant_type": "refresh_token", "refresh_token": token, "client_id": client]
        scene.certificate = Self.other
        #expect(try scene.token(renewal, headers: []).object()["error"] == .string("invalid_grant"))
        scene.certificate = Self.own
        #expect(scene.token(renewal, headers: []).status == 200)
    }

    @Test("metadata and registration offer certificates only where they are asked for")
    func metadata() throws {
        let plain = try Scene()
        let off = try plain.get("/.well-known/oauth-authorization-server").object()
        #expect(off["mtls_endpoint_aliases"] == nil)
        #expect(off["token_endpoint_auth_methods_supported"]?.strings?.contains("tls_client_auth") == false)
        let metadata: JSONObject = [
            "token_endpoint_auth_method": .string("tls_client_auth"), "tls_client_auth_san_dns": .string("ci.test"),
            "grant_types": .strings(["client_credentials"]),
        ]
        #expect(plain.post("/register", json: metadata).status == 400)

        let scene = try Scene { $0.takesCertificates = true }
        let on = try scene.get("/.well-known/oauth-authorization-server").object()
        #expect(on["mtls_endpoint_aliases"]?.object?["token_endpoint"] == .string("https://127.0.0.1:4001/token"))
        #expect(on["tls_client_certificate_bound_access_tokens"] == .bool(true))
        #expect(scene.server.clientDocument["api_base"] == .string("https://127.0.0.1:4001"))
        #expect(plain.server.clientDocument["api_base"] == .string("http://127.0.0.1:4000"))
        #expect(on["token_endpoint_auth_methods_supported"]?.strings?.contains("tls_client_auth") == true)
        for (member, value) in [("tls_client_auth_san_dns", nil), ("tls_client_auth_san_ip", JSON.string("10.0.0.1"))] {
            // None, or more than one.
            var wrong = metadata
            wrong[member] = value
            let refused = scene.post("/register", json: wrong)
            #expect(try refused.object()["error"] == .string("invalid_client_metadata"))
        }
        let keyless: JSONObject = [
            "token_endpoint_auth_method": .string("self_signed_tls_client_auth"),
            "grant_types": .strings(["client_credentials"]),
        ]
        #expect(scene.post("/register", json: keyless).text.contains("x5c"))
    }
}
