internal import OAuth
internal import System
internal import Wire

/// Polls the token endpoint for the token of a device until the user has decided (RFC 8628 §3.4, §3.5).
struct DevicePoll {
    private var exchange: TokenExchange
    private let diagnostics: Diagnostics
    private let watched: [Int32]
    private var polling: DevicePolling
    /// Why the last poll had no response.
    private var silence: Failure?

    /// Prepares to poll.
    ///
    /// - Parameters:
    ///   - document: the flow document, for the interval and the end.
    ///   - watched: pipes whose reader ends the polling when it goes away.
    /// - Throws: exit 3 if the document has no end of the device code.
    init(
        _ exchange: TokenExchange, for document: Document, _ diagnostics: Diagnostics, watching watched: [Int32]
    ) throws(Failure) {
        self.exchange = exchange
        self.diagnostics = diagnostics
        self.watched = watched
        polling = try lift(try DevicePolling(of: document, now: Clock.now))
        try diagnostics.warn(polling.warnings)
    }

    /// Polls to the end.
    ///
    /// - Throws: exit 4 if the user or the server refuses, or the code expires; exit 6 if it expires and no poll has had
    ///   a response; every other failure of the exchange.
    mutating func token() throws(Failure) -> IssuedToken {
        while true {
            try pause()
            let outcome = try exchange.attempt()
            switch outcome {
            case .refused(let refusal): try goOn(after: refusal)
            case .lost(let error) where error.mayPass:
                // Another poll may bring the response that did not come (RFC 8628 §3.5).
                polling.loseAnswer(wasSent: error.requestSent)
                silence = exchange.silence(error)
                diagnostics.tell("\(error.message); polling goes on every \(polling.interval) s")
            case .token, .unusable, .lost: return try exchange.token(of: outcome)
            }
        }
    }

    /// Waits for the next poll.
    private func pause() throws(Failure) {
        do throws(OAuthError) {
            let seconds = try polling.wait(now: Clock.now)
            Pause.wait(until: .now + .seconds(seconds), watching: watched)
            try polling.checkEnd(now: Clock.now)
        } catch {
            guard !polling.hasAnswer, var failure = silence else { throw Failure(error) }
            failure.message = "no poll was answered before the device code expired: \(failure.message)"
            failure.hint = error.hint
            throw failure
        }
    }

    private mutating func goOn(after refusal: OAuthError) throws(Failure) {
        do throws(OAuthError) {
            try polling.goOn(after: refusal, now: Clock.now)
        } catch {
            throw exchange.failure(error)
        }
        guard refusal.kind == .httpStatus else { return }
        silence = Failure(refusal)
        diagnostics.tell("\(refusal.message); polling goes on")
    }
}

extension HTTPError {
    /// Whether the next attempt may go better. A certificate that is not trusted will not be trusted then, and a peer
    /// without TLS will have none.
    fileprivate var mayPass: Bool {
        switch self {
        case .network: isPassingConnectionFailure
        case .proxy(let status, _): OAuthError.isTransient(status)
        case .malformedResponse: true
        case .library, .invalidURL, .invalidRequest, .insecureTransport, .certificate, .tooLarge, .inflated, .aborted,
            .file:
            false
        }
    }
}
