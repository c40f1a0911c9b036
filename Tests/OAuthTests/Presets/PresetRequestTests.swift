import TestSupport
import Testing
import Wire

@testable import OAuth

/// What each way of a provider makes of a request.
@Suite("Requests by preset")
struct PresetRequestTests {
    /// The document of a preset with members of a client.
    static func document(_ name: String, _ more: JSONObject = [:]) throws -> Document {
        let preset = try #require(Preset.builtIn.first { $0.name == name })
        return Document(more.members.reduce(into: try preset.sample()) { $0[$1.name] = $1.value })
    }

    private func query(_ name: String, _ more: JSONObject = [:]) throws -> [String: String] {
        let document = try Self.document(name, more)
        let request = try AuthorizationRequest.example(document.members, protection: .init(of: document))
        let pairs = try FormEncoding.parse(#require(WebURL(request.url)?.query))
        return try Dictionary(pairs.map { ($0.name, $0.value) }) { _, _ in throw OAuthError(.duplicateParameter, "") }
    }

    private func tokenRequest(_ grant: Grant, _ document: Document) throws -> HTTPRequest {
        var grant = grant
        try grant.addExtra([], of: document)
        let authentication = try ClientAuthentication(of: document, secret: "s3")
        return try authentication.request(
            to: TokenRequest(grant, of: document).endpoint, parameters: grant.parameters,
            format: RequestFormat(ofTokenRequests: document))
    }

    private func text(_ request: HTTPRequest) throws -> String {
        String(decoding: try #require(request.body), as: UTF8.self)
    }

    @Test("authorization_params: Google is asked for offline access, and its consent can be overruled")
    func google() throws {
        let query = try query("google")
        #expect(query["access_type"] == "offline")
        #expect(query["prompt"] == "consent")
        #expect(try self.query("google", ["prompt": .string("none")])["prompt"] == "none")
    }

    @Test("pkce: LinkedIn gets no challenge, and it is said")
    func linkedin() throws {
        let document = try Self.document("linkedin")
        let request = try AuthorizationRequest.example(document.members, protection: .init(of: document))
        #expect(!request.url.contains("code_challenge"))
        #expect(request.remembered["code_verifier"] == nil)
        #expect(request.warnings == [.noPKCE])
        #expect(try AuthorizationRequest.Protection(of: Document([:])) == .pkce(.s256))
        #expect(try AuthorizationRequest.Protection(of: Document(["pkce": .bool(true)])) == .pkce(.s256))
        #expect(throws: OAuthError.self) {
            try AuthorizationRequest.Protection(of: Document(["pkce": .string("no")]))
        }
    }

    @Test("scope_separator: Strava's scope has commas, however it was given; openid is still seen")
    func commas() throws {
        for scope in ["read activity:read", "read,activity:read", "read, activity:read"] {
            #expect(try query("strava", ["scope": .string(scope)])["scope"] == "read,activity:read")
        }
        #expect(try query("strava", ["scope": .string("openid,read")])["nonce"] != nil)
        #expect(try query("github", ["scope": .string("repo gist")])["scope"] == "repo gist")
        let document = try Self.document("linear", ["scope": .string("read write")])
        #expect(try Grant.scoped(.clientCredentials, document).parameters["scope"] == "read,write")
        #expect(try Grant(.other("urn:x"), of: document, .init()).parameters["scope"] == "read,write")
        let narrowed = try Grant.refresh(document, refreshToken: "r", scope: "write,read")
        #expect(narrowed.parameters["scope"] == "write,read")
        #expect(narrowed.scope.values == ["write", "read"])
    }

    @Test("scope_separator: the separator is one character", arguments: ["", ", ", "é", "\n"])
    func badSeparator(separator: String) {
        let document = Document(["scope_separator": .string(separator)])
        let error = #expect(throws: OAuthError.self) { try Scope(of: document) }
        #expect(error?.member == "scope_separator")
    }

    @Test("parameter_names: TikTok's client_id is client_key, in the URL and in the body")
    func tiktok() throws {
        let query = try query("tiktok", ["client_id": .string("aw1")])
        #expect(query["client_key"] == "aw1")
        #expect(query["client_id"] == nil)
        let document = try Self.document("tiktok", ["client_id": .string("aw1"), "code": .string("c")])
        let request = try tokenRequest(.authorizationCode(document), document)
        #expect(try text(request) == "grant_type=authorization_code&code=c&client_key=aw1&client_secret=s3")
        #expect(request.url == "https://open.tiktokapis.com/v2/oauth/token/")
        let pushed = try AuthorizationRequest.example(document.members).url(pushedAs: "urn:r")
        #expect(try FormEncoding.parse(#require(WebURL(pushed)?.query)).map(\.name) == ["client_key", "request_uri"])
    }

    @Test("parameter_names: the server's name of a parameter of the protocol cannot be set by hand either")
    func reserved() throws {
        let document = try Self.document("tiktok", ["client_id": .string("aw1"), "code": .string("c")])
        let error = #expect(throws: OAuthError.self) {
            try AuthorizationRequest.example(document.members, extra: [("client_key", "x")])
        }
        #expect(error?.kind == .usage && error?.message.contains("client_key") == true)
        var grant = try Grant.authorizationCode(document)
        #expect(throws: OAuthError.self) { try grant.addExtra([("client_key", "x")], of: document) }
    }

    @Test(
        "parameter_names: each parameter has a name of its own",
        arguments: [#"{"a":""}"#, #"{"a":"x","b":"x"}"#, #"["a"]"#, #"{"a":{}}"#])
    func badNames(names: String) throws {
        let document = Document(["parameter_names": try JSON(parsing: names)])
        #expect(throws: OAuthError.self) { try ParameterNames(of: document) }
    }

    @Test("parameter_names: Slack asks for a person's scope by user_scope, and for a bot's by scope")
    func slack() throws {
        let user = try query("slack-user", ["scope": .string("chat:write users:read")])
        #expect(user["user_scope"] == "chat:write,users:read")
        #expect(user["scope"] == nil)
        #expect(try query("slack", ["scope": .string("chat:write")])["scope"] == "chat:write")
    }

    @Test("token_request_format: Notion gets JSON, and the client by HTTP Basic")
    func notion() throws {
        let document = try Self.document(
            "notion",
            ["client_id": .string("id"), "code": .string("e202"), "redirect_uri": .string("https://e.com/cb")])
        let request = try tokenRequest(.authorizationCode(document), document)
        #expect(
            try text(request)
                == #"{"grant_type":"authorization_code","code":"e202","redirect_uri":"https://e.com/cb"}"#)
        #expect(request.headers.first("Content-Type") == "application/json")
        #expect(request.headers.first("Authorization") == "Basic aWQ6czM=")
    }

    @Test("token_request_format: a parameter that stands more than once is an array; other formats there are none")
    func jsonArrays() throws {
        let document = Document([
            "client_id": .string("id"), "token_endpoint": .string("https://as.example/t"),
            "resource": .array([.string("urn:a"), .string("urn:b"), .string("urn:c")]),
            "token_request_format": .string("json"),
        ])
        let body = try JSON(parsing: text(tokenRequest(.scoped(.clientCredentials, document), document)))
        #expect(body.object?["resource"]?.strings == ["urn:a", "urn:b", "urn:c"])
        let error = #expect(throws: OAuthError.self) {
            try RequestFormat(ofTokenRequests: Document(["token_request_format": .string("xml")]))
        }
        #expect(error?.member == "token_request_format")
    }

    @Test("refresh_endpoint: Figma renews elsewhere, and trades codes at the token endpoint")
    func figma() throws {
        let document = try Self.document("figma", ["client_id": .string("id"), "code": .string("c")])
        let refresh = try tokenRequest(.refresh(document, refreshToken: "r", scope: nil), document)
        #expect(refresh.url == "https://api.figma.com/v1/oauth/refresh")
        #expect(try tokenRequest(.authorizationCode(document), document).url == "https://api.figma.com/v1/oauth/token")
    }

    @Test("token_params and refresh_params go with their own grants")
    func fixedParameters() throws {
        let document = Document([
            "client_id": .string("id"), "token_endpoint": .string("https://as.example/t"),
            "token_params": .object(["a": .string("1")]), "refresh_params": .object(["b": .string("2")]),
        ])
        let credentials = try text(tokenRequest(.scoped(.clientCredentials, document), document))
        #expect(credentials == "grant_type=client_credentials&a=1")
        let refresh = try text(tokenRequest(.refresh(document, refreshToken: "r", scope: nil), document))
        #expect(refresh == "grant_type=refresh_token&refresh_token=r&b=2")
    }

    @Test("grant_types: Zoom's account_credentials may be named, what nobody lists may not")
    func zoom() throws {
        let document = try Self.document("zoom", ["client_id": .string("id")])
        var grant = try Grant(.other("account_credentials"), of: document, .init())
        try grant.addExtra([("account_id", "abc")], of: document)
        #expect(grant.parameters.pairs.map(\.value) == ["account_credentials", "abc"])
        #expect(throws: OAuthError.self) { try Grant(.other("account_credentials"), of: Document([:]), .init()) }
    }

    @Test("authorization_header: Shopify's token stands alone in a field of its own")
    func shopify() throws {
        let document = try Self.document("shopify", ["token_type": .string("bearer")])
        #expect(try AccessToken("shpat_1", of: document).field == HTTPField("X-Shopify-Access-Token", "shpat_1"))
        let both = Document(["authorization_header": .string("X-T"), "authorization_scheme": .string("Key")])
        #expect(try AccessToken("t", of: both).field == HTTPField("X-T", "Key t"))
        for name in ["", "X T", "X:", "X\n"] {
            let error = #expect(throws: OAuthError.self) {
                try AccessToken("t", of: Document(["authorization_header": .string(name)]))
            }
            #expect(error?.member == "authorization_header")
        }
    }

    @Test("authorization_scheme: Zoho's API gets the token under its own scheme")
    func zoho() throws {
        let token = try AccessToken("1000.a", of: Self.document("zoho"))
        #expect(token.field == HTTPField("Authorization", "Zoho-oauthtoken 1000.a"))
    }
}
