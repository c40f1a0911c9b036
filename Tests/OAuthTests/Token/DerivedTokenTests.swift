import Testing
import Wire

@testable import OAuth

@Suite("Another token of a login")
struct DerivedTokenTests {
    private let login: JSONObject

    init() throws {
        let text = """
            {"client_id":"c","client_secret":"s","api_base":"https://api.example/v1","userinfo_endpoint":"https://as.example/u",
            "access_token":"at","expires_at":100,"expires_in":50,"refresh_token":"rt","scope":"a b","id_token":"x",
            "token_params":{"audience":"old","x":"1"}}
            """
        login = try #require(JSON(parsing: text).object)
    }

    @Test("until one is kept, its document has a token that has expired, and the places of the resource alone")
    func empty() throws {
        let document = DerivedToken(scope: nil, resources: ["https://r.example/x"]).document(in: login)
        #expect(document["expires_at"] == .integer(0) && document["access_token"]?.string == "")
        for name in ["userinfo_endpoint", "id_token", "scope", "expires_in"] {
            #expect(document[name] == nil, "\(name)")
        }
        #expect(try TokenOrigins(of: Document(document)).text == "https://r.example")
        #expect(document["api_base"]?.string == "https://r.example/x")
        let own = DerivedToken(scope: nil, resources: ["https://r.example", "https://api.example/"]).placed(login)
        #expect(own["api_base"]?.string == "https://api.example/v1")
        #expect(DerivedToken(scope: "a").document(in: login)["api_base"]?.string == "https://api.example/v1")
        let audience = DerivedToken(scope: nil, audiences: ["urn:x", "https://b.example/y", "http://c.example"])
        #expect(audience.document(in: login)["api_origins"] == .strings(["https://b.example"]))
    }

    @Test("a response is kept beside the login's token, and a refresh token in it is the login's")
    func kept() throws {
        let narrow = DerivedToken(scope: "a")
        let first = try added(
            narrow, to: login, #"{"access_token":"at-a","token_type":"Bearer","refresh_token":"rt-2"}"#)
        for name in ["access_token", "expires_at", "expires_in", "scope", "id_token"] {
            #expect(first[name] == login[name], "\(name)")
        }
        #expect(first["refresh_token"]?.string == "rt-2")
        let document = narrow.document(in: first)
        #expect(
            document["access_token"]?.string == "at-a" && document["scope"]?.string == "a"
                && document["expires_at"] == nil)
        #expect(DerivedToken.handedOut(document)["refresh_token"] == nil)
        #expect(DerivedToken.handedOut(document)["client_secret"] == nil)
        #expect(DerivedToken(scope: "b").document(in: first)["access_token"]?.string == "")
        let second = try added(narrow, to: first, #"{"access_token":"at-b","token_type":"Bearer","expires_in":5}"#)
        #expect(narrow.document(in: second)["access_token"]?.string == "at-b")
        #expect(DerivedToken.list(in: second) == [.object(["scope": .string("a"), "expires_at": .integer(65)])])
        #expect(DerivedToken.live(in: second, now: 65).isEmpty)
        #expect(DerivedToken.live(in: second, now: 64).map { $0["access_token"]?.string } == ["at-b"])
    }

    @Test("it is found again whatever the order of its values, and the newest sixteen are kept until they expire")
    func found() throws {
        let (one, other) = (DerivedToken(scope: "b a"), DerivedToken(scope: "a  b"))
        var kept = try added(one, to: login, #"{"access_token":"at-1","token_type":"Bearer","expires_in":5}"#)
        #expect(other.document(in: kept)["access_token"]?.string == "at-1")
        kept = try added(
            DerivedToken(scope: "a"), to: kept, #"{"access_token":"at-2","token_type":"Bearer"}"#, now: 65)
        #expect(one.document(in: kept)["access_token"]?.string == "")
        for number in 0..<20 {
            let token = DerivedToken(scope: nil, audiences: ["\(number)"])
            kept = try added(token, to: kept, #"{"access_token":"at-\#(number)","token_type":"Bearer"}"#)
        }
        let audiences = DerivedToken.list(in: kept).map { $0.object?["audience"]?.strings?.first }
        #expect(audiences == (4..<20).map { "\($0)" })
    }

    @Test("a scope that was not granted is asked for only where the server's refresh tokens are for several APIs")
    func otherScope() throws {
        var login = login
        #expect(throws: OAuthError.self) { try Grant.refresh(Document(login), refreshToken: "rt", scope: "c") }
        login["refresh_other_scope"] = .bool(true)
        let grant = try Grant.refresh(Document(login), refreshToken: "rt", scope: "c")
        #expect(grant.parameters["scope"] == "c")
        let token = DerivedToken(scope: "c")
        let answer = #"{"access_token":"at-c","token_type":"Bearer","scope":"c"}"#
        let kept = try added(token, to: login, answer)
        #expect(kept["scope"]?.string == "a b" && token.document(in: kept)["scope"]?.string == "c")
    }

    @Test("a token that was refused or revoked is dropped by its value, and the others stay")
    func dropped() throws {
        var kept = login
        for number in 1...2 {
            let token = DerivedToken(scope: nil, audiences: ["\(number)"])
            kept = try added(token, to: kept, #"{"access_token":"at-\#(number)","token_type":"Bearer"}"#)
        }
        for other in ["at", "at-", "at-11", ""] { #expect(DerivedToken.dropping(other, from: kept) == nil) }
        let rest = try #require(DerivedToken.dropping("at-1", from: kept))
        #expect(DerivedToken.list(in: rest).map { $0.object?["audience"] } == [.strings(["2"])])
        #expect(DerivedToken.dropping("at-2", from: rest) == login)
    }

    @Test("one whose end is not known is live, and so is revoked with its login")
    func endless() throws {
        let kept = try added(DerivedToken(scope: "a"), to: login, #"{"access_token":"at-a","token_type":"Bearer"}"#)
        #expect(DerivedToken.live(in: kept, now: 1_000_000).map { $0["access_token"]?.string } == ["at-a"])
    }

    @Test("an exchange sends the access token of the login, and neither its scope nor the parameters of its grant")
    func exchange() throws {
        let token = DerivedToken(scope: nil, audiences: ["new"], isExchange: true)
        var login = login
        var parameters = try #require(login["token_params"]?.object)
        for name in ["subject_token", "subject_token_type", "actor_token", "actor_token_type"] {
            parameters[name] = .string("old")
        }
        login["token_params"] = .object(parameters)
        let document = Document(token.requested(of: login))
        let kind = try #require(token.grant)
        let secrets = ["subject_token": try #require(document.members["subject_token"]?.string)]
        var grant = try Grant(kind, of: document, .init(secrets: secrets, scope: nil, isRepeated: true))
        try grant.addExtra(token.extra, of: document)
        let type = "urn:ietf:params:oauth:token-type:access_token"
        let pairs = grant.parameters.pairs.map { "\($0.name)=\($0.value)" }
        #expect(
            Set(pairs) == [
                "grant_type=urn:ietf:params:oauth:grant-type:token-exchange", "subject_token=at",
                "subject_token_type=\(type)", "audience=new", "x=1",
            ])
        #expect(DerivedToken(scope: "a").grant == nil)
    }

    @Test("it is told from others by all that is asked for, whatever the order")
    func requests() throws {
        let requests: [(resources: [String], audiences: [String], isExchange: Bool)] = [
            (["https://a.example", "https://b.example"], [], false), (["https://a.example"], [], false),
            ([], ["a", "b"], false), ([], ["a", "b"], true), ([], ["a"], true),
        ]
        var kept = login
        for (number, request) in requests.enumerated() {
            let token = DerivedToken(
                scope: nil, resources: request.resources, audiences: request.audiences, isExchange: request.isExchange)
            kept = try added(token, to: kept, #"{"access_token":"at-\#(number)","token_type":"Bearer"}"#)
        }
        for (number, request) in requests.enumerated() {
            let token = DerivedToken(
                scope: nil, resources: request.resources.reversed(), audiences: request.audiences.reversed(),
                isExchange: request.isExchange)
            #expect(token.document(in: kept)["access_token"]?.string == "at-\(number)")
        }
    }

    @Test("for an audience without an origin the login keeps its places, that of its only resource among them")
    func places() {
        let token = DerivedToken(scope: nil, audiences: ["urn:x"])
        var login = login.with("resource", "https://r.example/x")
        #expect(token.placed(login)["api_base"] == "https://api.example/v1")
        #expect(token.placed(login)["api_origins"] == .strings(["https://r.example"]))
        login["api_base"] = nil
        #expect(token.placed(login)["api_base"] == "https://r.example/x")
    }

    @Test("the audience of the login is not asked for beside another one, be it for the grant or for the renewal")
    func audienceOfLogin() {
        let login = login.with("refresh_params", .object(["audience": "old", "y": "2"]))
        let requested = DerivedToken(scope: nil, audiences: ["new"]).requested(of: login)
        #expect(requested["token_params"]?.object == ["x": "1"])
        #expect(requested["refresh_params"]?.object == ["y": "2"])
    }

    @Test("an exchange takes the access token of the login from its file, too")
    func file() {
        let login = login.with("access_token", nil).with("access_token_file", "/token")
        let requested = DerivedToken(scope: nil, isExchange: true).requested(of: login)
        #expect(requested["subject_token_file"] == "/token")
        #expect(requested["subject_token"] == nil)
    }

    @Test("the token of the login itself is a deviation, and no token is none")
    func deviations() {
        let token = DerivedToken(scope: nil)
        #expect(token.deviations(of: ["access_token": "at"], in: login) == [.tokenOfLogin])
        #expect(token.deviations(of: ["access_token": "at-1"], in: login).isEmpty)
        #expect(token.deviations(of: [:], in: [:]).isEmpty)
    }

    @Test("the nonces that its answer brings are kept with the login, for the next process")
    func nonces() throws {
        let binding = try DPoPBinding(key: DPoPBinding.newKey(), nonces: ["as https://as.example": "n1"])
        let token = DerivedToken(scope: "a")
        let answer = #"{"access_token":"at-a","token_type":"Bearer"}"#
        let login = login.with("dpop_nonces", .object(["as https://as.example": "n1"]))
        #expect(try added(token, to: login, answer, binding: binding)["dpop_nonces"] == login["dpop_nonces"])
        let request = HTTPRequest(method: "POST", url: "https://as.example/t")
        binding.learn(
            from: HTTPResponseHead(status: 200, headers: [HTTPField("DPoP-Nonce", "n2")]),
            to: try binding.proof(of: request, token: nil, now: 60))
        let kept = try added(token, to: login, answer, binding: binding)
        #expect(kept["dpop_nonces"]?.object == ["as https://as.example": "n2"])
    }

    /// The login after a response to a refresh.
    private func added(
        _ token: DerivedToken, to login: JSONObject, _ answer: String, now: Int = 61, binding: DPoPBinding? = nil
    ) throws -> JSONObject {
        let document = Document(token.requested(of: login))
        let grant = try Grant.refresh(document, refreshToken: "rt", scope: token.scope)
        let head = HTTPResponseHead(
            status: 200, headers: [HTTPField("Content-Type", "application/json")])
        let response = try TokenResponse(
            EndpointResponse(head: head, body: Array(answer.utf8)),
            expecting: try TokenResponse.Expectation(grant, of: document))
        let issued = IssuedToken(
            response, idToken: response.idToken, claims: nil, for: grant, by: .none, start: 60, binding: binding)
        return token.document(of: login, adding: issued, now: now)
    }
}
