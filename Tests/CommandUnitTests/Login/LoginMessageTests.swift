import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What oap login says", .inProcess)
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
                ["login", "github", "--client-id", "x"], 3,
                "oap: hint: github is a preset: oap login github --provider github --client-id ID\n"
            ),
            (
                ["end-session"], 3,
                "name a stored token, pipe in a token document, or use -n to log out without an ID token\n"
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
            (
                ["login", "gh", "--provider", "github", "--client-id", "c", "--device", "--retry", "0"]
                    + ["--proxy", "http://127.0.0.1:1"], 6,
                "oap: login: GitHub: For `oap login --device`, tick Enable Device Flow in the settings of the app.\noap"
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
}
