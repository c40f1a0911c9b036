import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
    /// What sets the program up, which the tests themselves have done or are part of.
    private static let setUp = ["examples/quickstart.sh", "Tests/run.sh", "swift build -c release"]

    /// The fenced blocks of shell commands.
    private static func blocks() throws -> [ShownCommands] {
        let lines = try String(contentsOfFile: Fixture.project + "/README.md", encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        var blocks: [ShownCommands] = []
        for (number, line) in zip(1..., lines) where line == "```sh" {
            let text = lines[number...].prefix { $0 != "```" }.joined(separator: "\n")
            blocks.append(ShownCommands(place: "README.md:\(number + 1)", text: text))
        }
        return blocks
    }

    @Test("the commands of the README run one after the other in a shell of the sandbox, but for the setup")
    func commands() throws {
        let all = try Self.blocks()
        for command in Self.setUp { #expect(all.count { $0.text.hasPrefix(command) } == 1, "\(command)") }
        let blocks = all.filter { block in !Self.setUp.contains { block.text.hasPrefix($0) } }
        #expect(blocks.count >= 5)
        let outcomes = try ExampleSession.run(["cp \"$OAP_SANDBOX_FILE\" client.json"] + blocks.map(\.text))
        for (block, outcome) in zip(blocks, outcomes.dropFirst()) { block.check(outcome) }
    }
}
