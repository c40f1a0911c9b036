import TestSupport
import Testing
import Wire

@testable import JOSE
@testable import OAuth

@Suite struct IDTokenTests {
    @Test(
        "V-01 to V-15, R-04 id_token: an ID token is accepted or refused as the case says",
        arguments: try VectorGroup("id_token").cases(elsewhere: [:]))
    func vectors(vector: VectorCase) throws {
        let text = try #require(vector["id_token"]?.string)
        let context = try Context(of: vector)
        let validate = { () throws(OAuthError) in
            let token = try JSONWebToken(parsing: text, as: .idToken)
            let warnings = try token.validate(with: context.keys, expecting: context.expected, now: context.now)
            return (token.claims, warnings)
        }
        if vector["expect"] == .string("ok") {
            let (claims, warnings) = try validate()
            #expect(claims == vector["claims"]?.object)
            #expect(warnings.map(\.name) == (vector["warning"]?.string).map { [$0] } ?? [])
        } else {
            let error = #expect(throws: OAuthError.self) { try validate() }
            #expect(error?.kind.rawValue == vector["kind"]?.string)
            if let claim = vector["claim"]?.string { #expect(error?.member == claim) }
        }
    }

    @Test(
        "V-05, V-06, V-09 oidc_id_tokens: a published ID token is accepted or refused as the case says",
        arguments: try VectorGroup("oidc_id_tokens").cases)
    func publishedTokens(vector: VectorCase) throws {
        let claims = try #require(vector["claims"]?.object)
        var expected = JWTExpectation(
            issuer: try #require(claims["iss"]?.string), audience: "s6BhdRkqt3",
            occasion: .codeFlow(nonce: "n-0S6_WzA2Mj"))
        expected.accessToken = vector["access_token"]?.string
        let keys = try KeySet(of: ["keys": .array([#require(vector["jwk"])])])
        let token = try JSONWebToken(parsing: #require(vector["id_token"]?.string), as: .idToken)

        #expect(try token.validate(with: keys, expecting: expected, now: 1_311_281_000).isEmpty)
        #expect(token.claims == claims)

        guard claims["at_hash"] != nil else { return }
        var other = expected
        other.accessToken = "another"
        let error = #expect(throws: OAuthError.self) {
            try token.validate(with: keys, expecting: other, now: 1_311_281_000)
        }
        #expect(error?.member == "at_hash")
    }

    @Test(
        "V-11 oidc_hashes: the hash that an ID token has of a value is that of the case",
        arguments: try VectorGroup("oidc_hashes").cases)
    func hashes(vector: VectorCase) throws {
        let algorithm = try #require(vector["alg"]?.string.flatMap { SignatureAlgorithm(named: $0) })
        #expect(try algorithm.halfHash(of: #require(vector["value"]?.string)) == vector["hash"]?.string)
    }

    @Test(
        "V-01, V-16 a token that is no JWS says what it is instead",
        arguments: [
            ("a.b", "id_token_malformed"), ("a.b.c.d.e", "unsupported"), ("e30.e30.", "id_token_malformed"),
            ("eyJhbGciOiJub25lIn0.bm9wZQ.", "id_token_malformed"), ("eyJhbGciOiJub25lIn0.W10.", "id_token_malformed"),
        ])
    func notAToken(text: String, kind: String) {
        let error = #expect(throws: OAuthError.self) { try JSONWebToken(parsing: text, as: .idToken) }
        #expect(error?.kind.rawValue == kind)
    }

    @Test("V-17 an access token is refused, as its typ says", arguments: ["at+jwt", "AT+JWT", "application/at+jwt"])
    func accessToken(type: String) throws {
        let header: JSONObject = ["alg": .string("RS256"), "typ": .string(type)]
        let text = Base64.encodeURL(JSON.object(header).bytes) + ".e30."
        let error = #expect(throws: OAuthError.self) { try JSONWebToken(parsing: text, as: .idToken) }
        #expect(error?.kind == .idTokenHeader)
        #expect(error?.message == "the JWT is an access token by its typ at+jwt, not the ID token that is expected")
    }
}

@Suite struct IDTokenAlgorithmsTests {
    @Test("V-02 the registered algorithm comes before the metadata, and that before RS256")
    func order() {
        let metadata = JSON.array(["ES256", "PS256", "HS256", "none", "ML-DSA-44"].map(JSON.string))
        #expect(algorithms([:]) == [.rs256])
        #expect(algorithms(["id_token_signing_alg_values_supported": metadata]) == [.es256, .ps256])
        #expect(
            algorithms([
                "id_token_signing_alg_values_supported": metadata, "id_token_signed_response_alg": .string("EdDSA"),
            ]) == [.edDSA])
    }

    @Test("D-10 members that are null or empty leave the algorithm of ID tokens at RS256")
    func absent() {
        #expect(algorithms(["id_token_signed_response_alg": .null]) == [.rs256])
        #expect(algorithms(["id_token_signing_alg_values_supported": .array([])]) == [.rs256])
    }

    @Test("V-02 HMAC is allowed only where it was registered; none and unknown names allow nothing")
    func registered() {
        #expect(algorithms(["id_token_signed_response_alg": .string("HS256")]) == [.hs256])
        #expect(algorithms(["id_token_signed_response_alg": .string("none")]) == [])
        #expect(algorithms(["id_token_signing_alg_values_supported": .array([.string("HS256")])]) == [])
    }

    private func algorithms(_ client: JSONObject) -> Set<SignatureAlgorithm> {
        JWTProfile.idToken.algorithms(for: client)
    }
}

/// What a vector says to measure by: the default context of its group, overridden by its own.
private struct Context {
    let keys: KeySet
    let expected: JWTExpectation
    let now: Int

    init(of vector: VectorCase) throws {
        var context = try #require(VectorGroup("id_token").context["context"]?.object)
        for member in vector["context"]?.object?.members ?? [] { context[member.name] = member.value }

        keys = try KeySet(of: #require(context["jwks"]?.object))
        var occasion = JWTExpectation.Occasion.codeFlow(nonce: context["nonce"]?.string)
        if let original = context["original"]?.object { occasion = .refresh(original: original) }
        now = try #require(context["now"]?.integer)
        var expected = JWTExpectation(
            issuer: try #require(context["issuer"]?.string), audience: try #require(context["client_id"]?.string),
            occasion: occasion)
        #expect(JWTExpectation.tolerance == context["tolerance"]?.integer)
        if let names = context["allowed_algs"]?.strings {
            expected.algorithms = Set(names.compactMap { SignatureAlgorithm(named: $0) })
        }
        expected.clientSecret = context["client_secret"]?.string
        expected.maximumAge = context["max_age"]?.integer
        expected.essentialContexts = context["acr_values_required"]?.strings ?? []
        expected.accessToken = context["access_token"]?.string
        self.expected = expected
    }
}
