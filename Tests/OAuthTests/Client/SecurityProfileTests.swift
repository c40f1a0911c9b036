import JOSE
import Members
import Testing
import Wire

@testable import OAuth

@Suite("The profile fapi2")
struct SecurityProfileTests {
    private let client: JSONObject = [
        "client_id": "c", "issuer": "https://as.example", "token_endpoint": "https://as.example/t",
        "authorization_endpoint": "https://as.example/a", "profile": "fapi2",
    ]

    private func key(_ algorithm: SignatureAlgorithm, names: Bool = false) throws -> String {
        let key = try SigningKey(generatedFor: algorithm)
        var members = try key.privateKey() ?? [:]
        if !names { members.remove(["alg", "kid"]) }
        return JSON.object(members).text
    }

    private func refusal(_ members: JSONObject, secret: String?) -> OAuthError? {
        var document = Document(client.with(members))
        document.keyUse = secret?.hasPrefix("{") == true ? .signing : nil
        return #expect(throws: OAuthError.self) { try ClientAuthentication(of: document, secret: secret) }
    }

    @Test(
        "section 5.3.3.1: a client with a secret, or none, is refused",
        arguments: ["client_secret_basic", "client_secret_post", "client_secret_jwt", "none"])
    func methods(name: String) throws {
        let secret = String(repeating: "s", count: 64)
        let error = refusal(["token_endpoint_auth_method": .string(name)], secret: name == "none" ? nil : secret)
        #expect(error?.kind == .usage && error?.message.contains("section 5.3.3.1") == true)
    }

    @Test(
        "section 5.3.3.1: the JWT of the client is for the issuer alone",
        arguments: ["token_endpoint", "endpoint", "https://as.example/t", "https://as.example"])
    func audience(name: String) throws {
        let error = try refusal(["assertion_audience": .string(name)], secret: key(.es256))
        #expect(error?.member == "assertion_audience")
        #expect(error?.message.contains("section 5.3.3.1") == true)
    }

    @Test("section 5.3.3.1: a client proves itself by a key of its own or by a certificate, whoever has signed that")
    func proofs() {
        let allowed = ClientAuthenticationMethod.allCases.filter { method in
            (try? SecurityProfile.check(method, for: Document(client))) != nil
        }
        #expect(allowed == [.privateKeyJWT, .tls, .selfSignedTLS])
    }

    @Test(
        "section 5.4.1: an RSA key signs with PS256; RS256, ES384 and ES512 are refused",
        arguments: [
            (SignatureAlgorithm.rs256, "PS256"), (.es256, "ES256"), (.edDSA, "EdDSA"), (.es384, nil), (.es512, nil),
        ] as [(SignatureAlgorithm, String?)])
    func algorithms(of kind: SignatureAlgorithm, name: String?) throws {
        var document = Document(client)
        document.keyUse = .signing
        let text = try key(kind)
        guard let name else {
            #expect(throws: OAuthError.self) { try ClientAuthentication(of: document, secret: text) }
            return
        }
        let signer = try JWTSigner(
            of: document, key: text, passPhrase: nil, for: .authentication(at: "token_endpoint"))
        #expect(try JSONWebSignature(parsing: signer.sign([:])).algorithmName == name)
        let named = try refusal(["token_endpoint_auth_signing_alg": "RS256"], secret: key(.rs256))
        #expect(named?.message.contains("section 5.4.1") == true)
        // A key that is for RS256 alone.
        _ = try refusal([:], secret: key(.rs256, names: true))
    }

    @Test("section 5.3.3.1: tokens are bound to a key, unless they are to a certificate that is there")
    func binding() throws {
        #expect(try Document(client).isDPoPBound)
        let bound = client.with(["tls_client_certificate_bound_access_tokens": true])
        #expect(try Document(bound).isDPoPBound)
        var document = Document(bound)
        document.hasCertificate = true
        #expect(try !document.isDPoPBound && document.isSenderConstrained)
        let neither = Document(client.with(["dpop_bound_access_tokens": false]))
        let error = #expect(throws: OAuthError.self) { try SecurityProfile.fapi2.check(hasS256: true, for: neither) }
        #expect(error?.message.contains("section 5.3.3.1") == true)
        var missing = Document(neither.members.with(["tls_client_certificate_bound_access_tokens": true]))
        #expect(throws: OAuthError.self) { try SecurityProfile.fapi2.check(hasS256: true, for: missing) }
        missing.hasCertificate = true
        try SecurityProfile.fapi2.check(hasS256: true, for: missing)
        try SecurityProfile.fapi2.check(hasS256: true, for: Document(client))
        let unprotected = #expect(throws: OAuthError.self) {
            try SecurityProfile.fapi2.check(hasS256: false, for: Document(client))
        }
        #expect(unprotected?.message.contains("section 5.3.3.2") == true)
    }

    @Test("section 5.3.2.1: the password of a user is refused; another profile is unknown")
    func others() {
        let password = #expect(throws: OAuthError.self) {
            try SecurityProfile.check(grant: "password", for: Document(client))
        }
        #expect(password?.message.contains("section 5.3.2.1") == true)
        let unknown = #expect(throws: OAuthError.self) { try SecurityProfile(of: Document(["profile": "fapi1"])) }
        #expect(unknown?.kind == .usage && unknown?.member == "profile")
    }

    @Test(
        "section 5.4.1: a client whose answers are signed otherwise is refused before the login",
        arguments: [
            "id_token_signed_response_alg", "authorization_signed_response_alg", "userinfo_signed_response_alg",
        ])
    func answers(member: String) throws {
        for (algorithm, isAllowed) in [
            ("RS256", false), ("HS256", false), ("none", false), ("ES384", false), ("PS256", true), ("ES256", true),
            ("EdDSA", true),
        ] {
            let members: JSONObject = [member: .string(algorithm), "dpop_bound_access_tokens": true]
            let document = Document(client.with(members))
            let check = { () throws(OAuthError) in
                try SecurityProfile(of: document)?.check(hasS256: true, for: document)
            }
            guard !isAllowed else {
                try check()
                continue
            }
            let error = #expect(throws: OAuthError.self) { try check() }
            #expect(error?.kind == .usage && error?.member == member)
            #expect(error?.message.hasSuffix("\(member) is \(algorithm) (FAPI 2.0, section 5.4.1)") == true)
        }
    }
}
