import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap provider, as a process")
struct ProviderTests {
    @Test("a name prints the client document, which the pipeline takes as it is")
    func pipeline() throws {
        let result = try Program.shell(
            "\(Program.oapPath) provider github | \(Program.oapPath) authurl --client-id Iv1 -q .authorization_url -r"
        ).run().expect(status: 0).expectSilence()
        #expect(result.text.hasPrefix("https://github.com/login/oauth/authorize?response_type=code&client_id=Iv1&"))
    }

    @Test("on a terminal the note comes too, and where to register a client; in a pipe nothing does")
    func registration() throws {
        var program = Program.oap(["provider", "github"])
        program.output = .terminal
        let result = try program.run().expect(status: 0)
        #expect(result.errorText.contains("oap: provider: GitHub: A login in a browser needs the client secret"))
        let hint = """
            register a client at https://github.com/settings/developers with the redirect URI http://127.0.0.1/callback
            """
        result.expect(errorLine: "oap: hint: \(hint)")
        try Program.oap(["provider", "github"]).run().expect(status: 0).expectSilence()
    }

    @Test("a command that lacks the client_id of a preset says where to register a client")
    func lacksClient() throws {
        let result = try Program.shell("oap provider spotify | oap authurl --scope x").run().expect(status: 3)
        let hint = """
            register a client at https://developer.spotify.com/dashboard with the redirect URI \
            http://127.0.0.1:8765/callback, which --redirect-uri gives to oap; use --client-id, OAP_CLIENT_ID or the \
            member "client_id"
            """
        result.expect(errorLine: "oap: hint: \(hint)")
        try Program.oap(["login", "x", "--provider", "github", "--open"]).run().expect(status: 3).expect(
            errorLine: """
                oap: hint: register a client at https://github.com/settings/developers with the redirect URI \
                http://127.0.0.1/callback; then: oap login x --provider github --client-id ID --client-secret-file \
                FILE, or with --device and no secret
                """)
    }

    @Test("the built-in presets need no home")
    func homeless() throws {
        try Program.shell("env -u HOME -u XDG_CONFIG_HOME \(Program.oapPath) provider github > /dev/null").run()
            .expect(status: 0).expectSilence()
    }
}
