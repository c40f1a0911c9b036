package import Errands
package import OAuth
internal import System
internal import Wire
package import Shell

/// Polls the token endpoint for the token of a device, or of CIBA, until the user has decided (RFC 8628 §3.4, §3.5; OpenID
/// CIBA Core §11).
package struct DevicePoll {
    private let exchange: TokenExchange
    private let diagnostics: Diagnostics
    private var world: World { exchange.transport.world }
    private let hold: SignalHold?
    private var polling: DevicePolling
    /// Why the last poll had no response.
    private var silence: Failure?

    /// The flow document names the interval and the end of the device code; exit 3 without an end.
    package init(
        _ exchange: TokenExchange, for document: Document, holding hold: SignalHold?, _ diagnostics: Diagnostics
    ) throws(Failure) {
        (self.exchange, self.hold) = (exchange, hold)
        self.diagnostics = diagnostics
        polling = try asFailure(DevicePolling(of: document, now: exchange.transport.world.seconds))
        try diagnostics.warn(polling.warnings)
    }

    /// Polls to the end.
    ///
    /// - Throws: exit 4 if the user or the server refuses, or the code expires; exit 6 if it expires and no poll has had
    ///   a response; every other failure of the exchange.
    package func token() -> Attempt<IssuedToken, Failure> {
        var poll = self
        return attempting { () throws(Failure) in
            .pause(until: try poll.pause()) { [poll] in attempting { () throws(Failure) in try poll.ask() } }
        }
    }

    private func ask() throws(Failure) -> Attempt<IssuedToken, Failure> {
        do throws(OAuthError) { try polling.checkEnd(now: world.seconds) } catch { throw ended(error) }
        return try exchange.attempt(holding: hold).then { outcome in
            attempting { () throws(Failure) in
                var poll = self
                switch outcome {
                case .refused(let refusal): try poll.goOn(after: refusal)
                case .lost(let error) where error.mayPass || error.isBrokenResponse:
                    // Another poll may bring the response that did not come (RFC 8628 §3.5).
                    poll.polling.loseAnswer(wasSent: error.requestSent)
                    poll.silence = exchange.silence(error)
                    diagnostics.tell("\(error.message); polling goes on every \(poll.polling.interval) s")
                case .token, .unusable, .lost: return exchange.finish(outcome)
                }
                return poll.token()
            }
        }
    }

    private mutating func pause() throws(Failure) -> MonotonicTime {
        do throws(OAuthError) {
            return world.after(.seconds(try polling.wait(now: world.seconds)))
        } catch {
            throw ended(error)
        }
    }

    private func ended(_ error: OAuthError) -> Failure {
        guard !polling.hasAnswer, let silence else { return Failure(error) }
        return silence.prefixed("no poll was answered before \(polling.subject) expired: ").advising(error.hint)
    }

    private mutating func goOn(after refusal: OAuthError) throws(Failure) {
        do throws(OAuthError) {
            try polling.goOn(after: refusal, now: world.seconds)
        } catch {
            throw exchange.failure(error)
        }
        guard polling.hasFailed else { return }
        silence = Failure(refusal)
        diagnostics.tell("\(refusal.message); polling goes on")
    }
}

extension HTTPError {
    /// Whether a response came that is none: that of the next poll may be one.
    fileprivate var isBrokenResponse: Bool { if case .malformedResponse = self { true } else { false } }
}
