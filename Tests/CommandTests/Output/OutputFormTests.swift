import Glibc
import TestSupport
import Testing
import Wire

@Suite("Standard output")
struct OutputFormTests {
    private static let document = #"{"access_token":"a","b":[1,null]}"#

    private func pass(
        _ options: [String] = [], output: Program.Output = .collected, environment: [String: String] = [:]
    ) throws -> Program {
        var program = Program.oap(
            ["refresh", "--if-expired"] + options, input: .text(Self.document), environment: environment)
        program.output = output
        return program
    }

    @Test("standard output gets one line, or many with --pretty; the last of --pretty and -c counts")
    func layout() throws {
        let pretty = "{\n  \"access_token\": \"a\",\n  \"b\": [\n    1,\n    null\n  ]\n}\n"
        try pass().run().expect(output: Self.document + "\n")
        try pass(["--pretty"]).run().expect(output: pretty)
        try pass(["-c", "--pretty"]).run().expect(output: pretty)
        try pass(["--pretty", "-c"]).run().expect(output: Self.document + "\n")
    }

    @Test("standard output gets on a terminal what jq shows there, colours and all")
    func terminal() throws {
        let expected = try jq([])
        #expect(expected.contains("\u{1B}["))
        try pass(output: .terminal).run().expect(status: 0).expect(output: expected)
    }

    @Test("standard output gets no colour with NO_COLOR, unless that is empty, and one line with -c")
    func noColor() throws {
        try pass(output: .terminal, environment: ["NO_COLOR": "1"]).run().expect(output: try jq(["-M"]))
        try pass(output: .terminal, environment: ["NO_COLOR": ""]).run().expect(output: try jq([]))
        try pass(["-c"], output: .terminal, environment: ["NO_COLOR": "1"]).run().expect(output: Self.document + "\r\n")
    }

    @Test("--color decides about colour wherever standard output goes, and a pipe gets what jq -C gives it")
    func color() throws {
        for layout in ["-c", "--pretty"] {
            let expected = try jq(["-C"] + (layout == "-c" ? ["-c"] : []), output: .collected)
            #expect(expected.contains("\u{1B}["))
            for options in [[], ["-q", "."], ["-q", ".", "--color", "never"]] {
                try pass([layout] + options + ["--color", "always"], environment: ["NO_COLOR": "1", "TERM": "dumb"])
                    .run().expect(output: expected)
            }
        }
        try pass(["--color", "auto"]).run().expect(output: Self.document + "\n")
        try pass(["--color", "auto"], output: .terminal).run().expect(output: try jq([]))
        try pass(["--color", "never"], output: .terminal).run().expect(output: try jq(["-M"]))
        try pass(["-r", "-q", ".access_token", "--color", "always"]).run().expect(output: "a\n")
        let folder = try TemporaryDirectory()
        try pass(["--color", "always", "-o", folder.path("x")]).run().expect(status: 0)
        #expect(try folder.read("x") == jq(["-C", "-c"], output: .collected))
    }

    private func jq(_ options: [String], output: Program.Output = .terminal) throws -> String {
        var program = Program(path: "/usr/bin/jq", arguments: options + ["."])
        program.input = .text(Self.document)
        program.output = output
        return try program.run().expect(status: 0).text
    }

    @Test("standard output that is closed while it is written ends the program by SIGPIPE, without a message")
    func brokenPipe() throws {
        try pass(output: .broken).run().expect(signal: SIGPIPE).expectSilence()
    }

    @Test("standard output that is closed ends the program with 141 where SIGPIPE is ignored, without a message")
    func ignoredBrokenPipe() throws {
        var program = try pass(output: .broken)
        program.ignoresBrokenPipes = true
        try program.run().expect(status: 141).expectSilence()
    }

    @Test("standard output that is closed ends call in the middle of a body, by SIGPIPE or with 141")
    func brokenPipeOfCall() throws {
        for isIgnored in [false, true] {
            let responder = try Responder(.endless())
            var program = Program.shell(
                "oap call /x | head -c 10 > /dev/null; exit ${PIPESTATUS[0]}", input: responder.token.input)
            program.ignoresBrokenPipes = isIgnored
            try program.run().expect(status: 141).expectSilence()
        }
    }

    @Test(
        "standard output that is full is exit 11 and says so",
        arguments: [["refresh", "--if-expired"], ["call", "/x"], ["call", "/x", "-q", "."], ["--version"], ["help"]])
    func fullDisk(command: [String]) throws {
        let responder = try Responder(.json("{}"))
        var program = Program.oap(command, input: responder.token.input)
        program.output = .file("/dev/full")
        let result = try program.run().expect(status: 11)
        #expect(result.errorText.contains("cannot write standard output: no space left on device"), "\(result)")
    }

    @Test("standard output that is not there at all is exit 11")
    func missing() throws {
        try pass(output: .closed).run().expect(status: 11)
    }

    @Test("standard output that is not there does not stop -o")
    func fileInstead() throws {
        let folder = try TemporaryDirectory()
        try pass(["-o", folder.path("x")], output: .closed).run().expect(status: 0).expectSilence()
        #expect(try folder.read("x") == Self.document + "\n")
    }
}
