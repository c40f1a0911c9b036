import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Token requests without a person that are tried again")
struct RetriedTokenTests {
    private static let issued = Responder.Reply.json(
        #"{"access_token":"at-1","token_type":"Bearer","expires_in":3600,"refresh_token":"rt-1"}"#)

    /// Answers with these replies, then with a token.
    private func server(_ replies: Responder.Reply...) throws -> Responder {
        let queue = Mutex(replies[...])
        return try Responder { request in
            request.target == "/token" ? queue.withLock { $0.popFirst() } ?? Self.issued : .json("{}")
        }
    }

    private func busy(_ after: String = "0", _ status: Int = 503) -> Responder.Reply {
        .text("", status: status, headers: ["Retry-After: \(after)"])
    }

    /// A home with an expired token of this server; one of client credentials has no refresh token.
    private func home(_ server: Responder, isMachine: Bool = false, expiresIn seconds: Int = -10) throws -> ManagedHome
    {
        let managed = try ManagedHome(expiresIn: seconds, refreshable: !isMachine)
        var token = try managed.stored().with([
            "token_endpoint": .string(server.url("/token")), "api_base": .string(server.url()),
        ])
        if isMachine {
            token = token.with(["grant_type": "client_credentials", "token_endpoint_auth_method": "none"])
        }
        try managed.put(token)
        return managed
    }

    private static let commands = [
        ["token", "work"], ["refresh", "-p", "work"], ["run", "work", "--", "true"], ["call", "work", "/user"],
        ["credential", "kubectl", "get", "-p", "work"], ["userinfo", "work"], ["login", "work", "--if-needed"],
    ]

    @Test("a token is renewed again after 503 and 429 by every command, with a refresh token too", arguments: commands)
    func deferred(command: [String]) throws {
        for isMachine in [false, true] {
            let server = try server(busy(), busy("0", 429))
            let managed = try home(server, isMachine: isMachine)
            try managed.put(managed.stored().with(["userinfo_endpoint": .string(server.url("/userinfo"))]))
            let result = try managed.oap(command).run()
            if command[0] == "userinfo" {
                #expect(result.errorText.contains("trying again in"), "\(result)")
            } else {
                result.expect(status: 0)
            }
            #expect(server.requests.count { $0.target == "/token" } == 3, "\(result)")
            #expect(try managed.stored()["access_token"] == "at-1")
        }
    }

    @Test("a grant without a person is sent again after every failure that may pass; Retry-After sets the pause")
    func machine() throws {
        let date = DateFormatter()
        date.locale = Locale(identifier: "en_US_POSIX")
        date.timeZone = TimeZone(identifier: "GMT")
        date.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let later = date.string(from: Date(timeIntervalSinceNow: 2))
        let server = try server(busy("1"), busy(later), .reset, .text("", status: 500), .text("", status: 408))
        let home = try TemporaryDirectory()
        let words = ["--grant", "client_credentials", "--client-id", "m", "--token-endpoint", server.url("/token")]
        for command in [["exchange", "-n"], ["login", "ci"]] {
            let environment = ["HOME": home.path, "OAP_CLIENT_SECRET": "s"]
            let result = try Program.oap(command + words, environment: environment).run().expect(status: 0)
            guard command[0] == "exchange" else { continue }
            #expect(server.requests.count == 6, "\(result)")
            #expect(result.errorText.contains("answered 503; trying again in 1.0 s (1 of 5)"), "\(result)")
            #expect(result.errorText.components(separatedBy: "trying again in").count == 6, "\(result)")
        }
    }

    @Test(
        "a password that was sent is not sent again, since servers lock accounts: by no command, and no other process",
        arguments: [
            Responder.Reply.close, .text("", status: 503, headers: ["Retry-After: 0"]), .text("", status: 500),
            .text("", status: 408), .text("", status: 429),
        ])
    func password(reply: Responder.Reply) throws {
        let server = try Responder { _ in reply }
        let home = try TemporaryDirectory()
        let password = try home.write("pa55", to: "password")
        let words = [
            "--grant", "password", "--client-id", "m", "--token-endpoint", server.url("/token"), "--password-file",
            password, "--retry", "3", "--retry-delay", "0",
        ]
        let environment = ["HOME": home.path, "OAP_CLIENT_SECRET": "s"]
        for (count, command) in [["exchange", "-n"], ["login", "ci"]].enumerated() {
            try Program.oap(command + words, environment: environment).run().expect(status: 6)
            #expect(server.requests.count == count + 1)
        }
        let kept: JSONObject = [
            "client_id": "m", "token_endpoint": .string(server.url("/token")), "grant_type": "password",
            "username": "u", "password_file": .string(password), "access_token": "at-0", "token_type": "Bearer",
            "expires_at": 1, "token_endpoint_auth_method": "none",
        ]
        try Program.oap(["store", "put", "ci"], input: kept.input, environment: environment).run().expect(status: 0)
        let running = try (0..<8).map { _ in
            try Program.oap(["token", "ci", "--retry", "3", "--retry-delay", "0"], environment: environment).start()
        }
        for program in running { try program.finish().expect(status: 6) }
        #expect(server.requests.count == 3)
    }

    @Test("a password of which nothing was sent is sent when there is a server")
    func unsentPassword() throws {
        let home = try TemporaryDirectory()
        let words = ["exchange", "-n", "--grant", "password", "--client-id", "m", "--retry", "2", "--retry-delay", "0"]
        let password = try home.write("pa55", to: "password")
        let place = ["--token-endpoint", "http://127.0.0.1:1/token", "--password-file", password]
        let result = try Program.oap(words + place).run().expect(status: 6)
        #expect(result.errorText.contains("trying again in 0.0 s (2 of 2)"), "\(result)")
    }

    @Test("--retry, --retry-delay and --retry-max-time bound the attempts; a longer Retry-After ends them at once")
    func options() throws {
        for (options, count) in [
            (["--retry", "0"], 1), (["--retry", "7", "--retry-delay", "0"], 8), (["--retry-max-time", "0.000001"], 1),
        ] {
            let server = try Responder { _ in .text("", status: 503) }
            let managed = try home(server, isMachine: true)
            try managed.oap(["token", "work"] + options).run().expect(status: 6)
            #expect(server.requests.count == count)
        }
        let server = try Responder { _ in busy("400") }
        let document = try Program.oap(
            ["exchange", "--grant", "client_credentials"], input: server.machine.input
        ).run().expect(status: 6).object()
        #expect(document["retry_after"] == 400 && server.requests.count == 1)
    }

    @Test("a server that comes back is waited for, by the renewal inside a call too")
    func comesBack() throws {
        for command in [["call", "work", "/user"], ["token", "work"], ["refresh", "-p", "work"]] {
            let first = try Responder { _ in Self.issued }
            let port = first.port
            let managed = try home(first)
            first.stop()
            let running = try managed.oap(command + ["--retry", "200", "--retry-delay", "0.05"]).start()
            _ = try running.errorLine { $0.contains("trying again in") }
            let second = try Responder(port: port) { request in request.target == "/token" ? Self.issued : .json("{}") }
            try running.finish().expect(status: 0)
            #expect(second.requests.first?.target == "/token")
        }
    }

    @Test("a refresh token whose answer was lost is sent once")
    func lost() throws {
        for reply in [Responder.Reply.reset, .text("", status: 504)] {
            let server = try server(reply)
            let managed = try home(server)
            try managed.oap("token", "work").run().expect(status: 12)
            #expect(try server.requests.count == 1 && managed.stored()["access_token"] == "at-0")
        }
    }

    @Test("a file of an assertion is read again for each attempt, and an assertion is not sent twice")
    func assertionFile() throws {
        let home = try TemporaryDirectory()
        let file = try home.write("first.assertion.x", to: "assertion")
        for (isReplaced, options) in [
            (false, ["--grant", "jwt-bearer", "--assertion-file", file]),
            (true, ["--grant", "jwt-bearer", "--assertion-file", file]),
            (
                true,
                [
                    "--grant", "token-exchange", "--subject-token-file", file, "--param",
                    "subject_token_type=urn:ietf:params:oauth:token-type:jwt",
                ]
            ),
        ] {
            try home.write("first.assertion.x", to: "assertion")
            let count = Mutex(0)
            let server = try Responder { _ in
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                if isFirst, isReplaced { _ = try? home.write("second.assertion.x", to: "assertion") }
                return isFirst ? .text("", status: 503) : .token
            }
            let result = try Program.oap(
                ["exchange", "-n", "--client-id", "m", "--token-endpoint", server.url("/token")] + options
            ).run().expect(status: isReplaced ? 0 : 6)
            #expect(server.requests.count == (isReplaced ? 2 : 1))
            let words = "there is no further attempt: \(file) still gives the assertion that was sent"
            #expect(result.errorText.contains(words) == !isReplaced, "\(result)")
            #expect(!isReplaced || server.requests[1].bodyText.contains("=second.assertion.x"))
        }
    }

    @Test("an assertion_command is run for each attempt, and a subject token that is an access token may be sent again")
    func fetchedAgain() throws {
        let managed = try ManagedHome()
        let server = try server(busy(), busy("0", 502))
        let script = "echo x >> \(managed.home.path("runs")); echo assertion.$(wc -l < \(managed.home.path("runs"))).x"
        let profile: JSONObject = [
            "client_id": "c", "token_endpoint": .string(server.url("/token")),
            "assertion_command": .strings(["sh", "-c", script]),
        ]
        chmod(try managed.home.write(JSON.object(profile).text, to: ".config/oap/profiles/ci.json"), 0o600)
        try managed.oap("exchange", "-p", "ci", "--grant", "jwt-bearer").run().expect(status: 0)
        let sent = server.requests.map(\.bodyText)
        #expect(sent.count == 3 && zip(sent, 1...).allSatisfy { $0.contains("assertion=assertion.\($1).x") }, "\(sent)")
        let other = try self.server(busy("0", 500))
        let document = other.machine.with([
            "subject_token": "st",
            "token_params": .object(["subject_token_type": "urn:ietf:params:oauth:token-type:access_token"]),
        ])
        try Program.oap(["exchange", "--grant", "token-exchange"], input: document.input).run().expect(status: 0)
        #expect(other.requests.count == 2)
    }

    @Test("a token that has not expired is used at once, with the warning, and a helper stays quick")
    func quick() throws {
        let server = try Responder { _ in .text("", status: 503) }
        let good = try home(server, isMachine: true, expiresIn: 30)
        let used = try good.oap("token", "work", "--retry", "20").run().expect(status: 0).expect(output: "at-0\n")
        #expect(used.errorText.contains("warning: ") && !used.errorText.contains("trying again"), "\(used)")
        #expect(server.requests.count == 1)
        let helper = try home(server, isMachine: true)
        try helper.oap("credential", "kubectl", "get", "-p", "work").run().expect(status: 6)
        #expect(server.requests.count == 4)
        try helper.oap("credential", "kubectl", "get", "-p", "work", "--retry", "4", "--retry-delay", "0").run()
            .expect(status: 6)
        #expect(server.requests.count == 9)
    }

    @Test("those who wait for a renewal that is tried again get its token, however short their own requests may be")
    func waiting() throws {
        let server = try server(busy("2"))
        let managed = try home(server)
        let first = try managed.oap("token", "work").start()
        _ = try first.errorLine { $0.contains("trying again in 2.0 s") }
        let others = try (0..<20).map { _ in try managed.oap("token", "work", "--max-time", "1").start() }
        for process in [first] + others { try process.finish().expect(status: 0).expect(output: "at-1\n") }
        #expect(server.requests.count == 2)
    }

    @Test("a signal in a pause ends the process at once, and the token stays as it was", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
        let server = try Responder { _ in busy("100") }
        let managed = try home(server)
        let before = try managed.stored()
        let running = try managed.oap("token", "work").start()
        _ = try running.errorLine { $0.contains("trying again in") }
        running.send(signal: signal)
        let result = try running.finish().expect(signal: signal)
        #expect(!result.errorText.contains("waiting for the new token"), "\(result)")
        #expect(try managed.stored() == before && server.requests.count == 1)
    }

    @Test("--watch and --keep-fresh wait for a server that is down at the start, and end when it refuses")
    func downAtTheStart() throws {
        for isRefused in [false, true] {
            for command in [
                ["token", "work", "--watch", "-o"], ["run", "work", "--keep-fresh", "--", "cat"],
            ] {
                let first = try Responder { _ in Self.issued }
                let port = first.port
                let managed = try home(first, isMachine: true)
                first.stop()
                let file = managed.home.path("watched")
                let running = try managed.oap(command[0] == "run" ? command + ["/dev/null"] : command + [file]).start()
                _ = try running.errorLine { $0.hasPrefix("oap: \(command[0]): renewing the token work: connection to") }
                _ = try running.errorLine { $0.hasSuffix(": trying again in 2 s") }
                let answered = Responder.Gate()
                let second = try Responder(port: port) { _ in
                    isRefused ? .json(#"{"error":"invalid_client"}"#, status: 401) : Self.issued.opening(answered)
                }
                if isRefused {
                    try running.finish().expect(status: 4)
                    continue
                }
                #expect(answered.wait())
                guard command[0] == "token" else {
                    try running.finish().expect(status: 0)
                    continue
                }
                let script = "until [ \"$(cat $0 2>/dev/null)\" = at-1 ]; do sleep 0.02; done"
                try Program(path: "/bin/sh", arguments: ["-c", script, file]).run().expect(status: 0)
                running.send(signal: SIGTERM)
                try running.finish().expect(signal: SIGTERM)
                #expect(second.requests.count == 1)
            }
        }
    }
}
