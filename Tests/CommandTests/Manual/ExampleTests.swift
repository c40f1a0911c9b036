import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// What `examples/` shows, each with the program that it is for.
@Suite("An example")
struct ExampleTests {
    private static let folder = "\(Fixture.project)/examples"

    @Test("curl gets the token through a pipe: no process has it in its arguments")
    func curl() throws {
        let managed = try ManagedHome()
        let seen = Mutex<[String]>([])
        let api = try Responder { request in
            seen.withLock { $0 = managed.commandLines() }
            return .text("\(request.headers.first { $0.name == "Authorization" }?.value ?? "") \(request.bodyText)\n")
        }
        var curl = managed.program("\(Self.folder)/curl-oap", ["work", "-sS", api.url("/me"), "--data", "@-"])
        curl.input = .text("what is piped")
        #expect(try curl.run().expect(status: 0).text == "Bearer at-1 what is piped\n")
        #expect(seen.withLock { $0.contains { $0.hasPrefix("curl ") } && !$0.contains { $0.contains("at-1") } })
        // What is looked for would be found.
        let careless = ["-sS", "-H", "Authorization: Bearer at-1", api.url("/me")]
        try managed.program("/usr/bin/curl", careless).run().expect(status: 0)
        #expect(seen.withLock { $0.contains { $0.contains("at-1") } })
    }

    @Test("the script for curl tells how it is used")
    func curlUsage() throws {
        let result = try Program(path: "\(Self.folder)/curl-oap").run().expect(status: 2)
        result.expect(errorLine: "usage: curl-oap NAME URL [CURL-OPTION ...]")
    }

    @Test("curl is not run without a token, and the status of oap is that of the script")
    func curlWithoutToken() throws {
        let (managed, api) = (try ManagedHome(refreshable: false), try ManagedHome.api())
        let result = try managed.program("\(Self.folder)/curl-oap", ["work", api.url("/me")]).run().expect(status: 8)
        #expect(result.errorText.contains("oap login work") && api.requests.isEmpty, "\(result)")
    }

    @Test("python reads the token, and does not take it where a redirect leads")
    func python() throws {
        let (managed, other) = (try ManagedHome(), try Responder { _ in .text("there") })
        let seen = Mutex<[String]>([])
        let api = try Responder { request in
            seen.withLock { $0 = managed.commandLines() }
            guard request.target == "/me" else { return .redirect(302, to: other.url("/")) }
            return .text(request.headers.first { $0.name == "Authorization" }?.value ?? "nobody")
        }
        func read(_ path: String) throws -> ProgramResult {
            try managed.program("/usr/bin/python3", ["\(Self.folder)/read_token.py", "work", api.url(path)]).run()
        }
        #expect(try read("/me").expect(status: 0).text == "Bearer at-1")
        #expect(seen.withLock { $0.contains { $0.contains("read_token") } && !$0.contains { $0.contains("at-1") } })
        #expect(try read("/elsewhere").expect(status: 0).text == "there")
        #expect(other.requests.first?.head.contains("Authorization") == false)
    }
}

extension ManagedHome {
    /// A program that finds this home's token.
    func program(_ path: String, _ arguments: [String]) -> Program {
        var program = Program(path: path, arguments: arguments)
        program.environment = ["HOME": home.path]
        program.directory = home.path
        return program
    }

    /// The command lines of all processes that run in this home now.
    func commandLines() -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
        func content(_ process: String, _ name: String) -> [String] {
            let data = FileManager.default.contents(atPath: "/proc/\(process)/\(name)") ?? Data()
            return String(decoding: data, as: UTF8.self).split(separator: "\0").map(String.init)
        }
        return processes.filter { content($0, "environ").contains("HOME=\(home.path)") }
            .map { content($0, "cmdline").joined(separator: " ") }
    }
}
