import Calls
import Errands
import OAuth
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

/// What becomes of a stored token for each thing that a server does, and each reason to renew it. The script plays the
/// server, and its clock passes the pauses.
@Suite("Renewals and their outcomes")
struct RenewalOutcomeTests {
    /// What the server does with a request.
    enum Reply: Sendable {
        case json(Int, String)
        /// It is busy, and names the seconds to wait.
        case busy(Int)
        /// The answer is larger than what is read.
        case huge
        /// There is no connection.
        case away
        /// The connection breaks after the request was sent.
        case lost
        /// Another process stores the token `at-9` while the server answers.
        case overtaken(Int, String)
        /// The user has the process end while the server answers.
        case ending(Int, String)
    }

    /// What the caller gets: a token, the stored one with a warning, or a failure.
    enum End: Equatable, Sendable, CustomStringConvertible {
        case token(String), warned(String), failed(ErrorKind, Exit)

        var description: String {
            switch self {
            case .token(let token): "token \(token)"
            case .warned(let token): "warned \(token)"
            case .failed(let kind, let exit): "failed \(kind) \(exit)"
            }
        }
    }

    struct Outcome: Sendable, CustomTestStringConvertible {
        let name: String
        /// What the server does, the last thing again and again.
        let replies: [Reply]
        let requests: Int
        /// Access and refresh token that are stored in the end.
        let stored: (access: String, refresh: String?)
        /// What the caller gets who needs another token.
        let end: End
        /// What the caller gets whose token is still good, and how many requests there are: it waits for no server.
        var whileGood: (end: End, requests: Int)?

        var testDescription: String { name }
    }

    private static let answer = #"{"access_token":"at-1","token_type":"Bearer","expires_in":3600"#
    private static let rotated = answer + #","refresh_token":"rt-1"}"#
    private static func error(_ code: String) -> String { #"{"error":"\#(code)"}"# }

    static let outcomes: [Outcome] = [
        Outcome(
            name: "a new refresh token", replies: [.json(200, rotated)], requests: 1, stored: ("at-1", "rt-1"),
            end: .token("at-1")),
        Outcome(
            name: "no new refresh token", replies: [.json(200, answer + "}")], requests: 1, stored: ("at-1", "rt-0"),
            end: .token("at-1")),
        Outcome(
            name: "invalid_grant", replies: [.json(400, error("invalid_grant"))], requests: 1, stored: ("at-0", nil),
            end: .failed(.refreshRefused, .loginNeeded)),
        Outcome(
            name: "a refusal with the status of a success",
            replies: [.json(200, #"{"message":"the token is revoked"}"#)], requests: 1, stored: ("at-0", nil),
            end: .failed(.refreshRefused, .loginNeeded)),
        Outcome(
            name: "words of a refusal beside a refresh token",
            replies: [.json(200, #"{"message":"the token is revoked","refresh_token":"rt-1"}"#)],
            requests: 1, stored: ("at-0", "rt-1"), end: .failed(.invalidResponse, .badAnswer)),
        Outcome(
            name: "invalid_client", replies: [.json(401, error("invalid_client"))], requests: 1,
            stored: ("at-0", "rt-0"), end: .failed(.oauth, .refused)),
        Outcome(
            name: "slow_down", replies: [.json(400, error("slow_down"))], requests: 1, stored: ("at-0", "rt-0"),
            end: .failed(.oauth, .unavailable)),
        Outcome(
            name: "no connection, and then one", replies: [.away, .json(200, rotated)], requests: 2,
            stored: ("at-1", "rt-1"), end: .token("at-1")),
        Outcome(
            name: "no connection", replies: [.away], requests: 6, stored: ("at-0", "rt-0"),
            end: .failed(.network, .unavailable), whileGood: (.warned("at-0"), 3)),
        Outcome(
            name: "503", replies: [.json(503, "")], requests: 6, stored: ("at-0", "rt-0"),
            end: .failed(.httpStatus, .unknownOutcome), whileGood: (.warned("at-0"), 1)),
        Outcome(
            name: "503, and then a token", replies: [.json(503, ""), .json(200, rotated)], requests: 2,
            stored: ("at-1", "rt-1"), end: .token("at-1"), whileGood: (.warned("at-0"), 1)),
        // Who has it may have used up the refresh token, so nothing is sent again.
        Outcome(
            name: "a lost answer", replies: [.lost, .json(200, rotated)], requests: 1, stored: ("at-0", "rt-0"),
            end: .failed(.network, .unknownOutcome)),
        Outcome(
            name: "no JSON", replies: [.json(200, "<html>")], requests: 1, stored: ("at-0", "rt-0"),
            end: .failed(.unreadableResponse, .badAnswer)),
        Outcome(
            name: "a refresh token in an answer of another type",
            replies: [.json(200, #"{"access_token":"at-1","token_type":"mac","refresh_token":"rt-1"}"#)], requests: 1,
            stored: ("at-0", "rt-1"), end: .failed(.tokenTypeUnsupported, .insecure)),
        Outcome(
            name: "a token, while another process stores one", replies: [.overtaken(200, rotated)], requests: 1,
            stored: ("at-9", "rt-9"), end: .token("at-9")),
        Outcome(
            name: "invalid_grant, while another process stores a token",
            replies: [.overtaken(400, error("invalid_grant"))], requests: 1, stored: ("at-9", "rt-9"),
            end: .token("at-9")),
        Outcome(
            name: "503, while a signal waits", replies: [.ending(503, "")], requests: 1, stored: ("at-0", "rt-0"),
            end: .failed(.httpStatus, .unknownOutcome)),
    ]

    /// The document of a token with so many seconds left.
    private static func document(_ token: String, left: Int, at now: Int) -> JSONObject {
        [
            "client_id": "c", "issuer": "https://as.example.com", "token_endpoint": "https://as.example.com/token",
            "token_type": "Bearer", "access_token": .string("at-\(token)"), "refresh_token": .string("rt-\(token)"),
            "expires_in": .integer(3600), "expires_at": .integer(now + left),
        ]
    }

    private func play(_ outcome: Outcome, in scene: KeptScene) {
        var left = outcome.replies[...]
        scene.script.answer = { [unowned scene] _ in
            let reply = left.first ?? .away
            if left.count > 1 { left = left.dropFirst() }
            #expect(scene.effects.holds > 0, "a signal waits while a refresh token is on its way")
            switch reply {
            case .json(let status, let text): return Script.json(text, status: status)
            case .busy(let seconds):
                return Script.json("", status: 429, headers: [HTTPField("Retry-After", "\(seconds)")])
            case .huge: return .failure(.tooLarge(limit: 1))
            case .away:
                return .failure(.network(stage: .connect, message: "connection refused", requestSent: false))
            case .lost: return .failure(.network(stage: .read, message: "connection reset", requestSent: true))
            case .overtaken(let status, let text):
                let other = Self.document("9", left: 3600, at: scene.script.seconds)
                #expect(throws: Never.self) { try scene.overwrite(with: other) }
                return Script.json(text, status: status)
            case .ending(let status, let text):
                scene.effects.isEnding = true
                return Script.json(text, status: status)
            }
        }
    }

    /// The token after a renewal, or its failure, and the number of requests.
    private func run(_ outcome: Outcome, because reason: RenewalReason, left: Int) throws -> (End, Int, KeptScene) {
        let scene = try KeptScene(Self.document("0", left: left, at: Script().beginning))
        play(outcome, in: scene)
        let result = scene.script.run(try scene.token.renewed(because: reason))
        #expect(scene.effects.holds == 0, "no signal is held any more")
        let isWarned = scene.effects.said.contains("warning: ")
        switch result {
        case .success(let document):
            let token = document["access_token"]?.string ?? ""
            return (isWarned ? .warned(token) : .token(token), scene.script.requests.count, scene)
        case .failure(let failure):
            return (.failed(failure.kind, failure.exit), scene.script.requests.count, scene)
        }
    }

    @Test(
        "an expired token, one that an API refused, and one that the user has renewed end the same way",
        arguments: outcomes, [RenewalReason.due(minimum: nil, seen: "at-0"), .refused("at-0"), .asked])
    func needed(outcome: Outcome, reason: RenewalReason) throws {
        let (end, requests, scene) = try run(outcome, because: reason, left: -10)
        let stored = try scene.stored
        #expect(end == outcome.end)
        #expect(requests == outcome.requests)
        #expect(stored["access_token"]?.string == outcome.stored.access)
        #expect(stored["refresh_token"]?.string == outcome.stored.refresh)
    }

    @Test(
        "those that wait for the lock take a failure for theirs that may pass; who comes later asks",
        arguments: [
            .json(407, ""), .json(200, "<html>"), .json(200, "{}"), .json(200, #"{"ok":false}"#), .json(302, ""),
            .json(304, ""), .json(200, #"{"access_token":"at-1","token_type":"mac"}"#),
            .json(200, #"{"access_token":"at-1","token_type":"mac","refresh_token":"rt-1"}"#), .huge, .busy(3000),
        ] as [Reply])
    func herd(reply: Reply) throws {
        let outcome = Outcome(name: "", replies: [reply], requests: 0, stored: ("", nil), end: .token(""))
        let scene = try KeptScene(Self.document("0", left: -10, at: Script().beginning))
        play(outcome, in: scene)
        let ask = { try scene.token.renewed(because: .refused("at-0")) }
        var processes = try (0..<3).map { _ in try ask() }
        for _ in 0..<100 { processes = processes.map(scene.script.step) }
        let ends = processes.compactMap { process in
            #expect(throws: Failure.self) { try scene.script.run(process).get() }
        }
        for end in ends {
            #expect(end.kind == ends[0].kind)
            #expect(end.exit == ends[0].exit)
            #expect(end.hint == ends[0].hint)
            #expect(end.retryAfter == ends[0].retryAfter)
        }
        #expect(ends.count == 3)
        #expect(scene.script.requests.count == 1)
        scene.script.pass(seconds: 1)
        #expect(throws: Failure.self) { try scene.script.run(try ask()).get() }
        #expect(scene.script.requests.count == 2)
    }

    @Test("a token that is due and still good is used with a warning after a failure", arguments: outcomes)
    func due(outcome: Outcome) throws {
        let (end, requests, scene) = try run(outcome, because: .due(minimum: nil, seen: "at-0"), left: 30)
        let stored = try scene.stored
        let isFailure = if case .failed = outcome.end { true } else { false }
        let expected = outcome.whileGood ?? (isFailure ? .warned("at-0") : outcome.end, outcome.requests)
        #expect(end == expected.end)
        #expect(requests == expected.requests)
        // Who gets a new token has stored it.
        let isKept = expected.end == .warned("at-0") && !isFailure
        #expect(stored["access_token"]?.string == (isKept ? "at-0" : outcome.stored.access))
        #expect(stored["refresh_token"]?.string == (isKept ? "rt-0" : outcome.stored.refresh))
    }
}
