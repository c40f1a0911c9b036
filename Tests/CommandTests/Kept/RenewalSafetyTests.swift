import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A renewal that something comes across")
struct RenewalSafetyTests {
    private static let issued =
        #"{"access_token":"at-1","token_type":"Bearer","expires_in":3600,"refresh_token":"rt-1"}"#

    @Test("a signal to a batch that prepares a renewal ends it when the token is stored, however long that takes")
    func signalBeforeRequest() throws {
        let (begun, proceed) = (Responder.Gate(), Responder.Gate())
        defer { proceed.open() }
        let server = try Responder { request in
            guard request.target == "/token" else {
                begun.open()
                return .text("").after(proceed)
            }
            // Longer than the end of a line may take after a signal, which is two seconds.
            Thread.sleep(forTimeInterval: 3)
            return .json(Self.issued)
        }
        let managed = try ManagedHome()
        try managed.put(
            try managed.stored().with([
                "token_endpoint": .string(server.url("/token")), "token_endpoint_auth_method": "client_secret_post",
            ]))
        let script = "curl -sS '\(server.url("/wait"))'; echo s3cret"
        let profile: JSONObject = ["client_id": "c", "client_secret_command": .strings(["sh", "-c", script])]
        chmod(try managed.home.write(JSON.object(profile).text, to: ".config/oap/profiles/work.json"), 0o600)
        let batch = try managed.oap(
            "call", "--batch", "-p", "work", "--api-base", server.url(), input: #"{"url":"/me"}"# + "\n"
        ).start()
        #expect(begun.wait())
        batch.send(signal: SIGTERM)
        proceed.open()
        let result = try batch.finish().expect(signal: SIGTERM)
        #expect(!result.errorText.contains("waiting for the new token"), "it came before the request: \(result)")
        let stored = try managed.stored()
        #expect(stored["access_token"] == "at-1" && stored["refresh_token"] == "rt-1", "\(result)")
        #expect(server.requests.filter { $0.target != "/wait" }.map(\.target) == ["/token"])
    }

    @Test("a signal during a renewal that can be repeated ends the process at once")
    func repeatable() throws {
        let (begun, proceed) = (Responder.Gate(), Responder.Gate())
        defer { proceed.open() }
        let managed = try ManagedHome(refreshable: false, arrival: begun, answer: proceed)
        try managed.put(
            try managed.stored().with(["grant_type": "client_credentials", "client_secret": "s3cret"]))
        let token = try managed.oap("token", "work").start()
        #expect(begun.wait())
        token.send(signal: SIGTERM)
        let result = try token.finish().expect(signal: SIGTERM)
        #expect(!result.errorText.contains("waiting for the new token"), "\(result)")
        #expect(try managed.stored()["access_token"] == "at-0")
    }

    @Test("a signal to a batch whose reader takes nothing ends it soon after the renewal that it had to wait for")
    func readerTakesNothing() throws {
        let (begun, proceed) = (Responder.Gate(), Responder.Gate())
        defer { proceed.open() }
        let server = try Responder { request in
            switch request.target {
            case "/token":
                begun.open()
                return .json(Self.issued).after(proceed)
            case "/refused" where !request.head.contains("at-1"):
                return .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
            default: return .json(#""\#(String(repeating: "x", count: 200_000))""#)
            }
        }
        let managed = try ManagedHome(expiresIn: 3600)
        try managed.put(try managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let lines = try managed.home.write("{\"url\":\"/big\"}\n{\"url\":\"/refused\"}\n", to: "lines")
        let pipe = managed.home.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(reader) }
        var program = managed.oap("call", "--batch", "-p", "work", "--api-base", server.url())
        (program.input, program.output) = (.file(lines), .file(pipe))
        program.deadline = .seconds(15)
        let batch = try program.start()
        #expect(begun.wait())
        batch.send(signal: SIGTERM)
        _ = try batch.errorLine { $0.contains("waiting for the new token") }
        proceed.open()
        try batch.finish().expect(signal: SIGTERM)
        #expect(try managed.stored()["access_token"] == "at-1")
    }

    @Test("a signal while tokens that cannot be used are being revoked ends the process when they are")
    func signalDuringRevocation() throws {
        let (begun, proceed) = (Responder.Gate(), Responder.Gate())
        defer { proceed.open() }
        let server = try Responder { request in
            guard request.target == "/revoke" else {
                return .json(#"{"access_token":"at-1","token_type":"Bearer","id_token":5,"refresh_token":"rt-1"}"#)
            }
            begun.open()
            return .text("").after(proceed)
        }
        let managed = try ManagedHome()
        var token = try managed.stored().with([
            "token_endpoint": .string(server.url("/token")), "revocation_endpoint": .string(server.url("/revoke")),
            "grant_type": "client_credentials", "token_endpoint_auth_method": "none",
        ])
        token["refresh_token"] = nil
        try managed.put(token)
        let running = try managed.oap("token", "work").start()
        #expect(begun.wait())
        running.send(signal: SIGTERM)
        _ = try running.errorLine { $0.contains("waiting for the new token") }
        proceed.open()
        try running.finish().expect(signal: SIGTERM)
            .expect(errorLine: "oap: token: the new tokens were revoked at the server")
        #expect(server.requests.count { $0.target == "/revoke" } == 2)
    }

    @Test("oap run --keep-fresh ends with a command that ends during a renewal, when the new token is stored")
    func commandEnds() throws {
        let (arrived, renewing) = (Responder.Gate(), Responder.Gate())
        let command = Mutex<pid_t>(0)
        let count = Mutex(0)
        let server = try Responder { request in
            guard request.target == "/token" else {
                command.withLock { $0 = pid_t(request.target.dropFirst("/wait/".count)) ?? 0 }
                arrived.open()
                return .text("").after(renewing)
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 {
                renewing.open()
                _ = arrived.wait()
                let process = command.withLock { $0 }
                let limit = ContinuousClock.now + .seconds(15)
                // Until oap has read its status.
                while kill(process, 0) == 0, ContinuousClock.now < limit { usleep(1000) }
            }
            let life = number == 1 ? 4 : 3600
            return .json(
                #"{"access_token":"at-\#(number)","token_type":"Bearer","expires_in":\#(life),"refresh_token":"rt"}"#)
        }
        let managed = try ManagedHome()
        try managed.put(try managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let script = "exec curl -sS \(server.url("/wait/"))$$"
        var program = managed.oap("run", "work", "--keep-fresh", "--", "sh", "-c", script)
        program.deadline = .seconds(30)  // less than the longest wait of a token that is kept fresh
        try program.run().expect(status: 0).expectSilence()
        #expect(try managed.stored()["access_token"] == "at-2")
        #expect(command.withLock { kill($0, 0) } != 0)
    }

    /// What another machine has stored during the token request.
    enum Other: CaseIterable {
        /// A token of its own renewal or login.
        case token
        /// The same token, with another member.
        case member
    }

    @Test(
        "a token that another machine stores during the token request is kept and used, and one with the refresh token that was sent is replaced",
        arguments: Other.allCases, ManagedHome.Place.allCases)
    func changed(other: Other, place: ManagedHome.Place) throws {
        let managed = try ManagedHome(place)
        let before = try managed.stored()
        let expiry = Int(time(nil)) + 3600
        let server = try Responder { _ in
            var document = before
            document["seen_by"] = "another machine"
            if other == .token {
                document = document.with([
                    "access_token": "at-other", "refresh_token": "rt-other", "expires_at": .integer(expiry),
                ])
            }
            guard let file = try? managed.home.write(JSON.object(document).text, to: "other") else { return .reset }
            chmod(file, 0o600)
            return rename(file, managed.file) == 0 ? .json(Self.issued) : .reset
        }
        try managed.put(before.with(["token_endpoint": .string(server.url("/token"))]))
        let api = try ManagedHome.api()
        for number in 0...1 {
            try managed.asking(number, api: api).run().expect(status: 0)
                .expect(output: other == .token ? "at-other\n" : "at-1\n")
        }
        #expect(server.requests.count == 1)
        let stored = try managed.stored()
        #expect(stored["access_token"] == (other == .token ? "at-other" : "at-1"))
        #expect(stored["refresh_token"] == (other == .token ? "rt-other" : "rt-1"))
        #expect((stored["seen_by"] != nil) == (other == .token))
    }
}

@Suite("A helper that reads the old token once more before it gets the new one")
struct GuardedHelperTests {
    private let home: TemporaryDirectory
    /// Opened when the helper reads the token after the token request.
    private let begun = Responder.Gate()
    /// What it waits for.
    private let proceed = Responder.Gate()

    init() throws { home = try TemporaryDirectory() }

    /// A token endpoint, and what the helper asks and waits for.
    ///
    /// - Parameter isChanged: whether another machine stores the same token with another member meanwhile.
    private func server(isChanged: Bool = false) throws -> Responder {
        let (home, begun, proceed) = (home, begun, proceed)
        return try Responder { request in
            guard request.target == "/token" else {
                begun.open()
                return .text("").after(proceed)
            }
            if isChanged, let kept = (try? JSON(parsing: home.read("kept")))?.object {
                _ = try? home.write(JSON.object(kept.with(["seen_by": "another machine"])).text, to: "kept")
            }
            _ = try? home.write("", to: "issued")
            return .json(#"{"access_token":"at-1","token_type":"Bearer","refresh_token":"rt-1","expires_in":3600}"#)
        }
    }

    /// `oap` with a store behind a helper.
    ///
    /// - Parameters:
    ///   - helper: its own name: the locks of one are the user's, in whatever home it runs.
    ///   - number: which of the times that it reads the token after the token request waits for the test.
    private func oap(_ words: [String], helper: String, slow number: Int, _ server: Responder) throws -> Program {
        try home.write(
            """
            case $1 in
            get)
                if [ -e "$HOME/issued" ]; then
                    echo begun >> "$HOME/reads"
                    if [ "$(grep -c begun "$HOME/reads")" = \(number) ]; then
                        curl -sS '\(server.url("/wait"))'
                        echo ended >> "$HOME/reads"
                    fi
                fi
                test -e "$HOME/kept" || { echo 'credentials not found in native keychain'; exit 1; }
                jq -n --rawfile secret "$HOME/kept" '{Secret: $secret}' ;;
            store) jq -j .Secret > "$HOME/new" && mv "$HOME/new" "$HOME/kept" ;;
            esac
            """, to: "script")
        try FileManager.default.createSymbolicLink(
            atPath: home.path("docker-credential-\(helper)"),
            withDestinationPath: "\(Fixture.project)/Tests/Fixtures/docker-credential-fake")
        var program = Program.oap(words)
        program.environment = [
            "HOME": home.path, "PATH": "\(home.path):/usr/bin:/bin", "OAP_STORE": "helper:\(helper)",
        ]
        return program
    }

    @Test(
        "Ctrl-C does not end the helper that reads the stored token before the new one is stored, which it then is",
        arguments: [(read: 1, isChanged: false), (2, false), (3, true), (4, true)])
    func interrupted(read: Int, isChanged: Bool) throws {
        let server = try server(isChanged: isChanged)
        defer { proceed.open() }
        let program = try oap(["token", "work"], helper: "fake-interrupted-\(read)", slow: read, server)
        try home.write(JSON.object(server.token.with(["expires_in": 60, "expires_at": 1000])).text, to: "kept")
        try expectStored(program, server)
    }

    @Test("Ctrl-C after a login does not end the helper that reads what is stored, and the new token is stored")
    func login() throws {
        let server = try server()
        defer { proceed.open() }
        let profile = server.client.with(["client_secret": "s3cret"])
        chmod(try home.write(JSON.object(profile).text, to: ".config/oap/profiles/work.json"), 0o600)
        let words = ["login", "work", "--grant", "client_credentials"]
        try expectStored(try oap(words, helper: "fake-interrupted-login", slow: 1, server), server)
    }

    @Test("a new token is stored though the helper cannot give the old one any more")
    func locked() throws {
        let server = try server()
        let program = try oap(["token", "work"], helper: "fake-locked", slow: 0, server)
        let refusal = "[ $1 != get ] || [ ! -e \"$HOME/issued\" ] || { echo 'it is locked'; exit 1; }\n"
        try home.write(refusal + (try home.read("script")), to: "script")
        try home.write(JSON.object(server.token.with(["expires_in": 60, "expires_at": 1000])).text, to: "kept")
        try program.run().expect(status: 0).expect(output: "at-1\n")
        #expect(try JSON(parsing: home.read("kept")).object?["refresh_token"] == "rt-1")
    }

    /// Sends what a terminal sends at Ctrl-C while the helper reads, and expects the new token behind the helper.
    private func expectStored(_ program: Program, _ server: Responder) throws {
        let running = try program.start()
        #expect(begun.wait())
        #expect(kill(-running.process, SIGINT) == 0)
        _ = try running.errorLine { $0.contains("waiting for the new token") }
        proceed.open()
        let result = try running.finish().expect(signal: SIGINT)
        let stored = try #require(JSON(parsing: home.read("kept")).object, "\(result)")
        #expect(stored["access_token"] == "at-1" && stored["refresh_token"] == "rt-1", "\(result)")
        #expect(try home.read("reads").contains("ended\n"), "\(result)")
        #expect(server.requests.count { $0.target == "/token" } == 1)
    }
}
