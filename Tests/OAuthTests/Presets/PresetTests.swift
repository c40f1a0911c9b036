import TestSupport
import Testing
import Wire

@testable import OAuth

extension Preset: CustomTestStringConvertible {
    public var testDescription: String { name }

    /// The client document with a value of the right form in each place.
    func sample() throws -> JSONObject {
        try client(
            filling: variables.map { variable in
                switch variable.form {
                case .word, .segment, .escaped: (variable.name, "sample-1")
                case .host, .authority: (variable.name, "sample.example:8443")
                case .choice(let values): (variable.name, try #require(values.first))
                }
            })
    }
}

@Suite("Presets")
struct PresetTests {
    /// What a preset may say.
    static let members = Set(
        Member.all.filter { [.client, .server, .way, .request, .kept].contains($0.kind) }.map(\.name)
    ).subtracting(Member.secrets).union(["grant_type"])

    /// Those for a person, and those for a machine, which name the grant.
    private static let ofPersons = Preset.builtIn.filter { $0.template["grant_type"] == nil }
    private static let ofMachines = Preset.builtIn.filter { $0.template["grant_type"] != nil }

    @Test("a preset has members that mean something, and https endpoints", arguments: Preset.builtIn)
    func wellFormed(preset: Preset) throws {
        let document = Document(try preset.sample())
        for member in document.members.members {
            #expect(Self.members.contains(member.name), "\(member.name)")
            guard member.name.hasSuffix("_endpoint") || ["jwks_uri", "issuer", "api_base"].contains(member.name) else {
                continue
            }
            let endpoint = try Endpoint(member.name, in: document)
            #expect(endpoint.url.scheme == "https" && endpoint.url.query == nil)
        }
        #expect(try document.required("documentation").hasPrefix("https://"))
        #expect(WebURL(try document.required("documentation")) != nil)
        if let page = try document.string("registration_page") { #expect(WebURL(page)?.scheme == "https") }
        if let uri = try document.string("registration_redirect_uri") { _ = try RedirectURI(uri) }
        #expect(preset.title != preset.name && !preset.title.isEmpty)
        for name in [preset.name] + preset.aliases {
            #expect(name.allSatisfy { $0 == "-" || $0.isLowercase || $0.isNumber })
        }
    }

    @Test("every member of a preset is read without complaint, and its requests can be made", arguments: ofPersons)
    func usable(preset: Preset) throws {
        var members = try preset.sample()
        members["client_id"] = .string("id")
        members["scope"] = .string("one two")
        let document = Document(members)
        let request = try AuthorizationRequest.example(members, protection: .init(of: document))
        #expect(WebURL(request.url) != nil)
        var grant = try Grant.refresh(document, refreshToken: "r", scope: nil)
        try grant.addExtra([], of: document)
        #expect(try TokenRequest(grant, of: document).endpoint.url.scheme == "https")
        _ = try TokenResponse.Expectation(grant, of: document)
        _ = try RequestFormat(ofTokenRequests: document)
        _ = try ParameterNames(of: document)
        _ = try AccessToken("at", of: document)
        let authentication = try ClientAuthentication(of: document, secret: "secret")
        let listed = try document.strings("token_endpoint_auth_methods_supported")
        #expect(listed.contains(authentication.method.rawValue))
        for (name, value) in try document.parameters("api_headers") { #expect(name.isHTTPToken && !value.isEmpty) }
        #expect([nil, "rfc7009", "github", "delete", "post"].contains(try document.string("revocation_style")))
    }

    @Test("the token request of a preset for machines can be made, and its answer read", arguments: ofMachines)
    func machines(preset: Preset) throws {
        let members = try preset.sample()
        let document = Document(members.setting("client_id", to: "id"))
        let kind = Grant.Kind(named: try document.required("grant_type"))
        #expect(kind.isRepeatable)
        let secrets = kind.secretMembers.isEmpty ? [:] : [kind.secretMembers[0]: "a.b.c"]
        var grant = try Grant(kind, of: document, Grant.Kind.Supplement(secrets: secrets))
        let types = kind.isTokenExchange ? [("subject_token_type", "urn:x")] : []
        try grant.addExtra(types, of: document)
        let request = try TokenRequest(grant, of: document)
        let authentication = try ClientAuthentication(of: document, secret: nil)
        let message = try authentication.request(
            to: request.endpoint, parameters: grant.parameters, format: request.format,
            at: RequestMoment(now: 0, random: []))
        let text = String(decoding: message.body ?? [], as: UTF8.self)
        let isHeader = message.headers.first("Authorization") == "Bearer a.b.c"
        #expect(isHeader != text.contains("a.b.c"))
        let names = document.members["answer_names"]?.object ?? [:]
        let hasPath = document.members["access_token_path"] != nil
        #expect(hasPath || names.isEmpty || names.members.contains { $0.value == "access_token" })
    }

    @Test("a preset that asks who has logged in can check the ID token", arguments: Preset.builtIn)
    func identity(preset: Preset) throws {
        let document = Document(try preset.sample())
        guard try document.string("scope")?.contains("openid") == true else { return }
        #expect(document.members["issuer"] != nil && document.members["jwks_uri"] != nil)
    }

    @Test("a login at a usual server asks for a scope", arguments: ["auth0", "gitlab", "keycloak", "zitadel"])
    func scope(name: String) throws {
        let preset = try #require(Preset.builtIn.first { $0.isNamed(name) })
        #expect(preset.template["scope"]?.string?.hasPrefix("openid profile ") == true)
    }

    @Test("the presets are those of the table, sorted, each name once")
    func names() {
        let names = Preset.builtIn.map(\.name)
        #expect(names == Set(names).sorted())
        let all = names + Preset.builtIn.flatMap(\.aliases)
        #expect(Set(all).count == all.count)
        #expect(["entra", "twitter", "jira"].allSatisfy { all.contains($0) })
        #expect(names.count >= 40)
        for name in [
            "github", "google", "microsoft", "slack", "slack-user", "keycloak", "okta", "zoho", "adobe", "authentik",
            "cloudflare", "cognito", "databricks", "onelogin", "ory", "ping", "snowflake", "vercel", "webex", "workos",
            "zitadel",
        ] {
            #expect(names.contains(name))
        }
    }

    private func preset(_ text: String) throws -> Preset {
        try Preset("mine", #require(JSON(parsing: text).object))
    }

    @Test("a place is filled wherever it stands, and nothing else in braces is one")
    func filled() throws {
        let preset = try preset(
            #"{"title":"T","note":"{n}","variables":{"b":"host"},"x":"{a}/{b}/{a}","y":[{"{a}":"{b}"}],"z":"{}{A}{a b}{"}"#
        )
        #expect(preset.variables.map(\.name) == ["a", "b"])
        #expect(preset.variables.map(\.form) == [.word, .host])
        let client = try preset.client(filling: [("b", "h.example"), ("a", "v")])
        #expect(JSON.object(client).text == #"{"x":"v/h.example/v","y":[{"{a}":"h.example"}],"z":"{}{A}{a b}{"}"#)
    }

    @Test("a value that stands in a place of a preset is not looked at for places")
    func notTwice() throws {
        let preset = try preset(#"{"variables":{"a":["{b}"]},"x":"{a}{b}"}"#)
        #expect(try preset.client(filling: [("a", "{b}"), ("b", "v")])["x"] == .string("{b}v"))
    }

    @Test(
        "a value that could change the address is refused",
        arguments: [
            ("word", ["", "a/b", "a.b", "a_b", "a b", "é", "a@b", "a\n", "{a}"]),
            (
                "host",
                [
                    "", "a..b", ".a", "a.", "-a", "a-", "a@b", "a:", "a:0", "a:65536", "a:+1", "a:1:2", "[::1]", "é.b",
                    "a b", "a#", "a?b", "a_b", "a//", "a//b", "a/../b", "a/./b", "a/b?c", "a/%2e", "a/b@c",
                    "https://", "https:///a", "http://a", "http://a/127.0.0.1", "http://127.0.0.1.evil.example",
                    "http://localhost@evil.example", "ftp://a", "https://http://a", "http://https://localhost",
                    String(repeating: "a", count: 64),
                ]
            ),
            ("authority", ["", "a..b", "a/b", "https://a/b", "http://a", "http://localhost:80/b", "a@b"]),
            ("segment", ["", ".", "..", "a/b", "a?b", "a#b", "a%2Fb", "a\\b", "a\n"]),
            ("choice", ["", "EU", "eu ", "com.evil"]),
        ])
    func refused(form: String, values: [String]) throws {
        let forms = form == "choice" ? #"["eu","com"]"# : #""\#(form)""#
        let preset = try preset(#"{"variables":{"v":\#(forms)},"x":"https://{v}/"}"#)
        for value in values {
            let error = #expect(throws: OAuthError.self, "\(value)") { try preset.client(filling: [("v", value)]) }
            #expect(error?.kind == .usage)
            #expect(error?.message.hasPrefix("v must be ") == true)
        }
    }

    @Test(
        "a value that fits is taken",
        arguments: [
            ("word", ["a", "0-A", "11111111-2222-3333-4444-555555555555"]),
            ("host", ["a", "A.b-c.example", "h.example:8443", "127.0.0.1:8443", "a/b", "a:1/b/c_d.e~f-1"]),
            ("authority", ["a", "A.b-c.example", "h.example:8443"]),
            ("choice", ["eu", "com"]), ("segment", ["a", "a_b.c", "a@b:c", "a+b"]),
        ])
    func taken(form: String, values: [String]) throws {
        let forms = form == "choice" ? #"["eu","com"]"# : #""\#(form)""#
        let preset = try preset(#"{"variables":{"v":\#(forms)},"x":"https://{v}/"}"#)
        for value in values { #expect(try preset.client(filling: [("v", value)])["x"] == .string("https://\(value)/")) }
    }

    @Test(
        "a host is taken with https:// before it, with http:// on loopback alone, and without the slash at its end",
        arguments: [
            ("https://a.example", "https://a.example/x"),
            ("https://a.example:8443/auth/", "https://a.example:8443/auth/x"),
            ("a.example/", "https://a.example/x"), ("http://localhost:8080", "http://localhost:8080/x"),
            ("http://127.0.0.1:8080/auth/", "http://127.0.0.1:8080/auth/x"),
            ("localhost:8080", "http://localhost:8080/x"), ("localhost:8443", "https://localhost:8443/x"),
        ])
    func schemes(value: String, url: String) throws {
        let preset = try preset(#"{"variables":{"v":"host"},"x":"https://{v}/x"}"#)
        #expect(try preset.client(filling: [("v", value)])["x"] == .string(url))
    }

    @Test("a segment of a path is percent-encoded where it must be")
    func segments() throws {
        let preset = try preset(#"{"variables":{"v":"segment"},"x":"https://h/{v}/t"}"#)
        for (value, encoded) in [("my_realm.1", "my_realm.1"), ("a b", "a%20b"), ("é", "%C3%A9"), ("{x}", "%7Bx%7D")] {
            #expect(try preset.client(filling: [("v", value)])["x"] == .string("https://h/\(encoded)/t"))
        }
    }

    @Test("a variable with a default may be left out")
    func defaults() throws {
        let preset = try preset(#"{"variables":{"v":"host"},"defaults":{"v":"d.example"},"x":"https://{v}/"}"#)
        #expect(try preset.client(filling: [])["x"] == .string("https://d.example/"))
        #expect(try preset.client(filling: [("v", "e.example")])["x"] == .string("https://e.example/"))
        let gitlab = try #require(Preset.builtIn.first { $0.isNamed("gitlab") })
        #expect(try gitlab.client(filling: [])["issuer"] == .string("https://gitlab.com"))
        #expect(try gitlab.client(filling: [("host", "g.example")])["issuer"] == .string("https://g.example"))
    }

    @Test("a variable that only a variant of the preset has selects it")
    func variants() throws {
        let github = try #require(Preset.builtIn.first { $0.isNamed("github") })
        #expect(github.variant(with: []).name == "github")
        let server = github.variant(with: [("host", "g.example")])
        #expect(try server.client(filling: [("host", "g.example")])["api_base"] == .string("https://g.example/api/v3"))
        #expect(github.variant(with: [("nonsense", "x")]).name == "github")
        let okta = try #require(Preset.builtIn.first { $0.isNamed("okta") })
        #expect(okta.variant(with: [("domain", "dev-1.okta.com")]).name == "okta")
        #expect(okta.variant(with: [("domain", "dev-1.okta.com"), ("server", "default")]).name == "okta-custom")
    }

    @Test("a value that is missing, unknown or given twice is named")
    func named() throws {
        let preset = try preset(#"{"x":"{a}{b}"}"#)
        for (values, text) in [
            ([("a", "1")], "mine needs b=…, letters, digits and hyphens"),
            ([("a", "1"), ("c", "1")], "mine has no variable c"), ([("a", "1"), ("a", "1")], "a is given twice"),
        ] {
            let error = #expect(throws: OAuthError.self) { try preset.client(filling: values) }
            #expect(error?.message == text)
        }
    }

    @Test(
        "a preset of the wrong form is refused",
        arguments: [
            #"{"title":1}"#, #"{"note":[]}"#, #"{"variables":[]}"#, #"{"variables":{"a":"url"},"x":"{a}"}"#,
            #"{"variables":{"a":[]},"x":"{a}"}"#, #"{"variables":{"a":[1]},"x":"{a}"}"#, #"{"defaults":1}"#,
            #"{"defaults":{"a":1},"x":"{a}"}"#,
        ])
    func wrongForm(text: String) throws {
        let error = #expect(throws: OAuthError.self) { try preset(text) }
        #expect(error?.kind == .usage && error?.origin == .document)
    }
}
