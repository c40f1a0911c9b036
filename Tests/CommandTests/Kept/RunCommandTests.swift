import Foundation
import TestSupport
import Testing

@testable import CommandSupport

@Suite("oap run")
struct RunCommandTests {
    @Test("the command has the token in OAP_ACCESS_TOKEN, renewed when it is due, and standard input for itself")
    func token() throws {
        for (seconds, token) in [(1000, "at-0"), (-10, "at-1")] {
            let managed = try ManagedHome(expiresIn: seconds)
            let program = managed.oap("run", "work", "--", "sh", "-c", "cat; echo $OAP_ACCESS_TOKEN", input: "read\n")
            #expect(try program.run().expect(status: 0).text == "read\n\(token)\n")
            #expect(managed.endpoint.requests.count == (seconds > 0 ? 0 : 1))
        }
    }

    @Test("the name is the operand, -p or OAP_PROFILE, also with a pipe on standard input")
    func names() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let command = ["--", "sh", "-c", "echo $OAP_ACCESS_TOKEN"]
        for words in [["work"], ["-p", "work"], ["work", "-p", "work"], []] {
            var program = managed.oap(["run"] + words + command)
            program.input = .text("")
            program.environment["OAP_PROFILE"] = words.isEmpty ? "work" : nil
            #expect(try program.run().expect(status: 0).text == "at-0\n")
        }
        try managed.oap(["run", "nobody"] + command).run().expect(status: 8)
    }

    @Test("--env names the variables that get the token")
    func variables() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let script = "echo $GH_TOKEN,$GITHUB_TOKEN,$OAP_ACCESS_TOKEN"
        let program = managed.oap("run", "work", "--env", "GH_TOKEN", "--env=GITHUB_TOKEN", "--", "sh", "-c", script)
        #expect(try program.run().expect(status: 0).text == "at-0,at-0,\n")
    }

    @Test("the command has the other variables to the byte, but none of oap with a secret or the path of one")
    func environment() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let withheld = [
            "OAP_CLIENT_SECRET", "OAP_CLIENT_SECRET_FILE", "OAP_REFRESH_TOKEN", "OAP_OTHER_COMMAND",
            "OAP_SANDBOX_FILE",
        ]
        let shell = """
            export BYTES=$'\\xff\\xfe' OAP_API_BASE=https://api.example SECRET=kept \(withheld.map { "\($0)=hidden" }
                .joined(separator: " "))
            oap run work -- env -0
            """
        var program = Program.shell(shell, environment: ["HOME": managed.home.path])
        program.environment["PATH"] = "\((Program.oapPath as NSString).deletingLastPathComponent):/usr/bin:/bin"
        let lines = try program.run().expect(status: 0).output.split(separator: 0).map { Array($0) }
        for line in [
            Array("BYTES=".utf8) + [0xFF, 0xFE], Array("OAP_API_BASE=https://api.example".utf8),
            Array("SECRET=kept".utf8), Array("OAP_ACCESS_TOKEN=at-0".utf8),
        ] { #expect(lines.contains(line)) }
        #expect(!lines.contains { String(decoding: $0, as: UTF8.self).contains("hidden") })
    }

    @Test("oap becomes the command: the process is the same, and signals and exit status are the command's")
    func process() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let running = try managed.oap("run", "work", "--", "sh", "-c", "echo $$; exit 7").start()
        let process = running.process
        #expect(try running.finish().expect(status: 7).text == "\(process)\n")
        try managed.oap("run", "work", "--", "sh", "-c", "kill -TERM $$").run().expect(signal: SIGTERM)
        let grep = ["grep", "-E", "^Sig(Ign|Blk)", "/proc/self/status"]
        let signals = try Program(path: "/usr/bin/env", arguments: grep).run().expect(status: 0).text
        #expect(try managed.oap(["run", "work", "--"] + grep).run().text == signals)
    }

    @Test("options of the command are its own, and -- may be among them")
    func options() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let words = ["run", "work", "--", "printf", "%s,", "-p", "--help", "--", "", "--env=X"]
        #expect(try managed.oap(words).run().expect(status: 0).text == "-p,--help,--,,--env=X,")
    }

    @Test("a command that is missing is exit 127, one that cannot be executed 126, and no token is renewed for them")
    func unexecuted() throws {
        let managed = try ManagedHome()
        let text = try managed.home.write("#!/bin/sh\n", to: "text")
        let folder = managed.home.path
        for (command, status) in [
            ("no-such-program", 127), (folder + "/missing", 127), ("", 127), (text, 126), (folder, 126),
            (text + "/x", 126),
        ] {
            let result = try managed.oap("run", "work", "--", command).run().expect(status: status)
            #expect(result.errorText.hasPrefix("oap: run: cannot execute \(command): ") && result.output.isEmpty)
        }
        #expect(managed.endpoint.requests.isEmpty)
    }

    @Test("a script whose interpreter is missing is exit 126, and the message says so")
    func missingInterpreter() throws {
        let managed = try ManagedHome()
        let script = try managed.home.write("#!/nowhere/sh\n", to: "script")
        try Program(path: "/bin/chmod", arguments: ["700", script]).run().expect(status: 0)
        let result = try managed.oap("run", "work", "--", script).run().expect(status: 126)
        #expect(result.errorText.contains("cannot execute \(script): its interpreter is missing"), "\(result)")
    }
}
