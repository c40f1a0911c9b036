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
        arguments: ["authlib_client.py", "requests_oauthlib_client.py"])
    func client(script: String) throws {
        try #require(
            FileManager.default.isExecutableFile(atPath: Self.python),
            "\(Self.python) is not there: run Tests/Peers/install")
        let tests = "\(Fixture.project)/Tests"
        let result = try Program.sandbox(
            ["--run", Self.python, "-B", "\(tests)/SandboxTests/ClientLibraries/\(script)"],
            environment: ["PYTHONPATH": "\(tests)/ClientTests/Clients"]
        ).run()
        result.expect(status: 0)
        #expect(result.text.split(separator: "\n").count >= 10, "\(result.text)")
    }
}
