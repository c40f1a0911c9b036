import Foundation
import Testing

@testable import CommandSpec

/// The completion scripts, asked by the shells themselves.
@Suite struct CompletionTests {
    private let shells: CompletionShells

    init() throws { shells = try CompletionShells() }

    // MARK: bash

    @Test(
        "bash completes commands, options and values",
        arguments: [
            ("oap a", ["authurl"]), ("oap ", ["authurl", "call", "store", "run", "verify"]), ("oap --v", ["--version"]),
            ("oap authurl --cl", ["--client-id", "--client-secret-file"]), ("oap call --cl", []),
            ("oap call --he", ["--header", "--help"]), ("oap authurl --par --client-", ["--client-secret-file"]),
            ("oap authurl --client-id x --pa", []), ("oap authurl --client-id=x --pa", []),
            ("oap --version a", ["authurl"]),
            ("oap authurl --code-challenge-method ", ["S256", "plain"]),
            ("oap authurl --code-challenge-method=p", ["plain"]),
            ("oap authurl --code-challenge-method=", ["S256", "plain"]),
            ("oap authurl --grant urn:", ["example:grant"]), ("oap authurl --grant=urn:ex", ["example:grant"]),
            ("oap authurl --grant=cl", ["client_credentials"]), ("oap authurl --client-id ", []),
            ("oap store ", ["put", "get", "list"]), ("oap store --folder put ", ["put", "get", "list"]),
            ("oap store get w", ["work", "work@home:2"]), ("oap store get work@", ["@home:2"]),
            ("oap store get work@home:", ["2"]), ("oap store list w", []), ("oap store get work w", []),
            ("oap store --folder list get n", ["n-1.x_y"]), ("oap store put ho", ["host=", "hop"]),
            ("oap store put hos", ["compopt -o nospace", "host="]), ("oap run work w", []),
            ("oap run w", ["work", "work@home:2"]), ("oap run work -- oap-dem", ["oap-demo"]),
            ("oap run -- oap-dem", ["oap-demo"]), ("oap run work -- oap-demo da", ["compopt -o default"]),
            ("oap-sandbox --f", ["--folder"]), ("oap-sandbox --folder x oap-dem", ["oap-demo"]),
            ("oap-sandbox oap-demo --f", ["compopt -o default"]),
            ("oap store --folder=x g", ["get"]),
            ("oap store --folder= ", ["put", "get", "list"]), ("oap store -- -", []),
            ("oap authurl --arg --par ", []),
            ("oap authurl --arg x --par --c", ["--client-id", "--client-secret-file", "--code-challenge-method"]),
            ("oap authurl -nq --scope --j", ["--jq"]), ("oap authurl -q. --j", ["--jq"]),
            ("oap authurl --output ", ["compopt -o default"]), ("oap authurl -no da", ["compopt -o default"]),
            ("oap authurl --output=da", ["compopt -o default"]), ("oap verify a b", ["compopt -o default"]),
            ("oap store --folder ", ["compopt -o dirnames -o filenames"]), ("oap bogus x", []),
        ])
    func bashCompletion(_ line: String, _ expected: [String]) throws {
        #expect(try shells.bash(line) == expected)
    }

    // MARK: fish

    @Test(
        "fish completes commands, options and values",
        arguments: [
            ("oap au", ["authurl\tmake the authorization request"]), ("oap --v", ["--version\tprint the versions"]),
            ("oap authurl --client-i", ["--client-id\tthe client's identifier"]), ("oap call --client-i", []),
            ("oap authurl --code-challenge-method p", ["plain\thow the verifier is hashed"]),
            ("oap authurl --code-challenge-method=p", ["--code-challenge-method=plain\thow the verifier is hashed"]),
            ("oap authurl --client-id da", []), ("oap authurl --output da", ["data.json"]),
            ("oap authurl -o da", ["data.json"]),
            ("oap store ", ["get", "list", "put"]), ("oap verify da", ["data.json"]), ("oap call da", []),
            ("oap store --folder da", []), ("oap store --folder tok", ["tokens/\tDirectory"]),
            ("oap store get ", ["n-1.x_y", "work", "work@home:2"]), ("oap store get work@", ["work@home:2"]),
            ("oap store list ", []), ("oap store get work ", []), ("oap store --folder list get n", ["n-1.x_y"]),
            ("oap store --folder=list put ho", ["hop", "host="]), ("oap run work w", []), ("oap run n", ["n-1.x_y"]),
            ("oap run work -- oap-dem", ["oap-demo\tcommand"]), ("oap run -- oap-dem", ["oap-demo\tcommand"]),
            ("oap run work -- oap au", ["authurl\tmake the authorization request"]),
            ("oap authurl --par --client-i", []), ("oap authurl --client-id x --pa", []),
            ("oap-sandbox --fo", ["--folder\twhere the tokens lie"]),
            ("oap-sandbox --folder x oap-dem", ["oap-demo\tcommand"]), ("oap-sandbox oap --cl", []),
            ("oap authurl --pa", ["--par\tpush the request: first [PAR] \\' $x"]), ("oap authurl ca", []),
        ])
    func fishCompletion(_ line: String, _ expected: [String]) throws {
        #expect(try shells.fish(line).sorted() == expected.sorted())
    }

    // MARK: bash and zsh on a terminal

    @Test(
        "bash and zsh complete on a terminal", arguments: ["bash", "zsh"],
        [
            ("oap authurl --client-id x --pa", "oap authurl --client-id x --pa"),
            ("oap authurl --pa", "oap authurl --par "), ("oap au", "oap authurl "),
            ("oap authurl --nu", "oap authurl --null-input "),
            ("oap authurl --code-challenge-method pl", "oap authurl --code-challenge-method plain "),
            ("oap authurl --code-challenge-method=pl", "oap authurl --code-challenge-method=plain "),
            ("oap authurl --grant urn:ex", "oap authurl --grant urn:example:grant "),
            ("oap authurl --grant=urn:ex", "oap authurl --grant=urn:example:grant "),
            ("oap authurl --output da", "oap authurl --output data.json "),
            ("oap authurl --output=da", "oap authurl --output=data.json "),
            ("oap authurl -no da", "oap authurl -no data.json "),
            ("oap authurl --client-id da", "oap authurl --client-id da"),
            ("oap store --folder tok", "oap store --folder tokens/"),
            ("oap store --folder x g", "oap store --folder x get "), ("oap store -- g", "oap store -- get "),
            ("oap verify x da", "oap verify x data.json "), ("oap call da", "oap call da"),
            ("oap authurl --arg da", "oap authurl --arg da"), ("oap authurl --arg x da", "oap authurl --arg x da"),
            ("oap authurl --arg x y --nu", "oap authurl --arg x y --null-input "), ("oap call --cl", "oap call --cl"),
            ("oap store get n", "oap store get n-1.x_y "), ("oap store get work@", "oap store get work@home:2 "),
            ("oap store get work@home:", "oap store get work@home:2 "), ("oap store get n l", "oap store get n l"),
            ("oap store list n", "oap store list n"),
            ("oap store --folder list put hos", "oap store --folder list put host="),
            ("oap run n", "oap run n-1.x_y "), ("oap run work n", "oap run work n"),
            ("oap run work -- oap-dem", "oap run work -- oap-demo "),
            ("oap run work -- ls da", "oap run work -- ls data.json "),
            ("oap authurl < da", "oap authurl < data.json "), ("oap authurl <da", "oap authurl <data.json "),
            ("oap authurl 2> da", "oap authurl 2> data.json "), ("oap authurl >da", "oap authurl >data.json "),
            ("oap authurl < data.json --nu", "oap authurl < data.json --null-input "),
            ("oap store >x get n", "oap store >x get n-1.x_y "),
            ("oap-sandbox --pa", "oap-sandbox --par "), ("oap-sandbox --par oap-dem", "oap-sandbox --par oap-demo "),
            ("oap-sandbox ls da", "oap-sandbox ls data.json "),
        ])
    func terminal(_ shell: String, _ line: (typed: String, completed: String)) throws {
        let completed = try shells.typed(line.typed, into: shell)
        #expect(completed == line.completed)
    }

    @Test(
        "bash completion carries out nothing of what the program prints",
        arguments: ["$(touch x)", "`touch x`", "<(touch x)"])
    func hostile(word: String) throws {
        try "#!/bin/sh\necho '\(word)'\n".write(toFile: shells.folder.path("oap"), atomically: false, encoding: .utf8)
        #expect(try shells.bash("oap run ") == [])
        #expect(!FileManager.default.fileExists(atPath: shells.folder.path("x")))
    }

    @Test("zsh completion shows the summaries")
    func zshSummaries() throws {
        let output = try shells.typed("oap authurl --", into: "zsh", "list")
        #expect(output.contains("the client's identifier"))
        #expect(output.contains("push the request: first [PAR] \\' $x"))
    }

    @Test(
        "the completion scripts are sound to their shells",
        arguments: [
            ("bash", "oap.bash"), ("zsh", "_oap"), ("fish", "oap.fish"), ("bash", "sandbox.bash"),
            ("zsh", "_oap-sandbox"), ("fish", "sandbox.fish"), ("bash", "choose.bash"), ("zsh", "_oap-choose"),
            ("fish", "choose.fish"),
        ])
    func syntax(_ shell: String, _ file: String) throws {
        let result = try Shell.run(shell, ["-n", file], in: shells.folder.url)
        #expect(result.output == "")
        #expect(result.status == 0)
    }

    // MARK: all shells

    @Test("every placeholder of a script is filled", arguments: ["bash", "zsh", "fish"])
    func placeholders(shell: String) {
        for program in [Sample.program, Sample.runner, Sample.chooser] {
            let script = program.completion(for: shell)
            #expect(!script.contains("{{"))
        }
    }
}
