import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The log of uses of tokens, of processes")
struct UseLogProcessTests {
    private let kept: ManagedHome
    private let file: String

    init() throws {
        kept = try ManagedHome(expiresIn: 1000)
        file = kept.home.path("uses.log")
    }

    private func oap(_ words: [String]) -> Program {
        var program = kept.oap(words)
        program.environment["OAP_LOG"] = "uses.log"
        program.directory = kept.home.path
        return program
    }

    private func lines() throws -> [JSONObject] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
            try #require(JSON(parsing: Array($0.utf8)).object)
        }
    }

    @Test("a command of oap run that gets a token is a line, and its own uses go to the same file")
    func run() throws {
        for options in [[], ["--mask"], ["--keep-fresh"]] {
            try oap(["run", "work"] + options + ["--", Program.oapPath, "token", "work"]).run().expect(status: 0)
        }
        #expect(try lines().map { $0["command"]?.string } == ["run", "token", "run", "token", "run", "token"])
        #expect(try lines().allSatisfy { $0["name"] == "work" && $0["renewed"] == false })
    }

    @Test("a request whose answer nobody reads is a line all the same")
    func unread() throws {
        let api = try Responder { request in
            request.target == "/events"
                ? .text("data: 1\n\ndata: 2\n\n", headers: ["Content-Type: text/event-stream"]) : .text("content\n")
        }
        for path in ["/a", "/events"] {
            var program = oap(["call", "work", api.url(path), "--allow-origin", api.url()])
            program.output = .broken
            _ = try program.run()
        }
        #expect(try lines().map { $0["path"]?.string } == ["/a", "/events"])
        #expect(try lines().allSatisfy { $0["status"] == 200 })
    }

    @Test("fifty processes at once write whole lines")
    func crowd() throws {
        let started = try (0..<50).map { _ in try oap(["token", "work"]).start() }
        for program in started { try program.finish().expect(status: 0) }
        #expect(try lines().count == 50)
    }
}
