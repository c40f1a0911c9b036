import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// `OAP_PROFILE` beside a standard input that CI systems, cron, ssh and the loops of a shell give to each command.
@Suite("OAP_PROFILE and a standard input of others")
struct ForeignInputTests {
    private let store: StoreHome
    private let api: Responder

    init() throws {
        store = try StoreHome()
        try store.put(#"{"access_token":"at-work","client_id":"c"}"#, as: "work")
        api = try Responder { request in .text(request.headers.first { $0.name == "Authorization" }?.value ?? "") }
    }

    private func call(_ input: Program.Input, _ more: String...) -> Program {
        var program = store.oap()
        program.arguments = ["call", api.url("/")] + more
        program.input = input
        program.environment["OAP_PROFILE"] = "work"
        return program
    }

    /// Runs a script in which `call` is `oap call` of the API and prints a line.
    private func run(_ script: String, by shell: String = "/bin/bash") throws -> ProgramResult {
        var program = store.oap()
        let call = "call() { '\(program.path)' call '\(api.url("/"))'; echo; }"
        program.arguments = ["-c", "set -eu; \(call)\n\(script)"]
        program.path = shell
        program.environment["OAP_PROFILE"] = "work"
        program.directory = store.home.path
        return try program.run()
    }

    @Test(
        "the profile counts, whatever standard input is: closed, empty, a terminal, a text, a document, nothing yet",
        arguments: [
            Program.Input.closed, .none, .terminal, .text(""), .text("\n \t\r\n"), .text("1\n2\n"), .text("[1]"),
            .bytes([0xFF, 0x00]), .text(String(repeating: " ", count: 70_000)), .file("/proc/self/status"), .file("/"),
            .open, .text(#"{"access_token":"at-pipe"}"#), .text("{1"), .text("\n\t{\"n\":1}\n"),
        ])
    func foreign(input: Program.Input) throws {
        try call(input).run().expect(status: 0).expect(output: "Bearer at-work")
    }

    @Test("a loop that reads lines keeps them, in sh and in bash", arguments: ["/bin/sh", "/bin/bash"])
    func loop(shell: String) throws {
        let lines = "printf '1\\n2\\n{\\n' | while read -r line; do printf \"$line \"; call; done"
        try run(lines, by: shell).expect(status: 0)
            .expect(output: "1 Bearer at-work\n2 Bearer at-work\n{ Bearer at-work\n")
    }

    @Test("a script that comes through a pipe is not eaten")
    func script() throws {
        try run("printf '%s\\n' \"$(declare -f call)\" call 'echo end' | bash").expect(status: 0)
            .expect(output: "Bearer at-work\nend\n")
    }

    @Test("a file stays where it is read next")
    func file() throws {
        _ = try store.home.write("first\nsecond\n", to: "lines")
        _ = try store.home.write("first\n" + #"{"access_token":"at-file"}"#, to: "document")
        try run("exec < lines; read -r line; call; cat").expect(status: 0).expect(output: "Bearer at-work\nsecond\n")
        try run("exec < document; read -r line; call; cat").expect(status: 0)
            .expect(output: "Bearer at-work\n" + #"{"access_token":"at-file"}"#)
    }

    @Test("a socket is left alone like a pipe")
    func socket() throws {
        let script = """
            import socket, subprocess, sys
            for text in [b"", b"loop\\n", b' {"access_token":"at-socket"}']:
                ours, theirs = socket.socketpair()
                ours.sendall(text)
                ours.shutdown(socket.SHUT_WR)
                subprocess.run(sys.argv[1:], stdin=theirs, check=True)
                theirs.setblocking(False)
                print("", theirs.recv(99))
            """
        var program = store.oap()
        let (path, url) = (program.path, api.url("/"))
        program.path = "/usr/bin/env"
        program.arguments = ["python3", "-u", "-c", script, path, "call", url]
        program.environment["OAP_PROFILE"] = "work"
        try program.run().expect(status: 0)
            .expect(
                output: "Bearer at-work b''\nBearer at-work b'loop\\n'\n"
                    + "Bearer at-work b' {\"access_token\":\"at-socket\"}'\n")
    }

    @Test(
        "standard input that is the body of a call is no document",
        arguments: [["--input", "-"], ["-d", "@-"], ["--json", "@-"], ["-T", "-"], ["--data-urlencode", "x@-"]])
    func body(options: [String]) throws {
        var program = call(.text(#"{"a":1}"#))
        program.arguments += options
        try program.run().expect(status: 0).expect(output: "Bearer at-work")
        let body = try #require(api.requests.last).bodyText
        #expect(body == (options[1] == "x@-" ? "x=%7B%22a%22%3A1%7D" : #"{"a":1}"#))
    }

    @Test("whoami, inspect and refresh take the profile too, and a document or a JWT with --token-file -")
    func others() throws {
        let oap = { (words: [String], input: Program.Input) -> Program in
            var program = call(input)
            program.arguments = words
            return program
        }
        for input in [Program.Input.text(""), .text("x\n")] {
            try oap(["inspect", "-q", ".client_id"], input).run().expect(status: 0).expect(output: "\"c\"\n")
            try oap(["refresh"], input).run().expect(status: 8)
        }
        let jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."
        let inspect = ["inspect", "-q", ".claims.sub // .client_id", "-r"]
        try oap(inspect, .text(jwt)).run().expect(status: 0).expect(output: "c\n")
        try oap(inspect + ["--token-file", "-"], .text(jwt)).run().expect(status: 0).expect(output: "ada\n")
    }
}
