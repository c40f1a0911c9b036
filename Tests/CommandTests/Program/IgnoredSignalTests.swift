import Foundation
import TestSupport
import Testing
import Wire

@Suite("A parent that ignores the end of its children")
struct IgnoredSignalTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    /// `oap`, started with SIGCHLD ignored, as under some supervisors.
    private func oap(_ words: [String], _ environment: [String: String] = [:]) -> Program {
        var program = Program(path: "/usr/bin/env", arguments: ["--ignore-signal=CHLD", Program.oapPath] + words)
        program.environment = ["HOME": home.path].merging(environment) { $1 }
        program.deadline = .seconds(20)  // less than a program may take that prints a secret
        return program
    }

    private func profile(_ members: JSONObject) throws {
        chmod(try home.write(JSON.object(members).text, to: ".config/oap/profiles/work.json"), 0o600)
    }

    @Test("a helper's exit status is seen though the parent ignores SIGCHLD", arguments: [0, 1])
    func helper(status: Int) throws {
        try home.write(
            """
            echo '{"Secret":"{\\"access_token\\":\\"at\\"}"}'
            exit \(status)
            """, to: "script")
        let helper = "fake-ignored-\(status)"
        try FileManager.default.createSymbolicLink(
            atPath: home.path("docker-credential-\(helper)"),
            withDestinationPath: "\(Fixture.project)/Tests/Fixtures/docker-credential-fake")
        let environment = ["PATH": "\(home.path):/usr/bin:/bin", "OAP_STORE": "helper:\(helper)"]
        let result = try oap(["token", "work"], environment).run().expect(status: status == 0 ? 0 : 11)
        result.expect(output: status == 0 ? "at\n" : "")
    }

    @Test("the command of oap run ignores the end of its children where the parent does")
    func run() throws {
        chmod(try home.write(#"{"access_token":"at"}"#, to: ".local/state/oap/tokens/work.json"), 0o600)
        let words = ["run", "work", "--", "grep", "SigIgn", "/proc/self/status"]
        // What starts it may ignore two signals of its own above.
        let result = try oap(words).run().expect(status: 0)
        #expect(result.text.hasSuffix("10000\n"), "\(result)")
    }

    @Test("the exit status of a program that prints a secret is seen though the parent ignores SIGCHLD")
    func secretCommand() throws {
        let server = try Responder { _ in .token }
        var client: JSONObject = [
            "client_id": "c", "token_endpoint": .string(server.url("/token")),
            "token_endpoint_auth_method": "client_secret_post", "client_secret_command": .strings(["echo", "s3cret"]),
        ]
        try profile(client)
        let words = ["exchange", "-p", "work", "--grant", "client_credentials"]
        try oap(words).run().expect(status: 0)
        #expect(server.requests.map { $0.bodyText.contains("client_secret=s3cret") } == [true])
        client["client_secret_command"] = .strings(["sh", "-c", "echo s3cret; exit 7"])
        try profile(client)
        let failed = try oap(words).run().expect(status: 11)
        #expect(failed.errorText.contains("sh, run for client_secret, failed with status 7"), "\(failed)")
        #expect(server.requests.count == 1)
    }
}
