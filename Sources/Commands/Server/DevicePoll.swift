internal import OAuth
internal import Wire

/// Asks the token endpoint for the token of a device until a person has decided (RFC 8628 §3.4, §3.5).
struct DevicePoll {
    private let exchange: TokenExchange
    private let session: Session
    private var polling: DevicePolling

    /// Makes ready to poll for a document.
    ///
    /// - Throws: exit 3 where the document does not say when the device code ends.
    init(_ exchange: TokenExchange, for document: Document, session: Session) throws(Failure) {
        self.exchange = exchange
        self.session = session
        polling = try lift(
            try DevicePolling(of: document, now: session.now))
        try session.diagnostics.warn(polling.warnings)
    }

    /// Polls to the end.
    ///
    /// - Throws: exit 4 where the person or the server says no, or the code has expired; every other failure of the
    ///   exchange.
    mutating func token() throws(Failure) -> IssuedToken {
        while true {
            try pause()
            let outcome = try exchange.attempt()
            switch outcome {
            case .refused(let refusal): try goOn(after: refusal)
            case .lost(let error) where error.mayPass:
                // Another poll may bring the response that did not come (RFC 8628 §3.5).
                polling.loseAnswer(wasSent: error.requestSent)
                session.diagnostics.tell("\(error.message); polling goes on every \(polling.interval) s")
            case .token, .unusable, .lost: return try exchange.token(of: outcome)
            }
        }
    }

    /// Waits for the next poll.
    private func pause() throws(Failure) {
        let (polling, session) = (polling, session)
        session.pause(
            seconds: try lift(try polling.wait(now: session.now)))
        try lift(try polling.checkEnd(now: session.now))
    }

    private mutating func goOn(after refusal: OAuthError) throws(Failure) {
        do throws(OAuthError) {
            try polling.goOn(after: refusal, now: session.now)
        } catch {
            throw exchange.failure(error)
        }
        if refusal.kind == .httpStatus { session.diagnostics.tell("\(refusal.message); polling goes on") }
    }
}

extension HTTPError {
    /// Whether the next attempt may go better. A certificate that is not trusted will not be trusted then.
    fileprivate var mayPass: Bool {
        switch self {
        case .network(let stage, _, _): stage != .tls
        case .proxy(let status, _): OAuthError.isTransient(status)
        case .malformedResponse: true
        case .library, .invalidURL, .invalidRequest, .insecureTransport, .tooLarge, .inflated, .aborted, .file: false
        }
    }
}
