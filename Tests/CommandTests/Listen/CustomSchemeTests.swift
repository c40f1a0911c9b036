import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

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

    @Test("a custom URL scheme is one for which oap listen waits, until a handler hands over the redirect of its flow")
    func listen() throws {
        let home = try TemporaryDirectory()
        let variables = ["HOME": home.path]
        let flow = try Listening.flow(["--redirect-uri", "gitonfire://"])
        let listening = try Listening(flow, environment: variables)
        let handOver = { Program.oap(["callback-parse", "--hand-over", $0], environment: variables) }
        let stray = try handOver("gitonfire://?code=c&state=another").run().expect(status: 8)
        #expect(try stray.object()["error"] == "flow_expired" && stray.errorText.contains("no oap login"))
        try handOver("gitonfire://?code=c").run().expect(status: 9)
        // Another page with the right state does not end the wait.
        for other in ["https://evil.example/", "gitonfire://evil"] {
            let url = listening.redirect.replacing("gitonfire://", with: other)
            try handOver(url).run().expect(status: 0)
        }
        try handOver(listening.redirect).run().expect(status: 0).expect(output: "").expectSilence()
        let received = try listening.program.finish().expect(status: 0).object()
        #expect(received["callback_url"]?.string == listening.redirect)
        try Program.oap(["callback-parse"], input: received.input).run().expect(status: 0)
        try handOver(listening.redirect).run().expect(status: 8)
        let killed = try Listening(flow, environment: variables)
        killed.program.send(signal: SIGKILL)
        try killed.program.finish().expect(signal: SIGKILL)
        try handOver(killed.redirect).run().expect(status: 8)
        let late = try Listening(flow, ["--timeout", "0.2"], environment: variables)
        let error = try late.program.finish().expect(status: 6).object()
        #expect(error["error"] == "timeout")
    }

    @Test("a custom URL scheme brings lines of other logins, or junk, without an end of the wait")
    func strayLines() throws {
        let home = try TemporaryDirectory()
        let listening = try Listening(
            try Listening.flow(["--redirect-uri", "gitonfire://"]), environment: ["HOME": home.path])
        let folder = home.path(".local/state/oap/flows")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".inbox") })
        let pipe = try #require(FileHandle(forWritingAtPath: "\(folder)/\(name)"))
        for line in ["another", "", listening.state + "x", String(listening.state.dropLast())] {
            try pipe.write(contentsOf: Data("gitonfire://?code=c&state=\(line)\n".utf8))
        }
        try pipe.write(contentsOf: Data("junk\n\ngitonfire://?code=c\n\(listening.redirect)\n".utf8))
        let received = try listening.program.finish().expect(status: 0).object()
        #expect(received["callback_url"]?.string == listening.redirect)
    }

    @Test(
        "a custom URL scheme leaves no pipe behind where a signal ends the wait",
        arguments: [SIGHUP, SIGINT, SIGTERM])
    func signal(number: Int32) throws {
        let home = try TemporaryDirectory()
        let flow = try Listening.flow(["--redirect-uri", "gitonfire://"])
        let listening = try Listening(flow, environment: ["HOME": home.path])
        let folder = home.path(".local/state/oap/flows")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasSuffix(".inbox") })
        listening.program.send(signal: number)
        try listening.program.finish().expect(signal: number)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("a custom URL scheme whose handler is oap ends oap login, which opened the browser")
    func login() throws {
        let person = try LoginHome()
        let server = try LoginHome.server()
        try person.profile(server, ["redirect_uri": "com.example.app:/callback"])
        let environment = ["HOME": person.home.path]
        func program(_ arguments: String...) -> Program {
            var program = Program(path: "/usr/bin/env", arguments: arguments)
            program.environment = environment
            return program
        }
        let install = Program.oap(["scheme-handler", "com.example.app", "--install"], environment: environment)
        try install.run().expect(status: 0)
        try install.run().expect(status: 0)
        let entry = person.home.path(".local/share/applications/oap-com.example.app.desktop")
        #expect(try program("desktop-file-validate", entry).run().expect(status: 0).text.isEmpty)
        let browser = try person.home.write(
            "#!/bin/sh\ngio open \"$(curl -sS -o /dev/null -w '%header{location}' \"$1\")\"\n", to: "browser")
        chmod(browser, 0o700)
        let result = try person.oap(["login", "work", "--open"], ["BROWSER": browser]).run().expect(status: 0)
        #expect(result.errorText.contains("oap scheme-handler com.example.app"))
        #expect(try person.stored()["access_token"] == "at")
    }

    @Test("a custom URL scheme takes the place of another handler with a warning")
    func replaced() throws {
        let home = try TemporaryDirectory()
        let handler = { (words: [String]) in
            Program.oap(["scheme-handler"] + words, environment: ["HOME": home.path])
        }
        _ = try home.write(
            "[Desktop Entry]\nType=Application\nName=x\nExec=sh\n", to: ".local/share/applications/x.desktop")
        _ = try home.write("[Default Applications]\nx-scheme-handler/app=x.desktop\n", to: ".config/mimeapps.list")
        let result = try handler(["APP", "--install"]).run().expect(status: 0)
        result.expect(errorLine: "oap: scheme-handler: warning: the handler x.desktop is replaced")
        let without = Program.oap(
            ["scheme-handler", "app", "--install"], environment: ["HOME": home.path, "PATH": "/nowhere"])
        #expect(try without.run().expect(status: 11).errorText.contains("xdg-utils"))
    }

    @Test(
        "a custom URL scheme is not waited for where xdg-mime does not end, with its output open or closed",
        arguments: ["exec sleep 600", "exec sleep 600 >&-"])
    func hanging(script: String) throws {
        let home = try TemporaryDirectory()
        chmod(try home.write("#!/bin/sh\n\(script)\n", to: "xdg-mime"), 0o700)
        let environment = ["HOME": home.path, "PATH": "\(home.path):/usr/bin:/bin"]
        let result = try Program.oap(["scheme-handler", "app", "--install"], environment: environment).run()
        #expect(result.expect(status: 11).errorText.contains("did not end within 10 seconds"), "\(result)")
    }

    @Test("a custom URL scheme gets no posted form")
    func useless() throws {
        let flow = try Listening.flow(["--redirect-uri", "app:/cb"])
        let posted = flow.with(["response_mode": "form_post"])
        try Program.oap(["listen"], input: posted.input).run().expect(status: 3)
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
