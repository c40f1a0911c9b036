internal import HTTP
internal import OAuth
internal import Wire

/// Asks the token endpoint for the token of a device until a person has decided (RFC 8628 §3.4, §3.5).
struct DevicePoll {
    private let request: TokenRequest
    private let document: Document
    private let session: Session
    private var polling: DevicePolling

    /// Makes ready to poll for a document.
    ///
    /// - Throws: exit 3 where the document does not say when the device code ends.
    init(_ request: TokenRequest, for document: Document, session: Session) throws(Failure) {
        self.request = request
        self.document = document
        self.session = session
        polling = try Failure.lifting(document) { () throws(OAuthError) in
            try DevicePolling(of: document, now: session.now)
        }
        try session.diagnostics.warn(polling.warnings)
    }

    /// Polls to the end.
    ///
    /// - Throws: exit 4 where the person or the server says no, or the code has expired; every other failure of the
    ///   exchange.
    mutating func token() throws(Failure) -> IssuedToken {
        while true {
            try pause()
            let start = session.now
            guard let answer = try answer() else { continue }
            guard let refusal = request.refusal(in: answer) else {
                return try request.issued(by: answer, start: start, session: session)
            }
            try goOn(after: refusal)
        }
    }

    /// Waits for the next poll.
    private func pause() throws(Failure) {
        let (polling, session) = (polling, session)
        session.pause(
            seconds: try Failure.lifting(document) { () throws(OAuthError) in try polling.wait(now: session.now) })
        try Failure.lifting(document) { () throws(OAuthError) in try polling.checkEnd(now: session.now) }
    }

    /// Polls once; nil where no answer came, which another poll may bring (RFC 8628 §3.5).
    private mutating func answer() throws(Failure) -> HTTPResponse? {
        do throws(HTTPError) {
            return try request.answer()
        } catch {
            guard error.mayPass else { throw Failure(error, stake: .spends) }
            polling.loseAnswer(wasSent: error.requestSent)
            session.diagnostics.tell("\(error.message); polling goes on every \(polling.interval) s")
            return nil
        }
    }

    private mutating func goOn(after refusal: OAuthError) throws(Failure) {
        do throws(OAuthError) {
            try polling.goOn(after: refusal, now: session.now)
        } catch {
            var failure = request.failure(error)
            if polling.hasLostAnswer, error.code == "invalid_grant" {
                failure.exit = .unknownOutcome
                failure.hint =
                    "the answer before this one was lost, perhaps with a token: begin again for a new code"
            }
            throw failure
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
