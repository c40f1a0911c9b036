import TestSupport
import Testing
import Wire

@testable import JOSE
@testable import OAuth

@Suite struct KeySetTests {
    /// A token of the key `rsa-1`, and the keys that the vectors' issuer publishes.
    private let token: JSONWebToken
    private let rsa: JSONObject
    private let ec: JSONObject
    private let expected: JWTExpectation

    init() throws {
        let vector = try VectorGroup("id_token").case(named: "ok-rs256")
        token = try JSONWebToken(parsing: #require(vector["id_token"]?.string), as: .idToken)
        let context = try VectorGroup("id_token").context["context"]?.object
        let keys = try #require(context?["jwks"]?.object?["keys"]?.array?.map(\.object))
        rsa = try #require(keys[0])
        ec = try #require(keys[1])
        expected = JWTExpectation(
            issuer: "https://op.example.com", audience: "client-1", occasion: .codeFlow(nonce: "n-1"))
    }

    /// Each case of the group as a test of its own: they are written in prose.
    @Test(
        "J-01 to J-06 jwks: the key that is taken from a key set, or the error, is that of the case",
        arguments: try VectorGroup("jwks").cases)
    func vectors(vector: VectorCase) throws {
        switch vector.id {
        case "jwk-set-type": try typeOfASet(#require(vector["content_type"]?.string))
        case "ignore-unusable":
            #expect(try validate([["kty": .string("AKP"), "alg": .string("X")], ["kty": .string("?")], rsa]) == [])
        case "key-not-object":
            _ = try validate(with: KeySet(of: ["keys": .array([.integer(1), .object(rsa)])]))
        case "no-keys-member": try noKeys(#require(vector["body"]?.object))
        case "rotation-new-kid": try rotation()
        case "rotation-unknown-kid": try unknownAfterFetching()
        case "rsa-1024":
            let modulus = Base64.encodeURL([UInt8](repeating: 0xFF, count: 128))
            try expectRefused([rsa.with("n", modulus)], .keyWeak)
        case "rsa-n-leading-zero":
            let modulus = try #require(rsa["n"]?.string.flatMap { Base64.decodeURL($0) })
            #expect(try validate([rsa.with("n", Base64.encodeURL([0] + modulus))]) == [])
        case "ec-point-not-on-curve": try pointOffTheCurve()
        case "private-member-present":
            let warning = try #require(vector["warning"]?.string)
            for name in ["d", "p", "q", "dp", "dq", "qi", "oth"] {
                #expect(try validate([rsa.with(name, "AQAB")]).map(\.name) == [warning], "\(name)")
            }
        case "same-kid-two-kty": #expect(try validate([ec.with("kid", "rsa-1"), rsa]) == [])
        default: Issue.record("no test for \(vector)")
        }
    }

    @Test(
        "J-01 a key for something else is not taken",
        arguments: [
            ("use", #""enc""#), ("use", #"["sig"]"#), ("alg", #""PS256""#), ("alg", #""rs256""#),
            ("key_ops", #"["encrypt"]"#), ("key_ops", #""verify""#), ("kid", #""RSA-1""#), ("kid", "null"),
            ("kty", #""EC""#),
        ])
    func foreignPurpose(name: String, value: String) throws {
        var key = rsa
        key[name] = try JSON(parsing: value)
        try expectRefused([key], .keyNotFound)
        // It does not make the right key ambiguous either.
        #expect(try validate([key, rsa]) == [])
    }

    @Test("V-03 a key of another curve is not taken")
    func foreignCurve() throws {
        let vector = try VectorGroup("id_token").case(named: "ok-es256")
        let token = try JSONWebToken(parsing: #require(vector["id_token"]?.string), as: .idToken)
        let keys = try set([ec.with("crv", "P-384")])
        let error = #expect(throws: OAuthError.self) { try keys.verify(token.signature, allowing: [.es256]) }
        #expect(error?.kind == .keyNotFound)
    }

    @Test("J-01 a member that a key lacks, or has as null, does not keep it from being taken")
    func silentKey() throws {
        var key = rsa
        key.remove(["use", "alg"])
        key["key_ops"] = .array([.string("verify"), .string("encrypt")])
        #expect(try validate([key]) == [])
        for name in ["use", "alg", "key_ops"] { key[name] = .null }
        #expect(try validate([key]) == [])
    }

    @Test("a key without kid is not taken for a token that names one")
    func namelessKey() throws {
        var key = rsa
        key["kid"] = nil
        try expectRefused([key], .keyNotFound)
        #expect(try KeySet.mustFetch(for: token.signature, allowing: [.rs256], known: set([key])))
    }

    @Test("a key of the user without kid is taken where it is the only one, and not beside another")
    func onlyKey() throws {
        var key = rsa
        key["kid"] = nil
        let sets = try [[key], [key, rsa.with("kid", "another")]].map { keys in
            try KeySet(reading: ["keys": .array(keys.map { .object($0) })])
        }
        #expect(throws: Never.self) { try sets[0].verify(token.signature, allowing: [.rs256]) }
        #expect(throws: OAuthError.self) { try sets[1].verify(token.signature, allowing: [.rs256]) }
    }

    @Test(
        "the two names of Ed25519 are one, in the token and in the key, and a kid may be a number",
        arguments: [("EdDSA", "Ed25519"), ("Ed25519", "EdDSA"), ("EdDSA", "EdDSA"), ("EdDSA", "ES256")])
    func namesOfEd25519(ofToken: String, ofKey: String) throws {
        let header = Base64.encodeURL(Array(#"{"alg":"\#(ofToken)","kid":1}"#.utf8))
        let key: JSONObject = ["kty": "OKP", "crv": "Ed25519", "alg": .string(ofKey), "kid": .integer(1)]
        let signature = try JSONWebSignature(parsing: header + ".e30.")
        let mustFetch = try KeySet.mustFetch(
            for: signature, allowing: SignatureAlgorithm.asymmetric, known: set([key]))
        #expect(mustFetch == (ofKey == "ES256"))
    }

    @Test("J-01 two keys of one kid and one type are ambiguous")
    func sameKidTwice() throws { try expectRefused([rsa, rsa], .keyAmbiguous) }

    @Test("J-03, J-06 nothing is fetched for a token that no key would make acceptable")
    func uselessFetch() throws {
        #expect(!KeySet.mustFetch(for: token.signature, allowing: [.es256], known: nil))
        let vector = try VectorGroup("id_token").case(named: "alg-hs256-configured")
        let symmetric = try JSONWebToken(parsing: #require(vector["id_token"]?.string), as: .idToken)
        #expect(!KeySet.mustFetch(for: symmetric.signature, allowing: [.hs256], known: nil))
    }

    @Test("J-04 ambiguous and weak keys are no reason to fetch")
    func noReasonToFetch() throws {
        let known = try set([rsa, rsa.with("n", "AQAB")])
        #expect(!KeySet.mustFetch(for: token.signature, allowing: [.rs256], known: known))
    }

    @Test(
        "J-05 a redirect, an error and a page are no key set",
        arguments: [
            (302, "application/json", #"{"keys":[]}"#, "redirect_refused"),
            (404, "application/json", #"{"keys":[]}"#, "http_status"), (503, "text/html", "<p>", "http_status"),
            (206, "application/json", #"{"keys":[]}"#, "http_status"),
            (200, "text/html", "<p>", "not_json"), (200, "application/json", #"{"keys":"#, "unreadable_response"),
            (200, "application/json", "[]", "invalid_response"),
            (200, "application/json", #"{"keys":{}}"#, "invalid_response"),
        ])
    func badAnswers(status: Int, type: String, body: String, kind: String) {
        let error = #expect(throws: OAuthError.self) { try KeySet(answer(status, type, body)) }
        #expect(error?.kind.rawValue == kind)
    }

    private func typeOfASet(_ type: String) throws {
        let keys = try KeySet(answer(200, type, JSON.object(["keys": .array([.object(rsa)])]).text))
        #expect(keys.warnings.isEmpty)
        _ = try validate(with: keys)
    }

    private func noKeys(_ body: JSONObject) throws {
        let error = #expect(throws: OAuthError.self) { try KeySet(of: body) }
        #expect(error?.kind == .invalidResponse)
    }

    /// The set at hand has another key only: it is fetched, and the key found.
    private func rotation() throws {
        let known = try set([rsa.with("kid", "a")])
        #expect(KeySet.mustFetch(for: token.signature, allowing: [.rs256], known: nil))
        #expect(KeySet.mustFetch(for: token.signature, allowing: [.rs256], known: known))
        let fetched = try fetched([rsa.with("kid", "a"), rsa])
        #expect(!KeySet.mustFetch(for: token.signature, allowing: [.rs256], known: fetched))
        _ = try validate(with: fetched)
        #expect(try !KeySet.mustFetch(for: token.signature, allowing: [.rs256], known: set([rsa])))
    }

    /// Fetched for this token and still without the key: it is not fetched again.
    private func unknownAfterFetching() throws {
        let fetched = try fetched([rsa.with("kid", "a")])
        #expect(!KeySet.mustFetch(for: token.signature, allowing: [.rs256], known: fetched))
        let error = #expect(throws: OAuthError.self) { try validate(with: fetched) }
        #expect(error?.kind == .keyNotFound)
    }

    private func pointOffTheCurve() throws {
        let vector = try VectorGroup("id_token").case(named: "ok-es256")
        let token = try JSONWebToken(parsing: #require(vector["id_token"]?.string), as: .idToken)
        var y = try #require(ec["y"]?.string.flatMap { Base64.decodeURL($0) })
        y[31] ^= 1
        let keys = try set([ec.with("y", Base64.encodeURL(y))])
        let error = #expect(throws: OAuthError.self) { try keys.verify(token.signature, allowing: [.es256]) }
        #expect(error?.kind == .keyInvalid)
    }

    private func set(_ keys: [JSONObject]) throws -> KeySet { try KeySet(of: ["keys": .array(keys.map(JSON.object))]) }

    private func fetched(_ keys: [JSONObject]) throws -> KeySet {
        try KeySet(answer(200, "application/json", JSON.object(["keys": .array(keys.map(JSON.object))]).text))
    }

    private func answer(_ status: Int, _ type: String, _ body: String) -> EndpointResponse {
        EndpointResponse(
            head: HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", type)]), body: Array(body.utf8))
    }

    private func validate(with keys: KeySet) throws -> [OAuthWarning] {
        try token.validate(with: keys, expecting: expected, now: 1_700_000_000)
    }

    private func validate(_ keys: [JSONObject]) throws -> [OAuthWarning] { try validate(with: set(keys)) }

    private func expectRefused(_ keys: [JSONObject], _ kind: OAuthError.Kind) throws {
        let error = #expect(throws: OAuthError.self) { try validate(keys) }
        #expect(error?.kind == kind)
    }
}

extension JSONObject {
    /// The object with a member set to a string.
    fileprivate func with(_ name: String, _ value: String) -> JSONObject {
        var changed = self
        changed[name] = .string(value)
        return changed
    }
}

extension KeySet {
    /// The key set of a response that was fetched before there was a token.
    init(of members: JSONObject) throws(OAuthError) {
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
        try self.init(EndpointResponse(head: head, body: JSON.object(members).bytes), isForToken: false)
    }
}
