import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap login")
struct LoginTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    @Test("oap login opens the browser, receives the redirect, and keeps the token")
    func browser() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let result = try person.oap(["login", "work", "--open"]).run().expect(status: 0).expect(output: "")
        result.expect(errorLine: "oap: login: the token is stored as work").expect(errorLine: "oap: login: logged in")
        result.expect(nowhere: "the-code")
        let token = try person.stored()
        #expect(token["access_token"] == "at" && token["refresh_token"] == "rt" && token["client_id"] == "client")
        #expect(token["code_verifier"] == nil && token["state"] == nil && token["callback_url"] == nil)
        let exchange = try #require(server.requests.first { $0.method == "POST" })
        #expect(exchange.bodyText.contains("code=the-code") && exchange.bodyText.contains("code_verifier="))
    }

    @Test(
        "oap login warns if the secret that a renewal needs came through a descriptor",
        arguments: [
            ("OAP_CLIENT_SECRET=s3cret-value oap login work --open", nil),
            ("oap login work --open --client-secret-file /dev/fd/7 7< secret", "/dev/fd/7"),
            ("oap login work --open --client-secret-file secret", nil),
            ("OAP_CLIENT_SECRET=s3cret-value oap login work --open --token-endpoint-auth-method none", nil),
        ])
    func passingSecret(command: String, source: String?) throws {
        let server = try LoginHome.server()
        try person.profile(server)
        try person.home.write("s3cret-value", to: "secret")
        let environment = ["HOME": person.home.path, "BROWSER": LoginHome.browser]
        let program = Program.shell("cd; chmod 600 secret; \(command)", environment: environment)
        let text = try program.run().expect(status: 0).errorText
        #expect(server.requests.count { $0.method == "POST" } == 1)
        #expect(text.contains("is not stored") == (source != nil), "\(text)")
        if let source { #expect(text.contains("warning: the secret in \(source) is not stored"), "\(text)") }
    }

    @Test("oap login without a refresh token does not speak of renewals")
    func noRenewal() throws {
        let server = try LoginHome.server(#"{"access_token":"at","token_type":"Bearer"}"#)
        try person.profile(server)
        let result = try person.oap(["login", "work", "--open"], ["OAP_CLIENT_SECRET": "s3cret-value"]).run()
        #expect(server.requests.count { $0.method == "POST" } == 1)
        #expect(!result.expect(status: 0).errorText.contains("warning"))
    }

    @Test("the values of several --scope are asked for together")
    func scopes() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        try person.oap(["login", "work", "--open", "--scope", "repo", "--scope", "gist repo"]).run().expect(status: 0)
        #expect(server.requests.contains { $0.target.contains("scope=repo+gist&") })
    }

    @Test("oap login --no-open waits for the browser of somebody else, and says how the redirect can get here")
    func noOpen() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let login = try person.oap(["login", "work", "--no-open"]).start()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        let hint = try login.errorLine { $0.hasPrefix("oap: hint: ") }
        #expect(hint.contains("ssh -L") && hint.contains("--paste") && hint.contains("--device"))
        try Program.shell("\(LoginHome.browser) \"$URL\"", environment: ["URL": url]).run().expect(status: 0)
        try login.finish().expect(status: 0)
        #expect(try person.stored()["access_token"] == "at")
    }

    @Test("oap login says that another login for the same name is under way, and goes on")
    func second() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let first = try person.oap(["login", "work", "--no-open"]).start()
        _ = try first.errorLine { $0.hasPrefix("http://") }
        let second = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(second.errorText.contains("another oap login work is under way"))
        first.send(signal: SIGKILL)
        try first.finish().expect(signal: SIGKILL)
        let third = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(!third.errorText.contains("under way"))
    }

    @Test(
        "a command that needs the token while a login is under way says so with login_pending, and login_needed later")
    func pending() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let token = ["token", "work", "--error-document", "/dev/stdout"]
        let before = try person.oap(token).run().expect(status: 8)
        #expect(before.text.contains(#""error":"login_needed""#), "\(before)")
        let login = try person.oap(["login", "work", "--no-open"]).start()
        _ = try login.errorLine { $0.hasPrefix("http://") }
        let pending = try person.oap(token).run().expect(status: 8)
        #expect(pending.text.contains(#""error":"login_pending""#), "\(pending)")
        #expect(pending.errorText.contains("oap login work is under way"))
        login.send(signal: SIGKILL)
        try login.finish().expect(signal: SIGKILL)
        #expect(try person.oap(token).run().expect(status: 8).text.contains(#""error":"login_needed""#))
    }

    @Test("oap login without a display says what to do")
    func noDisplay() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let login = try person.oap(["login", "work", "--open"], ["BROWSER": ""]).start()
        _ = try login.errorLine { $0 == "oap: login: there is no display to open a browser on" }
        _ = try login.errorLine { $0.hasPrefix("oap: hint: ") && $0.contains("--paste") }
        login.send(signal: SIGINT)
        try login.finish().expect(signal: SIGINT)
    }

    @Test("oap login without a terminal waits for no person, unless an option asks for it")
    func noTerminal() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        for arguments in [["login", "work"], ["login", "work", "--paste"]] {
            let result = try person.oap(arguments).run().expect(status: 8)
            #expect(result.errorText.contains("oap: hint: ") && result.errorText.contains("--device"))
        }
        #expect(server.connectionCount == 0)
        var terminal = Program.shell("oap login work 2>/dev/tty", input: .terminal)
        terminal.output = .terminal
        terminal.environment = ["HOME": person.home.path, "BROWSER": LoginHome.browser]
        try terminal.run().expect(status: 0)
        #expect(try person.stored()["access_token"] == "at")
    }

    @Test("oap login says who is logged in, from the userinfo endpoint where the ID token does not say it")
    func identity() throws {
        let server = try LoginHome.server()
        try person.profile(server, ["userinfo_endpoint": .string(server.url("/userinfo"))])
        let result = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        result.expect(errorLine: #"oap: login: logged in as Ada\u{1b}[2J"#)
        #expect(server.requests.last?.headers.first("Authorization") == "Bearer at")
        try person.oap(["store", "list", "-q", ".account", "-r"]).run().expect(output: "Ada\u{1b}[2J\n")
        try person.profile(server, ["userinfo_endpoint": "http://127.0.0.1:1/"])
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
    }

    @Test("oap login sends the pushed request, the code and the question for the person over one connection")
    func oneConnection() throws {
        let pushed = Mutex("")
        let server = try Responder { request in
            switch request.target {
            case "/par":
                pushed.withLock { $0 = request.bodyText }
                return .json(#"{"request_uri":"urn:example:1","expires_in":60}"#, status: 201)
            case "/userinfo": return .json(#"{"sub":"7","name":"Ada"}"#)
            default: return .token
            }
        }
        let page = try Responder { _ in
            let query = (try? FormEncoding.parse(pushed.withLock { $0 })) ?? []
            let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
            let redirect = "\(value("redirect_uri"))?code=c&state=\(value("state"))"
            return .text("", status: 302, headers: ["Location: \(redirect)"])
        }
        try person.profile(
            server,
            [
                "authorization_endpoint": .string(page.url("/authorize")),
                "pushed_authorization_request_endpoint": .string(server.url("/par")),
                "userinfo_endpoint": .string(server.url("/userinfo")),
            ])
        try person.oap(["login", "work", "--open", "--par"]).run().expect(status: 0)
        #expect(server.requests.map(\.target) == ["/par", "/token", "/userinfo"])
        #expect(server.connectionCount == 1)
    }

    @Test(
        "oap login asks nobody to log in where the ID token could not be checked afterwards",
        arguments: ["issuer", "jwks_uri", "client_secret"])
    func uncheckable(missing: String) throws {
        let server = try LoginHome.server()
        var client: JSONObject = [
            "scope": "openid", "issuer": "https://as.example", "jwks_uri": .string(server.url("/keys")),
        ]
        if missing == "client_secret" { client["id_token_signed_response_alg"] = "HS256" }
        client[missing] = nil
        try person.profile(server, client)
        let result = try person.oap(["login", "work", "--open", "--no-discovery"]).run().expect(status: 3)
        #expect(result.errorText.contains("\(missing) is missing"), "\(result)")
        #expect(server.connectionCount == 0)
    }

    @Test(
        "oap login does not believe a userinfo endpoint that speaks of somebody else than the ID token, or of nobody",
        arguments: [
            (#"{"sub":"another","name":"Mallory"}"#, "the userinfo endpoint names another user than the ID token"),
            (#"{"name":"Mallory"}"#, "the answer of the userinfo endpoint has no sub"),
            (#"{"sub":"","name":"Mallory"}"#, "the answer of the userinfo endpoint has no sub"),
        ])
    func otherIdentity(userinfo: String, message: String) throws {
        var claims = SignedToken.claims
        claims["nonce"] = nil
        let device =
            #"{"device_code":"d","user_code":"U","verification_uri":"https://as.example/d","expires_in":60,"interval":1}"#
        let token = #"{"access_token":"at","token_type":"Bearer","id_token":"\#(try SignedToken.signed(claims))"}"#
        let server = try Responder { request in
            switch request.target {
            case "/device": .json(device)
            case "/userinfo": .json(userinfo)
            default: .json(token)
            }
        }
        try person.profile(
            server,
            [
                "scope": "openid", "issuer": "https://as.example", "id_token_signed_response_alg": "HS256",
                "client_secret": .string(SignedToken.secret), "userinfo_endpoint": .string(server.url("/userinfo")),
                "device_authorization_endpoint": .string(server.url("/device")),
            ])
        let result = try person.oap(["login", "work", "--device"]).run().expect(status: 0)
        result.expect(errorLine: "oap: login: warning: the name of the user is not known: \(message)")
        result.expect(errorLine: "oap: login: logged in as me").expect(nowhere: "Mallory")
    }

    @Test("oap login --ephemeral without a browser for a private window waits at a terminal, and nowhere else")
    func noPrivateWindow() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        var program = person.oap(["login", "work", "--ephemeral", "--timeout", "10"], ["BROWSER": "/bin/true"])
        let refused = try program.run().expect(status: 6)
        #expect(refused.errorText.contains("no browser that can open a private window was found, and there is no"))
        program.input = .terminal
        let login = try program.start()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        _ = try login.errorLine { $0 == "oap: login: no browser that can open a private window was found" }
        try Program.shell("\(LoginHome.browser) \"$URL\"", environment: ["URL": url]).run().expect(status: 0)
        try login.finish().expect(status: 0)
        #expect(server.authorizations.count == 1)
    }

    @Test("oap login keeps what was stored when it fails, and asks for nothing where a token could not be kept")
    func failure() throws {
        let server = try LoginHome.server(#"{"error":"invalid_grant"}"#)
        try person.profile(server)
        try person.oap(["login", "work", "--open"]).run().expect(status: 4).expect(
            errorLine: "oap: hint: a code works once and expires soon; begin the login again: oap login work")
        try person.oap(["store", "get", "work"]).run().expect(status: 8)
        let blocked = try TemporaryDirectory()
        try blocked.write("", to: ".local")
        let before = server.connectionCount
        let result = try person.oap(["login", "work", "--open"], ["XDG_STATE_HOME": blocked.path(".local")]).run()
        result.expect(status: 11)
        #expect(server.connectionCount == before)
    }

    @Test("oap login revokes a token that cannot be kept after all, and says what became of it", arguments: [200, 503])
    func unkept(status: Int) throws {
        let server = try LoginHome.server()
        let revocation = try Responder { _ in .text("", status: status) }
        try person.profile(server, ["revocation_endpoint": .string(revocation.url("/revoke"))])
        try person.home.write(
            """
            case $1 in
            get) echo 'credentials not found in native keychain'; exit 1 ;;
            store) cat > /dev/null; echo 'the keyring is locked'; exit 1 ;;
            esac
            """, to: "script")
        let programs = URL(fileURLWithPath: Program.oapPath).deletingLastPathComponent().path
        let path = "\(programs):\(Fixture.project)/Tests/Fixtures:/usr/bin:/bin"
        var login = Program.shell("oap login work --open --store helper:fake --client-secret-file <(printf hunter2)")
        login.environment = ["HOME": person.home.path, "BROWSER": LoginHome.browser, "PATH": path]
        let result = try login.run().expect(status: 11)
        #expect(result.errorText.contains("logged in, but the token cannot be stored: "))
        #expect(result.errorText.contains("the keyring is locked"))
        #expect(result.errorText.contains(status == 200 ? "token was revoked at" : "token could not be revoked"))
        // A server that is busy is asked again, and not for the other.
        let tokens = status == 200 ? ["token=rt", "token=at"] : Array(repeating: "token=rt", count: 3)
        #expect(revocation.requests.map { String($0.bodyText.prefix { $0 != "&" }) } == tokens)
        #expect(revocation.requests.allSatisfy { $0.headers.first("Authorization") == "Basic Y2xpZW50Omh1bnRlcjI=" })
    }

    @Test("oap login reads a client secret from a descriptor once, for all its requests")
    func descriptor() throws {
        let server = try Responder { request in
            let device =
                #"{"device_code":"d","user_code":"U","verification_uri":"https://as.example/d","expires_in":60,"interval":1}"#
            return request.target == "/device" ? .json(device) : .token
        }
        try person.profile(server, ["device_authorization_endpoint": .string(server.url("/device"))])
        var program = Program.shell("oap login work --device --client-secret-file <(printf hunter2)")
        program.environment = ["HOME": person.home.path]
        try program.run().expect(status: 0)
        #expect(server.requests.map(\.target) == ["/device", "/token"])
        #expect(server.requests.allSatisfy { $0.headers.first("Authorization") == "Basic Y2xpZW50Omh1bnRlcjI=" })
    }
}
