import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap login with nothing but an address")
struct LoginIssuerTests {
    private let person: LoginHome
    private static let metadata = "/.well-known/openid-configuration"

    init() throws { person = try LoginHome() }

    /// A server that logs everybody in, with metadata, and an API whose metadata names it.
    private func server(
        _ token: String = #"{"access_token":"at","token_type":"Bearer","refresh_token":"rt"}"#
    ) throws -> Responder {
        try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case Self.metadata:
                let endpoints = #""authorization_endpoint":"$/authorize","token_endpoint":"$/token""#
                return .json(#"{"issuer":"$",\#(endpoints)}"#.replacing("$", with: address))
            case "/mcp":
                let challenge = #"Bearer resource_metadata="\#(address)/meta", scope="files""#
                return .text("", status: 401, headers: ["WWW-Authenticate: \(challenge)"])
            case "/.well-known/oauth-authorization-server": return .text("", status: 404)
            case "/meta":
                return .json(#"{"resource":"$/mcp","authorization_servers":["$"]}"#.replacing("$", with: address))
            case let target where target.hasPrefix("/authorize?"):
                return LoginHome.consent(to: request)
            default: return .json(token)
            }
        }
    }

    private func login(_ arguments: String..., environment: [String: String] = [:]) throws -> ProgramResult {
        try person.oap(["login", "work", "--open"] + arguments, environment).run()
    }

    @Test("the issuer and the client's identifier are enough for a login, and are the profile from then on")
    func issuer() throws {
        let server = try server()
        let arguments = ["--issuer", server.url(), "--client-id", "c", "--scope", "s"]
        try person.oap(["login", "work", "--open"] + arguments).run().expect(status: 0)
        #expect(try person.stored()["token_endpoint"] == .string(server.url("/token")))
        let profile = try person.profile()
        let own: JSONObject = ["client_id": "c", "issuer": .string(server.url()), "scope": "s"]
        #expect(profile == own.with(["token_endpoint_auth_method": "none"]))
        try login().expect(status: 0)
        try person.oap(["login", "work", "--open"] + arguments).run().expect(status: 0)
        #expect(server.requests.filter { $0.target == Self.metadata }.count == 3)
        #expect(try person.profile() == profile)
    }

    @Test("the first login with an issuer asks who has logged in, where the server lists openid")
    func identity() throws {
        let server = try OpenIDServer(claims: ["email": "ada@example.org"])
        let result = try login("--issuer", server.responder.url(), "--client-id", "c").expect(status: 0)
        result.expect(errorLine: "oap: login: logged in as ada@example.org")
        #expect(!result.errorText.contains("warning"), "\(result)")
        #expect(server.requests(to: "/authorize").first?.target.contains("&scope=openid+profile&") == true)
        #expect(try person.profile()["scope"] == "openid profile")
        let chosen = try OpenIDServer()
        let words = ["login", "other", "--open", "--issuer", chosen.responder.url(), "--client-id", "c"]
        let own = try person.oap(words + ["--scope", "profile"]).run()
        #expect(own.expect(status: 0).errorText.contains("warning"), "\(own)")
        #expect(chosen.requests(to: "/authorize").first?.target.contains("&scope=profile&") == true)
    }

    @Test(
        "a client without a secret, at a server that lists none, hears of it when the server refuses it, and not before"
    )
    func noSecret() throws {
        let methods: JSONObject = ["token_endpoint_auth_methods_supported": .array(["client_secret_basic"])]
        let server = try OpenIDServer(metadata: methods)
        let words = ["login", "work", "--open", "--issuer", server.responder.url(), "--client-id", "c"]
        let result = try person.oap(words).run().expect(status: 0)
        #expect(!result.errorText.contains("secret"), "\(result)")
        let refusing = try self.server(#"{"error":"invalid_client"}"#)
        let other = ["login", "other", "--open", "--issuer", refusing.url(), "--client-id", "c"]
        let refused = try person.oap(other).run().expect(status: 4)
        #expect(refused.errorText.contains("no client secret was given"), "\(refused)")
    }

    @Test("a profile of another issuer is replaced only if that is asked for, and keeps nothing of the old server")
    func replaced() throws {
        let server = try server()
        try person.profile(server, ["issuer": "https://old.example", "scope": "precious"])
        let refused = try login("--issuer", server.url(), "--client-id", "c").expect(status: 2)
        #expect(refused.errorText.contains("to replace the profile, add --save-profile") && server.connectionCount == 0)
        try login("--issuer", server.url(), "--client-id", "c", "--save-profile").expect(status: 0)
        let replaced: JSONObject = ["client_id": "c", "issuer": .string(server.url())]
        #expect(try person.profile() == replaced.with(["token_endpoint_auth_method": "none"]))
    }

    @Test("neither an option nor a variable mixes the issuer of one server with endpoints and secrets of another")
    func mixed() throws {
        let (server, other) = (try server(), try server())
        try person.profile(server, ["client_secret": "secret-of-one"])
        try login("--issuer", other.url()).expect(status: 2)
        try person.profile(server, ["issuer": .string(server.url()), "client_secret": "secret-of-one"])
        for more in [[], ["--save-profile"]] {
            let words = ["login", "work", "--open"] + more
            let result = try person.oap(words, ["OAP_ISSUER": other.url()]).run().expect(status: 2)
            result.expect(errorLine: "oap: login: the profile work and OAP_ISSUER name different servers")
        }
        #expect(server.connectionCount == 0 && other.connectionCount == 0)
        // A stored token without an issuer, and a profile that names only one.
        let token = #"{"access_token":"at","refresh_token":"rt","client_id":"c","token_endpoint":"$/token"}"#
        var put = person.oap(["store", "put", "other"])
        put.input = .text(token.replacing("$", with: server.url()))
        try put.run().expect(status: 0)
        let kept = try person.oap(["login", "other", "--open"], ["OAP_ISSUER": other.url()]).run().expect(status: 2)
        kept.expect(errorLine: "oap: login: the stored token other and OAP_ISSUER name different servers")
        try person.home.write(
            #"{"client_id":"c","issuer":"\#(other.url())"}"#, to: ".config/oap/profiles/other.json")
        try person.oap(["logout", "other"]).run().expect(status: 0)
        #expect(other.connectionCount == 0)
    }

    @Test("the address of an API leads to its authorization server, and the profile names both")
    func resource() throws {
        let server = try server()
        try login("--resource", server.url("/mcp"), "--client-id", "c").expect(status: 0)
        let profile = try person.profile()
        #expect(profile["issuer"] == .string(server.url()) && profile["scope"] == "files")
        #expect(profile["api_base"] == .string(server.url("/mcp")))
        #expect(profile["resource"] == .string(server.url("/mcp")))
        let form = try FormEncoding.parse(try #require(server.requests.last { $0.method == "POST" }).bodyText)
        #expect(form.first { $0.name == "resource" }?.value == server.url("/mcp"))
        try login().expect(status: 0)
        #expect(server.requests.filter { $0.target == "/meta" }.count == 1)
    }

    @Test("the scope that an API asks for is said before the browser opens, unless the user asked for it")
    func scopeOfResource() throws {
        let server = try server()
        let said = "oap: login: \(server.url("/mcp")) asks for the scope files"
        let resource = ["--open", "--resource", server.url("/mcp"), "--client-id", "c"]
        let result = try person.oap(["login", "work"] + resource).run().expect(status: 0).expect(errorLine: said)
        let (text, page) = (result.errorText, server.url("/authorize?"))
        let shown = try #require(text.firstRange(of: page)).lowerBound
        #expect(try #require(text.firstRange(of: said)).lowerBound < shown)
        // It is in the profile now.
        #expect(try !person.oap(["login", "work"] + resource).run().expect(status: 0).errorText.contains(said))
        for scope in ["files", "other"] {
            let own = ["login", scope, "--scope", scope] + resource
            #expect(try !person.oap(own).run().expect(status: 0).errorText.contains("asks for the scope"))
        }
    }

    @Test("a token of a login that is for another API than the resource is a warning, and exit 10 with --strict")
    func audienceOfLogin() throws {
        let payload = Base64.encodeURL(Array(#"{"aud":"https://honest.example"}"#.utf8))
        let server = try server(#"{"access_token":"eyJhbGciOiJSUzI1NiJ9.\#(payload).AA","token_type":"Bearer"}"#)
        let words = ["--resource", server.url("/mcp"), "--client-id", "c"]
        try login(words[0], words[1], words[2], words[3]).expect(status: 0).expect(
            errorLine: "oap: login: warning: the token is for another audience than requested: https://honest.example")
        let page = ["--authorization-endpoint", server.url("/authorize")]
        let strict = ["login", "other", "--open", "--strict", "--scope", "files"] + words + page
        try person.oap(strict).run().expect(status: 10)
        try person.oap(["token", "other"]).run().expect(status: 8)
    }

    @Test(
        "an API without an authorization server that can be asked begins no login",
        arguments: [
            ("[]", 3, "names no authorization server"), (#"["file:///etc/passwd"]"#, 10, "authorization_servers"),
            (#"["http://as.example"]"#, 9, "plain http"), (#"["$/a","$/b"]"#, 3, "authorization servers"),
            (#""$""#, 10, "authorization_servers"), (#"["$"]"#, 10, "no metadata of an authorization server"),
        ])
    func hostileResource(servers: String, status: Int, message: String) throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            guard request.target == "/.well-known/oauth-protected-resource" else { return .text("", status: 404) }
            let metadata = #"{"resource":"$","authorization_servers":\#(servers)}"#
            return .json(metadata.replacing("$", with: address))
        }
        let result = try login("--resource", server.url(), "--client-id", "c").expect(status: status)
        #expect(result.errorText.contains(message), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: person.home.path(LoginHome.profile)))
    }

    @Test("--no-discovery asks nobody, and a document without an endpoint is refused before the terminal is looked at")
    func early() throws {
        let server = try server()
        try login("--issuer", server.url(), "--client-id", "c", "--no-discovery").expect(status: 3)
        let plain = try person.oap(["login", "work", "--issuer", server.url()]).run().expect(status: 3)
        #expect(plain.errorText.contains("client_id is missing") && plain.errorText.contains("--register"))
        #expect(plain.text.isEmpty)
        let unknown = try person.oap(["login", "work", "--provider", "githib"]).run().expect(status: 2)
        #expect(unknown.errorText.contains("did you mean github?"))
        try person.oap(["login", "work", "--issuer", server.url(), "--client-id", "c"]).run().expect(status: 8)
        #expect(server.connectionCount == 0)
    }

    @Test("a login whose ID token cannot be checked is refused before it begins", arguments: ["issuer", "jwks"])
    func unchecked(lacking: String) throws {
        let server = try server()
        let (name, path) = lacking == "issuer" ? ("jwks_uri", "/jwks") : ("issuer", "")
        try person.profile(server, [name: .string(server.url(path)), "scope": "openid"])
        let result = try login().expect(status: 3)
        #expect(result.errorText.contains(lacking == "issuer" ? "issuer is missing" : "jwks_uri is missing"))
        #expect(!server.requests.contains { $0.target.hasPrefix("/authorize") })
    }

    @Test("without a profile the members of the stored token are the profile, but for its tokens")
    func storedToken() throws {
        let server = try server()
        let token = server.token.with([
            "authorization_endpoint": .string(server.url("/authorize")), "expires_at": 1, "team": "x",
            "refresh_token_file": .string(try person.home.write("rt", to: "rt")), "refresh_token": .null,
        ])
        let put = ["store", "put", "work"]
        try Program.oap(put, input: token.input, environment: ["HOME": person.home.path]).run().expect(status: 0)
        try login().expect(status: 0)
        let stored = try person.stored()
        #expect(stored["access_token"] == "at" && stored["api_base"] == .string(server.url("/api")))
        #expect(stored["team"] == nil && stored["refresh_token_file"] == nil)
        #expect(!FileManager.default.fileExists(atPath: person.home.path(LoginHome.profile)))
    }

    @Test("--port fixes the port of the redirect URI on loopback, also in the profile")
    func port() throws {
        let server = try server()
        let free = try Responder(.token)
        let port = free.port
        free.stop()
        let arguments = ["login", "work", "--issuer", server.url(), "--client-id", "c", "--port", "\(port)", "--open"]
        for _ in 1...2 { try person.oap(arguments).run().expect(status: 0) }
        #expect(try person.profile()["redirect_uri"] == .string("http://127.0.0.1:\(port)/callback"))
        let shown = server.requests.filter { $0.target.contains("127.0.0.1%3A\(port)%2Fcallback") }
        #expect(shown.count == 2)
    }

    @Test("--if-needed does nothing where the token is valid or can be renewed, without a terminal")
    func ifNeeded() throws {
        let server = try server()
        try person.profile(server)
        let check = person.oap(["login", "work", "--if-needed"])
        try check.run().expect(status: 8)
        try login("--if-needed").expect(status: 0)
        let count = server.requests.count
        try check.run().expect(status: 0).expectSilence()
        try login("--if-needed").expect(status: 0)
        #expect(server.requests.count == count)
        let expired = try person.stored().with(["expires_at": 1])
        let put = ["store", "put", "work"]
        try Program.oap(put, input: expired.input, environment: ["HOME": person.home.path]).run().expect(status: 0)
        try check.run().expect(status: 0)
        #expect(server.requests.last?.bodyText.contains("grant_type=refresh_token") == true)
        try Program.oap(
            put, input: expired.with(["refresh_token": .null]).input, environment: ["HOME": person.home.path]
        ).run().expect(status: 0)
        try check.run().expect(status: 8)
    }

    @Test("--headless opens no browser, and prints what another machine needs, without a terminal")
    func headless() throws {
        let server = try server()
        try person.profile(server, ["redirect_uri": "http://127.0.0.1:0/callback"])
        let login = try person.oap(["login", "work", "--headless"], ["BROWSER": "touch \(person.home.path("opened"))"])
            .start()
        // What is run first comes first, then the address that a person can type.
        let tunnel = try login.errorLine { $0.hasPrefix("ssh -L ") }
        let short = try login.errorLine { $0.hasPrefix("http://") }
        let url = try login.errorLine { $0.hasPrefix("http://") && $0.contains("?") }
        let query = try FormEncoding.parse(WebURL(url)?.query ?? "")
        let port = try #require(WebURL(query.first { $0.name == "redirect_uri" }?.value ?? "")?.port)
        #expect(tunnel.hasPrefix("ssh -L \(port):127.0.0.1:\(port) ") && tunnel.split(separator: " ").count == 4)
        #expect(short == "http://127.0.0.1:\(port)/")
        _ = try login.errorLine { $0.hasPrefix("oap: hint: ") && $0.contains("--paste") }
        try Program.shell("\(LoginHome.browser) \"$URL\"", environment: ["URL": url]).run().expect(status: 0)
        try login.finish().expect(status: 0)
        #expect(!FileManager.default.fileExists(atPath: person.home.path("opened")))
    }

    @Test("a redirect URI on loopback without a port gets a free one, from an option, a profile or a registration")
    func openPort() throws {
        let server = try server()
        let uri = "http://127.0.0.1/callback"
        let client = ["--issuer", server.url(), "--client-id", "c"]
        try person.oap(["login", "work", "--open", "--redirect-uri", uri] + client).run().expect(status: 0)
        #expect(try person.profile()["redirect_uri"] == .string(uri))
        try login().expect(status: 0)
        let used = server.authorizations.compactMap { $0["redirect_uri"].flatMap { WebURL($0)?.port } }
        #expect(used.count == 2 && used.allSatisfy { $0 >= 1024 }, "\(used)")
        let registered: JSONObject = [
            "client_id": "c", "issuer": .string(server.url()), "redirect_uris": .strings([uri]),
        ]
        try person.home.write(JSON.object(registered).text, to: LoginHome.profile)
        try login().expect(status: 0)
    }

    @Test("--if-needed logs in if the stored token was granted less than --scope")
    func granted() throws {
        let token = #"{"access_token":"at","token_type":"Bearer","scope":"a b","expires_in":3600}"#
        let server = try server(token)
        let client = ["--issuer", server.url(), "--client-id", "c"]
        try person.oap(["login", "work", "--open", "--scope", "a b"] + client).run().expect(status: 0)
        for (scope, count) in [("b", 1), ("b c", 2)] {
            try login("--if-needed", "--scope", scope).expect(status: 0)
            #expect(server.authorizations.count == count)
        }
    }

    @Test("--if-needed logs in where the server refuses the refresh token with a status of 400 and no word")
    func wordless() throws {
        let server = try Responder { request in
            let isRefresh = request.bodyText.contains("grant_type=refresh_token")
            guard !request.target.hasPrefix("/authorize?") else { return LoginHome.consent(to: request) }
            return isRefresh
                ? .text("", status: 400)
                : .json(#"{"access_token":"at","token_type":"Bearer","refresh_token":"rt","expires_in":3600}"#)
        }
        try person.profile(server)
        try login("--if-needed").expect(status: 0)
        var put = person.oap(["store", "put", "work"])
        put.input = try person.oap(["store", "get", "work"]).run().object().with(["expires_at": .integer(1)]).input
        try put.run().expect(status: 0)
        try login("--if-needed").expect(status: 0)
        #expect(server.authorizations.count == 2)
    }
}
