import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Messages that name the cause, as a process")
struct MessageTests {
    private let managed: ManagedHome

    init() throws { managed = try ManagedHome(expiresIn: 1000) }

    @Test("a token file may be a pipe: it is read once, and never renewed")
    func pipe() throws {
        let api = try ManagedHome.api()
        let token = JSON.object(["access_token": "piped", "api_base": .string(api.url())]).text
        let oap = Program.oap(["call"])
        func run(_ document: String) throws -> ProgramResult {
            let script = #""$0" call --token-file <(printf %s "$1") /me --jq .access_token -r"#
            return try Program(path: "/bin/bash", arguments: ["-c", script, oap.path, document]).run()
        }
        try run(token).expect(status: 0).expect(output: "piped\n")
        let other = try run("nonsense").expect(status: 3)
        #expect(other.errorText.contains("/dev/fd/") && !other.errorText.contains("pipe:["), "\(other)")
    }

    @Test("the ssh command names the address and the port by which the user came")
    func ssh() throws {
        for (connection, end) in [
            ("198.51.100.9 50000 192.0.2.7 2222", " -p 2222 192.0.2.7"), ("198.51.100.9 5 192.0.2.7 22", " 192.0.2.7"),
        ] {
            var program = managed.oap([
                "login", "new", "--headless", "--authorization-endpoint", "https://as.example/a", "--token-endpoint",
                "https://as.example/t", "--client-id", "c",
            ])
            program.environment["SSH_CONNECTION"] = connection
            let login = try program.start()
            #expect(try login.errorLine { $0.hasPrefix("ssh -L ") }.hasSuffix(end))
            login.send(signal: SIGTERM)
            _ = try login.finish()
        }
    }
}
