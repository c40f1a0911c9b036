import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("--jq-file", .inProcess)
struct FilterFileTests {
    private let folder: TemporaryDirectory
    private let document: JSONObject = ["access_token": "at", "scope": "a b"]

    init() throws { folder = try TemporaryDirectory() }

    private func inspect(_ filter: String, _ options: String...) throws -> ProgramResult {
        let file = try folder.write(filter, to: "filter.jq")
        return try Program.oap(["inspect", "--jq-file", file] + options, input: document.input).run()
    }

    @Test("the filter comes from the file, with lines, comments and definitions, and takes the options of --jq")
    func filter() throws {
        try inspect("# the kind\ndef kind: .kind;\nkind\n", "-r").expect(status: 0).expect(output: "token\n")
        try inspect(".scope", "-r").expect(status: 0).expect(output: "a b\n")
        try inspect("$x\n", "--arg", "x", "y", "-r").expect(status: 0).expect(output: "y\n")
        try inspect(".nothing", "-e").expect(status: 1)
    }

    @Test("a filter that does not compile is exit 2, a file that is missing exit 11, and both at once exit 2")
    func wrong() throws {
        try inspect(".[").expect(status: 2)
        try inspect(".", "--jq", ".").expect(status: 2)
        let none = ["inspect", "--jq-file", folder.path("nowhere")]
        try Program.oap(none, input: document.input).run().expect(status: 11)
        let foreign = try Program.oap(["inspect", "--from-file", "x"], input: document.input).run().expect(status: 2)
        foreign.expect(errorLine: "oap: hint: --jq-file FILE reads the filter from a file")
    }

    @Test("it is a filter in call too: for pages, events and error bodies")
    func call() throws {
        let responder = try Responder { _ in .json(#"[{"id":1},{"id":2}]"#) }
        let file = try folder.write(".[].id", to: "ids.jq")
        let words = ["call", "-n", "--anonymous", responder.url("/x"), "--jq-file", file]
        try Program.oap(words).run().expect(status: 0).expect(output: "1\n2\n")
    }

    @Test("input is said not to be there")
    func input() throws {
        let result = try inspect("input").expect(status: 5)
        result.expect(errorLine: "oap: inspect: input is not available: one response is one input")
        try inspect("break").expect(status: 2)
        try inspect(#"error("break")"#).expect(status: 5).expect(errorLine: "oap: inspect: the filter failed: break")
    }
}
