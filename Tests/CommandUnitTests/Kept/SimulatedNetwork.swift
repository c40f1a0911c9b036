import Errands
import System
import TestSupport
import Wire

@testable import Commands

/// What becomes of a request on the network, and at the issuer.
extension SimulatedWorld {
    enum Reply: CaseIterable {
        case answered
        /// The server has put it off.
        case refusedForNow
        case requestLost, answerLost, heldUp
        /// A gateway ends it, before or after the issuer has taken it.
        case gatewayFailed
        /// What the issuer answers arrives as something else.
        case unreadable
        /// An answer with a new refresh token and an access token that cannot be used.
        case foreign
        case notConnected
    }

    /// What a process needs next. The network carries a request, and others come between its steps.
    func carried(_ errand: Errand<Void>, of process: Process) -> Errand<Void> {
        guard case .send(let request, let go) = errand else { return errand }
        let limit = time.now + .milliseconds(Int((request.maximumTime ?? 30) * 1000))
        let end = { (result: ServerRequest.Result) in go(result, process.world.now) }
        guard let number = NumberedToken.number(in: request.message) else { return end(Script.json("", status: 404)) }
        // It connects.
        return pause(3000) { [self] in
            guard request.mayBegin?() ?? true else { return end(Self.broken(.late, wasSent: false)) }
            process.wasStopped = false
            let reply = reply()
            if reply == .notConnected { return end(Self.broken(.connect, wasSent: false)) }
            // Between the look at the clock and the first byte.
            return pause(0) { [self] in
                noteSent(number, by: process)
                return arriving(number, reply, until: limit, end)
            }
        }
    }

    private func arriving(
        _ number: Int, _ reply: Reply, until limit: MonotonicTime,
        _ end: @escaping (ServerRequest.Result) -> Errand<Void>
    ) -> Errand<Void> {
        let lost = Errand<Void>.pause(until: limit) { end(Self.broken(.timeout, wasSent: true)) }
        if reply == .heldUp { holdUp(number) }
        return pause(2000) { [self] in
            let answer: ServerRequest.Result
            switch reply {
            case .requestLost, .heldUp: return lost
            case .answerLost:
                _ = issuer.take(number)
                return lost
            case .refusedForNow:
                issuer.forget(number)
                answer = Script.json("", status: 429)
            case .gatewayFailed:
                if Bool.random(using: &random) { _ = issuer.take(number) }
                answer = Script.json("", status: 504)
            case .unreadable:
                answer = issuer.take(number) == nil ? Self.refusal : Script.json("<html>")
            case .answered, .notConnected:
                answer = issuer.take(number).map { Script.json(NumberedToken.answer($0)) } ?? Self.refusal
            case .foreign:
                answer = issuer.take(number).map { Script.json(NumberedToken.answer($0, type: "mac")) } ?? Self.refusal
            }
            // It is on its way.
            return pause(0) { end(answer) }
        }
    }

    private static var refusal: ServerRequest.Result { Script.json(#"{"error":"invalid_grant"}"#, status: 400) }

    private static func broken(_ stage: HTTPError.Stage, wasSent: Bool) -> ServerRequest.Result {
        .failure(.network(stage: stage, message: "the simulated network", requestSent: wasSent))
    }

    private func pause(_ longest: Int, _ go: @escaping () -> Errand<Void>) -> Errand<Void> {
        .pause(until: time.now + .milliseconds(longest > 0 ? Int.random(in: 0...longest, using: &random) : 0), go)
    }
}
