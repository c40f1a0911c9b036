internal import Calls
package import Errands
internal import System
internal import TokenStore
internal import Wire
package import Shell

/// The attempts of one token request. Each after the first is made anew, with the secrets as they are then. An assertion
/// that may have arrived is not sent again: a server may take it only once (RFC 7523 §3).
final class TokenAttempts {
    private var exchange: TokenExchange
    private let hold: SignalHold?
    private let claim: Claim?
    /// When the last one began, in seconds since 1970.
    private var start: Int
    /// The assertions that may have arrived.
    private var spent: [String] = []
    private var nonces = NonceBudget()
    /// When the first one began.
    private let began: MonotonicTime

    /// - Parameter hold: begins with each attempt that cannot be repeated, and else with its answer; it ends with each pause,
    ///   and goes on at the end.
    /// - Parameter claim: the limits of each request.
    init(_ exchange: TokenExchange, holding hold: SignalHold?, within claim: Claim? = nil) {
        (self.exchange, self.hold, self.claim) = (exchange, hold, claim)
        (start, began) = (exchange.transport.world.seconds, exchange.transport.world.moment)
    }

    /// Sends the request.
    ///
    /// - Throws: exit 11 without random bytes, exit 2 or 11 for a transport that cannot be set up.
    func errand() throws(Failure) -> Errand<TokenExchange.Outcome> {
        var request = ServerRequest(message: try exchange.message(), repetition: exchange.repetition)
        (request.maximumTime, request.mayBegin) = (claim?.seconds, claim?.mayBegin)
        let asked = try exchange.transport.asked(
            request, for: exchange.advice.task, pausing: { [hold] in hold?.end() }, remake: next)
        beginHold()
        return asked.then { [self] result in
            guard exchange.learn(from: result), nonces.take() else {
                hold?.begin()
                return received(result, request.message)
            }
            return Errand<TokenExchange.Outcome>.later { [self] in
                do throws(Failure) { return try errand() } catch {
                    exchange.transport.diagnostics.tell("there is no further attempt: \(error.message)")
                    return received(result, request.message)
                }
            }
        }
    }

    /// Takes the last answer. It is a line of the log if the request was the command's own job, and no poll whose user has
    /// not decided.
    private func received(_ result: ServerRequest.Result, _ message: HTTPRequest) -> Errand<TokenExchange.Outcome> {
        let (transport, isOwnJob) = (exchange.transport, exchange.advice.task == nil)
        return exchange.receive(result, start).then { [began] outcome in
            switch outcome {
            case .token where !isOwnJob || transport.diagnostics.command == "refresh": transport.noteRenewal()
            case .refused(let error) where ["authorization_pending", "slow_down"].contains(error.code):
                return .done(outcome)
            case .token, .refused, .unusable, .lost: break
            }
            if isOwnJob { transport.note(message, result, since: began) }
            return .done(outcome)
        }
    }

    /// Holds signals back while the request is under way, if it uses something up or other machines wait for its claim.
    private func beginHold() {
        if case .repeatable = exchange.stake, claim == nil { return }
        hold?.begin()
    }

    private func next(after result: ServerRequest.Result) -> Errand<HTTPRequest?> {
        // Nothing else is begun for a process that a signal ends.
        guard !exchange.transport.world.isEnding() else { return .done(nil) }
        exchange.learn(from: result)
        nonces.limit = 2
        let wasSent = if case .failure(let error) = result { error.requestSent } else { true }
        if wasSent { spent += exchange.assertions.map(\.value) }
        return exchange.remade().then { [self] remade in
            do throws(Failure) {
                exchange = try remade.get()
                for (name, value) in exchange.assertions where spent.contains(where: { $0.isIdentical(to: value) }) {
                    let place = exchange.input.place(of: name)?.text ?? name
                    throw Failure.file("\(place) still gives the \(name) that was sent, which is not sent twice")
                }
                start = exchange.transport.world.seconds
                let message = try exchange.message()
                beginHold()
                return .done(message)
            } catch {
                exchange.transport.diagnostics.tell("there is no further attempt: \(error.message)")
                return .done(nil)
            }
        }
    }
}

extension TokenExchange {
    /// Sends the token request, again where that does no harm.
    ///
    /// - Parameter hold: begins now, is interrupted by pauses, and goes on if there is a token, which the caller stores.
    /// - Throws: as ``TokenAttempts/errand()``.
    package func attempt(holding hold: SignalHold? = nil) throws(Failure) -> Errand<Outcome> {
        try TokenAttempts(self, holding: hold).errand().then { outcome in
            if case .token = outcome {} else { hold?.end() }
            return .done(outcome)
        }
    }
}
