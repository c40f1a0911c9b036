import Foundation
import TestSupport
import Testing
import Wire

@Suite("A custom URL scheme")
struct CustomSchemeTests {
    private static let examples = "\(Fixture.project)/examples"

    @Test("a custom URL scheme leads to the example's program, which ends the login of another process, once")
    func desktop() throws {
        let desktop = try Desktop()
        let endpoint = try Responder(.token)
        let client: JSONObject = [
            "client_id": "myapp", "authorization_endpoint": "https://as.example/authorize",
            "token_endpoint": .string(endpoint.url("/token")),
        ]
        var authurl = Program.oap(
            ["authurl", "--remember", "--redirect-uri", "myapp://oauth-callback"], input: client.input)
        authurl.environment = desktop.environment
        let flow = try authurl.run().expect(status: 0).object()
        let state = try #require(flow["state"]?.string)
        #expect(try desktop.open("myapp://oauth-callback?code=the-code&state=another") == "9")
        #expect(endpoint.requests.isEmpty)
        let redirect = "myapp://oauth-callback?code=the-code&state=\(state)"
        #expect(try desktop.open(redirect) == "0")
        let token = try desktop.program("oap", "token", "myapp").run().expect(status: 0).text
        #expect(token == "new-access\n")
        let form = try FormEncoding.parse(try #require(endpoint.requests.first).bodyText)
        #expect(form.contains { $0.name == "code" && $0.value == "the-code" })
        #expect(form.contains { $0.name == "code_verifier" && $0.value == flow["code_verifier"]?.string })
        #expect(try desktop.open(redirect) == "9")
        #expect(endpoint.requests.count == 1)
    }

    @Test("a custom URL scheme is registered by a file that follows the Desktop Entry Specification")
    func entry() throws {
        let check = Program(path: "/usr/bin/desktop-file-validate", arguments: ["\(Self.examples)/myapp.desktop"])
        #expect(try check.run().expect(status: 0).text.isEmpty)
    }

    /// A person's home in which the example is installed as its comments say.
    private struct Desktop {
        let home: TemporaryDirectory
        let environment: [String: String]
        private let report: String

        init() throws {
            home = try TemporaryDirectory()
            let search = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let tools = URL(fileURLWithPath: Program.oapPath).deletingLastPathComponent().path
            environment = ["HOME": home.path, "PATH": "\(home.path):\(tools):\(search)"]
            report = home.path("report")
            try #require(mkfifo(report, 0o600) == 0)
            // The desktop does not wait for the program, and throws its exit status away.
            let script = "#!/bin/sh\n'\(CustomSchemeTests.examples)/myapp-callback' \"$@\"\necho $? > '\(report)'\n"
            chmod(try home.write(script, to: "myapp-callback"), 0o700)
            let entry = "\(CustomSchemeTests.examples)/myapp.desktop"
            try program("install", "-D", "-m", "644", entry, home.path(".local/share/applications/myapp.desktop"))
                .run().expect(status: 0)
            try program("xdg-mime", "default", "myapp.desktop", "x-scheme-handler/myapp").run().expect(status: 0)
            let chosen = try program("xdg-mime", "query", "default", "x-scheme-handler/myapp").run().expect(status: 0)
            #expect(chosen.text == "myapp.desktop\n")
        }

        /// Opens an address as the desktop does, and gives back the exit status of the program that it starts.
        func open(_ url: String) throws -> String {
            let gio = try program("gio", "open", url).start()
            let status = try Program(path: "/bin/cat", arguments: [report]).run().expect(status: 0).text
            try gio.finish().expect(status: 0)
            return status.trimmingCharacters(in: .newlines)
        }

        func program(_ arguments: String...) -> Program {
            var program = Program(path: "/usr/bin/env", arguments: arguments)
            program.environment = environment
            return program
        }
    }
}
