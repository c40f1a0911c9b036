import Foundation
import TestSupport
import Testing
import Wire

/// One command line that is refused with exit status 2, of `Tests/Fixtures/usage.json`.
struct UsageCase: Sendable, CustomTestStringConvertible {
    /// The arguments.
    let arguments: [String]
    /// What the program finds on standard input: a text, or the file of the home that is named here.
    let (text, file): (String?, String?)
    /// The variables beside `HOME`.
    let environment: [String: String]
    /// What standard error says, behind `oap: ` and behind `oap: hint: `.
    let (message, hint): (String, String?)

    var testDescription: String { arguments.joined(separator: " ") }

    /// The cases, in the order of the file.
    static func all() throws -> [UsageCase] {
        try #require(Fixture.json("usage.json").object?["cases"]?.array).map { try UsageCase(#require($0.object)) }
    }

    private init(_ members: JSONObject) throws {
        arguments = try #require(members["args"]?.strings)
        (text, file) = (members["stdin"]?.string, members["file"]?.string)
        let variables = members["env"]?.object?.members ?? []
        environment = variables.reduce(into: [:]) { $0[$1.name] = $1.value.string }
        (message, hint) = (try #require(members["message"]?.string), members["hint"]?.string)
    }
}

/// Every refusal of a command line that needs no server, with its whole text: what a change of the options of one
/// command does to the others is seen here.
@Suite("command lines that are refused")
struct UsageTableTests {
    /// The profiles, tokens and files that the cases name.
    private static let home = Result {
        let home = try TemporaryDirectory()
        for file in try Fixture.json("usage.json").object?["home"]?.object?.members ?? [] {
            chmod(try home.write(file.value.string ?? file.value.text, to: file.name), 0o600)
        }
        try Data([0xFF, 0x0A]).write(to: URL(fileURLWithPath: home.path("notutf8")))
        return home
    }

    @Test(
        "a command line that makes no sense is exit 2, and its message and hint are these",
        arguments: try UsageCase.all())
    func refused(usage: UsageCase) throws {
        let home = try Self.home.get()
        let input = usage.file.map { Program.Input.file(home.path($0)) } ?? usage.text.map { .text($0) } ?? .none
        var program = Program.oap(
            usage.arguments, input: input, environment: usage.environment.merging(["HOME": home.path]) { $1 })
        program.directory = home.path
        let result = try program.run().expect(status: 2)
        let hint = usage.hint.map { "oap: hint: \($0)\n" } ?? ""
        #expect(result.errorText == "oap: \(usage.message)\n\(hint)", "\(result)")
        // A command of a pipeline passes the same on as an error document.
        guard !result.output.isEmpty else { return }
        let document = try result.object()
        #expect(document["error"] == "usage" && document["hint"]?.string == usage.hint, "\(result)")
        let command = document["stage"]?.string ?? ""
        #expect("\(command): \(document["error_description"]?.string ?? "")" == usage.message, "\(result)")
    }

    @Test("the cases are in the order of their arguments, and none is there twice")
    func order() throws {
        let cases = try UsageCase.all()
        #expect(!cases.isEmpty)
        for (before, after) in zip(cases, cases.dropFirst()) {
            #expect(!after.arguments.lexicographicallyPrecedes(before.arguments), "\(after.arguments)")
            let isOther =
                before.arguments != after.arguments || before.environment != after.environment
                || (before.text, before.file) != (after.text, after.file)
            #expect(isOther, "\(after.arguments)")
        }
    }
}
