import Testing
import Wire

@testable import CommandSpec

@Suite struct UsageErrorTests {
    private func error(_ words: String...) -> UsageError? {
        #expect(throws: UsageError.self) { try Sample.program.parse(words) }
    }

    @Test(
        "an unknown option suggests the right one",
        arguments: [
            ("--clinet-id", "did you mean --client-id?"),
            ("--client_id", "did you mean --client-id?"),
            ("--CLIENT_ID", "did you mean --client-id?"),
            ("--null", "did you mean --null-input?"),
            ("--sc0pe", "did you mean --scope?"),
            ("-client-id", "did you mean --client-id?"),
            ("--header", "--header is an option of call"),
            ("-H", "-H is an option of call"),
            ("-Q", "usage: oap authurl [OPTION ...]"), ("--Client-ID", "options are in lower case: --client-id"),
            ("--client", "usage: oap authurl [OPTION ...]"),
            ("--zzzzzz", "usage: oap authurl [OPTION ...]"),
            ("--=", "usage: oap authurl [OPTION ...]"),
            ("-z", "usage: oap authurl [OPTION ...]"),
        ])
    func suggestions(_ name: String, _ hint: String) {
        #expect(error("authurl", name)?.hint == hint)
    }

    @Test("an option before the command says where it belongs")
    func optionBeforeCommand() {
        #expect(error("-n", "call")?.hint == "options go after the command: oap authurl -n")
        #expect(error("--header", "call")?.hint == "options go after the command: oap call --header")
    }

    @Test(
        "an unknown command suggests the nearest",
        arguments: [
            ("auturl", "did you mean authurl?"), ("auth", "did you mean authurl?"), ("clal", "did you mean call?"),
            ("frobnicate", "the commands are authurl, call, store, run and verify"),
            ("", "the commands are authurl, call, store, run and verify"),
        ])
    func commands(_ name: String, _ hint: String) {
        let error = error(name)
        #expect(error?.message == "unknown command \(name)")
        #expect(error?.hint == hint)
        #expect(error?.command == nil)
    }

    @Test(
        "no message of a usage error repeats a value",
        arguments: [
            ["authurl", "--client-secret=hunter2"], ["authurl", "--client-secret", "hunter2"],
            ["authurl", "--client_secret=hunter2"], ["authurl", "-client-secret=hunter2"],
            ["authurl", "--clientsecret=hunter2"], ["--client-secret=hunter2", "authurl"],
            ["authurl", "--client-secret\u{301}=hunter2"], ["authurl", "--client-secret=\u{301}hunter2"],
            ["authurl", "hunter2"], ["authurl", "--code-challenge-method=hunter2"], ["authurl", "--par=hunter2"],
        ])
    func secrets(_ words: [String]) throws {
        let error = try #require(throws: UsageError.self) { try Sample.program.parse(words) }
        #expect(!error.message.contains("hunter2"))
        #expect(error.hint?.contains("hunter2") != true)
        #expect(!String(describing: error).contains("hunter2"))
    }

    @Test("a refused option says why and what to do instead")
    func refused() {
        for words in [
            ["authurl", "--client-secret=x"], ["--client-secret", "x"], ["authurl", "-client-secret"],
            ["authurl", "--Client_secret=x"],
        ] {
            let error = #expect(throws: UsageError.self) { try Sample.program.parse(words) }
            #expect(error?.message == "--client-secret would show the secret to every process")
            #expect(error?.hint == "use --client-secret-file PATH")
        }
        for word in ["-k", "-nk", "--insecure"] {
            #expect(error("authurl", word)?.message == "certificates are always checked")
        }
        #expect(error("authurl", "--clent-secret=x")?.hint == "use --client-secret-file PATH")
    }

    @Test("names in a usage error are escaped and shortened")
    func printableNames() {
        #expect(error("authurl", "--\u{1B}[2J\u{202E}")?.message == "unknown option --\\u{1b}[2J\\u{202e}")
        #expect(error("a\r\nb")?.message == "unknown command a\\u{d}\\u{a}b")
        let long = error("authurl", "--" + String(repeating: "x", count: 5000))
        #expect(long?.message == "unknown option --" + String(repeating: "x", count: 62) + "…")
        #expect(error("authurl", "-\u{7}")?.message == "unknown option -\\u{7}")
    }

    @Test(
        "the edit distance counts a swap as one slip",
        arguments: [
            ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "acb", 1), ("ca", "abc", 3), ("kitten", "sitting", 3),
            ("abcd", "badc", 2), ("scope", "scope", 0),
        ])
    func distance(_ first: String, _ second: String, _ distance: Int) {
        #expect(editDistance(first, second) == distance)
        #expect(editDistance(second, first) == distance)
    }
}
