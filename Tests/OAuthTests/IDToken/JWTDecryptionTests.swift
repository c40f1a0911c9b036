import JOSE
import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Encrypted JWTs, as the client has registered them")
struct JWTDecryptionTests {
    private func decryption(
        _ members: JSONObject, for profile: JWTProfile = .idToken, hasKey: Bool = true
    ) throws -> JWTDecryption {
        let key = hasKey ? (text: try DPoPBinding.newKey(), passPhrase: String?.none) : nil
        return try JWTDecryption(for: profile, of: Document(members), key: key)
    }

    @Test("OpenID Connect Core 3.1.3.7 step 1: one that is not encrypted is refused where encryption is registered")
    func plain() throws {
        let names: [(JWTProfile, String)] = [
            (.idToken, "id_token"), (.userinfo, "userinfo"), (.introspection, "introspection"),
        ]
        for (profile, name) in names {
            let strict = try decryption(["\(name)_encrypted_response_alg": "ECDH-ES"], for: profile)
            #expect(#expect(throws: OAuthError.self) { try strict.opened("a.b.c") }?.kind == .jwtExpected)
            #expect(#expect(throws: OAuthError.self) { try strict.requireNone() }?.kind == .jwtExpected)
            let open = try decryption([:], for: profile)
            #expect(try open.opened("a.b.c") == "a.b.c")
            try open.requireNone()
        }
    }

    @Test("an encrypted ID token without a key to decrypt it says where the key is named")
    func withoutKey() throws {
        let text = try decryption([:], hasKey: false).opened("e30.e30.e30.e30.e30")
        let error = #expect(throws: OAuthError.self) { try JSONWebToken(parsing: text, as: .idToken) }
        #expect(error?.kind == .unsupported)
        #expect(error?.hint == "--client-key-file names the file of the key")
    }

    @Test("another algorithm than the registered one is refused by name")
    func other() throws {
        let part = { (text: String) in Base64.encodeURL(Array(text.utf8)) }
        let vector = Base64.encodeURL([UInt8](repeating: 0, count: 12))
        let tag = Base64.encodeURL([UInt8](repeating: 0, count: 16))
        let token = "\(part(#"{"alg":"ECDH-ES","enc":"A128GCM"}"#))..\(vector).AA.\(tag)"
        for (algorithm, encryption, member) in [("ECDH-ES+A128KW", "A128GCM", "alg"), ("ECDH-ES", "A256GCM", "enc")] {
            let members: JSONObject = [
                "id_token_encrypted_response_alg": .string(algorithm),
                "id_token_encrypted_response_enc": .string(encryption),
            ]
            let error = #expect(throws: OAuthError.self) { try decryption(members).opened(token) }
            #expect(error?.kind == .idTokenHeader && error?.member == member)
        }
    }

    @Test(
        "what cannot be decrypted is said before anything is spent",
        arguments: [
            ["id_token_encrypted_response_alg": "RSA1_5"], ["id_token_encrypted_response_alg": "dir"],
            ["id_token_encrypted_response_alg": "RSA-OAEP"], ["id_token_encrypted_response_alg": 5],
            ["id_token_encrypted_response_alg": "ECDH-ES", "id_token_encrypted_response_enc": "A256CTR"],
        ] as [JSONObject])
    func unusable(members: JSONObject) throws {
        #expect(#expect(throws: OAuthError.self) { try decryption(members) }?.kind == .usage)
        let ecdh: JSONObject = ["id_token_encrypted_response_alg": "ECDH-ES"]
        #expect(#expect(throws: OAuthError.self) { try decryption(ecdh, hasKey: false) }?.kind == .usage)
    }

    @Test("a login that would bring what cannot be read does not begin, in each of its forms")
    func unreadable() throws {
        let other: JSONObject = [
            "client_id": "c", "device_authorization_endpoint": "https://as.example/d", "login_hint": "ada",
            "backchannel_authentication_endpoint": "https://as.example/b",
        ]
        let forms: [(JSONObject) throws -> Void] = [
            { _ = try AuthorizationRequest.example($0) },
            { _ = try DeviceAuthorizationRequest(of: Document(other.with($0))) },
            { _ = try BackchannelAuthenticationRequest(of: Document(other.with($0))) },
        ]
        for (name, begin) in ["id_token", "userinfo"].flatMap({ name in forms.map { (name, $0) } }) {
            let (algorithm, encryption) = ("\(name)_encrypted_response_alg", "\(name)_encrypted_response_enc")
            for (alg, enc, value) in [("RSA1_5", "A128GCM", "RSA1_5"), ("ECDH-ES", "A256CTR", "A256CTR")] {
                let members: JSONObject = [algorithm: .string(alg), encryption: .string(enc)]
                let error = #expect(throws: OAuthError.self) { try begin(members.with(["scope": "openid"])) }
                let member = value == alg ? algorithm : encryption
                #expect(error?.message == "\(member) \(value) is not supported" && error?.kind == .usage)
                try begin(members.with(["scope": "read"]))
            }
            for enc in JSONWebEncryption.encryptions {
                try begin(["scope": "openid", algorithm: "RSA-OAEP", encryption: .string(enc)])
            }
        }
        let encrypted: JSONObject = ["authorization_encrypted_response_alg": "ECDH-ES", "issuer": "https://as.example"]
        _ = try AuthorizationRequest.example(encrypted)
        let error = #expect(throws: OAuthError.self) {
            try AuthorizationRequest.example(encrypted.with(["response_mode": "jwt"]))
        }
        #expect(error?.message == "authorization_encrypted_response_alg ECDH-ES is not supported")
    }

    @Test("FAPI 2.0, section 5.4.1: with the profile fapi2 only its algorithms count")
    func profile() {
        let fapi: JSONObject = ["profile": "fapi2"]
        let all: Set<SignatureAlgorithm> = [.ps256, .es256, .edDSA, .ed25519]
        #expect(JWTProfile.idToken.algorithms(for: fapi) == all)
        #expect(JWTProfile.userinfo.algorithms(for: fapi) == all)
        #expect(JWTProfile.idToken.algorithms(for: fapi.with(["id_token_signed_response_alg": "RS256"])).isEmpty)
        let listed = fapi.with(["id_token_signing_alg_values_supported": .strings(["RS256", "PS256"])])
        #expect(JWTProfile.idToken.algorithms(for: listed) == [.ps256])
    }
}
