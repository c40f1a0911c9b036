import Testing
import Wire

@testable import JOSE
@testable import OAuth

/// Rules that the vectors leave open, with tokens signed here by HMAC.
@Suite struct IDTokenClaimsTests {
    private let now = 1_700_000_000
    private let good: JSONObject = [
        "iss": .string("https://op.example.com"), "sub": .string("user-1"), "aud": .string("client-1"),
        "exp": .integer(1_700_000_300), "iat": .integer(1_699_999_995),
    ]

    @Test("V-10 an ID token may have any nonce or none where the nonce is not known")
    func unknownNonce() throws {
        try validate(good, .unknown)
        try validate(good.with("nonce", .string("n-1")), .unknown)
    }

    @Test(
        "V-10 a nonce that is no string, or longer, or differs only in composition is not the one sent",
        arguments: [
            JSON.integer(1), .string("caf\u{E9}s"), .string("cafe\u{301}"), .string(""), .null,
        ])
    func nonce(received: JSON) {
        expectRefused(good.with("nonce", received), .codeFlow(nonce: "caf\u{E9}"), claim: "nonce")
    }

    @Test("V-15 any number is a date, whatever its size, and text is none")
    func numericDates() throws {
        try validate(good.with("exp", .number("1e400")))
        try validate(good.with("exp", .number("1.7000003e9")))
        try validate(good.with("iat", .number("0.5")))
        expectRefused(good.with("iat", .number("1e400")), claim: "iat")
        expectRefused(good.with("nbf", .string("1")), claim: "nbf")
        expectRefused(good.with("exp", .null), claim: "exp")
    }

    @Test("V-08 iat may be ahead by what a slow clock may be behind, and no more; the error says by how much")
    func iatTolerance() throws {
        try validate(good.with("iat", .integer(now + 300)))
        expectRefused(good.with("iat", .integer(now + 301)), claim: "iat")
        let error = #expect(throws: OAuthError.self) { try validate(good.with("iat", .integer(now + 301))) }
        #expect(error?.message == "iat of the ID token lies 5 min 1 s in the future")
        #expect(error?.hint?.contains("the clock of this machine") == true)
    }

    @Test(
        "a token that has expired says when, and how long ago that is",
        arguments: [
            (1_604_182_400, "2020-10-31 22:13:20Z, 3 y 14 d ago"), (-5, "1970-01-01 00:00:00Z, 53 y 330 d ago"),
            (1_699_999_970, "2023-11-14 22:12:50Z, 30 s ago"),
        ])
    func expired(end: Int, time: String) throws {
        let error = #expect(throws: OAuthError.self) { try validate(good.with("exp", .integer(end))) }
        #expect(error?.message == "the ID token expired on \(time)")
    }

    @Test("a time in milliseconds is told from a clock that is wrong", arguments: ["iat", "nbf"])
    func milliseconds(claim: String) throws {
        let error = #expect(throws: OAuthError.self) { try validate(good.with(claim, .integer(now * 1000))) }
        #expect(error?.hint == "it may be in milliseconds, but a JWT has seconds: tell the issuer")
    }

    @Test("V-12 auth_time that was asked for must be there, however old")
    func requiredAuthenticationTime() throws {
        expectRefused(good, claim: "auth_time") { $0.requiresAuthenticationTime = true }
        try validate(good.with("auth_time", .integer(1))) { $0.requiresAuthenticationTime = true }
    }

    @Test("auth_time may be ahead by the tolerance and no more, where max_age is measured by it")
    func futureAuthenticationTime() throws {
        try validate(good.with("auth_time", .integer(now + 300))) { $0.maximumAge = 100 }
        expectRefused(good.with("auth_time", .integer(now + 301)), claim: "auth_time") { $0.maximumAge = 100 }
        expectRefused(good.with("auth_time", .number("1e400")), claim: "auth_time") { $0.maximumAge = .max }
        try validate(good.with("auth_time", .integer(now + 301)))
    }

    @Test("V-12 max_age counts from auth_time, with the tolerance, and does not overflow")
    func maximumAge() throws {
        try validate(good.with("auth_time", .integer(now - 130))) { $0.maximumAge = 100 }
        expectRefused(good.with("auth_time", .integer(now - 131)), claim: "auth_time") { $0.maximumAge = 100 }
        try validate(good.with("auth_time", .integer(1))) { $0.maximumAge = .max }
        expectRefused(good.with("auth_time", .number("-1e400")), claim: "auth_time") { $0.maximumAge = .max }
    }

    @Test("an acr that was wished for and is not there is a warning, which names both")
    func wantedContext() throws {
        func warnings(_ acr: JSON?) throws -> [String] {
            try validate(acr.map { good.with("acr", $0) } ?? good) { $0.wantedContexts = ["gold", "silver"] }.map(
                \.message)
        }
        #expect(try warnings(.string("silver")).isEmpty)
        #expect(try warnings(nil) == ["the server did not say that the login was gold silver"])
        #expect(try warnings(.string("1")) == ["the server did not say that the login was gold silver: its acr is 1"])
    }

    @Test("V-13 an essential acr is one of those that were asked for")
    func authenticationContext() throws {
        try validate(good.with("acr", .string("b"))) { $0.essentialContexts = ["a", "b"] }
        expectRefused(good, claim: "acr") { $0.essentialContexts = ["a", "b"] }
        expectRefused(good.with("acr", .integer(1)), claim: "acr") { $0.essentialContexts = ["a", "b"] }
    }

    @Test("at_hash of an ID token is optional, must be a string, and must fit the access token that came with it")
    func accessTokenHash() throws {
        let hash = JSON.string(SignatureAlgorithm.hs256.halfHash(of: "at-1"))
        try validate(good) { $0.accessToken = "at-1" }
        try validate(good.with("at_hash", hash)) { $0.accessToken = "at-1" }
        try validate(good.with("at_hash", hash))
        expectRefused(good.with("at_hash", hash), claim: "at_hash") { $0.accessToken = "at-2" }
        expectRefused(good.with("at_hash", .null), claim: "at_hash") { $0.accessToken = "at-1" }
    }

    @Test("at_hash is the whole hash: not its beginning, nothing longer, and not in another case")
    func neighboursOfTheHash() {
        let hash = SignatureAlgorithm.hs256.halfHash(of: "at-1")
        for wrong in ["", String(hash.dropLast()), hash + "A", hash + "=", "A" + hash, hash.uppercased()] {
            expectRefused(good.with("at_hash", .string(wrong)), claim: "at_hash") { $0.accessToken = "at-1" }
        }
    }

    @Test("issuer and audience are compared by their bytes, not by what they look like")
    func composition() throws {
        let (short, long) = ("caf\u{E9}", "cafe\u{301}")
        try validate(good.with("aud", .string(short))) { $0.audience = short }
        expectRefused(good.with("aud", .string(long)), claim: "aud") { $0.audience = short }
        expectRefused(good.with("iss", .string(long)), claim: "iss") { $0.issuer = short }
    }

    @Test(
        "a logout token is no ID token, wherever it comes from",
        arguments: [JWTExpectation.Occasion.codeFlow(nonce: nil), .unknown])
    func logoutToken(occasion: JWTExpectation.Occasion) throws {
        let event = "http://schemas.openid.net/event/backchannel-logout"
        expectRefused(good.with("events", .object([event: .object([:])])), occasion, claim: "events")
        try validate(good.with("events", .object(["urn:other": .object([:])])), occasion)
    }

    @Test(
        "an audience is the client identifier, not one that begins with it or that it begins with",
        arguments: [
            JSON.string("client-12"), .string("client-"), .string("client"), .string(""),
            .array([.string("client-12")]), .array([.string("client"), .string("client-12")]), .array([]),
            .integer(1), .null, .object(["client-1": .string("client-1")]), .array([.string("client-1"), .integer(1)]),
        ])
    func audience(received: JSON) {
        expectRefused(good.with("aud", received).with("azp", .string("client-1")), claim: "aud")
    }

    @Test("V-07 azp must be a string even where a foreign one is only odd")
    func authorizedPartyType() {
        expectRefused(good.with("azp", .integer(1)), claim: "azp")
    }

    @Test("R-04 a refreshed token keeps every audience, its azp and its nonce, and is not older")
    func refresh() throws {
        let original = good.with("azp", .string("client-1")).with("aud", .array([.string("client-1"), .string("api")]))
            .with("nonce", .string("n-1"))
        let occasion = JWTExpectation.Occasion.refresh(original: original)
        try validate(original, occasion)
        try validate(original.with("nonce", nil), occasion)
        try validate(
            original.with("aud", .array([.string("more"), .string("api"), .string("client-1")])), occasion)
        expectRefused(original.with("aud", .string("client-1")), occasion, claim: "aud")
        expectRefused(original.with("azp", nil).with("aud", .string("client-1")), occasion, claim: "azp")
        expectRefused(original.with("nonce", .string("n-2")), occasion, claim: "nonce")
        let foreign = JWTExpectation.Occasion.refresh(original: original.with("iss", .string("https://other.example")))
        expectRefused(original, foreign, claim: "iss")
        expectRefused(original.with("iat", .integer(1_699_999_994)), occasion, claim: "iat")
        expectRefused(good.with("nonce", .string("n-1")), .refresh(original: good), claim: "nonce")
    }

    @Test("R-04 auth_time is compared as a number, and may appear with a refresh")
    func refreshedAuthenticationTime() throws {
        let original = good.with("auth_time", .number("1699999000"))
        try validate(good.with("auth_time", .number("1699999000.0")), .refresh(original: original))
        try validate(good, .refresh(original: original))
        try validate(original, .refresh(original: good))
    }

    @Test("V-02 HMAC that is allowed without a secret at hand verifies nothing")
    func noSecret() throws {
        let error = #expect(throws: OAuthError.self) { try validate(good) { $0.clientSecret = nil } }
        #expect(error?.kind == .idTokenAlgorithm)
    }

    @Test("a client secret shorter than the digest is too weak for HMAC")
    func shortSecret() throws {
        let error = #expect(throws: OAuthError.self) { try validate(good) { $0.clientSecret = "short" } }
        #expect(error?.kind == .keyWeak)
    }

    @discardableResult private func validate(
        _ claims: JSONObject, _ occasion: JWTExpectation.Occasion = .codeFlow(nonce: nil),
        _ change: (inout JWTExpectation) -> Void = { _ in }
    ) throws -> [OAuthWarning] {
        let secret = "zb2J7Vd0c9rP4tYw1mQx8sKf6hLn3uEa"
        var expected = JWTExpectation(
            issuer: "https://op.example.com", audience: "client-1", occasion: occasion)
        expected.algorithms = [.hs256]
        expected.clientSecret = secret
        change(&expected)
        let input = "eyJhbGciOiJIUzI1NiJ9.\(Base64.encodeURL(JSON.object(claims).bytes))"
        let code = try Digest.sha256.authenticationCode(of: Array(input.utf8), key: Array(secret.utf8))
        let token = try JSONWebToken(parsing: "\(input).\(Base64.encodeURL(code))", as: .idToken)
        return try token.validate(with: .empty, expecting: expected, now: now)
    }

    private func expectRefused(
        _ claims: JSONObject, _ occasion: JWTExpectation.Occasion = .codeFlow(nonce: nil), claim: String,
        _ change: (inout JWTExpectation) -> Void = { _ in }, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: OAuthError.self, sourceLocation: sourceLocation) {
            try validate(claims, occasion, change)
        }
        #expect(error?.kind == .idTokenClaim, sourceLocation: sourceLocation)
        #expect(error?.member == claim, sourceLocation: sourceLocation)
    }
}
