import JOSE
import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Introspection")
struct IntrospectionTests {
    private let document: JSONObject = [
        "client_id": .string("s6BhdRkqt3"), "introspection_endpoint": .string("https://server.example.com/introspect"),
        "issuer": .string("https://server.example.com/"),
    ]

    private func introspection(_ more: JSONObject = [:], isSigned: Bool = false) throws -> Introspection {
        var document = document
        for member in more.members { document[member.name] = member.value }
        return try Introspection(of: Document(document), isSigned: isSigned)
    }

    private func members(_ response: EndpointResponse, _ introspection: Introspection) throws -> JSONObject? {
        guard case .plain(let members, _) = try introspection.answer(response) else { return nil }
        try introspection.check(members)
        return members
    }

    @Test("IN-01 an introspection is requested as RFC 7662 section 2.1 shows it")
    func request() throws {
        let vector = try VectorGroup("requests").case(named: "rfc7662-2.1")
        let client = try ClientAuthentication(method: .basic, clientID: "s6BhdRkqt3", secret: "gX1fBat3bV")
        let request = try introspection().request(
            for: "mF_9.B5f-4.1JqM", of: .access, by: client, at: RequestMoment(now: 0, random: []))
        #expect(request.method == "POST" && request.url == "https://server.example.com/introspect")
        #expect(request.headers.first("Authorization") == vector["authorization"]?.string)
        #expect(request.headers.values(of: "Accept") == ["application/json"])
        #expect(String(decoding: try #require(request.body), as: UTF8.self) == vector["encoded"]?.string)
    }

    @Test("IN-02 a signed answer is asked for where the server offers it, and nothing else where it must be one")
    func accept() throws {
        let client = try ClientAuthentication(method: .none, clientID: "s6BhdRkqt3", secret: nil)
        let moment = RequestMoment(now: 0, random: [])
        let type = "application/token-introspection+jwt"
        let listed: JSONObject = ["introspection_signing_alg_values_supported": .strings(["ES256"])]
        let cases: [(Introspection, String)] = [
            (try introspection(listed), "\(type), application/json;q=0.5"), (try introspection(isSigned: true), type),
            (try introspection(["introspection_signed_response_alg": .string("RS256")]), type),
        ]
        for (introspection, accept) in cases {
            let request = try introspection.request(for: "t", of: .refresh, by: client, at: moment)
            #expect(request.headers.values(of: "Accept") == [accept])
            #expect(String(decoding: request.body ?? [], as: UTF8.self).contains("token_type_hint=refresh_token"))
        }
    }

    @Test(
        "IN-01 endpoint_responses: an answer of the introspection endpoint means what the case says",
        arguments: try VectorGroup("endpoint_responses").cases(only: [
            "introspect-active", "introspect-inactive", "introspect-string", "introspect-missing",
        ]))
    func vectors(vector: VectorCase) throws {
        let response = try vector.response()
        guard vector["expect"] == .string("error") else {
            #expect(try members(response, introspection()) == vector["body"]?.object)
            return
        }
        vector.expectFailure { try members(response, introspection()) }
    }

    @Test(
        "IN-01 rfc_responses: the answers of RFC 7662 section 2.2 are passed on as they came",
        arguments: try VectorGroup("rfc_responses").cases(only: ["rfc7662-2.2-active", "rfc7662-2.2-inactive"]))
    func published(vector: VectorCase) throws {
        #expect(try members(vector.response(), introspection()) == vector["body"]?.object)
    }

    @Test("IN-03 an answer about a token of another issuer is refused")
    func otherIssuer() throws {
        let vector = try VectorGroup("rfc_responses").case(named: "rfc7662-2.2-active")
        let other = try introspection(["issuer": .string("https://server.example.com")])
        let error = #expect(throws: OAuthError.self) { try members(vector.response(), other) }
        #expect(error?.kind == .invalidResponse && error?.member == "iss")
    }

    @Test("IN-02 a signed answer is checked: its typ, its signature, its issuer, and that it is for the client")
    func signed() throws {
        let key = try SigningKey(generatedFor: .ps256)
        let keys = try KeySet(of: ["keys": .array([.object(key.publicKey ?? [:])])])
        let introspection = try introspection(["introspection_signed_response_alg": .string("PS256")])
        let expected = try JWTExpectation(
            for: .introspection, of: Document(document.with("introspection_signed_response_alg", .string("PS256"))))
        let good: JSONObject = [
            "iss": .string("https://server.example.com/"), "aud": .string("s6BhdRkqt3"), "iat": .integer(1000),
            "token_introspection": .object(["active": .bool(true), "scope": .string("a")]),
        ]
        func read(_ claims: JSONObject, type: String? = "token-introspection+jwt") throws -> JSONObject? {
            var header = JSONObject()
            header["typ"] = type.map { .string($0) }
            let body = try key.sign(JSON.object(claims).bytes, header: header)
            let label = HTTPField("Content-Type", "application/token-introspection+jwt")
            let head = HTTPResponseHead(status: 200, headers: [label])
            let response = EndpointResponse(head: head, body: Array(body.utf8))
            guard case .signed(let token) = try introspection.answer(response) else { return nil }
            _ = try token.validate(with: keys, expecting: expected, now: 1000)
            try introspection.check(token.content)
            return token.content
        }
        #expect(try read(good) == ["active": .bool(true), "scope": .string("a")])
        #expect(try read(good, type: "application/token-introspection+jwt")?["active"] == .bool(true))
        for type in [nil, "JWT", "at+jwt"] {
            let error = #expect(throws: OAuthError.self) { try read(good, type: type) }
            #expect(error?.kind == .idTokenHeader, "\(type ?? "none")")
        }
        let wrong: [(JSONObject, String)] = [
            (good.with("aud", .string("other")), "aud"), (good.with("iat", nil), "iat"),
            (good.with("iss", .string("https://evil.example")), "iss"),
            (good.with("token_introspection", .bool(true)), "token_introspection"),
            (good.with("token_introspection", .object(["active": .string("true")])), "active"),
        ]
        for (claims, member) in wrong {
            #expect(#expect(throws: OAuthError.self) { try read(claims) }?.member == member, "\(claims)")
        }
        let plain = EndpointResponse(
            head: HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")]),
            body: Array(#"{"active":true}"#.utf8))
        #expect(#expect(throws: OAuthError.self) { try members(plain, introspection) }?.kind == .jwtExpected)
    }
}
