import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Authorization requests")
struct AuthorizationRequestTests {
    @Test(
        "A-01 to A-16 authurl: an authorization request has the URL or the error of the case",
        arguments: try VectorGroup("authurl").cases(elsewhere: [
            "LoginPipelineTests": ["par-required"]
        ]))
    func vectors(vector: VectorCase) throws {
        var members = vector["metadata"]?.object ?? [:]
        for member in vector["input"]?.object?.members ?? [] { members[member.name] = member.value }
        for name in ["scope", "resource", "redirect_uri", "max_age"] where vector[name] != nil {
            members[name] = vector[name]
        }
        if let endpoint = vector["endpoint"] { members["authorization_endpoint"] = endpoint }
        let extra = vector["extra"]?.object?.members.map { ($0.name, $0.value.string ?? "") } ?? []
        if vector["expect"]?.string == "error" {
            vector.expectFailure { try Self.build(vector, members, extra) }
        } else {
            let url = try Self.build(vector, members, extra)
            try expect(vector, of: url)
        }
    }

    /// The URL of a case; for those about pushed requests, the one that refers to the pushed request.
    private static func build(
        _ vector: VectorCase, _ members: JSONObject, _ extra: [(name: String, value: String)]
    ) throws -> String {
        let request = try AuthorizationRequest.example(members, extra: extra)
        if members["require_pushed_authorization_requests"]?.bool == true {
            _ = try Endpoint("pushed_authorization_request_endpoint", in: Document(members))
        }
        return try vector["par"]?.object.map { try request.url(pushedAs: #require($0["request_uri"]?.string)) }
            ?? request.url
    }

    /// What a case says of the URL. One that says nothing that can be read here fails.
    private func expect(_ vector: VectorCase, of url: String) throws {
        let pairs = try FormEncoding.parse(#require(WebURL(url)?.query))
        let values = Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
        var isRead = vector["expect"]?.string == "ok" && values["code_challenge_method"] == "S256"
        for member in vector["expect_query_has"]?.object?.members ?? [] {
            #expect(values[member.name] == member.value.string)
            isRead = true
        }
        if let names = vector["expect_query_lacks"]?.strings { isRead = names.allSatisfy { values[$0] == nil } }
        if let names = vector["expect_query_has_keys"]?.strings {
            isRead = names.allSatisfy { values[$0]?.isEmpty == false }
        }
        if let names = vector["expect_query_exact_keys"]?.strings { isRead = pairs.map(\.name) == names }
        if let expected = vector["expect_query_pairs"]?.array?.compactMap(\.strings) {
            let names = Set(expected.map { $0[0] })
            isRead = pairs.filter { names.contains($0.name) }.map { [$0.name, $0.value] } == expected
        }
        if let texts = vector["expect_contains"]?.strings {
            let scopes = try #require(vector["scope_any_of"]?.strings)
            isRead = texts.allSatisfy(url.contains) && scopes.contains(where: url.contains)
        }
        switch vector.id {
        case "state-entropy":
            let bytes = try #require(values["state"].flatMap { Base64.decodeURL($0) })
            isRead = try bytes.count * 8 >= #require(vector["min_bits"]?.integer)
        case "unique-per-call":
            let other = try AuthorizationRequest.example(["scope": .string("openid")], seed: 100)
            let again = try AuthorizationRequest.example(["scope": .string("openid")])
            isRead = ["state", "nonce", "code_challenge"].allSatisfy { other.parameters[$0] != again.parameters[$0] }
        default: break
        }
        #expect(isRead, "the URL is not as the case says, or the case says nothing: \(url)")
    }

    @Test("A-01, A-04, A-05 state, nonce and verifier are the given octets, each in its place")
    func entropy() throws {
        let request = try AuthorizationRequest.example(["scope": .string("openid")], seed: 7)
        #expect(request.parameters["state"] == Base64.encodeURL(Array(repeating: 7, count: 32)))
        #expect(request.parameters["nonce"] == Base64.encodeURL(Array(repeating: 8, count: 32)))
        let verifier = Base64.encodeURL(Array(repeating: 9, count: 32))
        #expect(request.remembered["code_verifier"]?.string == verifier)
        #expect(try request.parameters["code_challenge"] == PKCE.challenge(for: verifier, method: .s256))
    }

    @Test("A-18 the flow keeps what the callback and the exchange need, and nothing that is not sent")
    func remembered() throws {
        let openid = try AuthorizationRequest.example(["scope": .string("a openid")])
        #expect(openid.remembered.members.map(\.name) == ["state", "redirect_uri", "nonce", "code_verifier"])
        #expect(openid.remembered["state"]?.string == openid.parameters["state"])
        #expect(openid.remembered["nonce"]?.string == openid.parameters["nonce"])
        #expect(openid.remembered["redirect_uri"]?.string == "http://127.0.0.1:51004/cb")
        let plain = try AuthorizationRequest.example([:], protection: .none)
        #expect(plain.remembered.members.map(\.name) == ["state", "redirect_uri"])
        #expect(!openid.url.contains(try #require(openid.remembered["code_verifier"]?.string)))
    }

    @Test(
        "A-04 a scope that only looks like openid brings no nonce",
        arguments: ["", "a", "OpenID", "openid2", "x-openid"])
    func noNonce(scope: String) throws {
        let request = try AuthorizationRequest.example(["scope": .string(scope)])
        #expect(request.parameters["nonce"] == nil)
        #expect(request.remembered["nonce"] == nil)
    }

    @Test("A-02 plain and no PKCE are there for those who ask for them, with a warning")
    func weaker() throws {
        let plainOnly: JSONObject = ["code_challenge_methods_supported": .array([.string("plain")])]
        let plain = try AuthorizationRequest.example(plainOnly, protection: .pkce(.plain))
        #expect(plain.parameters["code_challenge_method"] == "plain")
        #expect(plain.parameters["code_challenge"] == plain.remembered["code_verifier"]?.string)
        #expect(plain.warnings == [.plainPKCE])
        let none = try AuthorizationRequest.example(plainOnly, protection: .none)
        #expect(none.parameters["code_challenge"] == nil)
        #expect(none.parameters["code_challenge_method"] == nil)
        #expect(none.remembered["code_verifier"] == nil)
        #expect(none.warnings == [.noPKCE])
        #expect(try AuthorizationRequest.example([:]).warnings.isEmpty)
    }

    @Test(
        "A-02 S256 is used wherever the server does not speak against it",
        arguments: [[], ["S256"], ["plain", "S256"]])
    func methods(supported: [String]) throws {
        let metadata: JSONObject = ["code_challenge_methods_supported": .array(supported.map(JSON.string))]
        #expect(try AuthorizationRequest.example(metadata).parameters["code_challenge_method"] == "S256")
    }

    @Test("A-08 the endpoint's query comes first and is not touched")
    func endpointQuery() throws {
        let request = try AuthorizationRequest.example([
            "authorization_endpoint": .string("https://as.example/a?x=%2F&state=theirs")
        ])
        #expect(request.url.hasPrefix("https://as.example/a?x=%2F&state=theirs&response_type=code&"))
        #expect(request.url(pushedAs: "urn:x&y").hasSuffix("state=theirs&client_id=c&request_uri=urn%3Ax%26y"))
    }

    @Test("A-14 a URL after a pushed request carries client_id and request_uri only")
    func pushed() throws {
        let request = try AuthorizationRequest.example(["scope": .string("openid")])
        #expect(request.url(pushedAs: "urn:x") == "https://op.example.com/a?client_id=c&request_uri=urn%3Ax")
    }

    @Test("T-05 no parameter is sent empty, and none twice but resource")
    func once() throws {
        let request = try AuthorizationRequest.example(Self.everything)
        let names = request.parameters.pairs.map(\.name)
        #expect(names.filter { $0 != "resource" }.count == Set(names).subtracting(["resource"]).count)
        #expect(request.parameters.pairs.allSatisfy { !$0.value.isEmpty })
        let empty = Dictionary(
            uniqueKeysWithValues: ["scope", "prompt", "login_hint", "acr_values", "ui_locales"].map { ($0, "") })
        let bare = try AuthorizationRequest.example(
            JSONObject(unique: empty.map { .init(name: $0.key, value: .string($0.value)) }))
        #expect(
            bare.parameters.pairs.map(\.name) == [
                "response_type", "client_id", "redirect_uri", "state", "code_challenge", "code_challenge_method",
            ])
    }

    @Test("every optional parameter arrives as it was given")
    func optional() throws {
        let parameters = try AuthorizationRequest.example(Self.everything).parameters
        for (name, value) in [
            ("scope", "openid a"), ("prompt", "login consent"), ("login_hint", "a b@c.example"), ("max_age", "60"),
            ("acr_values", "urn:loa:2"), ("ui_locales", "de en"), ("response_mode", "form_post"),
            ("claims", #"{"id_token":{"acr":{"essential":true}}}"#),
            ("authorization_details", #"[{"type":"x","n":1.10}]"#),
            ("access_type", "offline"), ("n", "1.10"), ("b", "true"),
        ] {
            #expect(parameters[name] == value)
        }
    }

    private static let everything: JSONObject = [
        "scope": .string("openid  a"), "resource": .array([.string("https://a.example/"), .string("urn:b")]),
        "prompt": .string("login consent"), "login_hint": .string("a b@c.example"), "max_age": .string("60"),
        "acr_values": .string("urn:loa:2"), "ui_locales": .string("de en"), "response_mode": .string("form_post"),
        "claims": .object(["id_token": .object(["acr": .object(["essential": .bool(true)])])]),
        "authorization_details": .array([.object(["type": .string("x"), "n": .number("1.10")])]),
        "authorization_params": .object([
            "access_type": .string("offline"), "n": .number("1.10"), "b": .bool(true), "z": .null, "e": .string(""),
        ]),
    ]
}

extension AuthorizationRequest {
    /// A request of a client `c`, whose state, nonce and verifier are the octets `seed`, `seed + 1` and `seed + 2`.
    static func example(
        _ members: JSONObject, protection: Protection = .pkce(.s256), extra: [(name: String, value: String)] = [],
        seed: UInt8 = 1
    ) throws -> AuthorizationRequest {
        var document: JSONObject = [
            "client_id": .string("c"), "authorization_endpoint": .string("https://op.example.com/a"),
            "redirect_uri": .string("http://127.0.0.1:51004/cb"),
        ]
        for member in members.members { document[member.name] = member.value }
        let octets = { (octet: UInt8) in [UInt8](repeating: octet, count: 32) }
        return try AuthorizationRequest(
            of: Document(document), redirectURI: RedirectURI(of: Document(document)),
            protection: protection, extra: extra,
            entropy: Entropy(state: octets(seed), nonce: octets(seed + 1), verifier: octets(seed + 2)))
    }
}
