import Foundation
import TestSupport
import Testing

/// What others have written: their client libraries know nothing of this server but what the RFCs say.
@Suite("Client libraries of others") struct ClientLibraryTests {
    private static let python: String = {
        let cache = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
        return cache + "/oap-tests/clients/bin/python"
    }()

    @Test(
        "client libraries of others log in with PKCE, refresh, use client credentials, and keep to their rights",
        arguments: zip(["authlib_client.py", "requests_oauthlib_client.py"], [15, 10]))
    func client(script: String, count: Int) throws { try run(script, count: count) }

    @Test(
        "joserfc verifies signed responses and opens those that are encrypted for it; Authlib gets details (RFC 9396)")
    func responses() throws {
        // 7 authorization responses, one of them encrypted; 5 ways to a content key for 6 ciphers; userinfo; details.
        try run("joserfc_client.py", count: 7 * 2 + 1 + 5 * 6 * 3 + 3 + 10)
    }

    /// Runs a script beside a sandbox, and counts what it found to be right.
    private func run(_ script: String, count: Int) throws {
        try #require(
            FileManager.default.isExecutableFile(atPath: Self.python),
            "\(Self.python) is not there: run Tests/Peers/install")
        let tests = "\(Fixture.project)/Tests"
        let result = try Program.sandbox(
            ["--run", Self.python, "-B", "\(tests)/SandboxTests/ClientLibraries/\(script)"],
            environment: ["PYTHONPATH": "\(tests)/ClientTests/Clients"]
        ).run()
        result.expect(status: 0)
        #expect(result.text.split(separator: "\n").count == count, "\(result.text)")
    }
}
