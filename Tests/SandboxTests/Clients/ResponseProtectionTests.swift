import JOSE
import Sandbox
import Testing
import Wire

@Suite("Responses that are signed or encrypted for the client") struct ResponseProtectionTests {
    /// A private key for encryption, and its public half.
    private static func key(_ id: String = "reader") throws -> (text: PrivateKeyText, public: JSONObject) {
        let signing = try SigningKey(generatedFor: .es256)
        var members = try #require(try signing.privateKey())
        (members["use"], members["alg"], members["kid"]) = (.string("enc"), nil, .string(id))
        var half = members
        half["d"] = nil
        return (try PrivateKeyText(JSON.object(members).text), half)
    }

    private static let encrypted: JSONObject = [
        "redirect_uris": .strings([Scene.redirectURI]), "id_token_signed_response_alg": .string("ES256"),
        "id_token_encrypted_response_alg": .string("ECDH-ES"),
    ]

    private static func asking(_ more: JSONObject) -> JSONObject {
        var members = encrypted
        for member in more.members { members[member.name] = member.value.isNull ? nil : member.value }
        return members
    }

    private static func set(_ keys: JSONObject...) -> JSON { .object(["keys": .array(keys.map { .object($0) })]) }

    /// The token response of a login.
    private func login(_ scene: Scene, _ client: JSONObject) throws -> SandboxResponse {
        let code = try scene.code(["client_id": client.text("client_id")])
        let basic = try Scene.basic(client.text("client_id"), client.text("client_secret"))
        return scene.token(Scene.exchange(code), headers: [basic])
    }

    @Test("a registration says what it will get; enc has a default, and what is not supported is left out")
    func registration() throws {
        let scene = try Scene()
        let keys = Self.set(try Self.key().public)
        let client = try scene.register(Self.asking(["jwks": keys]))
        #expect(client["id_token_encrypted_response_enc"] == .string("A128CBC-HS256"))
        #expect(client["authorization_signed_response_alg"] == .string("ES256"))
        #expect(client["userinfo_signed_response_alg"] == nil && client["userinfo_encrypted_response_alg"] == nil)
        let other = try scene.register(
            Self.asking(["jwks": keys, "id_token_encrypted_response_alg": .string("RSA1_5")]))
        #expect(other["id_token_encrypted_response_alg"] == nil)
        let members = try scene.get("/.well-known/openid-configuration").object()
        for name in ["id_token", "userinfo", "authorization"] {
            #expect(members["\(name)_encryption_alg_values_supported"]?.strings?.contains("RSA-OAEP") == true)
            #expect(members["\(name)_encryption_enc_values_supported"]?.strings?.contains("A128GCM") == true)
            #expect(members["\(name)_signing_alg_values_supported"]?.strings?.first == "RS256")
        }
    }

    @Test("without a key that fits, or with an enc alone, it is refused")
    func refused() throws {
        let scene = try Scene()
        var (signing, other) = (try Self.key().public, try Self.key().public)
        (signing["use"], other["alg"]) = (.string("sig"), .string("ECDH-ES+A128KW"))
        let rsa: JSONObject = [
            "jwks": Self.set(try Self.key().public), "id_token_encrypted_response_alg": .string("RSA-OAEP"),
        ]
        let lonely: JSONObject = [
            "id_token_encrypted_response_alg": .null, "id_token_encrypted_response_enc": .string("A128GCM"),
        ]
        for asked in [[:], ["jwks": Self.set(signing)], ["jwks": Self.set(other)], rsa, lonely] {
            let answer = scene.post("/register", json: Self.asking(asked))
            #expect(answer.status == 400 && answer.error == "invalid_client_metadata", "\(answer.text)")
        }
    }

    @Test("the keys at jwks_uri are fetched before a response is encrypted; without them there is none")
    func fetched() throws {
        let scene = try Scene()
        let key = try Self.key()
        let client = try scene.register(Self.asking(["jwks_uri": .string("http://127.0.0.1:5000/keys")]))
        let failed = try login(scene, client)
        #expect(failed.status == 500 && failed.error == "server_error" && failed.text.contains("there is nothing"))
        scene.keySets = { _ in .success(Self.set(key.public).bytes) }
        let token = try login(scene, client).object()
        let opened = try JSONWebEncryption(parsing: token.text("id_token")).decrypt(with: key.text, passPhrase: nil)
        let signed = try JSONWebSignature(parsing: String(decoding: opened, as: UTF8.self))
        #expect(try JSON(parsing: signed.payload).object?["nonce"] == .string("n"))
        let count = scene.fetched.count
        _ = try login(scene, client)
        #expect(scene.fetched.count == count)
    }

    @Test("a signed userinfo response says for whom it is; the built-in clients get JSON")
    func userinfo() throws {
        let scene = try Scene()
        let client = try scene.register(
            Self.asking([
                "id_token_encrypted_response_alg": .null, "userinfo_signed_response_alg": .string("ES256"),
            ]))
        let answer = try scene.call("/userinfo", login(scene, client).object().text("access_token"))
        let claims = try #require(try JSON(parsing: JSONWebSignature(parsing: answer.text).payload).object)
        #expect(answer.header("Content-Type") == "application/jwt")
        #expect(claims["iss"] == .string(Scene.issuer) && claims["aud"] == client["client_id"])
        #expect(try scene.call("/userinfo", scene.login().text("access_token")).object()["sub"] == claims["sub"])
    }
}
