import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What oap login says of a preset")
struct LoginPresetTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// Writes the preset `mine` of a server.
    private func preset(_ server: Responder, _ more: JSONObject = [:]) throws {
        let preset: JSONObject = [
            "title": "Mine", "note": "Read this first.",
            "authorization_endpoint": .string(server.url("/authorize")),
            "token_endpoint": .string(server.url("/token")),
        ]
        try person.home.write(JSON.object(preset.with(more)).text, to: ".config/oap/providers/mine.json")
    }

    private static let login = ["login", "work", "--provider", "mine", "--client-id", "c"]

    @Test("the note of a preset is printed until the login has made the profile, and not where nothing is done")
    func note() throws {
        let server = try LoginHome.server()
        try preset(server)
        let note = "oap: login: Mine: Read this first."
        let nameless = ["login", "work", "--provider", "mine", "--open"]
        try person.oap(nameless).run().expect(status: 3).expect(errorLine: note)
        let first = try person.oap(Self.login + ["--open"]).run().expect(status: 0)
        first.expect(errorLine: note)
        let lines = first.errorText.split(separator: "\n").map(String.init)
        #expect(try #require(lines.firstIndex(of: note)) < #require(lines.firstIndex { $0.contains("open this URL") }))
        for more in [["--open"], ["--if-needed"]] {
            let again = try person.oap(Self.login + more).run().expect(status: 0)
            #expect(!again.errorText.contains("Read this"), "\(again)")
        }
    }

    @Test("the note of a preset is printed at the first login, not again when that failed, nor for a machine")
    func notedOnce() throws {
        let refusing = try Responder { _ in .json(#"{"error":"server_error"}"#, status: 400) }
        try preset(refusing)
        let device = ["--device", "--device-authorization-endpoint", refusing.url("/device")]
        #expect(try person.oap(Self.login + device).run().errorText.contains("Mine: Read this first."))
        #expect(try !person.oap(Self.login + device).run().errorText.contains("Read this"))
        let machine = ["login", "m", "--provider", "mine", "--client-id", "c", "--grant", "client_credentials"]
        let result = try person.oap(machine, ["OAP_CLIENT_SECRET": "s"]).run()
        #expect(!result.errorText.contains("Read this"), "\(result)")
    }

    @Test("the scope of a preset that says who has logged in is not that of a machine's token")
    func machine() throws {
        let server = try LoginHome.server()
        try preset(server, ["scope": "openid profile"])
        let grant = ["--grant", "client_credentials"]
        try person.oap(Self.login + grant, ["OAP_CLIENT_SECRET": "s3cret-value"]).run().expect(status: 0)
        #expect(try person.profile()["scope"] == nil)
        #expect(server.requests.allSatisfy { !$0.bodyText.contains("scope") })
    }

    @Test("a preset whose redirect URI is https says before the login which command works")
    func secureRedirect() throws {
        let words = ["login", "chat", "--provider", "slack", "--client-id", "it's", "--open", "--timeout", "9"]
        let slack = try person.oap(words).run().expect(status: 2)
        slack.expect(
            errorLine: "oap: login: redirect_uri is https, which needs --tls-certificate-file and --tls-key-file")
        slack.expect(
            errorLine: #"""
                oap: hint: without a certificate: oap login chat --provider slack --client-id 'it'\''s' --open --paste
                """#)
        #expect(!slack.errorText.contains("open this URL"))
        let nameless = try person.oap(["login", "chat", "--provider", "slack", "--open"]).run().expect(status: 3)
        #expect(nameless.errorText.contains("--provider slack --client-id ID --paste\n"), "\(nameless)")
        let server = try LoginHome.server()
        try preset(server, ["registration_redirect_uri": "https://localhost:8765/callback"])
        let refused = try person.oap(Self.login + ["--open"]).run().expect(status: 2)
        let hint = try #require(refused.errorText.firstRange(of: "certificate: oap ")?.upperBound)
        let command = refused.errorText[hint...].prefix { $0 != "\n" }.split(separator: " ").map(String.init)
        var program = person.oap(command)
        program.input = .terminal
        let login = try program.start()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        _ = try login.errorLine { $0.contains("then paste the URL") }
        let state = try FormEncoding.parse(url).first { $0.name == "state" }?.value ?? ""
        login.write("https://localhost:8765/callback?code=the-code&state=\(state)\n")
        try login.finish().expect(status: 0)
        #expect(try person.profile()["redirect_uri"] == "https://localhost:8765/callback")
    }

    @Test("a preset without device login or registration names what works there, and no search for another server")
    func notOffered() throws {
        let server = try LoginHome.server()
        try preset(server, ["registration_page": "https://mine.example/apps"])
        for (options, text) in [
            (["--client-id", "c", "--device"], "the server lists no device flow: log in with --headless or --paste"),
            (
                ["--register", "--open"],
                "register a client at https://mine.example/apps; then: oap login work --provider mine --client-id ID"
            ),
        ] {
            let result = try person.oap(["login", "work", "--provider", "mine"] + options).run().expect(status: 3)
            result.expect(errorLine: "oap: hint: \(text)")
        }
    }
}
