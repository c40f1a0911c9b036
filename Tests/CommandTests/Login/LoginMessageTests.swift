import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What oap login says")
struct LoginMessageTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    private static let endpoints = [
        "--client-id", "c", "--authorization-endpoint", "https://as.example/a", "--token-endpoint",
        "https://as.example/t",
    ]

    @Test(
        "a message names the complete command that mends it",
        arguments: [
            (["login", "a1", "a2"], 2, "there are two names, a1 and a2"),
            (
                ["login", "work"], 3,
                "oap: hint: there is no profile work; name a server and a client at the first login: "
                    + "oap login work --issuer URL --client-id ID; instead of --issuer, use --provider PROVIDER "
                    + "for a known provider (oap provider), or --resource URL for an API or an MCP server; "
                    + "to register a client, use --register instead of --client-id\n"
            ),
            (
                ["login", "work", "--provider", "github"], 3,
                "then: oap login work --provider github --client-id ID --client-secret-file FILE, or with --device and "
                    + "no secret\n"
            ),
            (
                ["login", "work", "--provider", "github", "--device"], 3,
                "then: oap login work --provider github --client-id ID --device\n"
            ),
            (
                ["login", "work", "--provider", "github", "--client-id", "c", "--open"], 3,
                "if the client has no secret, use --device\n"
            ),
            (
                ["login", "work", "--open", "--redirect-uri", "localhost:8080"] + endpoints, 2,
                "oap: hint: did you mean http://localhost:8080?\n"
            ),
            (
                ["login", "work", "--provider", "gitlab", "git.example.org"], 2,
                "operands after the provider are VAR=VALUE\noap: hint: oap login work --provider gitlab [host=...]\n"
            ),
            (
                ["login", "work", "https://as.example", "--client-id", "c"], 2,
                "is the value of an option, not an operand\noap: hint: oap login NAME --issuer https://as.example; "
                    + "for an API or an MCP server: oap login NAME --resource https://as.example\n"
            ),
            (["login", "https://as.example"], 2, "oap: hint: oap login NAME --issuer https://as.example; for"),
            (
                ["login", "work", "--provider", "https://as.example"], 2,
                "not a URL\noap: hint: use --issuer https://as.example instead of --provider\n"
            ),
            (["call", "-I", "https://a.example"], 2, "-X HEAD -i prints the status line"),
            (["call", "--method=POST", "https://a.example"], 2, "-X sets the method, as in curl"),
            (["call", "-C", "work", "/user"], 2, "-C must be -"),
            (["profile", "set", "kc", "--provider", "keycloak"], 2, "oap provider PROVIDER | oap profile set NAME"),
            (["provider", "keycloak", "--client-id", "c"], 2, "oap provider PROVIDER | oap profile set NAME"),
            (["login", "work", "--port", "80", "--open"] + endpoints, 2, "port 80 is reserved for root"),
            (["authurl", "-n", "--client-id", "c"], 3, "to look it up: oap discover ISSUER; "),
            (
                [
                    "login", "work", "--grant", "password", "--client-id", "c", "--token-endpoint",
                    "https://as.example/t",
                ], 3,
                "password is missing\noap: hint: use --password-file or the member"
            ),
            (
                ["login", "work", "--grant", "foo"] + endpoints, 2,
                "oap: hint: the grants are client_credentials, password, jwt-bearer, saml2-bearer, token-exchange, and"
            ),
            (
                ["call", "work", "https://a.example", "--batch"], 2,
                "oap: hint: with --batch, there is no operand URL"
            ),
            (["scheme-handler", "https"], 2, "oap: hint: for example com.example.app"),
            (["completion"], 2, "usage: oap completion [OPTION ...] SHELL"),
            (["listen", "work"], 2, "this command takes no operand"),
            (
                ["login", "work", "--provider", "auth0", "domain=a.auth0.com"], 3,
                "http://127.0.0.1:8765/callback; then: oap login work --provider auth0 domain=a.auth0.com "
                    + "--client-id ID\n"
            ),
            (["register", "newp"], 11, "oap login newp --issuer URL --client-id ID makes the profile"),
            (["exchange", "--timeout", "5"], 2, "--max-time SECONDS ends a slow request"),
            (["call", "--timeout", "5", "https://a.example"], 2, "--max-time SECONDS ends a slow request"),
            (
                ["login", "work", "--open", "--redirect-uri", "urn:ietf:wg:oauth:2.0:oob"] + endpoints, 2,
                "the server shows the code: oap login --paste asks for it"
            ),
        ])
    func hints(arguments: [String], status: Int, text: String) throws {
        let result = try person.oap(arguments).run().expect(status: status)
        #expect(result.errorText.contains(text), "\(result)")
    }

    @Test("a secret of another client in the environment is not named as what is missing")
    func foreignSecret() throws {
        let words = [
            "login", "work", "--grant", "client_credentials", "--client-id", "c", "--token-endpoint",
            "https://as.example/t", "--token-endpoint-auth-method", "client_secret_basic",
        ]
        let program = person.oap(words, ["OAP_CLIENT_ID": "other", "OAP_CLIENT_SECRET": "secret-of-other"])
        let text = try program.run().expect(status: 3).errorText
        #expect(text.contains("OAP_CLIENT_SECRET is not used") && text.contains("or set OAP_CLIENT_ID to"), "\(text)")
        #expect(!text.contains("hint: use OAP_CLIENT_SECRET"))
    }

    @Test("an address without metadata may be that of an API, and one without a scheme a server on plain http")
    func addresses() throws {
        let server = try Responder { _ in .text("", status: 404) }
        let command = "oap login work --resource \(server.url("/mcp"))"
        let words = ["login", "work", "--open", "--client-id", "c", "--issuer"]
        let api = try person.oap(words + [server.url("/mcp")]).run().expect(status: 10)
        #expect(api.errorText.contains("if the address is that of an API or an MCP server: \(command)"), "\(api)")
        let resource = ["login", "work", "--open", "--client-id", "c", "--resource", server.url("/mcp")]
        let unknown = try person.oap(resource).run().expect(status: 10)
        #expect(unknown.errorText.contains("name the server with --issuer URL"), "\(unknown)")
        let asked = try Program.oap(["discover", server.url("/mcp")]).run().expect(status: 10)
        #expect(asked.errorText.contains("oap discover --resource \(server.url("/mcp"))"), "\(asked)")
        let host = "127.0.0.1:\(server.port)"
        let plain = try Program.oap(["discover", host]).run().expect(status: 6)
        #expect(plain.errorText.contains("oap discover http://\(host) asks over plain http"), "\(plain)")
        let login = try person.oap(words + [host]).run().expect(status: 2)
        login.expect(errorLine: "oap: hint: did you mean http://\(host)?")
    }

    @Test("a server without registration or device flow is called that, with what to do instead")
    func notOffered() throws {
        let server = try OpenIDServer()
        let words = ["login", "work", "--issuer", server.responder.url()]
        for (options, text) in [
            (["--register", "--open"], "register a client on the server's website with the redirect URI"),
            (["--device", "--client-id", "c"], "the server lists no device flow: log in with --headless or --paste"),
        ] {
            let result = try person.oap(words + options).run().expect(status: 3)
            #expect(result.errorText.contains("oap: hint: \(text)"), "\(result)")
        }
    }

    @Test("the first login says how to use the token, and one with another scope that the profile stays as it is")
    func next() throws {
        let server = try OpenIDServer()
        let words = ["login", "work", "--open", "--issuer", server.responder.url(), "--client-id", "c"]
        let first = try person.oap(words).run().expect(status: 0)
        first.expect(errorLine: "oap: hint: oap call work URL uses the token, and oap token work prints it")
        #expect(try !person.oap(words).run().expect(status: 0).errorText.contains("oap call"))
        let wider = try person.oap(words + ["--scope", "openid email"]).run().expect(status: 0)
        let hint = "the next login asks for the profile's scope, resource and parameters again"
        #expect(wider.errorText.contains(hint), "\(wider)")
    }

    @Test("a login that cannot begin leaves no file, and an empty name is called that")
    func nothingLeft() throws {
        for more in [[], ["--if-needed"]] {
            try person.oap(["login", "typo", "--open"] + more).run().expect(status: 3)
            #expect(!person.home.contains(".local/state/oap/tokens/typo.lock"))
        }
        try person.oap(["login", "", "--open"]).run().expect(status: 2).expect(
            errorLine: "oap: login: the name of the profile or token is empty")
    }

    @Test("a login from a stored token that does not say which grant brought it names the login of a machine")
    func machine() throws {
        var put = person.oap(["store", "put", "ci"])
        put.input = .text(#"{"access_token":"at","client_id":"c","token_endpoint":"https://as.example/t"}"#)
        try put.run().expect(status: 0)
        let result = try person.oap(["login", "ci", "--open"]).run().expect(status: 3)
        let command = "for a token of the client itself: oap login ci --grant client_credentials"
        #expect(result.errorText.contains(command), "\(result)")
    }

    @Test("BROWSER that names a missing program is named")
    func missingBrowser() throws {
        let words = ["login", "work", "--open", "--timeout", "0.1"] + Self.endpoints
        let result = try person.oap(words, ["BROWSER": "no-such-browser %s"]).run().expect(status: 6)
        result.expect(errorLine: "oap: login: no browser was found: BROWSER names no-such-browser")
    }

    @Test("--login-hint with --device is a warning, and --port 0 a free port")
    func harmless() throws {
        let device = ["--device-authorization-endpoint", "https://127.0.0.1:1/d", "--login-hint", "ada"]
        let result = try person.oap(["login", "work", "--device"] + Self.endpoints + device).run().expect(status: 6)
        result.expect(errorLine: "oap: login: warning: --login-hint has no effect with --device")
        let server = try LoginHome.server()
        try person.profile(server)
        try person.oap(["login", "work", "--open", "--port", "0"]).run().expect(status: 0)
    }

    @Test("a QR code for a redirect to this machine is warned about, and left out where the terminal is too small")
    func code() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        var login = person.oap(["login", "work", "--open", "--qr"])
        login.environment["LC_ALL"] = "C.UTF-8"
        let result = try login.run().expect(status: 0)
        let text = result.errorText
        #expect(text.contains("█") && text.contains("to log in on a phone, use --device"), "\(result)")
        var program = Program.shell(
            "stty rows 24 cols 80 </dev/tty; oap login work --open --qr 2>/dev/tty", input: .terminal)
        program.output = .terminal
        program.environment = ["HOME": person.home.path, "BROWSER": LoginHome.browser]
        let shown = try program.run().expect(status: 0).text.replacing("\r\n  ", with: " ")
        #expect(!shown.contains("##") && shown.contains("the terminal has 24 and 80"), "\(shown)")
    }

    @Test("a terminal gets messages in lines of its width, with the command of a hint in one piece")
    func width() throws {
        var program = Program.shell("stty cols 50 </dev/tty; oap login work 2>/dev/tty", input: .terminal)
        program.output = .terminal
        program.environment = ["HOME": person.home.path]
        let lines = try program.run().expect(status: 3).text.split(separator: "\r\n")
        #expect(lines[1] == "oap: hint: there is no profile work; name a server")
        #expect(lines[3] == "  oap login work --issuer URL --client-id ID;", "\(lines)")
        #expect(lines.allSatisfy { $0.count <= 50 } && lines.dropFirst(2).allSatisfy { $0.hasPrefix("  ") }, "\(lines)")
    }

    @Test("oap login takes the redirected URL that is pasted while it waits for the redirect")
    func pastedMeanwhile() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        var program = person.oap(["login", "work", "--no-open"])
        program.input = .terminal
        let login = try program.start()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        _ = try login.errorLine { $0.contains("paste the URL of the last page here") }
        login.write("garbage\n")
        _ = try login.errorLine { $0 == "oap: login: that is not the redirected URL: it is not a URL" }
        let query = try FormEncoding.parse(url)
        let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
        login.write("\(value("redirect_uri"))?code=the-code&state=\(value("state"))\n")
        try login.finish().expect(status: 0)
        #expect(try person.stored()["access_token"] == "at")
    }

    @Test("oap login takes a pasted URL that is longer than a line of a terminal, to the last character of its code")
    func longPastedMeanwhile() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        var program = person.oap(["login", "work", "--no-open"])
        program.input = .terminal
        let login = try program.start()
        let query = try FormEncoding.parse(try login.errorLine { $0.hasPrefix("http://") })
        _ = try login.errorLine { $0.contains("paste the URL of the last page here") }
        let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
        let code = (0..<1000).map { "c\(1000 + $0)" }.joined()
        login.write("mistaken\u{15}\(value("redirect_uri"))?state=\(value("state"))&code=\(code)\n")
        try login.finish().expect(status: 0)
        let sent = try FormEncoding.parse(server.requests.last?.bodyText ?? "").first { $0.name == "code" }?.value
        #expect(sent == code)
        #expect(login.hasCanonicalTerminal)
    }

    @Test("text that is no redirected URL is called that, and a server that shows the code has it pasted alone")
    func pasted() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let login = try person.typing()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        _ = try login.errorLine { $0.contains("paste") }
        login.write("garbage\n")
        _ = try login.errorLine { $0.hasPrefix("oap: login: that is not the redirected URL") }
        login.write("\(url)\n")
        _ = try login.errorLine { $0.hasPrefix("oap: hint: the callback is the URL of the login page; ") }
        let state = try FormEncoding.parse(url).first { $0.name == "state" }?.value ?? ""
        login.write("code=the-code&state=\(state)\n")
        try login.finish().expect(status: 0)
        try person.profile(server, ["redirect_uri": "urn:ietf:wg:oauth:2.0:oob"])
        let shown = try person.typing()
        _ = try shown.errorLine { $0.contains("paste") }
        shown.write("the-code\n")
        try shown.finish().expect(status: 0)
        #expect(server.requests.last?.bodyText.contains("code=the-code") == true)
    }
}
