import Foundation
import TestSupport
import Testing
import Wire

/// `oap call` with the pages of Django REST framework.
@Suite("With an API whose pages others made")
struct PageTests {
    private let state: TemporaryDirectory
    private let server: RunningProgram
    private let url: String

    init() throws {
        state = try TemporaryDirectory()
        var program = Program(path: "\(Fixture.project)/Tests/Peers/django-rest-framework", arguments: [state.path])
        program.input = .open
        program.environment = ProcessInfo.processInfo.environment.filter {
            ["HOME", "XDG_CACHE_HOME"].contains($0.key)
        }
        server = try program.start()
        let description = try JSON(parsing: server.firstLine()).object
        url = try #require(description?["metadata"]?.object?["issuer"]?.string)
    }

    private func call(_ path: String, _ options: [String]) throws -> ProgramResult {
        let token: JSONObject = [
            "access_token": .string("at"), "token_type": .string("Bearer"), "api_base": .string(url),
        ]
        return try Program.oap(["call", path] + options, input: .text(JSON.object(token).text)).run()
    }

    @Test("oap call walks lists of 100 in pages by number, offset, cursor and Link field, each element once")
    func everyKind() throws {
        defer {
            server.closeInput()
            _ = try? server.finish()
        }
        let all = (1...100).map { "g\($0)\n" }.joined()
        for path in ["/number", "/offset", "/cursor"] {
            #expect(try call(path, ["--next", ".next", "--jq", ".results[].name", "-r"]).expect(status: 0).text == all)
        }
        for path in ["/link", "/link-cursor"] {
            #expect(try call(path, ["--paginate", "--jq", ".[].name", "-r"]).expect(status: 0).text == all)
            let sum = try call(path, ["--paginate", "--slurp", "--jq", "map(.id) | add"]).expect(status: 0)
            #expect(sum.text == "5050\n")
        }
    }
}
