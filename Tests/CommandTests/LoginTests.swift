import Foundation
import TestSupport
import Testing
import Wire

@Suite("oap login")
struct LoginTests {
    private let home: TemporaryDirectory

    /// A browser that goes where it is sent and follows every redirect.
    private static let browser = "curl -sSL -o /dev/null"

    init() throws { home = try TemporaryDirectory() }

    private func oap(_ arguments: [String], _ environment: [String: String] = [:]) -> Program {
        let own = ["HOME": home.path, "BROWSER": Self.browser]
        return Program.oap(arguments, environment: own.merging(environment) { $1 })
    }

    /// A server that logs everybody in: its authorization endpoint redirects at once.
    private func server(_ token: String = #"{"access_token":"at","token_type":"Bearer","refresh_token":"rt"}"#) throws
        -> Responder
    {
        try Responder { request in
            guard request.target.hasPrefix("/authorize?") else {
                return request.target == "/userinfo" ? .json(#"{"sub":"7","name":"Ada\u001b[2J"}"#) : .json(token)
            }
            let query = (try? FormEncoding.parse(String(request.target.dropFirst("/authorize?".count)))) ?? []
            let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
            let redirect = "\(value("redirect_uri"))?code=the-code&state=\(value("state"))"
            return .text("", status: 302, headers: ["Location: \(redirect)"])
        }
    }

    private func profile(_ server: Responder, _ more: JSONObject = [:]) throws {
        let client = server.client.with(["authorization_endpoint": .string(server.url("/authorize"))]).with(more)
        try home.write(JSON.object(client).text, to: ".config/oap/profiles/work.json")
    }

    private func stored() throws -> JSONObject {
        try oap(["token", "work", "--document"]).run().expect(status: 0).object()
    }

    @Test("opens the browser, receives the redirect, and keeps the token")
    func browser() throws {
        let server = try server()
        try profile(server)
        let result = try oap(["login", "work", "--open"]).run().expect(status: 0).expect(output: "")
        result.expect(errorLine: "oap: login: logged in; the token is kept as work")
        result.expect(nowhere: "the-code")
        let token = try stored()
        #expect(token["access_token"] == "at" && token["refresh_token"] == "rt" && token["client_id"] == "client")
        #expect(token["code_verifier"] == nil && token["state"] == nil && token["callback_url"] == nil)
        let exchange = try #require(server.requests.first { $0.method == "POST" })
        #expect(exchange.bodyText.contains("code=the-code") && exchange.bodyText.contains("code_verifier="))
    }

    @Test("waits for the browser of somebody else with --no-open, and says how the redirect can get here")
    func noOpen() throws {
        let server = try server()
        try profile(server)
        let login = try oap(["login", "work", "--no-open"]).start()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        let hint = try login.errorLine { $0.hasPrefix("oap: hint: ") }
        #expect(hint.contains("ssh -L") && hint.contains("--paste") && hint.contains("--device"))
        try Program.shell("\(Self.browser) \"$URL\"", environment: ["URL": url]).run().expect(status: 0)
        try login.finish().expect(status: 0)
        #expect(try stored()["access_token"] == "at")
    }

    @Test("says what to do where there is no display")
    func noDisplay() throws {
        let server = try server()
        try profile(server)
        let login = try oap(["login", "work", "--open"], ["BROWSER": ""]).start()
        _ = try login.errorLine { $0 == "oap: login: there is no display to open a browser on" }
        _ = try login.errorLine { $0.hasPrefix("oap: hint: ") && $0.contains("--paste") }
        login.send(signal: SIGINT)
        try login.finish().expect(signal: SIGINT)
    }

    @Test("never waits for a person where there is no terminal, unless it is told to")
    func noTerminal() throws {
        let server = try server()
        try profile(server)
        for arguments in [["login", "work"], ["login", "work", "--paste"]] {
            let result = try oap(arguments).run().expect(status: 8)
            #expect(result.errorText.contains("oap: hint: ") && result.errorText.contains("--device"))
        }
        #expect(server.connectionCount == 0)
        var terminal = Program.shell("oap login work 2>/dev/tty", input: .terminal)
        terminal.output = .terminal
        terminal.environment = ["HOME": home.path, "BROWSER": Self.browser]
        try terminal.run().expect(status: 0)
        #expect(try stored()["access_token"] == "at")
    }

    @Test(
        "takes what a person pastes: the whole URL, the query, or the code with the state",
        arguments: ["URI?code=the-code&state=STATE", "code=the-code&state=STATE", "  the-code STATE", "the-code#STATE"])
    func paste(form: String) throws {
        let server = try server()
        try profile(server)
        var program = oap(["login", "work", "--paste"])
        program.input = .terminal
        let login = try program.start()
        let request = try #require(WebURL(try login.errorLine { $0.hasPrefix("http://") })?.query)
        let query = try FormEncoding.parse(request)
        let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
        _ = try login.errorLine { $0.contains("paste") }
        login.write("code=the-code&state=another\n")
        _ = try login.errorLine { $0 == "oap: login: the state of the callback is not the one that was sent" }
        let padding = form.hasPrefix("URI") ? "&padding=" + String(repeating: "x", count: 6_000) : ""
        login.write(
            form.replacing("URI", with: value("redirect_uri")).replacing("STATE", with: value("state")) + padding + "\n"
        )
        try login.finish().expect(status: 0)
        #expect(try stored()["access_token"] == "at")
    }

    @Test("ends when nothing is pasted, or the server has said no")
    func noPaste() throws {
        let server = try server()
        try profile(server)
        for (typed, status) in [("\u{4}", 8), ("error=access_denied&state=STATE\n", 4)] {
            var program = oap(["login", "work", "--paste"])
            program.input = .terminal
            let login = try program.start()
            let query = try FormEncoding.parse(WebURL(try login.errorLine { $0.hasPrefix("http://") })?.query ?? "")
            _ = try login.errorLine { $0.contains("paste") }
            login.write(typed.replacing("STATE", with: query.first { $0.name == "state" }?.value ?? ""))
            try login.finish().expect(status: status)
        }
        try oap(["store", "get", "work"]).run().expect(status: 8)
    }

    @Test("says who is logged in, from the userinfo endpoint where the ID token does not say it")
    func person() throws {
        let server = try server()
        try profile(server, ["userinfo_endpoint": .string(server.url("/userinfo"))])
        let result = try oap(["login", "work", "--open"]).run().expect(status: 0)
        result.expect(errorLine: #"oap: login: logged in as Ada\u{1b}[2J; the token is kept as work"#)
        #expect(server.requests.last?.headers.first("Authorization") == "Bearer at")
        try profile(server, ["userinfo_endpoint": "http://127.0.0.1:1/"])
        try oap(["login", "work", "--open"]).run().expect(status: 0)
    }

    @Test("keeps what was stored when the login fails, and asks for nothing where it could not be kept")
    func failure() throws {
        let server = try server(#"{"error":"invalid_grant"}"#)
        try profile(server)
        try oap(["login", "work", "--open"]).run().expect(status: 4)
        try oap(["store", "get", "work"]).run().expect(status: 8)
        let blocked = try TemporaryDirectory()
        try blocked.write("", to: ".local")
        let before = server.connectionCount
        let result = try oap(["login", "work", "--open"], ["XDG_STATE_HOME": blocked.path(".local")]).run()
        result.expect(status: 11)
        #expect(server.connectionCount == before)
    }

    @Test(
        "writes the profile with --provider or --save-profile, once the login has worked, and no secret of a variable")
    func profiles() throws {
        let server = try server()
        let preset: JSONObject = [
            "title": "Mine", "authorization_endpoint": .string("http://127.0.0.1:{port}/authorize"),
            "token_endpoint": .string("http://127.0.0.1:{port}/token"), "api_headers": .object(["X-A": "1"]),
        ]
        try home.write(JSON.object(preset).text, to: ".config/oap/providers/mine.json")
        let refusing = try self.server(#"{"error":"invalid_grant"}"#)
        let login = { (server: Responder) in
            ["login", "work", "port=\(server.port)", "--provider", "mine", "--client-id", "c", "--open"]
        }
        try oap(login(refusing)).run().expect(status: 4)
        #expect(!FileManager.default.fileExists(atPath: home.path(".config/oap/profiles/work.json")))
        try oap(login(server), ["OAP_CLIENT_SECRET": "hunter2"]).run().expect(status: 0)
        let text = try home.read(".config/oap/profiles/work.json")
        #expect(!text.contains("hunter2"))
        #expect(try home.permissions(".config/oap/profiles/work.json") == 0o600)
        let profile = try #require(JSON(parsing: Array(text.utf8)).object)
        #expect(profile["client_id"] == "c" && profile["token_endpoint"] == .string(server.url("/token")))
        #expect(profile["api_headers"] == .object(["X-A": "1"]))
        try oap(["login", "work", "--open", "--scope", "more"]).run().expect(status: 0)
        #expect(try home.read(".config/oap/profiles/work.json") == text)
        try oap(["login", "work", "--open", "--scope", "more", "--save-profile"]).run().expect(status: 0)
        #expect(try home.read(".config/oap/profiles/work.json").contains(#""scope": "more""#))
    }

    @Test("says how a profile is made where there is none")
    func noProfile() throws {
        let result = try oap(["login", "work", "--open"]).run().expect(status: 3)
        #expect(result.errorText.contains("oap login work --provider PROVIDER --client-id ID"))
        for arguments in [
            ["login", "../x", "--open"], ["login", "work", "--device", "--paste"],
            ["login", "work", "--open", "--no-open"],
            ["login", "work", "a=b", "--open"], ["login", "work", "--provider", "nowhere", "--open"], ["login"],
        ] {
            try oap(arguments).run().expect(status: 2)
        }
    }

    @Test("reads a client secret from a descriptor once, for all its requests")
    func descriptor() throws {
        let server = try Responder { request in
            let device =
                #"{"device_code":"d","user_code":"U","verification_uri":"https://as.example/d","expires_in":60,"interval":1}"#
            return request.target == "/device" ? .json(device) : .token
        }
        try profile(server, ["device_authorization_endpoint": .string(server.url("/device"))])
        var program = Program.shell("oap login work --device --client-secret-file <(printf hunter2)")
        program.environment = ["HOME": home.path]
        try program.run().expect(status: 0)
        #expect(server.requests.map(\.target) == ["/device", "/token"])
        #expect(server.requests.allSatisfy { $0.headers.first("Authorization") == "Basic Y2xpZW50Omh1bnRlcjI=" })
    }
}
