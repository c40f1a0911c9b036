import JOSE
import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Clients that authenticate with a JWT")
struct AssertionAuthenticationTests {
    private let client: JSONObject = [
        "client_id": "c", "issuer": "https://as.example.com", "token_endpoint": "https://as.example.com/token",
        "revocation_endpoint": "https://as.example.com/revoke", "token_endpoint_auth_method": "private_key_jwt",
    ]

    private func newKey(_ algorithm: SignatureAlgorithm = .es256) throws -> (text: String, publicKey: JSONWebKey) {
        let key = try SigningKey(generatedFor: algorithm)
        let (members, publicMembers) = (try key.privateKey(), key.publicKey)
        return (JSON.object(try #require(members)).text, try JSONWebKey(#require(publicMembers)))
    }

    private func authentication(
        _ members: JSONObject, secret: String, at endpoint: String = "token_endpoint"
    ) throws -> ClientAuthentication {
        var document = Document(client.with(members))
        document.keyUse = .signing
        return try ClientAuthentication(of: document, secret: secret, at: endpoint)
    }

    /// The parameters that are sent to an endpoint, and the assertion among them.
    private func sent(
        by authentication: ClientAuthentication, to endpoint: String = "https://as.example.com/token",
        now: Int = 1_700_000_000, random: UInt8 = 7
    ) throws -> (parameters: [String: String], jws: JSONWebSignature, claims: JSONObject) {
        let moment = RequestMoment(now: now, random: [UInt8](repeating: random, count: 32))
        let request = try authentication.request(
            to: Endpoint(endpoint, name: "token_endpoint"), parameters: Parameters(), at: moment)
        #expect(!request.headers.contains { $0.name == "Authorization" })
        let pairs = try FormEncoding.parse(String(decoding: request.body ?? [], as: UTF8.self))
        let parameters = Dictionary(uniqueKeysWithValues: pairs.map { ($0.name, $0.value) })
        let jws = try JSONWebSignature(parsing: try #require(parameters["client_assertion"]))
        return (parameters, jws, try #require(JSON(parsing: jws.payload).object))
    }

    @Test("AU-05 the JWT takes the place of the secret, beside the client_id")
    func parameters() throws {
        let vector = try VectorGroup("client_assertion").case(named: "params")
        let key = try newKey()
        let parameters = try sent(by: authentication([:], secret: key.text)).parameters
        for member in vector["params"]?.object?.members ?? [] {
            #expect(parameters[member.name] == member.value.string)
        }
        #expect(Set(parameters.keys) == ["client_id", "client_assertion", "client_assertion_type"])
    }

    @Test("AU-06, AU-07, M-03 it is of the client, for the issuer alone, for a minute, and signed by its key")
    func claims() throws {
        let vector = try VectorGroup("client_assertion").case(named: "claims")
        let key = try newKey()
        _ = try VectorGroup("mtls_aliases").case(named: "issuer-unchanged")
        let aliases = JSON.object(["token_endpoint": "https://mtls.as.example.com/token"])
        for (endpoint, more) in [
            ("https://as.example.com/token", [:]), ("https://as.example.com/revoke", [:]),
            // mtls_aliases/issuer-unchanged: never the host of the alias.
            ("https://mtls.as.example.com/token", ["mtls_endpoint_aliases": aliases]),
        ] as [(String, JSONObject)] {
            let (_, jws, claims) = try sent(by: authentication(more, secret: key.text), to: endpoint)
            try jws.verify(with: key.publicKey, allowing: [.es256])
            for member in vector["claims"]?.object?.members ?? [] { #expect(claims[member.name] == member.value) }
            #expect(claims["iat"] == 1_700_000_000 && claims["exp"] == 1_700_000_060)
            #expect(claims["jti"]?.string?.utf8.count == 43)
            #expect(jws.header["typ"] == nil && jws.header["kid"] != nil)
        }
    }

    @Test("AU-07 with the profile fapi2, the JWT says in its header what it is (client_assertion/header)")
    func type() throws {
        let vector = try VectorGroup("client_assertion").case(named: "header")
        let key = try newKey()
        let header = try sent(
            by: authentication(["profile": "fapi2", "client_key_id": "k1"], secret: key.text)
        ).jws.header
        #expect(header == vector["header"]?.object)
    }

    @Test("AU-07 each request has a JWT of its own (client_assertion/fresh-per-request)")
    func fresh() throws {
        _ = try VectorGroup("client_assertion").case(named: "fresh-per-request")
        let own = try authentication([:], secret: newKey().text)
        let identifiers = try [1, 2].map { try sent(by: own, random: $0).claims["jti"] }
        #expect(identifiers[0] != identifiers[1])
    }

    @Test(
        "AU-06 another audience is for servers that want it",
        arguments: [
            ("token_endpoint", "https://as.example.com/token"), ("endpoint", "https://as.example.com/revoke"),
            ("issuer", "https://as.example.com"), ("https://other.example/x", "https://other.example/x"),
        ])
    func audience(name: String, audience: String) throws {
        let legacy = try VectorGroup("client_assertion").case(named: "aud-token-endpoint-legacy")
        #expect(legacy["assertion_audience"] == "token_endpoint")
        let own = try authentication(["assertion_audience": .string(name)], secret: newKey().text)
        #expect(try sent(by: own, to: "https://as.example.com/revoke").claims["aud"] == .string(audience))
    }

    @Test(
        "AU-06 a JWT for the token endpoint goes to no other origin, by whatever member its address came",
        arguments: [
            ("token_endpoint", "https://as.example.com/push", true),
            ("token_endpoint", "https://as.example.com:443/x", true),
            ("token_endpoint", "https://evil.example/push", false),
            ("token_endpoint", "https://as.example.com:8443/x", false),
            ("token_endpoint", "https://mtls.as.example.com/token", false),
            ("token_endpoint", "https://as.example.com.evil.example/", false),
            ("endpoint", "https://evil.example/push", true), ("issuer", "https://evil.example/push", true),
            ("https://as.example.com/token", "https://evil.example/push", true),
        ])
    func foreign(name: String, endpoint: String, isSent: Bool) throws {
        let own = try authentication(["assertion_audience": .string(name)], secret: newKey().text)
        guard !isSent else {
            _ = try sent(by: own, to: endpoint)
            return
        }
        let error = #expect(throws: OAuthError.self) { try sent(by: own, to: endpoint) }
        #expect(error?.kind == .originRefused && error?.message.contains(endpoint) == true)
        #expect(
            error?.message.hasPrefix("the client's JWT is for the token endpoint https://as.example.com/token") == true)
    }

    @Test("AU-06 without an issuer there is no audience (client_assertion/no-issuer-known)")
    func noIssuer() throws {
        let vector = try VectorGroup("client_assertion").case(named: "no-issuer-known")
        let key = try newKey().text
        let error = #expect(throws: OAuthError.self) { try authentication(["issuer": .null], secret: key) }
        #expect(error?.kind.rawValue == vector["kind"]?.string && error?.member == "issuer")
        #expect(error?.hint?.contains("--assertion-audience token_endpoint") == true)
        _ = try authentication(["issuer": .null, "assertion_audience": "token_endpoint"], secret: key)
        let bad = #expect(throws: OAuthError.self) { try authentication(["assertion_audience": "x"], secret: key) }
        #expect(bad?.kind == .usage && bad?.member == "assertion_audience")
    }

    @Test("RFC 7523 §4: the claims of its example are those that are signed (client_assertion/rfc7523-4-grant-claims)")
    func grantClaims() throws {
        let vector = try VectorGroup("client_assertion").case(named: "rfc7523-4-grant-claims")
        let claims = try #require(vector["claims_json"]?.object)
        let key = try newKey()
        let signer = try JWTSigner(
            of: Document(client), key: key.text, passPhrase: nil, for: .authentication(at: "token_endpoint"))
        let jws = try JSONWebSignature(parsing: signer.sign(claims, type: "JWT"))
        try jws.verify(with: key.publicKey, allowing: [.es256])
        #expect(try JSON(parsing: jws.payload).object == claims && jws.header["typ"] == "JWT")
    }

    @Test(
        "AU-09 the algorithm is the registered one, else one that the endpoint lists and the key can",
        arguments: [
            (SignatureAlgorithm.rs256, [:], "RS256"),
            (.rs256, ["token_endpoint_auth_signing_alg": "RS512"], nil),
            (.es256, ["token_endpoint_auth_signing_alg_values_supported": .strings(["RS256", "ES256"])], "ES256"),
            (.edDSA, ["token_endpoint_auth_signing_alg_values_supported": .strings(["Ed25519"])], "Ed25519"),
            (.es256, ["token_endpoint_auth_signing_alg_values_supported": .strings(["RS256"])], nil),
            (.es256, ["token_endpoint_auth_signing_alg_values_supported": .strings(["unheard of"])], "ES256"),
            (.es256, ["token_endpoint_auth_signing_alg": "none"], nil),
        ] as [(SignatureAlgorithm, JSONObject, String?)])
    func algorithms(of key: SignatureAlgorithm, members: JSONObject, name: String?) throws {
        let text = try newKey(key).text
        guard let name else {
            #expect(throws: OAuthError.self) { try authentication(members, secret: text) }
            return
        }
        #expect(try sent(by: authentication(members, secret: text)).jws.algorithmName == name)
    }

    @Test("AU-09 an RSA key without an algorithm of its own signs as its endpoint lists, else the token endpoint")
    func rsa() throws {
        let key = try SigningKey(generatedFor: .rs256)
        var members = try #require(try key.privateKey())
        members.remove(["alg", "kid"])
        let (token, revocation) = ("token_endpoint", "revocation_endpoint")
        for (lists, endpoint, name) in [
            ([token: "RS256", revocation: "PS256"], token, "RS256"),
            ([token: "RS256", revocation: "PS256"], revocation, "PS256"),
            // An endpoint without a list has that of the token endpoint, and no other.
            ([token: "PS256"], revocation, "PS256"), ([revocation: "PS256"], token, "RS256"),
            ([token: "PS256", revocation: "RS256"], "introspection_endpoint", "PS256"), ([:], revocation, "RS256"),
        ] as [([String: String], String, String)] {
            var listed: JSONObject = [:]
            for list in lists { listed["\(list.key)_auth_signing_alg_values_supported"] = .strings([list.value]) }
            let own = try authentication(listed, secret: JSON.object(members).text, at: endpoint)
            let jws = try sent(by: own).jws
            #expect(jws.algorithmName == name, "\(lists) at \(endpoint)")
            #expect(jws.keyID == nil)
        }
        let named = try authentication(["client_key_id": "k2"], secret: JSON.object(members).text)
        #expect(try sent(by: named).jws.keyID == "k2")
    }

    @Test("the certificate in the file of the key is named in the header, and none where there is none")
    func certificate() throws {
        // The key of RFC 8037 appendix A.
        let key = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
            -----END PRIVATE KEY-----

            """
        let certificate = "-----BEGIN CERTIFICATE-----\nAQ==\n-----END CERTIFICATE-----\n"
        let named = try sent(by: authentication([:], secret: certificate + key)).jws.header["x5t#S256"]
        #expect(named?.string == Base64.encodeURL(Digest.sha256([1])))
        #expect(try sent(by: authentication([:], secret: key)).jws.header["x5t#S256"] == nil)
    }

    @Test("client_secret_jwt signs with the secret, which must be as long as the digest (OpenID Connect Core §10.1)")
    func secret() throws {
        let method: JSONObject = ["token_endpoint_auth_method": "client_secret_jwt"]
        let secret = String(repeating: "s", count: 48)
        for (name, algorithm) in [(nil, SignatureAlgorithm.hs256), ("HS384", .hs384)] as [(String?, _)] {
            var members = method
            members["token_endpoint_auth_signing_alg"] = name.map { .string($0) }
            let (parameters, jws, claims) = try sent(by: authentication(members, secret: secret))
            try jws.verify(with: JSONWebKey(secret: Array(secret.utf8)), allowing: [algorithm])
            #expect(claims["aud"] == "https://as.example.com" && parameters["client_secret"] == nil)
        }
        let weak = #expect(throws: OAuthError.self) { try authentication(method, secret: "short") }
        #expect(weak?.kind == .keyWeak && weak?.hint != nil)
    }

    @Test("a key that cannot sign is blamed, and never shown")
    func badKey() throws {
        for text in ["noise", "{}", #"{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA","d":"AAAA"}"#] {
            let error = try #require(throws: OAuthError.self) { try authentication([:], secret: text) }
            #expect(error.member == "client_key" && error.message.hasPrefix("client_key cannot be used: "))
            #expect(error.origin == .document && !error.message.contains("AAAA"))
        }
    }

    @Test(
        "M-01, AU-10 a client with a certificate names itself, and nothing else",
        arguments: [
            "tls_client_auth", "self_signed_tls_client_auth",
        ])
    func certificate(method: String) throws {
        var document = Document(client.with(["token_endpoint_auth_method": .string(method)]))
        let missing = #expect(throws: OAuthError.self) { try ClientAuthentication(of: document, secret: nil) }
        #expect(missing?.member == "tls_client_certificate_file" && missing?.kind == .metadataMissing)
        document.hasCertificate = true
        let request = try ClientAuthentication(of: document, secret: nil)
            .request(to: Endpoint("https://as.example.com/token", name: "token_endpoint"))
        #expect(String(decoding: request.body ?? [], as: UTF8.self) == "client_id=c")
        document.members["token_endpoint_auth_method"] = nil
        document.members["token_endpoint_auth_methods_supported"] = .strings(["client_secret_basic", method])
        #expect(try ClientAuthentication(of: document, secret: nil).method.rawValue == method)
        #expect(try ClientAuthentication(of: document, secret: "s").method == .basic)
    }

    @Test("a refusal says what was sent")
    func advice() throws {
        let own = try authentication([:], secret: newKey().text)
        let refusal = own.withHint(for: OAuthError(.oauth, "no", code: "invalid_client"))
        let hint = try #require(refusal.hint)
        #expect(hint.contains(#"the aud "https://as.example.com""#) && hint.contains("the alg ES256"))
        #expect(hint.contains("--assertion-audience with token_endpoint or endpoint"))
        let fapi = try authentication(["profile": "fapi2"], secret: newKey().text)
        let other = fapi.withHint(for: OAuthError(.oauth, "no", code: "invalid_client")).hint
        #expect(other?.hasSuffix("the key that the server has registered for it") == true, "\(other ?? "")")
    }
}
