import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Grants")
struct GrantTests {
    @Test(
        "A-06, X-01, R-01, P-01, DV-01, DV-09 requests: a request has the parameters of the case",
        arguments: try VectorGroup("requests").cases(elsewhere: [
            "RevocationTests": ["rfc7009-2.1"], "IntrospectionTests": ["rfc7662-2.1"],
        ]))
    func vectors(vector: VectorCase) throws {
        let expected = try FormEncoding.parse(#require(vector["encoded"]?.string)).map { [$0.name, $0.value] }
        #expect(vector["params"]?.array?.map { $0.strings ?? [] } == expected)
        var members = JSONObject()
        for pair in expected { members[pair[0]] = .string(pair[1]) }
        members["client_id"] = .string("s6BhdRkqt3")
        for name in ["state", "response_type", "code_challenge", "code_challenge_method"] { members[name] = nil }
        switch vector["subcommand"]?.string {
        case "authurl", "par":
            let protection: AuthorizationRequest.Protection = vector.id == "rfc9126-2.1" ? .pkce(.s256) : .none
            let request = try AuthorizationRequest.example(members, protection: protection)
            // State and challenge are made, not given; a client assertion is another method's business.
            let made = ["state", "code_challenge"]
            let comparable = expected.filter { !made.contains($0[0]) && !$0[0].hasPrefix("client_assertion") }
            let pairs = request.parameters.pairs.map { [$0.name, $0.value] }
            #expect(sorted(pairs.filter { !made.contains($0[0]) }) == sorted(comparable))
            #expect(pairs.map { $0[0] }.filter(made.contains) == expected.map { $0[0] }.filter(made.contains))
        case "exchange": try expectSent(Grant.authorizationCode(Document(members)), vector, expected)
        case "refresh":
            let token = try #require(members["refresh_token"]?.string)
            try expectSent(Grant.refresh(Document(members), refreshToken: token, scope: nil), vector, expected)
        case "device" where members["device_code"] == nil:
            members["device_authorization_endpoint"] = .string("https://server.example.com/device_authorization")
            try expectSent(DeviceAuthorizationRequest(of: Document(members)).parameters, vector, expected)
        case "device": try expectSent(Grant(.deviceCode, of: Document(members), .init()), vector, expected)
        default: Issue.record("no test for \(vector)")
        }
    }

    private func expectSent(_ grant: Grant, _ vector: VectorCase, _ expected: [[String]]) throws {
        try expectSent(grant.parameters, vector, expected)
    }

    /// Expects the pairs in the body and the value of `Authorization`.
    private func expectSent(_ parameters: Parameters, _ vector: VectorCase, _ expected: [[String]]) throws {
        let value = { (name: String) in expected.first { $0[0] == name }?[1] }
        let authorization = vector["authorization"]?.string
        let authentication = try ClientAuthentication(
            method: authorization != nil ? .basic : value("client_secret") != nil ? .post : .none,
            clientID: value("client_id") ?? "s6BhdRkqt3", secret: value("client_secret") ?? "gX1fBat3bV")
        let endpoint = try Endpoint("https://server.example.com/token", name: "token_endpoint")
        let request = try authentication.request(to: endpoint, parameters: parameters)
        let body = try FormEncoding.parse(String(decoding: #require(request.body), as: UTF8.self))
        #expect(sorted(body.map { [$0.name, $0.value] }) == sorted(expected))
        #expect(request.headers.first("Authorization") == authorization)
    }

    private func sorted(_ pairs: [[String]]) -> [[String]] { pairs.sorted { $0.lexicographicallyPrecedes($1) } }

    @Test(
        "TX-01 token_exchange: an extension grant sends the parameters of a token exchange in their order",
        arguments: try VectorGroup("token_exchange").cases(only: ["request-min", "many"]))
    func tokenExchange(vector: VectorCase) throws {
        var parameters = try #require(vector["params"]?.object)
        let resources = parameters["resource"]?.strings ?? []
        parameters.remove(["grant_type", "resource"])
        let extra = parameters.members.flatMap { member in
            (member.value.strings ?? [member.value.string ?? ""]).map { (member.name, $0) }
        }
        let document = Document(["resource": .array(resources.map { .string($0) })])
        var grant = try Grant(.other("urn:ietf:params:oauth:grant-type:token-exchange"), of: document, .init())
        if let type = vector["params"]?.object?["grant_type"]?.string { #expect(grant.kind.type == type) }
        try grant.addExtra(extra, of: document)
        #expect(
            grant.parameters.pairs.map { [$0.name, $0.value] }
                == [["grant_type", grant.kind.type]] + resources.map { ["resource", $0] }
                + extra.map { [$0.0, $0.1] })
    }

    @Test(
        "TX-01 token_exchange: an actor token and its type go together",
        arguments: try VectorGroup("token_exchange").cases(only: ["actor-without-type", "type-without-actor"]))
    func actor(vector: VectorCase) throws {
        let document = Document(["token_params": .object(try #require(vector["params"]?.object))])
        let error = #expect(throws: OAuthError.self) {
            var grant = try Grant(.other("urn:ietf:params:oauth:grant-type:token-exchange"), of: document, .init())
            try grant.addExtra([], of: document)
        }
        #expect(error?.kind.name == vector["kind"]?.string)
    }

    @Test("X-01, X-06 a code goes with its redirect URI, its verifier and the resources, and is spent")
    func code() throws {
        let verifier = String(repeating: "v", count: 43)
        let grant = try Grant.authorizationCode(
            Document([
                "code": .string("4/0Ab+c"), "redirect_uri": .string("http://127.0.0.1:1/cb?x=1"),
                "code_verifier": .string(verifier), "scope": .string("openid a"), "state": .string("s"),
                "nonce": .string("n"),
                "resource": .array([.string("urn:a"), .string("urn:b")]),
            ]))
        #expect(
            grant.parameters.pairs.map { [$0.name, $0.value] } == [
                ["grant_type", "authorization_code"], ["code", "4/0Ab+c"],
                ["redirect_uri", "http://127.0.0.1:1/cb?x=1"],
                ["code_verifier", verifier], ["resource", "urn:a"], ["resource", "urn:b"],
            ])
        #expect(grant.kind.isSpent)
        #expect(grant.scope.values == ["openid", "a"])
    }

    @Test("X-02 the code comes in the document; a bad verifier is not sent")
    func badCode() {
        let none = #expect(throws: OAuthError.self) { try Grant.authorizationCode(Document([:])) }
        #expect(none?.kind == .metadataMissing)
        #expect(none?.member == "code")
        let members: JSONObject = ["code": .string("c"), "code_verifier": .string("short")]
        let short = #expect(throws: OAuthError.self) { try Grant.authorizationCode(Document(members)) }
        #expect(short?.kind == .usage)
        #expect(short?.member == "code_verifier")
    }

    @Test("DV-09 a device code goes with the resources, without the scope, and is spent")
    func deviceCode() throws {
        let document = Document([
            "device_code": .string("d"), "scope": .string("openid a"), "resource": .string("urn:a"),
            "user_code": .string("u"), "redirect_uri": .string("http://127.0.0.1:1/cb"),
        ])
        let grant = try Grant(.deviceCode, of: document, .init())
        #expect(
            grant.parameters.pairs.map { [$0.name, $0.value] } == [
                ["grant_type", "urn:ietf:params:oauth:grant-type:device_code"], ["device_code", "d"],
                ["resource", "urn:a"],
            ])
        #expect(grant.kind.isSpent && grant.kind.isPolled && grant.scope.values == ["openid", "a"])
        let none = #expect(throws: OAuthError.self) { try Grant(.deviceCode, of: Document([:]), .init()) }
        #expect(none?.kind == .metadataMissing && none?.member == "device_code")
    }

    @Test("client credentials send the scope, an empty one not, and may be sent again")
    func clientCredentials() throws {
        let grant = try Grant.scoped(
            .clientCredentials, Document(["scope": .string("a b"), "resource": .string("urn:a")]))
        #expect(
            grant.parameters.pairs.map { [$0.name, $0.value] } == [
                ["grant_type", "client_credentials"], ["scope", "a b"], ["resource", "urn:a"],
            ])
        #expect(!grant.kind.isSpent)
        #expect(try Grant.scoped(.clientCredentials, Document([:])).parameters.pairs.map(\.name) == ["grant_type"])
        #expect(throws: OAuthError.self) { try Grant.scoped(.clientCredentials, Document(["scope": .string("a\"")])) }
    }

    @Test("a document that holds both a code and a device code is exchanged for neither by chance")
    func ambiguous() throws {
        let document = Document(["code": .string("c"), "device_code": .string("d")])
        let error = #expect(throws: OAuthError.self) { try Grant.Kind(impliedBy: document) }
        #expect(error?.kind == .usage && error?.message == "the document has both code and device_code")
        #expect(try Grant.Kind(impliedBy: Document(["device_code": .string("d"), "code": .null])).isPolled)
        #expect(try Grant.Kind(impliedBy: Document([:])).name == Grant.Kind.authorizationCode.name)
    }

    @Test("R-01 a refresh sends a scope only when it is asked for")
    func refreshScope() throws {
        let document = Document(["scope": .string("a b"), "resource": .string("urn:a")])
        let same = try Grant.refresh(document, refreshToken: "r", scope: nil)
        #expect(
            same.parameters.pairs.map { [$0.name, $0.value] } == [
                ["grant_type", "refresh_token"], ["refresh_token", "r"], ["resource", "urn:a"],
            ])
        #expect(same.scope.values == ["a", "b"])
        #expect(same.kind.isSpent)
        let narrower = try Grant.refresh(document, refreshToken: "r", scope: "b")
        #expect(narrower.parameters["scope"] == "b")
        #expect(narrower.scope.values == ["b"])
        let empty = try Grant.refresh(document, refreshToken: "r", scope: "")
        #expect(empty.parameters["scope"] == nil)
        #expect(empty.scope.values == ["a", "b"])
    }

    @Test("R-01 a refresh cannot ask for more than was granted", arguments: ["a b c", "c", "A", "a,b"])
    func widerScope(scope: String) {
        let document = Document(["scope": .string("a b")])
        let error = #expect(throws: OAuthError.self) { try Grant.refresh(document, refreshToken: "r", scope: scope) }
        #expect(error?.kind == .usage)
        #expect(error?.member == "scope")
    }

    @Test("R-01 where nobody knows what was granted, the server decides")
    func unknownScope() throws {
        #expect(try Grant.refresh(Document([:]), refreshToken: "r", scope: "a").parameters["scope"] == "a")
        #expect(throws: OAuthError.self) { try Grant.refresh(Document([:]), refreshToken: "r", scope: "a\\") }
    }

    @Test("an extension grant is named by an absolute URI, anything else is unknown")
    func other() throws {
        let grant = try Grant(.other("urn:example:grant"), of: Document(["scope": .string("a")]), .init())
        #expect(grant.kind.type == "urn:example:grant")
        #expect(grant.parameters.pairs.map(\.value) == ["urn:example:grant", "a"])
        let error = #expect(throws: OAuthError.self) { try Grant(.other("implicit"), of: Document([:]), .init()) }
        #expect(error?.kind == .usage)
    }

    @Test(
        "T-05 --param and presets add parameters, but none that the grant or the client sets", arguments: Grant.reserved
    )
    func reserved(name: String) throws {
        var grant = try Grant.scoped(.clientCredentials, Document([:]))
        let error = #expect(throws: OAuthError.self) { try grant.addExtra([(name, "x")], of: Document([:])) }
        #expect(error?.kind == .usage)
        #expect(error?.member == nil)
        let preset = Document(["token_params": .object([name: .string("x")])])
        let inPreset = #expect(throws: OAuthError.self) { try grant.addExtra([], of: preset) }
        #expect(inPreset?.member == "token_params")
    }

    @Test("a preset's parameters for refreshing go with a refresh, the others with every other grant")
    func presets() throws {
        let document = Document([
            "token_params": .object(["audience": .string("t")]), "refresh_params": .object(["x": .string("r")]),
        ])
        var refresh = try Grant.refresh(document, refreshToken: "r", scope: nil)
        try refresh.addExtra([("y", "1")], of: document)
        #expect(refresh.parameters.pairs.dropFirst(2).map { [$0.name, $0.value] } == [["x", "r"], ["y", "1"]])
        var credentials = try Grant.scoped(.clientCredentials, document)
        try credentials.addExtra([("audience", "u")], of: document)
        #expect(
            credentials.parameters.pairs.dropFirst().map { [$0.name, $0.value] } == [["audience", "u"]],
            "one that is named anew is not sent twice")
    }
}
