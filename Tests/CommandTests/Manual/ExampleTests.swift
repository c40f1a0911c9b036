import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

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

    @Test("curl is not run without a token, and the status of oap is that of the script")
    func curlWithoutToken() throws {
        let (managed, api) = (try ManagedHome(refreshable: false), try ManagedHome.api())
        let result = try managed.program("\(Self.folder)/curl-oap", ["work", api.url("/me")]).run().expect(status: 8)
        #expect(result.errorText.contains("log in again") && api.requests.isEmpty, "\(result)")
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
        func helper(_ operation: String, _ input: String) throws -> ProgramResult {
            var helper = managed.program("\(Self.folder)/git-credential-oap", ["work", operation])
            helper.input = .text("protocol=https\nhost=git.example\n\(input)\n")
            return try helper.run()
        }
        try helper("erase", "username=oauth2\npassword=at-old\n").expect(status: 0)
        try helper("store", "username=oauth2\npassword=at-0\n").expect(status: 0).expect(text: "")
        try helper("get", "").expect(status: 0).expect(text: "username=oauth2\npassword=at-0\n")
        try helper("get", "username=ada\n").expect(status: 0).expect(text: "password=at-0\n")
        #expect(managed.endpoint.requests.isEmpty)
        try helper("erase", "username=oauth2\npassword=at-0\n").expect(status: 0).expect(text: "")
        try helper("get", "username=ada\n").expect(status: 0).expect(text: "password=at-1\n")
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
            var plugin = managed.program("\(Self.folder)/kubectl-credential-oap", ["work"])
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
        let refused = try managed.program("\(Self.folder)/kubectl-credential-oap", ["work"]).run().expect(status: 8)
        #expect(refused.output.isEmpty)
    }
}

extension ManagedHome {
    /// A program that finds this home's token.
    fileprivate func program(_ path: String, _ arguments: [String]) -> Program {
        var program = Program(path: path, arguments: arguments)
        program.environment = ["HOME": home.path]
        program.directory = home.path
        return program
    }

    /// A script with git, which has the example for the server's helper.
    fileprivate func git(_ server: GitServer, _ script: String) -> Program {
        var program = program("/bin/bash", ["-euc", script])
        let settings = [
            ("credential.\(server.url).helper", "\(Fixture.project)/examples/git-credential-oap work"),
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

    /// The command lines of all processes that run in this home now.
    fileprivate func commandLines() -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
        func content(_ process: String, _ name: String) -> [String] {
            let data = FileManager.default.contents(atPath: "/proc/\(process)/\(name)") ?? Data()
            return String(decoding: data, as: UTF8.self).split(separator: "\0").map(String.init)
        }
        return processes.filter { content($0, "environ").contains("HOME=\(home.path)") }
            .map { content($0, "cmdline").joined(separator: " ") }
    }
}

extension ProgramResult {
    /// Records a failure when standard output is not this text.
    fileprivate func expect(text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.text == text, "\(self)", sourceLocation: sourceLocation)
    }
}
