import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A token that nothing can renew, while another process has its lock")
struct HeldLockTests {
    private static let commands = [
        ["token", "work"], ["call", "-p", "work", "/me", "--jq", ".access_token", "-r"],
        ["call", "--batch", "-p", "work", "--jq", ".body.access_token", "-r"],
        ["run", "work", "--", "sh", "-c", "echo $OAP_ACCESS_TOKEN"],
        ["run", "work", "--keep-fresh", "--", "sh", "-c", "echo $OAP_ACCESS_TOKEN"],
    ]

    /// Runs a command that may wait for two seconds, with the lock held.
    private func run(_ command: [String], in managed: ManagedHome, _ api: Responder) throws -> ProgramResult {
        try managed.put(try managed.stored().with(["api_base": .string(api.url())]))
        let lock = try HeldLock(managed.lock)
        defer { lock.release() }
        var words = command
        words.insert(contentsOf: ["--max-time", "2"], at: 1)
        var program = managed.oap(words)
        if command.contains("--batch") { program.input = .text(#"{"url":"/me"}"# + "\n") }
        return try program.run()
    }

    @Test("a token that has expired and that nothing renews needs a login, whoever has the lock", arguments: commands)
    func expired(command: [String]) throws {
        let (managed, api) = (try ManagedHome(expiresIn: -10, refreshable: false), try ManagedHome.api())
        let result = try run(command, in: managed, api).expect(status: 8)
        #expect(result.errorText.contains("and nothing can renew it"), "\(result)")
        #expect(!result.errorText.contains("lock"), "\(result)")
        result.expect(errorLine: "oap: hint: oap login work")
        #expect(api.requests.isEmpty)
    }

    @Test(
        "who waits for a lock says after two seconds which process holds it, once; a helper says nothing",
        arguments: [
            ["token", "work"], ["refresh", "-p", "work"], ["store", "delete", "work"], ["logout", "work", "--local"],
        ])
    func told(command: [String]) throws {
        let managed = try ManagedHome(expiresIn: -10)
        let lock = try HeldLock(managed.lock)
        let silent = try managed.oap(["credential", "kubectl", "-p", "work"]).start()
        let waiting = try managed.oap(command).start()
        let line = try waiting.errorLine { $0.contains("waiting for") }
        lock.release()
        let name = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).dropLast()
        #expect(
            line == "oap: \(command[0]): waiting for the process \(getpid()) (\(name)), which holds the lock "
                + managed.lock)
        let result = try waiting.finish().expect(status: 0)
        #expect(result.errorText.ranges(of: "waiting for").count == 1, "\(result)")
        #expect(!(try silent.finish()).errorText.contains("waiting for"))
    }

    @Test("a token that is due and that nothing renews is used, whoever has the lock", arguments: commands)
    func due(command: [String]) throws {
        let (managed, api) = (try ManagedHome(expiresIn: 40, refreshable: false), try ManagedHome.api())
        let result = try run(command, in: managed, api).expect(status: 0).expect(output: "at-0\n")
        #expect(!result.errorText.contains("lock"), "\(result)")
    }
}
