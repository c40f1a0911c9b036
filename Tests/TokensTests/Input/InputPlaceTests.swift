import Foundation
import Redaction
import TestSupport
import Testing
import TokenStore
import Wire

@testable import Commands
@testable import Sessions
@testable import Shell
@testable import Tokens

/// Where what a command works with may lie.
@Suite("The places of an input")
struct InputPlaceTests {
    private func input(_ members: JSONObject) throws -> Input {
        try KeptScene([:]).session.inputs.input([], members: members, profile: nil)
    }

    @Test("a descriptor holds a secret that a document names, and is none of the files that a connection reads")
    func descriptors() throws {
        let own = try input(["client_id": "c", "client_secret_file": "/dev/fd/9"])
        #expect(own.document.members["client_secret_file"] == nil, "no later command has the descriptor")
        #expect(own.names("client_secret"))
        for name in ["tls_client_certificate_file", "tls_client_key_file", "cacert_file"] {
            let failure = #expect(throws: Failure.self) { try input([name: "/dev/fd/9"]) }
            #expect(failure?.message.contains("\(name) is the path of a descriptor") == true)
            #expect(try input([name: "/a/file"]).document.members[name] == "/a/file")
        }
    }

    @Test("the path of a file has at least one character, and no control character")
    func paths() throws {
        for path in ["", "a\nb", "a\u{7F}", "\u{0}"] {
            #expect(throws: Failure.self) { try input(["client_secret_file": .string(path)]) }
        }
    }

    @Test("locks in a folder of a network are taken without a question for the option and for OAP_STORE_TRUST=1 alone")
    func trust() throws {
        for (variable, words, isTrusted) in [
            (nil, [], false), ("1", [], true), ("0", [], false), ("yes", [], false), ("", [], false),
            ("0", ["--store-trust"], true),
        ] as [(String?, [String], Bool)] {
            let session = try Session.played(
                try CommandTable.program().parse(["token", "work"] + words), at: "/none", in: .played(by: Script()),
                variables: variable.map { ["OAP_STORE_TRUST": $0] } ?? [:]
            ) { _ in }
            #expect(session.inputs.sharing == (isTrusted ? .trusted : .checked), "\(variable ?? "none")")
        }
    }

    @Test("a secret that comes through a pipe has at most 64 KiB")
    func pipe() throws {
        for (count, isTaken) in [(1 << 16, true), (1 << 16 + 1, false)] {
            var ends: [Int32] = [-1, -1]
            #expect(Glibc.pipe(&ends) == 0)
            defer { close(ends[0]) }
            #expect(fcntl(ends[1], 1031, Int32(1 << 17)) > 0, "F_SETPIPE_SZ")
            #expect(write(ends[1], String(repeating: "a", count: count), count) == count)
            close(ends[1])
            let scene = try KeptScene([:])
            let path = JSON.string("/dev/fd/\(ends[0])")
            let members: JSONObject = ["client_id": "c", "client_secret_file": path]
            let input = try scene.session.inputs.input([], members: members, profile: nil)
            let result = scene.script.run(input.with(secrets: ["client_secret"]))
            #expect((try? result.get().secret("client_secret")?.utf8.count) == (isTaken ? count : nil))
        }
    }

    @Test("the token that OAP_PROFILE alone names is used, and not destroyed: that wants a name on the command line")
    func destroyed() throws {
        let environment = Environment({ $0 == "OAP_PROFILE" ? Self.work : nil }, all: { [] })
        for (words, source) in [
            (["revoke"], nil), (["register", "--delete"], nil), (["register", "--read"], "name"), (["refresh"], "name"),
            (["revoke", "-p", "other"], "name"), (["revoke", "--token-file", "-"], "standardInput"),
            (["revoke", "-n"], "nothing"), (["callback-parse"], "standardInput"),
        ] as [([String], String?)] {
            let settings = try SubjectSettings(try CommandTable.program().parse(words)) { _ in [] }
            let found = try? DocumentSource(settings, environment)
            #expect(found.map { "\($0)".prefix { $0 != "(" } } == source?[...], "\(words)")
        }
    }

    nonisolated(unsafe) private static let work = UnsafePointer<CChar>(strdup("work"))

    @Test("another token of a login is for its own resource, unless an option names the place that it is for")
    func placed() throws {
        for (words, base) in [
            ([], "https://r.example/x"), (["--api-base", "https://other.example"], "https://other.example"),
        ] as [([String], String)] {
            let scene = try KeptScene(
                [:], words: ["call", "/y", "-p", "work", "--resource", "https://r.example/x"] + words)
            let kept: JSONObject = [
                "client_id": "c", "token_endpoint": "https://as.example.com/token", "refresh_token": "r",
                "api_base": "https://login.example",
            ]
            let token = try #require(try scene.session.keptToken())
            let options = MemberOption.identity.filter { $0.member == "api_base" }
            #expect(try token.input(options, members: token.view(kept)).document.members["api_base"] == .string(base))
        }
    }
}
