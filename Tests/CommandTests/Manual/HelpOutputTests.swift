import TestSupport
import Testing

/// Help on terminals of all kinds.
@Suite("Help on a terminal")
struct HelpOutputTests {
    /// What a command shows on a terminal of 40 columns, with Unix line ends.
    private static func shown(_ words: [String], environment: [String: String]) throws -> String {
        let oap = Program.oap(words)
        var program = Program(
            path: "/bin/bash", arguments: ["-c", #"stty cols 40 <&1 && exec "$0" "$@""#, oap.path] + words)
        program.output = .terminal
        program.environment = environment
        return try program.run().expect(status: 0).expectSilence().text.replacing("\r\n", with: "\n")
    }

    @Test(
        "a terminal of 40 columns gets lines that fit",
        arguments: [["call", "--help"], ["--help"], ["help", "store"]])
    func narrow(words: [String]) throws {
        let text = try Self.shown(words, environment: ["PAGER": "", "LC_ALL": "C.UTF-8"])
        let lines = text.split(separator: "\n")
        #expect(lines.count > 20)
        // Commands of examples and words are never cut.
        let long = lines.filter { $0.count > 40 && !$0.hasPrefix("    ") && $0.contains(" ") }
        #expect(long == [], "\(words)")
    }

    @Test("the list of providers is folded on a terminal of 40 columns")
    func providers() throws {
        let lines = try Self.shown(["provider"], environment: [:]).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 40 }, "\(lines)")
        #expect(lines.contains("microsoft                Microsoft Entra"), "\(lines)")
    }

    @Test("a pager shows a long text, a shell runs its command, and a fitting text needs no key in less")
    func pager() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("#!/bin/sh\necho \"[$1 $LESS $OAP_CLIENT_ID]\"\nhead -1\n", to: "pager")
        try Program(path: "/bin/chmod", arguments: ["700", path]).run().expect(status: 0)
        let environment = ["PAGER": "LINES=1 \(path) a | tr a b", "TERM": "xterm", "OAP_CLIENT_ID": "x"]
        let text = try Self.shown(["help", "call"], environment: environment)
        #expect(text == "[b FRX ]\nNAME\n")
        let short = try Self.shown(["call", "--help"], environment: environment.merging(["NO_COLOR": "1"]) { $1 })
        #expect(short.hasPrefix("usage: oap call"))
    }

    @Test(
        "there is help without a pager: a missing one, an empty one, cat, and a dumb terminal",
        arguments: [
            ["PAGER": "/nowhere/less"], ["PAGER": ""], ["PAGER": "cat"], ["PAGER": "false", "TERM": "dumb"],
        ])
    func noPager(environment: [String: String]) throws {
        let base = ["TERM": "xterm", "NO_COLOR": "1"]
        let text = try Self.shown(["help", "store"], environment: base.merging(environment) { $1 })
        #expect(text.hasPrefix("NAME\n    oap-store - ") && text.contains("SEE ALSO"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test(
        "a terminal shows headings and options in bold, at the same width",
        arguments: [["store", "--help"], ["--help"], ["help", "store"], ["help", "options"]])
    func bold(words: [String]) throws {
        let environment = ["PAGER": "", "TERM": "xterm", "LC_ALL": "C.UTF-8"]
        let bold = try Self.shown(words, environment: environment)
        #expect(bold.hasPrefix("\u{1B}[1m") && bold.contains("\u{1B}[1m--"))
        let plain = bold.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
        for change in [["NO_COLOR": "1"], ["TERM": "dumb"], ["TERM": ""]] {
            let text = try Self.shown(words, environment: environment.merging(change) { $1 })
            #expect(text == plain, "\(change)")
        }
    }

    @Test("less shows bold text, whatever LESS says; another pager gets plain text")
    func boldPager() throws {
        let folder = try TemporaryDirectory()
        for name in ["less", "other"] {
            let path = try folder.write("#!/bin/sh\necho \"[$*]\"\nhead -1\n", to: name)
            try Program(path: "/bin/chmod", arguments: ["700", path]).run().expect(status: 0)
        }
        for (pager, start) in [
            ("less -i", "[-i -R]\n\u{1B}[1mNAME\u{1B}[0m\n"), ("other", "[]\nNAME\n"), ("less | tr a a", "[]\nNAME\n"),
        ] {
            let environment = ["PAGER": "\(folder.path)/\(pager)", "TERM": "xterm", "LESS": "-S"]
            #expect(try Self.shown(["help", "store"], environment: environment) == start, "\(pager)")
        }
    }

    @Test("COLUMNS overrides the width of the terminal")
    func columns() throws {
        let text = try Self.shown(["call", "--help"], environment: ["COLUMNS": "70", "LC_ALL": "C.UTF-8"])
        let longest = text.split(separator: "\n").map(\.count).max() ?? 0
        #expect((60...80).contains(longest))
    }

    @Test("the names of pages stand for commands and topics, and the list of commands names the other pages")
    func pageNames() throws {
        for (page, title) in [("oap-call", "oap-call"), ("oap-tutorial", "oap-tutorial"), ("oap", "oap")] {
            let text = try Program.oap(["help", page]).run().expect(status: 0).text
            #expect(text.hasPrefix("NAME\n    \(title) - "))
        }
        let list = try Program.oap(["--help"]).run().expect(status: 0).text
        #expect(list.contains("oap-tutorial(7)") && list.contains("oap-sandbox(1)"))
    }

    @Test("a pipe gets no pager")
    func pipe() throws {
        let result = try Program.oap(["help", "store"], environment: ["PAGER": "false", "TERM": "xterm"]).run()
        #expect(result.expect(status: 0).text.hasPrefix("NAME\n"))
    }

    @Test("help is in ASCII without a UTF-8 locale", arguments: ["tutorial", "documents", "providers", "call"])
    func ascii(name: String) throws {
        for locale in [[:], ["LC_ALL": "C"], ["LC_ALL": "", "LANG": "de_DE.ISO-8859-1"]] {
            let text = try Program.oap(["help", name], environment: locale).run().expect(status: 0).text
            #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(locale)")
            #expect(!text.contains("?\n?"))
        }
        let text = try Program.oap(["help", "providers"], environment: ["LANG": "de_DE.utf8"]).run().text
        #expect(text.contains("…"))
    }

    @Test("the groups of options have one order in all commands, and those of a command's own come first")
    func order() throws {
        let last = ["Client:", "Server:", "Input:", "Output:", "Transport:", "General:"]
        for command in ["call", "login", "token", "exchange", "authurl", "refresh", "register"] {
            let text = try Program.oap([command, "--help"]).run().expect(status: 0).text
            let titles = text.split(separator: "\n").map(String.init).filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
            let groups = titles.filter { $0 != "Operands:" && $0 != "Examples:" }
            let tail = groups.filter(last.contains)
            #expect(tail == last.filter(groups.contains) && groups.suffix(tail.count) == tail[...], "\(command)")
            #expect(titles.last == "Examples:", "\(command)")
        }
    }
}
