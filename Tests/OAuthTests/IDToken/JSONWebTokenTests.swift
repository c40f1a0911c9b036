import JOSE
import Testing
import Wire

@testable import OAuth

/// JWTs that are no ID tokens. Signatures and times are judged as those of ID tokens, which have vectors.
@Suite("JWTs of every kind")
struct JSONWebTokenTests {
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// Claims that fit a profile.
    private static func claims(_ profile: JWTProfile) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string("https://as.example"), "aud": .string("api"), "exp": .integer(2000), "iat": .integer(1000),
            "sub": .string("me"), "jti": .string("1"), "client_id": .string("c"),
        ]
        if profile == .logoutToken { claims["events"] = .object([event: .object([:])]) }
        if profile == .introspection { claims["token_introspection"] = .object([:]) }
        return claims
    }

    private static func validate(
        _ claims: JSONObject, as profile: JWTProfile, type: String, allowing: Set<SignatureAlgorithm> = [.es256]
    ) throws {
        let key = try SigningKey(generatedFor: .es256)
        let keys = try KeySet(of: ["keys": .array([.object(key.publicKey ?? [:])])])
        let text = try key.sign(JSON.object(claims).bytes, header: ["typ": .string(type)])
        _ = try JSONWebToken(parsing: text, as: profile).validate(
            with: keys, expecting: .init(issuer: "https://as.example", audience: "api", algorithms: allowing), now: 1500
        )
    }

    @Test(
        "a token is taken for what its typ says, and for nothing else (RFC 8725 section 3.11)",
        arguments: [
            (JWTProfile.accessToken, "at+jwt", true), (.accessToken, "Application/AT+JWT", true),
            (.accessToken, "JWT", false), (.accessToken, "logout+jwt", false), (.logoutToken, "logout+jwt", true),
            (.logoutToken, "JWT", true), (.logoutToken, "at+jwt", false), (.userinfo, "at+jwt", false),
            (.other, "at+jwt", true), (.other, "anything", true),
        ])
    func types(profile: JWTProfile, type: String, isTaken: Bool) throws {
        guard !isTaken else { return try Self.validate(Self.claims(profile), as: profile, type: type) }
        let error = #expect(throws: OAuthError.self) {
            try Self.validate(Self.claims(profile), as: profile, type: type)
        }
        #expect(error?.kind == .idTokenHeader)
    }

    @Test(
        "a token that lacks a claim of its kind, or has one that it must not have, is refused by that claim",
        arguments: [
            (JWTProfile.accessToken, "jti", nil), (.accessToken, "client_id", nil), (.accessToken, "sub", .string("")),
            (.accessToken, "exp", nil), (.accessToken, "exp", .integer(1400)), (.accessToken, "iat", .integer(1900)),
            (.accessToken, "aud", .string("other")), (.accessToken, "aud", .string("api-2")),
            (.accessToken, "aud", .string("ap")), (.accessToken, "aud", .string("API")),
            (.accessToken, "aud", .string("")), (.accessToken, "aud", .strings(["api-2", "ap"])),
            (.accessToken, "iss", .string("https://as.example/")),
            (.logoutToken, "jti", nil), (.logoutToken, "events", nil), (.logoutToken, "events", .object([:])),
            (.logoutToken, "nonce", .string("n")), (.logoutToken, "sub", nil), (.logoutToken, "sid", .integer(1)),
            (.other, "nbf", .integer(1600)), (.other, "exp", .string("2000")),
            (.idToken, "exp", nil), (.idToken, "iat", nil), (.idToken, "sub", nil), (.logoutToken, "exp", nil),
            (.logoutToken, "iat", nil), (.userinfo, "sub", nil), (.authorizationResponse, "exp", nil),
            (.introspection, "iat", nil), (.introspection, "token_introspection", nil),
        ] as [(JWTProfile, String, JSON?)])
    func claims(profile: JWTProfile, name: String, value: JSON?) throws {
        let types: [JWTProfile: String] = [.accessToken: "at+jwt", .introspection: "token-introspection+jwt"]
        let type = types[profile] ?? "JWT"
        #expect(throws: Never.self) { try Self.validate(Self.claims(profile), as: profile, type: type) }
        let error = #expect(throws: OAuthError.self) {
            try Self.validate(Self.claims(profile).with(name, value), as: profile, type: type)
        }
        #expect(error?.member == name, "\(String(describing: error))")
    }

    @Test("a logout token may name the session alone")
    func session() throws {
        let claims = Self.claims(.logoutToken).with("sub", nil).with("sid", .string("s"))
        try Self.validate(claims, as: .logoutToken, type: "logout+jwt")
    }

    @Test(
        "a token that is signed with an algorithm that is not allowed is refused with the member that allows it",
        arguments: [
            (JWTProfile.other, "the JWT", nil),
            (.userinfo, "the userinfo", "set the member \"userinfo_signed_response_alg\""),
            (
                .logoutToken, "the logout token",
                "set the member \"id_token_signed_response_alg\", or use --id-token-signed-response-alg ES256"
            ),
        ])
    func algorithm(profile: JWTProfile, name: String, way: String?) throws {
        let error = #expect(throws: OAuthError.self) {
            try Self.validate(Self.claims(profile), as: profile, type: "JWT", allowing: [.rs256])
        }
        #expect(error?.kind == .idTokenAlgorithm)
        #expect(error?.message == "\(name) is signed with \"ES256\"; allowed: RS256")
        #expect(error?.hint == way.map { "if ES256 is right for the client, \($0)" })
    }

    @Test("an algorithm that the profile of the client forbids is not advised")
    func algorithmOfProfile() throws {
        let key = try SigningKey(generatedFor: .rs256)
        let text = try key.sign(JSON.object(Self.claims(.idToken)).bytes, header: [:])
        let token = try JSONWebToken(parsing: text, as: .idToken)
        let document = Document([
            "issuer": "https://as.example", "client_id": "c", "profile": "fapi2",
            "id_token_signing_alg_values_supported": .array(["RS256"]),
        ])
        let expected = try JWTExpectation(for: .idToken, of: document)
        let error = #expect(throws: OAuthError.self) { try token.validate(with: .empty, expecting: expected, now: 0) }
        #expect(error?.kind == .idTokenAlgorithm)
        #expect(
            error?.hint
                == "FAPI 2.0 (section 5.4.1) does not allow RS256: register PS256, ES256 or EdDSA for the client")
    }

    @Test("where the key of a JWT is unknown, or another key has made it, the hint names the issuer of the keys")
    func foreignKey() throws {
        let key = try SigningKey(generatedFor: .es256)
        let other = try SigningKey(generatedFor: .es256)
        let claims = Self.claims(.other).with("iss", .string("https://other.example"))
        let text = try other.sign(JSON.object(claims).bytes, header: [:])
        for (kid, kind, hint) in [
            (
                other.publicKey?["kid"], OAuthError.Kind.idTokenSignature,
                "the signature must be by a key of the issuer https://as.example"
            ),
            ("k", .keyNotFound, "compare jwks_uri with the one in the metadata of https://as.example"),
        ] {
            let keys = try KeySet(of: ["keys": .array([.object((key.publicKey ?? [:]).with("kid", kid))])])
            let error = #expect(throws: OAuthError.self) {
                try JSONWebToken(parsing: text, as: .other).validate(
                    with: keys, expecting: .init(issuer: "https://as.example", audience: "api", algorithms: [.es256]),
                    now: 1500)
            }
            #expect(error?.kind == kind)
            #expect(error?.hint == hint)
        }
    }

    @Test("a document says what a JWT of its issuer is checked against, and what is missing for that")
    func expectation() throws {
        let document: JSONObject = ["issuer": .string("https://as.example"), "client_id": .string("c")]
        let expected = try JWTExpectation(for: .userinfo, of: Document(document))
        #expect(expected.issuer == "https://as.example" && expected.audience == "c")
        #expect(expected.algorithms == SignatureAlgorithm.asymmetric)
        let other = document.with("client_id", nil)
        #expect(try JWTExpectation(for: .other, of: Document(other), audience: "api").audience == "api")
        for (profile, document, message) in [
            (JWTProfile.introspection, other, "client_id is missing: without it, the introspection cannot be checked"),
            (.idToken, [:], "issuer is missing: without it, the ID token cannot be checked"),
        ] {
            let error = #expect(throws: OAuthError.self) {
                try JWTExpectation(for: profile, of: Document(document))
            }
            #expect(error?.message.hasSuffix(message) == true, "\(String(describing: error))")
        }
    }

    @Test("without a registration, userinfo and access tokens may be signed with any public key, the rest with RS256")
    func algorithms() {
        for profile in [JWTProfile.userinfo, .accessToken, .other] {
            #expect(profile.algorithms(for: [:]) == SignatureAlgorithm.asymmetric)
        }
        for profile in [JWTProfile.idToken, .logoutToken, .introspection] {
            #expect(profile.algorithms(for: [:]) == [.rs256])
        }
        let client: JSONObject = ["userinfo_signed_response_alg": .string("HS256")]
        #expect(JWTProfile.userinfo.algorithms(for: client) == [.hs256])
        #expect(JWTProfile.idToken.algorithms(for: client) == [.rs256])
    }
}
