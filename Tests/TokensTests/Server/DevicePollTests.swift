import Errands
import OAuth
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Sessions
@testable import Shell
@testable import Tokens

/// When a device polls, and how that ends (RFC 8628 §3.4, §3.5). The script's clock passes the pauses.
@Suite("Polls for the token of a device")
struct DevicePollTests {
    /// What the server does with a poll.
    enum Reply: Sendable {
        case error(String, Int)
        case json(Int, String)
        case busy(Int, retryAfter: Int?)
        case away
        /// The connection breaks after the poll was sent.
        case lost
        /// What comes is no response of HTTP.
        case broken
    }

    struct Poll: Sendable, CustomTestStringConvertible {
        let name: String
        /// What the server does, the last thing again and again.
        let replies: [Reply]
        /// The seconds after the beginning at which polls arrive.
        let moments: [Int]
        /// The access token, or the kind and exit status of the failure.
        let end: String
        var interval = 5
        var lifetime = 60

        var testDescription: String { name }
    }

    private static let token = Reply.json(200, #"{"access_token":"at","token_type":"Bearer"}"#)
    private static let pending = Reply.error("authorization_pending", 400)

    static let polls: [Poll] = [
        Poll(name: "approved at once", replies: [token], moments: [5], end: "at"),
        Poll(name: "approved at the third poll", replies: [pending, pending, token], moments: [5, 10, 15], end: "at"),
        Poll(
            name: "slow_down adds five seconds for good", replies: [.error("slow_down", 400), pending, token],
            moments: [5, 15, 25], end: "at"),
        Poll(
            name: "two slow_downs", replies: [.error("slow_down", 400), .error("slow_down", 400), token],
            moments: [5, 15, 30], end: "at"),
        Poll(
            name: "pending, in what is almost JSON",
            replies: [.json(400, "{\"error\":\"authorization_pending\",\"message\":\"not\nyet\",}"), token],
            moments: [5, 10], end: "at"),
        Poll(
            name: "denied", replies: [pending, .error("access_denied", 400)], moments: [5, 10], end: "oauth refused"),
        Poll(
            name: "expired_token", replies: [pending, .error("expired_token", 400)], moments: [5, 10],
            end: "deviceExpired refused"),
        Poll(
            name: "never approved", replies: [pending], moments: [5, 10, 15], end: "deviceExpired refused", lifetime: 20
        ),
        Poll(
            name: "an interval beyond the end", replies: [token], moments: [], end: "deviceExpired refused",
            interval: 20, lifetime: 20),
        Poll(
            name: "an interval to the second before the end", replies: [token], moments: [19], end: "at", interval: 19,
            lifetime: 20),
        Poll(
            name: "an interval of 0 is one second", replies: [pending, token], moments: [1, 2], end: "at", interval: 0),
        Poll(
            name: "a lost answer doubles the interval", replies: [.lost, pending, token], moments: [5, 15, 25],
            end: "at"),
        Poll(
            name: "invalid_grant after a lost answer", replies: [.lost, .error("invalid_grant", 400)],
            moments: [5, 15],
            end: "outcomeUnknown unknownOutcome"),
        Poll(name: "an answer that is none of HTTP", replies: [.broken, token], moments: [5, 15], end: "at"),
        Poll(
            name: "invalid_grant after an answer that is none of HTTP",
            replies: [.broken, .error("invalid_grant", 400)], moments: [5, 15], end: "outcomeUnknown unknownOutcome"),
        Poll(name: "invalid_grant", replies: [.error("invalid_grant", 400)], moments: [5], end: "oauth refused"),
        Poll(
            name: "503, whatever its content is", replies: [.json(503, #"{"error":"access_denied"}"#), token],
            moments: [5, 10], end: "at"),
        Poll(
            name: "429 with Retry-After", replies: [.busy(429, retryAfter: 12), pending, token], moments: [5, 17, 22],
            end: "at"),
        Poll(
            name: "a limit of another name",
            replies: [.json(200, #"{"ok":false,"error":"ratelimited"}"#), .error("rate_limited", 400), token],
            moments: [5, 10, 20], end: "at"),
        Poll(name: "408", replies: [.busy(408, retryAfter: nil), token], moments: [5, 10], end: "at"),
        Poll(
            name: "425 leaves nothing open", replies: [.busy(425, retryAfter: nil), .error("invalid_grant", 400)],
            moments: [5, 10], end: "oauth refused"),
        Poll(
            name: "425 to the end", replies: [.busy(425, retryAfter: nil)], moments: [5, 10],
            end: "deviceExpired refused", lifetime: 16),
        Poll(
            name: "202, accepted and not done", replies: [.json(202, ""), .json(202, #"{"status":"pending"}"#), token],
            moments: [5, 10, 15], end: "at"),
        Poll(
            name: "202 with the token", replies: [.json(202, #"{"access_token":"at","token_type":"Bearer"}"#)],
            moments: [5], end: "at"),
        Poll(
            name: "202 with a refusal", replies: [.json(202, #"{"error":"access_denied"}"#)], moments: [5],
            end: "oauth refused"),
        Poll(name: "200 without a token", replies: [.json(200, "{}")], moments: [5], end: "invalidResponse badAnswer"),
    ]

    private func answer(_ reply: Reply) -> ServerRequest.Result {
        switch reply {
        case .error(let code, let status): Script.json(#"{"error":"\#(code)"}"#, status: status)
        case .json(let status, let text): Script.json(text, status: status)
        case .busy(let status, let seconds):
            Script.json("", status: status, headers: seconds.map { [HTTPField("Retry-After", "\($0)")] } ?? [])
        case .away: .failure(.network(stage: .connect, message: "connection refused", requestSent: false))
        case .lost: .failure(.network(stage: .read, message: "connection reset", requestSent: true))
        case .broken: .failure(.malformedResponse("it is no HTTP"))
        }
    }

    /// Polls to the end.
    ///
    /// - Parameter asleep: the seconds for which the machine sleeps in each pause.
    private func run(_ poll: Poll, asleep: Double = 0) throws -> (end: String, moments: [Int]) {
        let scene = try KeptScene([:])
        let (script, session) = (scene.script, scene.session)
        let flow: JSONObject = [
            "client_id": "c", "token_endpoint": "https://as.example.com/token", "device_code": "d",
            "expires_at": .integer(script.seconds + poll.lifetime), "interval": .integer(poll.interval),
        ]
        script.meanwhile = { [unowned script] in script.pass(seconds: asleep) }
        var (left, moments) = (poll.replies[...], [Int]())
        script.answer = { [unowned script] _ in
            moments.append(script.seconds - script.beginning)
            let reply = left.first ?? .away
            if left.count > 1 { left = left.dropFirst() }
            return answer(reply)
        }
        let input = try session.inputs.input([], members: flow, profile: nil)
        let exchange = try TokenExchange(
            try input.grant(.deviceCode, extra: []), input: input, over: session.transport)
        let device = try DevicePoll(exchange, for: input.document, holding: nil, session.diagnostics)
        switch script.run(device.token()) {
        case .success(let token): return (token.document(from: flow)["access_token"]?.string ?? "", moments)
        case .failure(let failure): return ("\(failure.kind) \(failure.exit)", moments)
        }
    }

    @Test("it polls at these moments, and ends so", arguments: polls)
    func polling(poll: Poll) throws {
        let (end, moments) = try run(poll)
        #expect(end == poll.end)
        #expect(moments == poll.moments)
    }

    @Test("a machine that sleeps through the end of the code does not poll any more")
    func asleep() throws {
        let (end, moments) = try run(Poll(name: "", replies: [Self.token], moments: [], end: ""), asleep: 100)
        #expect(end == "deviceExpired refused")
        #expect(moments == [])
    }
}
