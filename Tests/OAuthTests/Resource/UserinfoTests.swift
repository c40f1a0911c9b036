import JOSE
import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Userinfo")
struct UserinfoTests {
    private let document: JSONObject = [
        "issuer": .string("https://as.example"), "client_id": .string("client"),
        "userinfo_endpoint": .string("https://as.example/userinfo"),
        "id_token_claims": .object(["sub": .string("user-1")]),
    ]

    @Test(
        "UI-01, UI-02 endpoint_responses: an answer of the userinfo endpoint means what the case says",
        arguments: try VectorGroup("endpoint_responses").cases(only: [
            "userinfo-ok", "userinfo-other-sub", "userinfo-no-sub", "userinfo-jwt-unexpected-alg",
            "userinfo-json-when-jwt-configured", "userinfo-401",
        ]))
    func vectors(vector: VectorCase) throws {
        var document = document
        document["id_token_claims"] = vector["id_token_sub"].map { .object(["sub": $0]) }
        document["userinfo_signed_response_alg"] = vector["signed_alg"]
        let userinfo = try Userinfo(of: Document(document))
        let response = try vector.response()
        let read = { () throws(OAuthError) -> [OAuthWarning] in
            switch try userinfo.answer(response, scheme: "Bearer") {
            case .plain(let claims, let warnings): return try warnings + userinfo.checkSubject(of: claims)
            case .signed(let token):
                return try token.validate(
                    with: .empty, expecting: .init(for: .userinfo, of: Document(document)), now: 0)
            }
        }
        switch vector["expect"]?.string {
        case "ok": vector.expectWarnings(try read())
        case "error": vector.expectFailure(of: read)
        case "refresh-and-retry-once":
            let error = #expect(throws: OAuthError.self) { try read() }
            #expect(error?.kind == .oauth && error?.code == "invalid_token" && error?.status == 401)
        default: Issue.record("no test for \(vector)")
        }
    }

    @Test("both kinds of answer are asked for by a GET, which has no token in it yet")
    func request() throws {
        let request = try Userinfo(of: Document(document)).request
        #expect(request.method == "GET" && request.url == "https://as.example/userinfo" && request.body == nil)
        #expect(request.headers == [HTTPField("Accept", "application/json, application/jwt")])
    }

    @Test("UI-01 claims without an ID token to compare with cause a warning")
    func unchecked() throws {
        var document = document
        document["id_token_claims"] = nil
        let warnings = try Userinfo(of: Document(document)).checkSubject(of: ["sub": .string("me")])
        #expect(warnings.map(\.name) == ["sub_unchecked"])
    }

    @Test(
        "UI-01 claims of another user are refused, however near the sub comes to that of the ID token",
        arguments: ["user-", "user", "user-12", "User-1", "user-1 ", "us\u{E9}r-1"])
    func otherSubject(subject: String) throws {
        let error = #expect(throws: OAuthError.self) {
            try Userinfo(of: Document(document)).checkSubject(of: ["sub": .string(subject)])
        }
        #expect(error?.kind == .subjectMismatch)
    }

    @Test("a refusal or a redirect whose content is labelled as a JWT is no signed answer")
    func labelledRefusal() throws {
        let userinfo = try Userinfo(of: Document(document))
        for (status, kind) in [(401, ErrorKind.oauth), (302, .redirectRefused), (500, .httpStatus)] {
            let head = HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", "application/jwt")])
            let response = EndpointResponse(head: head, body: Array("eyJhbGciOiJFUzI1NiJ9.e30.AAAA".utf8))
            #expect(#expect(throws: OAuthError.self) { try userinfo.answer(response, scheme: "Bearer") }?.kind == kind)
        }
    }

    @Test("UI-02 a signed answer is read with the keys of the issuer, and refused for another issuer or client")
    func signed() throws {
        let key = try SigningKey(generatedFor: .es256)
        let keys = try KeySet(of: ["keys": .array([.object(key.publicKey ?? [:])])])
        let userinfo = try Userinfo(of: Document(document))
        let good: JSONObject = [
            "iss": .string("https://as.example"), "aud": .strings(["other", "client"]), "sub": .string("user-1"),
        ]
        let wrong: [(JSONObject, String)] = [
            (good.with("iss", .string("https://evil.example")), "iss"), (good.with("aud", .string("other")), "aud"),
            (good.with("aud", nil), "aud"), (good.with("sub", nil), "sub"), (good.with("exp", .integer(900)), "exp"),
            (good.with("exp", .string("never")), "exp"),
        ]
        func read(_ claims: JSONObject, keys: KeySet) throws -> JSONObject? {
            let body = try key.sign(JSON.object(claims).bytes)
            let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/jwt")])
            let response = EndpointResponse(head: head, body: Array((body + "\r\n").utf8))
            guard case .signed(let token) = try userinfo.answer(response, scheme: "Bearer") else { return nil }
            let expected = try JWTExpectation(for: token.profile, of: Document(document))
            #expect(KeySet.mustFetch(for: token.signature, allowing: expected.algorithms, known: nil))
            _ = try token.validate(with: keys, expecting: expected, now: 1000)
            return token.content
        }
        #expect(try read(good, keys: keys) == good)
        for (claims, name) in wrong {
            let error = #expect(throws: OAuthError.self) { try read(claims, keys: keys) }
            #expect(error?.member == name, "\(claims)")
        }
        let other = try KeySet(of: ["keys": .array([.object(SigningKey(generatedFor: .es256).publicKey ?? [:])])])
        #expect(#expect(throws: OAuthError.self) { try read(good, keys: other) }?.kind == .keyNotFound)
    }

    @Test("an answer that is encrypted says so, and one that is labelled as a JWT is no other thing")
    func encrypted() throws {
        let userinfo = try Userinfo(of: Document(document))
        for (body, kind) in [("a.b.c.d.e", ErrorKind.unsupported), (#"{"sub":"user-1"}"#, .idTokenMalformed)] {
            let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/jwt")])
            let response = EndpointResponse(head: head, body: Array(body.utf8))
            #expect(#expect(throws: OAuthError.self) { try userinfo.answer(response, scheme: "") }?.kind == kind)
        }
    }

    @Test(
        "a refusal says what the endpoint wants",
        arguments: [
            (403, "Bearer error=\"insufficient_scope\", scope=\"openid\"", ErrorKind.insufficientScope),
            (401, "Bearer error=\"insufficient_user_authentication\"", .stepUpRequired), (401, "", .oauth),
            (500, "", .httpStatus), (302, "", .redirectRefused),
        ])
    func refused(status: Int, challenge: String, kind: ErrorKind) throws {
        let head = HTTPResponseHead(status: status, headers: [HTTPField("WWW-Authenticate", challenge)])
        let response = EndpointResponse(head: head, body: [])
        let userinfo = try Userinfo(of: Document(document))
        let error = #expect(throws: OAuthError.self) { try userinfo.answer(response, scheme: "Bearer") }
        #expect(error?.kind == kind && (error?.hint?.contains("openid") == true) == (kind == .insufficientScope))
    }
}
