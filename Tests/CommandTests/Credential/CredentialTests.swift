import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap credential")
struct CredentialTests {
    @Test("git clones, pushes and fetches with the token as its password, and gets a new one when it is refused")
    func git() throws {
        let managed = try ManagedHome()
        let password = Mutex("at-1")
        let visitors = Mutex<Set<String>>([])
        let seen = Mutex<[String]>([])
        let server = try GitServer { user, given in
            seen.withLock { $0 += managed.commandLines() }
            visitors.withLock { _ = $0.insert(user) }
            return given == password.withLock { $0 }
        }
        try managed.git(
            server,
            """
            git clone -q "$SERVER/work.git" a
            cd a
            git commit -q --allow-empty -m first
            git push -q origin HEAD:main
            git clone -q -b main "$SERVER/work.git" ../b
            git -C ../b log --format=%s
            """
        ).run().expect(status: 0).expect(text: "first\n")
        #expect(managed.endpoint.requests.count == 1 && visitors.withLock { $0 } == ["oauth2"])
        password.withLock { $0 = "at-2" }
        let refused = managed.git(server, "git -C b fetch -q")
        try refused.run().expect(status: 128)
        try refused.run().expect(status: 0)
        #expect(managed.endpoint.requests.count == 2)
        try managed.git(server, "git -C b -c credential.username=ada fetch -q").run().expect(status: 0)
        #expect(visitors.withLock { $0 } == ["ada", "oauth2"])
        #expect(seen.withLock { $0.contains { $0.contains("remote-http") } && !$0.contains { $0.contains("at-") } })
    }

    @Test("git keeps a token that was renewed since the refused one, and asks nobody without a token")
    func gitErase() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let end = "password_expiry_utc=\(try #require(managed.stored()["expires_at"]?.integer))\n"
        func helper(_ operation: String, _ input: String) throws -> ProgramResult {
            var helper = managed.oap("credential", "git", "-p", "work", operation)
            helper.input = .text("protocol=https\nhost=git.example\n\(input)\n")
            return try helper.run()
        }
        try helper("erase", "username=oauth2\npassword=at-old\n").expect(status: 0)
        try helper("store", "username=oauth2\npassword=at-0\n").expect(status: 0).expect(text: "")
        try helper("get", "").expect(status: 0).expect(text: "username=oauth2\npassword=at-0\n\(end)")
        try helper("get", "username=ada\n").expect(status: 0).expect(text: "password=at-0\n\(end)")
        #expect(managed.endpoint.requests.isEmpty)
        try helper("erase", "username=oauth2\npassword=at-0\n").expect(status: 0).expect(text: "")
        let renewed = try helper("get", "username=ada\n").expect(status: 0).text
        #expect(renewed.hasPrefix("password=at-1\npassword_expiry_utc="))
        try managed.oap("store", "delete", "work").run().expect(status: 0)
        let server = try GitServer { _, _ in false }
        let result = try managed.git(server, "git ls-remote \"$SERVER/work.git\"").run().expect(status: 128)
        #expect(
            result.errorText.contains("no token is stored as work") && result.errorText.contains("quit"), "\(result)")
    }

    @Test("kubectl gets an ExecCredential of the version that it asks for, which ends when the token does")
    func execCredential() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        func credential(_ asked: String?) throws -> JSONObject {
            var plugin = managed.oap("credential", "kubectl", "-p", "work")
            plugin.environment["KUBERNETES_EXEC_INFO"] = asked
            return try plugin.run().expect(status: 0).object()
        }
        let seconds = try #require(managed.stored()["expires_at"]?.integer)
        let expiry = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
        let expected: JSONObject = [
            "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
            "status": .object(["token": "at-0", "expirationTimestamp": .string(expiry)]),
        ]
        #expect(try credential(nil) == expected)
        let older = "client.authentication.k8s.io/v1beta1"
        let asked = #"{"apiVersion":"\#(older)","kind":"ExecCredential","spec":{"interactive":false}}"#
        #expect(try credential(asked) == expected.with(["apiVersion": .string(older)]))
        try managed.put(["access_token": "at-forever"])
        #expect(try credential(nil)["status"] == .object(["token": "at-forever"]))
        try managed.oap("store", "delete", "work").run().expect(status: 0)
        let refused = try managed.oap("credential", "kubectl", "-p", "work").run().expect(status: 8)
        #expect(refused.output.isEmpty)
    }
}

extension ManagedHome {
    /// A script with git, whose helper for the server is oap.
    fileprivate func git(_ server: GitServer, _ script: String) -> Program {
        var program = program("/bin/bash", ["-euc", script])
        let settings = [
            ("credential.\(server.url).helper", "!oap credential git -p work"),
            ("user.name", "Ada"), ("user.email", "ada@example.test"), ("init.defaultBranch", "main"),
        ]
        program.environment["SERVER"] = server.url
        program.environment["GIT_CONFIG_NOSYSTEM"] = "1"
        program.environment["GIT_CONFIG_COUNT"] = "\(settings.count)"
        for (number, (key, value)) in settings.enumerated() {
            program.environment["GIT_CONFIG_KEY_\(number)"] = key
            program.environment["GIT_CONFIG_VALUE_\(number)"] = value
        }
        return program
    }
}

extension ProgramResult {
    /// Records a failure when standard output is not this text.
    fileprivate func expect(text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.text == text, "\(self)", sourceLocation: sourceLocation)
    }
}
