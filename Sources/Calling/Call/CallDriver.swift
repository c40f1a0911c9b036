package import Calls
package import Engine
internal import Errands
package import HTTP
package import OAuth
package import System
package import Wire
package import Shell
package import Sessions

/// Carries out the steps of a call group over the engine, with the renewal of its token beside: no transfer waits for
/// another.
///
/// It is a class: libcurl's callbacks reach the call group through it while transfers run.
package final class CallDriver {
    /// Makes the receiver of one transfer; the function says what becomes of the content behind a head.
    package typealias MakeReceiver = (CallGroup.ID, @escaping (HTTPResponseHead) -> Disposition) -> any CallReceiving

    package let retries: RetryPolicy
    package private(set) var renewalFailure: Failure?
    /// The token of the next request; nil if it must be renewed first.
    private var current: AccessToken?
    private var group: CallGroup
    package let source: TokenSource
    package let engine: Engine
    private let options: TransportOptions
    private let readers: [Watched]
    /// Whether the reader of the result is gone, which ends a request only where nothing is lost by it.
    private var isReaderGone = false
    private let makeReceiver: MakeReceiver
    private let signer: ProofSigner
    private var running: [TransferID: (id: CallGroup.ID, receiver: any CallReceiving)] = [:]
    private let notifyRetry: (CallGroup.ID, Retry) -> Void
    /// The transfers that have ended and were not reported to the group.
    private var ended: ArraySlice<Transfers.Ended> = []
    /// A request that was done before `next()` was called.
    private var finished: (id: CallGroup.ID, outcome: CallOutcome)?
    /// What an API asked of the next login, which is kept.
    private var keptWish: JSONObject?
    private var renewal: Job?
    /// The requests that were dropped while proofs were being signed.
    private var dropped: Set<CallGroup.ID> = []
    private var uses: CallUses?
    /// The token document of the last renewal.
    private var renewed: JSONObject?

    /// Makes a driver of a group without requests.
    ///
    /// - Parameters:
    ///   - token: the token to begin with; nil if it must be renewed first.
    ///   - options: how to reach the API.
    ///   - notifyRetry: called before a pause.
    /// - Throws: exit 11 without libcurl.
    package init(
        token: AccessToken?, source: TokenSource, retries: RetryPolicy, redirects: RedirectPolicy,
        over session: Session,
        options: TransportOptions,
        notifyRetry: @escaping (CallGroup.ID, Retry) -> Void,
        makeReceiver: @escaping MakeReceiver
    ) throws(Failure) {
        try session.transport.check()
        (engine, self.retries) = (session.engine, retries)
        signer = ProofSigner(engine: engine)
        readers = session.form.watchedOutput.map { Watched($0, .closed) }
        group = CallGroup(
            token: token, isAnonymous: source.isAnonymous, isRenewable: source.isRenewable,
            redirects: redirects, retries: retries)
        current = token
        uses = CallUses(session, source)
        (self.source, self.options, self.notifyRetry, self.makeReceiver) = (source, options, notifyRetry, makeReceiver)
    }

    package var scheme: String { current?.scheme ?? "Bearer" }

    /// The token that was used last, or is used next.
    package var token: AccessToken? { current ?? (source.isAnonymous ? nil : try? source.token()) }

    /// Marks the stored token as refused if an API says that it is invalid and nothing could renew it; as unauthorized if
    /// the API gives no reason.
    ///
    /// - Throws: exit 11.
    func markRefused(by head: HTTPResponseHead) throws(Failure) {
        guard isNamed(head), [.nothingToRenewWith, .refreshRefused].contains(renewalFailure?.kind) else { return }
        let isCertain = ResourceRefusal.isTokenInvalid(status: head.status, headers: head.headers)
        try engine.run(source.markingRefused(isCertain: isCertain))
    }

    /// Keeps with the stored token what an API asked of the next login, for `oap login --step-up`. What goes wrong here does
    /// not hide the response.
    package func keepStepUp(by head: HTTPResponseHead) {
        let refusal = ResourceRefusal(status: head.status, headers: head.headers, scheme: scheme)
        guard isNamed(head), let token = current, var wish = refusal.loginMembers,
            wish.members.allSatisfy({ $0.value.text.utf8.count <= 1000 && $0.value.string?.isPlainList ?? true })
        else { return }
        wish["api"] = WebURL(head.url).map { .string($0.origin) }
        guard wish != keptWish else { return }
        keptWish = wish
        try? engine.run(source.keepingStepUp(wish, for: token))
    }

    /// Whether the document names the API: the word of another one does not count.
    func isNamed(_ head: HTTPResponseHead) -> Bool {
        WebURL(head.url).map { (try? TokenOrigins(of: source.document))?.know($0) ?? false } ?? false
    }

    package func add(_ request: APIRequest) -> CallGroup.ID { group.add(request) }

    /// Ends a request whose answer is not wanted any more, without a report.
    package func drop(_ id: CallGroup.ID) {
        var hasHead = false
        if let (transfer, (_, receiver)) = running.first(where: { $0.value.id == id }) {
            hasHead = receiver.status != nil
            uses?.take(receiver, of: id)
            engine.cancel(transfer)
            running[transfer] = nil
            ended.removeAll { $0.id == transfer }
        }
        uses?.end(id, isAnswered: hasHead)
        if signer.isBusy { dropped.insert(id) }
        group.drop(id)
    }

    /// Goes on with a request whose receiver, or whose upload, has paused it.
    package func resume(_ id: CallGroup.ID) {
        if let (transfer, _) = running.first(where: { $0.value.id == id }) { engine.resume(transfer) }
    }

    /// How many requests are not done.
    package var size: Int { group.size }

    /// Has a token that has come to its end renewed before the next request is sent.
    ///
    /// - Throws: exit 11.
    package func renewIfDue() throws(Failure) { if renewal == nil, try source.isDue(renewed) { group.expire() } }

    /// Carries out steps until a request is done.
    ///
    /// - Returns: the request and its outcome; nil if every request is done.
    /// - Throws: exit 2 for a request that cannot be written, exit 11 if a receiver cannot write. A renewal that has
    ///   begun ends before that.
    package func next() throws(Failure) -> (id: CallGroup.ID, outcome: CallOutcome)? {
        if let finished = finished.take() { return finished }
        while true {
            switch try event() {
            case .finished(let id, let outcome): return (id, outcome)
            case .waiting(let end): try wait(until: end)
            case .done: return nil
            }
        }
    }

    package enum Event {
        case finished(CallGroup.ID, CallOutcome)
        /// Nothing can be done until then, or until a transfer goes on.
        case waiting(until: MonotonicTime?)
        case done
    }

    /// Carries out the steps for which nothing must be waited.
    ///
    /// - Throws: as `next()`.
    package func event() throws(Failure) -> Event {
        do throws(Failure) {
            while true {
                switch group.next(at: .now) {
                case .send(let id, let attempt): try send(id, attempt)
                case .renew(let reason): renew(because: reason)
                case .retry(let id, let retry): notifyRetry(id, retry)
                case .finish(let id, let outcome):
                    uses?.end(id, isAnswered: outcome.isAnswered)
                    return .finished(id, outcome)
                case .wait where !ended.isEmpty: try wait()
                case .wait(let end):
                    let signed = signer.take()
                    for (id, message, attempt) in signed where dropped.remove(id) == nil {
                        try send(id, message, attempt)
                    }
                    if signed.isEmpty { return .waiting(until: end) }
                case .done: return .done
                }
            }
        } catch {
            finishRenewal()
            throw error
        }
    }

    /// Carries out the steps for which nothing must be waited, so that requests that were added leave.
    ///
    /// - Throws: as `next()`.
    package func begin() throws(Failure) {
        guard finished == nil else { return }
        switch try event() {
        case .finished(let id, let outcome): finished = (id, outcome)
        case .waiting: engine.turn(until: .now)
        case .done: break
        }
    }

    private func send(_ id: CallGroup.ID, _ attempt: CallGroup.Attempt) throws(Failure) {
        if attempt.proof != nil, !running.isEmpty, signer.add(id, attempt) { return }
        try send(id, attempt.signed, attempt)
    }

    private func send(
        _ id: CallGroup.ID, _ message: HTTPRequest, _ attempt: CallGroup.Attempt
    ) throws(Failure) {
        // The call owns the receiver, and this object the call: the temporary file of `-o` goes with them.
        let receiver = makeReceiver(id) { [unowned self] in group.receive($0, for: id, at: .now) }
        do throws(HTTPError) {
            let isForAPI =
                options.route.certificateFile == nil || source.sendsCertificate(to: message.url, with: current)
            let transfer = try engine.send(
                message, upload: attempt.upload, options: options, withCertificate: !attempt.isBare && isForAPI,
                receiver: receiver, owner: self)
            running[transfer] = (id, receiver)
            uses?.begin(id, message)
        } catch {
            if case .invalidRequest(let reason) = error { throw .usage(reason) }
            group.failed(id, error, at: .now)
        }
    }

    /// Lets the engine go on, unless a transfer has ended, and reports one that has. A token that has come to its end in a
    /// pause is renewed first.
    ///
    /// The reader of the result that goes away ends the process in a pause and in a stream of events; elsewhere it ends a
    /// request only where nothing is lost by it.
    ///
    /// - Parameters:
    ///   - pause: the end of the longest wait.
    ///   - isBeside: whether it is one beside others, which is a pause as well.
    /// - Throws: as `next()`.
    package func wait(until pause: MonotonicTime? = nil, isBeside: Bool = false) throws(Failure) {
        if ended.isEmpty {
            let isPause = isBeside || running.isEmpty && !signer.isBusy
            let watch = DescriptorWatch(renewal == nil && (isPause || !isReaderGone) ? readers : []) { [self] _ in
                isReaderGone = true
                guard isPause || running.values.contains(where: \.receiver.isStream) else { return }
                for (id, receiver) in running.values {
                    uses?.take(receiver, of: id)
                    uses?.end(id)
                }
                Signals.dieOfBrokenPipe()
            }
            engine.listening(watch) { engine.turn(until: pause) }
        }
        if let (transfer, failure) = ended.popFirst() {
            guard let (id, receiver) = running.removeValue(forKey: transfer) else {
                preconditionFailure("a transfer ends that was started")
            }
            try end(id, receiver, failure)
        } else if let pause, pause <= .now {
            try renewIfDue()
        }
    }

    private func end(_ id: CallGroup.ID, _ receiver: any CallReceiving, _ failure: HTTPError?) throws(Failure) {
        let held = receiver.content
        uses?.take(receiver, of: id)
        switch failure {
        case nil, .aborted?:
            // A receiver stops the transfer for a write error, or for content beyond its limit, which is not needed.
            if receiver.writeError != nil {
                uses?.end(id)
                finishRenewal()
            }
            try receiver.checkWriting()
            group.ended(id, held: held, at: .now)
        case let failure?: group.failed(id, failure, held: held, at: .now)
        }
    }
}

extension CallDriver: TransferOwner {
    package func ended(_ id: TransferID, _ failure: HTTPError?) { ended.append((id, failure)) }
}

extension CallDriver {
    private func renew(because reason: TokenLedger.Reason) {
        let job = engine.start(source.renewal(because: reason, isFirst: current == nil)) { [weak self] result in
            guard let self else { return }
            renewal = nil
            switch result {
            case .success((let token, let document)):
                (current, renewalFailure, renewed) = (token, nil, document)
                group.renewed(token)
            case .failure(let failure):
                renewalFailure = failure
                group.renewed(nil)
            }
        }
        if !job.isOver { renewal = job }
    }

    /// Carries the renewal to its end before the process ends: its token must be stored.
    package func finishRenewal() { if let renewal { engine.finish(renewal) } }
}
