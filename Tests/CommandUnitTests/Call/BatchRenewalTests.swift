import Foundation
import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A batch and the renewal of its token", .inProcess)
struct BatchRenewalTests {
    private static let refusal = Responder.Reply.json(
        "{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])

    /// `oap call --batch` with a token in a file.
    private func batch(
        _ token: JSONObject, in folder: TemporaryDirectory, _ targets: [String], _ options: String...
    ) throws -> Program {
        let file = try folder.write(JSON.object(token).text, to: "token.json")
        chmod(file, 0o600)
        let lines = targets.map { #"{"id":"\#($0)","url":"\#($0)"}"# + "\n" }
        var program = Program.oap(["call", "--batch", "--token-file", file] + options, input: .text(lines.joined()))
        program.deadline = .seconds(15)
        return program
    }

    /// The token of a machine, of which so many seconds are left.
    private func machine(_ server: Responder, expiresIn seconds: Int) -> JSONObject {
        [
            "client_id": "c", "token_endpoint": .string(server.url("/token")), "token_endpoint_auth_method": "none",
            "grant_type": "client_credentials", "revocation_endpoint": .string(server.url("/revoke")),
            "access_token": "at-0", "token_type": "Bearer", "expires_in": 3600,
            "expires_at": .integer(Int(time(nil)) + seconds), "api_base": .string(server.url()),
        ]
    }

    private func answers(_ result: ProgramResult) throws -> [String: JSONObject] {
        let objects = try result.text.split(separator: "\n").compactMap { try JSON(parsing: String($0)).object }
        return Dictionary(objects.map { ($0["id"]?.string ?? "", $0) }) { first, _ in first }
    }

    @Test("requests whose token is refused share one renewal, and a renewal that fails ends the batch")
    func shared() throws {
        let challenge = #"WWW-Authenticate: Bearer error="invalid_token""#
        let lines = (1...40).map { #"{"url":"/\#($0)","body":1}"# }
        let managed = try ManagedHome(expiresIn: 1000)
        let api = try Responder { request in
            request.headers.first("Authorization") == "Bearer at-1"
                ? .json("{}") : .json("{}", status: 401, headers: [challenge])
        }
        func run(_ managed: ManagedHome) throws -> ProgramResult {
            var program = managed.oap(
                ["call", "--batch"] + managed.options + ["--allow-origin", api.url("")])
            let input = lines.map { $0.replacing(#""url":""#, with: #""url":"\#(api.url(""))"#) + "\n" }
            program.input = .text(input.joined())
            return try program.run()
        }
        let result = try run(managed).expect(status: 0)
        #expect(result.text.split(separator: "\n").count == 40)
        #expect(managed.endpoint.requests.count == 1)
        let lost = try ManagedHome(expiresIn: 1000, refreshable: false)
        let before = api.requests.count
        let ended = try run(lost).expect(status: 8)
        #expect(ended.text.split(separator: "\n").count < 40, "\(ended)")
        #expect(api.requests.count - before < 40)
    }

    @Test("an answer comes while the token that was issued with an ID token of another form is being revoked")
    func rejectedToken() throws {
        let (revoking, answered) = (Responder.Gate(), Responder.Gate())
        let server = try Responder { request in
            switch request.target {
            case "/token": return .json(#"{"access_token":"at-1","token_type":"Bearer","id_token":5}"#)
            case "/revoke":
                revoking.open()
                return .text("").after(answered)
            case "/slow": return .json(#""here""#).after(revoking)
            default: return Self.refusal
            }
        }
        let folder = try TemporaryDirectory()
        let running = try batch(machine(server, expiresIn: 3600), in: folder, ["/slow", "/refused"]).start()
        _ = try running.outputLine { $0.contains(#""body":"here""#) }
        answered.open()
        let result = try running.finish().expect(status: 9)
        let answers = try answers(result)
        #expect(answers["/slow"]?["status"] == 200)
        #expect(answers["/refused"]?["exit_status"] == 9, "\(result)")
        result.expect(errorLine: "oap: call: the new tokens were revoked at the server").expect(nowhere: "at-1")
        #expect(server.requests.count { $0.target == "/token" } == 1)
        #expect(server.requests.filter { $0.target == "/revoke" }.map { $0.bodyText.prefix(10) } == ["token=at-1"])
    }

    @Test("another process gets its token while the tokens that this one cannot use are being revoked")
    func lockIsFreeDuringRevocation() throws {
        let (revoking, answered) = (Responder.Gate(), Responder.Gate())
        let count = Mutex(0)
        let server = try Responder { request in
            guard request.target != "/revoke" else {
                revoking.open()
                return .text("").after(answered)
            }
            guard request.target == "/token" else { return .text(request.headers.first("Authorization") ?? "") }
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .json(#"{"access_token":"at-1","token_type":"Bearer","id_token":5}"#) : .token
        }
        let folder = try TemporaryDirectory()
        let file = try folder.write(JSON.object(machine(server, expiresIn: -1)).text, to: "token.json")
        chmod(file, 0o600)
        var program = Program.oap(["call", "--token-file", file, "/"])
        program.deadline = .seconds(15)
        let first = try program.start()
        #expect(revoking.wait())
        try program.run().expect(status: 0).expect(output: "Bearer new-access")
        answered.open()
        try first.finish().expect(status: 9).expect(errorLine: "oap: call: the new tokens were revoked at the server")
    }

    @Test("requests share one renewal that fails, and use the token while it is good", arguments: [503, 429, 0])
    func softFailure(status: Int) throws {
        let server = try Responder { request in
            guard request.target == "/token" else { return .json("{}") }
            return status == 0 ? .reset : .text("", status: status)
        }
        let folder = try TemporaryDirectory()
        let targets = (1...12).map { "/\($0)" }
        let program = try batch(machine(server, expiresIn: 40), in: folder, targets, "--rate", "10/s")
        let start = ContinuousClock.now
        let result = try program.run().expect(status: 0)
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        #expect(try answers(result).count == 12)
        #expect(server.requests.filter { $0.target != "/token" }.allSatisfy { $0.head.contains("Bearer at-0\r\n") })
        // One, and another only when a second has gone by.
        let renewals = server.requests.count { $0.target == "/token" }
        #expect(renewals >= 1)
        #expect(renewals <= 1 + seconds, "in \(seconds) s: \(result)")
    }

    @Test("requests do not wait for more and more renewals of a token that stays due after each")
    func staysDue() throws {
        let server = try Responder { request in
            guard request.target == "/token" else { return .json("{}") }
            Thread.sleep(forTimeInterval: 1.1)
            return .json(#"{"access_token":"at-1","token_type":"Bearer","expires_in":3600}"#)
        }
        let folder = try TemporaryDirectory()
        let targets = (1...12).map { "/\($0)" }
        let program = try batch(
            machine(server, expiresIn: 3600), in: folder, targets, "--min-ttl", "7200", "--parallel", "1")
        let result = try program.run().expect(status: 0)
        #expect(try answers(result).count == 12)
        #expect(server.requests.count { $0.target == "/token" } <= 2, "\(result)")
    }

    @Test("requests do not wait for more and more renewals whose tokens are refused and revoked, which takes its time")
    func rejectedAgainAndAgain() throws {
        let server = try Responder { request in
            switch request.target {
            case "/token": return .json(#"{"access_token":"at-1","token_type":"Bearer","id_token":5}"#)
            case "/revoke":
                Thread.sleep(forTimeInterval: 1.1)
                return .text("")
            default: return .json("{}")
            }
        }
        let folder = try TemporaryDirectory()
        let targets = (1...12).map { "/\($0)" }
        let program = try batch(machine(server, expiresIn: 40), in: folder, targets, "--parallel", "1")
        let result = try program.run().expect(status: 0)
        #expect(try answers(result).count == 12)
        #expect(server.requests.count { $0.target == "/token" } <= 2, "\(result)")
    }

    @Test("eight requests with a time limit are answered while another process has the lock of the token")
    func heldLock() throws {
        let refused = Responder.Gate()
        let server = try Responder { request in
            switch request.target {
            case "/token": .json(#"{"access_token":"at-1","token_type":"Bearer"}"#)
            case "/refused": request.head.contains("at-0") ? Self.refusal.opening(refused) : .json("{}")
            default: .json("{}").after(refused)
            }
        }
        let folder = try TemporaryDirectory()
        let targets = (1...8).map { "/\($0)" }
        let program = try batch(
            machine(server, expiresIn: 3600), in: folder, targets + ["/refused"], "--parallel", "9", "--max-time", "10")
        let lock = try HeldLock(folder.path("token.json.lock"))
        let running = try program.start()
        for target in targets { _ = try running.outputLine { $0.contains(#""id":"\#(target)""#) } }
        #expect(server.requests.allSatisfy { $0.target != "/token" })
        lock.release()
        let result = try running.finish().expect(status: 0)
        let answers = try answers(result)
        #expect(answers.count == 9)
        #expect(answers.values.allSatisfy { $0["status"] == 200 }, "\(result)")
        #expect(server.requests.count { $0.target == "/token" } == 1)
    }
}
