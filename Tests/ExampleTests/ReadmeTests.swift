import Foundation
import TestSupport
import Testing
import Wire

@Suite("The README")
struct ReadmeTests {
    /// What sets the program up, which the tests themselves have done or are part of.
    private static let setUp = ["Tests/run.sh", "examples/quickstart.sh\nexport PATH="]

    private static func text(_ name: String = "README.md") throws -> String {
        try String(contentsOfFile: "\(Fixture.project)/\(name)", encoding: .utf8)
    }

    /// The fenced blocks of shell commands, or of a session with its output (`console`).
    private static func blocks(of language: String = "sh") throws -> [ShownCommands] {
        let lines = try text().split(separator: "\n", omittingEmptySubsequences: false)
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
        #expect(!blocks.isEmpty)
        let outcomes = try ExampleSession.run(blocks.map(\.text))
        for (block, outcome) in zip(blocks, outcomes) { block.check(outcome) }
    }

    @Test("the README has at most 140 lines, and no line of a block is cut in a narrow column of a web page")
    func size() throws {
        #expect(try Self.text().split(separator: "\n", omittingEmptySubsequences: false).count <= 141)
        let blocks = try ["sh", "text", "console"].flatMap(Self.blocks)
        #expect(blocks.count > 4)
        let lines = blocks.flatMap { $0.text.split(separator: "\n") }
        #expect(lines.filter { $0.count > 95 } == [])
    }

    @Test("the first login in the README prints what it shows, and no warning")
    func session() throws {
        let session = ShownSession(
            try #require(try Self.blocks(of: "console").first).text, prompt: "(oap-sandbox) $ ")
        #expect(session.steps.count == 5)
        let outcomes = try ExampleSession.run(session.steps.map { "exec 2>&1\n\($0.command)" })
        for (number, outcome) in outcomes.enumerated() {
            #expect(outcome.status == 0 && !outcome.output.contains("warning"), "\(outcome)")
            try session.check(number, outcome.output)
        }
    }

    @Test("the session of the picture prints what it shows")
    func picturedSession() throws {
        let device = #"""
            {"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"https://login.example.com/device",\#
            "verification_uri_complete":"https://login.example.com/device?user_code=WDJB-MJHT","expires_in":600,\#
            "interval":1}
            """#
        let repositories = #"[{"name":"difference-loom"},{"name":"bernoulli-notes"}]"#
        let server = try Responder(.json(device), .token, .json(repositories))
        let folder = try TemporaryDirectory()
        let client = server.client.with([
            "device_authorization_endpoint": .string(server.url("/device")), "api_base": .string(server.url()),
        ])
        try folder.write(JSON.object(client).text, to: "client.json")
        let session = ShownSession(try Self.text("examples/session.txt"), prompt: "$ ")
        #expect(session.steps.count == 2)
        for (number, step) in session.steps.enumerated() {
            var program = Program.shell("exec 2>&1\n\(step.command)", environment: ["LC_ALL": "C.UTF-8"])
            program.directory = folder.path
            try session.check(number, try program.run().expect(status: 0).text)
        }
    }

    @Test("the picture of the README shows its session")
    func picture() throws {
        var program = Program(path: Fixture.project + "/examples/session.sh")
        program.input = .text(try Self.text("examples/session.txt"))
        let picture = try Self.text("examples/session.svg")
        #expect(try program.run().expect(status: 0).text == picture, "make it anew, see examples/session.sh")
    }

    @Test("what the README and the other pages of the source link to is there")
    func links() throws {
        for page in ["README.md", "Sources/README.md", "Tests/README.md", "examples/README.md"] {
            let folder = URL(fileURLWithPath: "\(Fixture.project)/\(page)").deletingLastPathComponent()
            for link in try Self.text(page).matches(of: /\]\(([^):]+)\)/).map({ String($0.1) }) {
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: link).path), "\(page): \(link)")
            }
        }
    }

    @Test("the README names as many presets as there are")
    func presets() throws {
        let count = try Program.oap(["provider"]).run().expect(status: 0).text
            .split(separator: "\n").count
        #expect(try Self.text().contains("; \(count) presets know the rest"))
    }
}
