import Foundation
import TestSupport
import Testing

/// The names that completions offer.
@Suite("The names of tokens and profiles for completions")
struct StoredNamesTests {
    private static func home() throws -> TemporaryDirectory {
        let home = try TemporaryDirectory()
        for name in ["work", "a@b:1", ".hidden", "$(x)", "it's"] {
            try home.write(#"{"access_token":"a"}"#, to: ".local/state/oap/tokens/\(name).json")
        }
        for name in ["work", "home"] { try home.write("{}", to: ".config/oap/profiles/\(name).json") }
        return home
    }

    private static func list(_ kind: String, _ home: TemporaryDirectory, _ environment: [String: String] = [:]) throws
        -> String
    {
        let environment = ["HOME": home.path].merging(environment) { $1 }
        let program = Program.oap(["completion", "--list", kind], input: .closed, environment: environment)
        return try program.run().expect(status: 0).expectSilence().text
    }

    @Test("tokens, profiles and both are listed; a name that would need quoting is none")
    func names() throws {
        let home = try Self.home()
        #expect(try Self.list("tokens", home) == "a@b:1\nwork\n")
        #expect(try Self.list("profiles", home) == "home\nwork\n")
        #expect(try Self.list("names", home) == "a@b:1\nhome\nwork\n")
        let other = try TemporaryDirectory()
        try other.write("{}", to: "ci.json")
        #expect(try Self.list("tokens", home, ["OAP_STORE": "file:\(other.path)"]) == "ci\n")
    }

    @Test("nothing is said, and nothing is written, where there are no names to be read")
    func silence() throws {
        let empty = try TemporaryDirectory()
        #expect(try Self.list("names", empty) == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: empty.path) == [])
        let home = try Self.home()
        for store in ["helper:nothing", "none", "nonsense", "file:/nowhere", "file:/dev/null"] {
            #expect(try Self.list("tokens", home, ["OAP_STORE": store]) == "", "\(store)")
        }
        // A folder that others can write to is not trusted; one that is a file is no folder.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: home.path(".local/state/oap/tokens"))
        #expect(try Self.list("names", home) == "home\nwork\n")
        try FileManager.default.removeItem(atPath: home.path(".config/oap/profiles"))
        try home.write("", to: ".config/oap/profiles")
        #expect(try Self.list("names", home) == "")
        #expect(try Self.list("names", home, ["HOME": "relative"]) == "")
    }

    @Test("the scripts of the program offer names, variables, methods and topics", arguments: ["bash", "zsh", "fish"])
    func scripts(shell: String) throws {
        let script = try Program.oap(["completion", shell]).run().expect(status: 0).text
        for text in ["completion --list tokens", "completion --list profiles", "host= realm=", "PATCH", "tutorial"] {
            #expect(script.contains(text), "\(text)")
        }
        let sandbox = try Program.sandbox(["--completion", shell]).run().expect(status: 0).expectSilence()
        var check = Program(path: "/usr/bin/env", arguments: [shell, "-n"])
        check.input = .bytes(sandbox.output)
        try check.run().expect(status: 0).expectSilence()
    }

    @Test("bash completes the file of each option of call that takes one behind @")
    func files() throws {
        let home = try TemporaryDirectory()
        try home.write("{}", to: "body.json")
        let lines = [
            "-d @bo", "--data-binary @bo", "--json @bo", "-H @bo", "--data-urlencode n@bo", "-F n=@bo", "--form n=@bo",
            "--data-raw @bo", "-f n=@bo",
        ]
        let script = """
            eval "$('\(Program.oap([]).path)' completion bash)"
            cd "$HOME"
            for line in \(lines.map { "'\($0)'" }.joined(separator: " ")); do
                COMP_LINE="oap call $line" COMP_POINT=${#COMP_LINE} COMP_WORDS=($COMP_LINE) COMP_CWORD=3
                _oap
                echo "${COMPREPLY[@]}"
            done
            """
        var shell = Program(path: "/bin/bash", arguments: ["--norc", "-c", script])
        shell.environment = ["HOME": home.path]
        let result = try shell.run().expect(status: 0).expectSilence()
        #expect(result.text == String(repeating: "@body.json\n", count: 7) + "\n\n")
    }

    @Test("bash completes the names of a home, with the program itself")
    func bash() throws {
        let home = try Self.home()
        let program = Program.oap([]).path
        let script = """
            PATH=\((program as NSString).deletingLastPathComponent):$PATH
            eval "$(oap completion bash)"
            compopt() { :; }
            complete_line() {
                COMP_LINE=$* COMP_POINT=${#COMP_LINE} COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
                _oap
                echo "${COMPREPLY[@]}"
            }
            complete_line oap call -p w
            complete_line oap token w
            complete_line oap logout work a
            complete_line oap profile show ho
            complete_line oap provider keycloak re
            complete_line oap login work --provider keycloak ''
            complete_line oap login work ''
            complete_line oap call -X PA
            complete_line oap help tut
            complete_line oap exchange --token-endpoint-auth-method client_secret_b
            chmod 000 "$HOME/.local/state/oap/tokens"
            complete_line oap token no
            """
        var shell = Program(path: "/bin/bash", arguments: ["--norc", "-c", script])
        shell.environment = ["HOME": home.path]
        let result = try shell.run().expect(status: 0).expectSilence()
        let variables = "realm=\nhost= realm=\n\n"
        #expect(result.text == "work\nwork\na@b:1\nhome\n\(variables)PATCH\ntutorial\nclient_secret_basic\n\n")
        try Program(path: "/bin/chmod", arguments: ["700", home.path(".local/state/oap/tokens")]).run()
            .expect(status: 0)
    }
}
