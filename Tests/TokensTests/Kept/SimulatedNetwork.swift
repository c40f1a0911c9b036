import Errands
import System
import TestSupport
import Wire

@testable import Calling
@testable import Commands
@testable import Login
@testable import Sessions
@testable import Shell
@testable import Tokens

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
                if spend(10) { stop(process) }
                return arriving(number, reply, for: process, until: limit, end)
            }
        }
    }

    private func arriving(
        _ number: Int, _ reply: Reply, for process: Process, until limit: MonotonicTime,
        _ end: @escaping (ServerRequest.Result) -> Errand<Void>
    ) -> Errand<Void> {
        let lost = Errand<Void>.pause(until: limit) { end(Self.broken(.timeout, wasSent: true)) }
        if reply == .heldUp { holdUp(number) }
        // It may arrive before anybody else does anything, and the sender may be stopped meanwhile.
        let early = Bool.random(using: &random) ? answer(number, reply) : nil
        return pause(2000) { [self] in
            let answer = early ?? answer(number, reply)
            if reply == .requestLost || reply == .heldUp || reply == .answerLost { return lost }
            // It is on its way.
            return pause(2000) {
                if case .success(let response) = answer, response.head.status == 400 { process.refusals += 1 }
                return end(answer)
            }
        }
    }

    /// What the issuer does with a request, and what arrives of that.
    private func answer(_ number: Int, _ reply: Reply) -> ServerRequest.Result {
        func taken(_ text: (Int) -> String) -> ServerRequest.Result {
            issuer.take(number).map { Script.json(text($0)) } ?? Script.json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        switch reply {
        case .requestLost, .heldUp, .notConnected: return Script.json("", status: 504)
        case .refusedForNow:
            issuer.forget(number)
            return Script.json("", status: 429)
        case .gatewayFailed:
            if Bool.random(using: &random) { _ = issuer.take(number) }
            return Script.json("", status: 504)
        case .unreadable: return taken { _ in "<html>" }
        case .answered, .answerLost: return taken { NumberedToken.answer($0) }
        case .foreign: return taken { NumberedToken.answer($0, type: "mac") }
        }
    }

    private static func broken(_ stage: HTTPError.Stage, wasSent: Bool) -> ServerRequest.Result {
        .failure(.network(stage: stage, message: "the simulated network", requestSent: wasSent))
    }

    private func pause(_ longest: Int, _ go: @escaping () -> Errand<Void>) -> Errand<Void> {
        .pause(until: time.now + .milliseconds(longest > 0 ? Int.random(in: 0...longest, using: &random) : 0), go)
    }
}
