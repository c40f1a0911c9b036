import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap login --paste")
struct LoginTerminalTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// The parameters of the authorization request that a login has shown.
    private func request(_ login: RunningProgram) throws -> (String) -> String {
        let query = try FormEncoding.parse(WebURL(try login.errorLine { $0.hasPrefix("http://") })?.query ?? "")
        _ = try login.errorLine { $0.contains("paste") }
        return { name in query.first { $0.name == name }?.value ?? "" }
    }

    @Test(
        "oap login --paste takes what a person pastes: the whole URL, the query, or the code with the state",
        arguments: [
            "URI?code=the-code&state=STATE", "code=the-code&state=STATE", "  the-code STATE", "the-code#STATE",
            "[page](URI?code=the-code&amp;state=STATE)", "'URI?code=the-\n  code&state=STATE'",
        ])
    func paste(form: String) throws {
        let server = try LoginHome.server()
        try person.profile(server)
        var program = person.oap(["login", "work", "--paste"])
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
        #expect(try person.stored()["access_token"] == "at")
    }

    @Test("oap login that waits for the browser tells what is wrong with a typed URL, and takes the right one")
    func typedMeanwhile() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        var program = person.oap(["login", "work", "--ephemeral"], ["BROWSER": "/bin/true"])
        program.input = .terminal
        let login = try program.start()
        let query = try FormEncoding.parse(WebURL(try login.errorLine { $0.hasPrefix("http://") })?.query ?? "")
        let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
        for (typed, reason) in [
            ("\(value("redirect_uri"))?code=c&state=another", "the state of the callback is not the one that was sent"),
            ("\(value("redirect_uri"))?code=c", "the callback has no state"), ("junk", "it is not a URL"),
            // A URL that was wrapped before it was copied.
            ("  \(value("redirect_uri"))?co", "the callback has no state"), ("de=c", "it is not a URL"),
        ] {
            login.write(typed + "\n")
            _ = try login.errorLine { $0.contains("that is not the redirected URL: \(reason)") }
        }
        login.write("&state=\(value("state"))\n")
        try login.finish().expect(status: 0)
        #expect(try person.stored()["access_token"] == "at")
    }

    @Test("oap login --paste ends when nothing is pasted, or the server has said no")
    func noPaste() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        for (typed, status) in [("\u{4}", 8), ("error=access_denied&state=STATE\n", 4)] {
            var program = person.oap(["login", "work", "--paste"])
            program.input = .terminal
            let login = try program.start()
            let query = try FormEncoding.parse(WebURL(try login.errorLine { $0.hasPrefix("http://") })?.query ?? "")
            _ = try login.errorLine { $0.contains("paste") }
            login.write(typed.replacing("STATE", with: query.first { $0.name == "state" }?.value ?? ""))
            try login.finish().expect(status: status)
        }
        try person.oap(["store", "get", "work"]).run().expect(status: 8)
    }

    @Test("oap login --paste gives the terminal back as it was, and to a shell nothing that was pasted behind")
    func mode() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        for typed in ["code=c&state=STATE\ntouch pwned\n", "\u{4}"] {
            var program = Program.shell(
                "oap login work --paste >/dev/null; read -t 0.1 -r line; echo \"<$line>\"", input: .terminal)
            program.environment = ["HOME": person.home.path]
            let login = try program.start()
            #expect(login.hasCanonicalTerminal)
            let value = try request(login)
            #expect(!login.hasCanonicalTerminal)
            login.write(typed.replacing("STATE", with: value("state")))
            let result = try login.finish()
            #expect(result.text == "<>\n")
            #expect(login.hasCanonicalTerminal)
        }
    }

    @Test(
        "oap login --paste gives the terminal back when a signal ends it",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGABRT])
    func signals(signal: Int32) throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let login = try person.typing()
        _ = try request(login)
        #expect(!login.hasCanonicalTerminal)
        login.send(signal: signal)
        let result = try login.finish()
        #expect(result.ending == (signal == SIGABRT ? .status(70) : .signal(Int(signal))))
        #expect(login.hasCanonicalTerminal)
    }

    @Test("oap login --paste gives the terminal back to the shell that stops it, and takes long lines afterwards")
    func stopped() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        // A shell at the terminal, with job control.
        var program = Program(path: "/bin/bash", arguments: ["--norc", "-i", "-c"])
        program.arguments.append("oap login work --paste; echo stopped >&2; read -r; fg >/dev/null")
        program.input = .terminal
        program.environment = ["HOME": person.home.path]
        let login = try program.start()
        let value = try request(login)
        login.write("\u{1A}")
        _ = try login.errorLine { $0 == "stopped" }
        #expect(login.hasCanonicalTerminal)
        login.write("\n")
        try login.deliver()
        // That it has the terminal again is no event that anybody is told.
        let deadline = ContinuousClock.now + .seconds(60)
        while login.hasCanonicalTerminal {
            try #require(ContinuousClock.now < deadline, "it does not go on")
            sched_yield()
        }
        login.write("code=c&pad=\(String(repeating: "x", count: 6_000))&state=\(value("state"))\n")
        try login.finish().expect(status: 0)
        #expect(try person.stored()["access_token"] == "at")
    }

    @Test("oap login --paste takes back a whole character with the backspace key, and a line with Ctrl-U")
    func editing() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let login = try person.typing()
        let value = try request(login)
        login.write("junk\u{15}code=c\u{e9}\u{7F}&state=\(value("state"))\n")
        try login.finish().expect(status: 0)
    }

    @Test("oap login --paste passes over the marks around what is pasted, and junk")
    func marks() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let login = try person.typing()
        let value = try request(login)
        login.write("\u{1}\u{2}\n")
        _ = try login.errorLine { $0.contains("paste the redirected URL again") }
        login.write("\u{1B}[200~ <\(value("redirect_uri"))?code=c&state=\(value("state"))>\u{1B}[201~\n")
        try login.finish().expect(status: 0)
    }
}
