import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
    /// What sets the program up, which the tests themselves have done or are part of.
    private static let setUp = [
        "examples/quickstart.sh", "Tests/run.sh", "swift build -c release", ".ci/package\nsudo apt install",
        ".ci/package mine",
    ]

    /// The fenced blocks of shell commands, or of a session with its output (`console`).
    private static func blocks(of language: String = "sh") throws -> [ShownCommands] {
        let lines = try String(contentsOfFile: Fixture.project + "/README.md", encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        var blocks: [ShownCommands] = []
        for (number, line) in zip(1..., lines) where line == "```\(language)" {
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

    @Test("no line of a block is cut in a narrow column of a web page")
    func width() throws {
        let blocks = try ["sh", "json", "text", "console"].flatMap(Self.blocks)
        #expect(blocks.count > 15)
        let lines = blocks.flatMap { $0.text.split(separator: "\n") }
        #expect(lines.filter { $0.count > 95 } == [])
    }

    @Test("the session in the README prints what it shows; … is for any lines")
    func session() throws {
        let block = try #require(try Self.blocks(of: "console").first)
        // Each command with the lines that it prints.
        var steps: [(command: String, shown: [String])] = []
        for line in block.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("$ ") {
                steps.append((String(line.dropFirst(2)), []))
            } else if steps.last?.command.hasSuffix("\\") == true {
                steps[steps.count - 1].command = steps[steps.count - 1].command.dropLast() + line
            } else {
                steps[steps.count - 1].shown.append(line)
            }
        }
        #expect(steps.count >= 4)
        // The server of the session is the sandbox; without a terminal a login opens the browser only if asked to.
        let commands = steps.map { step in
            let command = step.command.replacing("https://login.example.com", with: "$OAP_ISSUER")
                .replacing("https://api.example.com", with: "$OAP_API_BASE")
                .replacing("my-client", with: "$OAP_CLIENT_ID")
            return "exec 2>&1; \(command)\(command.hasPrefix("oap login") ? " --open" : "") || true"
        }
        for (step, outcome) in zip(steps, try ExampleSession.run(commands)) {
            let output = outcome.output.replacing(#/http://127\.0\.0\.1:\d+/#, with: "https://login.example.com")
            var rest = output.split(separator: "\n").map(String.init)[...]
            var isCut = false
            for line in step.shown {
                if line != "…" {
                    let place = rest.firstIndex(of: line)
                    try #require(place != nil && (isCut || place == rest.startIndex), "\(line)\n--- printed\n\(output)")
                    rest = rest[(place! + 1)...]
                }
                isCut = line == "…"
            }
            #expect(isCut || rest.isEmpty, "\(step.command)\n--- printed\n\(output)")
        }
    }

    @Test("the picture of the README shows its session")
    func picture() throws {
        var program = Program(path: Fixture.project + "/examples/session.sh")
        program.input = .text(try String(contentsOfFile: Fixture.project + "/README.md", encoding: .utf8))
        let picture = try String(contentsOfFile: Fixture.project + "/examples/session.svg", encoding: .utf8)
        #expect(try program.run().expect(status: 0).text == picture, "make it anew, see examples/session.sh")
    }
}
