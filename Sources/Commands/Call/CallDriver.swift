internal import Calls
internal import HTTP
internal import OAuth
internal import System
internal import Wire

/// Carries out the steps of a call group and of the renewal of its token, over one engine: no transfer waits for another.
///
/// It is a class: libcurl's callbacks reach the call group through it while transfers run.
final class CallDriver {
    /// Makes the receiver of one transfer; the function says what becomes of the content behind a head.
    typealias MakeReceiver = (CallGroup.ID, @escaping (HTTPResponseHead) -> Disposition) -> CallReceiver

    /// Which requests are sent again.
    let retries: RetryPolicy
    /// Why the last renewal failed.
    private(set) var renewalFailure: Failure?
    /// The token of the next request; nil if it must be renewed first.
    private var current: AccessToken?
    private var group: CallGroup
    private let source: TokenSource
    private let transfers: Transfers
    private let options: TransportOptions
    private let watched: [Int32]
    /// Whether the reader of the result is gone, which ends a request only where nothing is lost by it.
    private var isReaderGone = false
    private let serverOptions: TransportOptions
    private let makeReceiver: MakeReceiver
    private var running: [TransferID: (id: CallGroup.ID, receiver: CallReceiver)] = [:]
    private let notifyRetry: (CallGroup.ID, Retry) -> Void
    /// The transfers that have ended and were not reported to the group.
    private var ended: ArraySlice<(id: TransferID, failure: HTTPError?)> = []
    /// A request that was done before `next()` was called.
    private var finished: (id: CallGroup.ID, outcome: CallOutcome)?
    private var renewal: Renewal?
    /// The token document of the last renewal.
    private var renewed: JSONObject?

    /// A renewal that has begun, and what it waits for.
    private struct Renewal {
        let machine: TokenRenewal
        /// What must be renewed after that.
        let rest: ArraySlice<TokenRenewal>
        var pause: MonotonicTime?
        var buffer: ResponseBuffer?
    }

    /// Makes a driver of a group without requests.
    ///
    /// - Parameters:
    ///   - token: the token to begin with; nil if it must be renewed first.
    ///   - options: how to reach the API.
    ///   - watched: the descriptors of the result: during a pause and a stream of events, a reader that goes away ends
    ///     the process.
    ///   - notifyRetry: called before a pause.
    /// - Throws: exit 11 without libcurl.
    init(
        token: AccessToken?, source: TokenSource, redirects: RedirectPolicy, retries: RetryPolicy,
        over transport: Transport, options: TransportOptions, watching watched: [Int32] = [],
        notifyRetry: @escaping (CallGroup.ID, Retry) -> Void,
        makeReceiver: @escaping MakeReceiver
    ) throws(Failure) {
        transfers = try transport.transfers()
        serverOptions = try transport.client().options
        group = CallGroup(
            token: token, isAnonymous: source.isAnonymous, isRenewable: source.isRenewable, redirects: redirects,
            retries: retries)
        self.retries = retries
        current = token
        self.source = source
        self.options = options
        self.watched = watched
        self.notifyRetry = notifyRetry
        self.makeReceiver = makeReceiver
    }

    /// Whether no token is sent.
    var isAnonymous: Bool { source.isAnonymous }

    /// The scheme of the token.
    var scheme: String { current?.scheme ?? "Bearer" }

    /// The token that was used last, or is used next.
    var token: AccessToken? { current ?? (source.isAnonymous ? nil : try? source.token()) }

    /// The document that the token came from.
    var document: JSONObject { source.document.members }

    /// The command that replaces the token; nil for one of the caller's.
    var login: String? { source.login }

    /// Marks the stored token as refused if an API says that it is invalid and nothing could renew it.
    ///
    /// - Throws: exit 11.
    func markRefused(by head: HTTPResponseHead) throws(Failure) {
        // The word of an API that the document does not name does not count.
        let isNamed = WebURL(head.url).map { (try? TokenOrigins(of: source.document))?.know($0) ?? false } ?? false
        let isRefused = ResourceRefusal.isTokenInvalid(status: head.status, headers: head.headers)
        guard isRefused, isNamed, [.nothingToRenewWith, .refreshRefused].contains(renewalFailure?.kind) else { return }
        try source.markRefused()
    }

    /// Adds a request to the group.
    func add(_ request: APIRequest) -> CallGroup.ID { group.add(request) }

    /// How many requests are not done.
    var size: Int { group.size }

    /// Renews a token that has come to its end before the next request is sent.
    ///
    /// - Throws: exit 11.
    func renewIfDue() throws(Failure) {
        if renewal == nil, try source.isDue(renewed) { group.expire() }
    }

    /// Carries out steps until a request is done.
    ///
    /// - Returns: the request and its outcome; nil if every request is done.
    /// - Throws: exit 2 for a request that cannot be written, exit 11 if a receiver cannot write. A renewal that has
    ///   begun ends before that.
    func next() throws(Failure) -> (id: CallGroup.ID, outcome: CallOutcome)? {
        if let finished = finished.take() { return finished }
        while true {
            switch try event() {
            case .finished(let id, let outcome): return (id, outcome)
            case .waiting(let end): try wait(until: end)
            case .done: return nil
            }
        }
    }

    /// What is next.
    enum Event {
        case finished(CallGroup.ID, CallOutcome)
        /// Nothing until then, or until a transfer goes on.
        case waiting(until: MonotonicTime?)
        /// Every request is done.
        case done
    }

    /// Carries out the steps for which nothing must be waited.
    ///
    /// - Throws: as `next()`.
    func event() throws(Failure) -> Event {
        do throws(Failure) {
            while true {
                switch group.next(at: .now) {
                case .send(let id, let message, let upload, let isBare):
                    try send(id, message, upload: upload, isBare: isBare)
                case .renew(let reason): renew(because: reason)
                case .retry(let id, let retry): notifyRetry(id, retry)
                case .finish(let id, let outcome): return .finished(id, outcome)
                case .wait where !ended.isEmpty: try wait()
                case .wait(let end): return .waiting(until: end)
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
    func begin() throws(Failure) {
        guard finished == nil else { return }
        switch try event() {
        case .finished(let id, let outcome): finished = (id, outcome)
        case .waiting: ended += transfers.poll(until: .now).ended
        case .done: break
        }
    }

    private func send(
        _ id: CallGroup.ID, _ message: HTTPRequest, upload: (any ContentSource)?, isBare: Bool
    ) throws(Failure) {
        // The call owns the receiver, and this object the call: the temporary file of `-o` goes with them.
        let receiver = makeReceiver(id) { [unowned self] in group.receive($0, for: id, at: .now) }
        do throws(HTTPError) {
            let transfer = try transfers.start(
                message, upload: upload, options: options, withCertificate: !isBare, receiver: receiver)
            running[transfer] = (id, receiver)
        } catch {
            if case .invalidRequest(let reason) = error { throw .usage(reason) }
            group.failed(id, error, at: .now)
        }
    }

    /// Waits until a transfer has ended, the renewal goes on or a pause is over. A token that has come to its end
    /// meanwhile is renewed first.
    ///
    /// - Parameter waking: what else ends the wait; see ``Transfers/poll(until:watching:waking:)``.
    /// - Throws: as `next()`.
    func wait(until pause: MonotonicTime? = nil, waking: Transfers.Waking? = nil) throws(Failure) {
        if ended.isEmpty {
            let next = [renewal?.pause, pause].compactMap(\.self).min()
            let isPause = waking != nil || running.isEmpty
            let watches = renewal == nil && (isPause || !isReaderGone)
            let progress = transfers.poll(until: next, watching: watches ? watched : [], waking: waking)
            if progress.isWatchedClosed {
                if isPause || running.values.contains(where: { $0.receiver.isStream }) { Signals.dieOfBrokenPipe() }
                isReaderGone = true
            }
            ended = progress.ended[...]
        }
        if let (transfer, failure) = ended.popFirst() {
            if let (id, receiver) = running.removeValue(forKey: transfer) {
                try end(id, receiver, failure)
            } else if let renewal, let buffer = renewal.buffer {
                carryOut(renewal.machine.receive(buffer.result(after: failure)))
            }
        } else if let renewal, let end = renewal.pause, end <= .now {
            carryOut(renewal.machine.next())
        } else if renewal == nil, let pause, pause <= .now, try source.isDue(renewed) {
            group.expire()
        }
    }

    private func end(_ id: CallGroup.ID, _ receiver: CallReceiver, _ failure: HTTPError?) throws(Failure) {
        let held = receiver.content
        switch failure {
        case nil: group.ended(id, held: held, at: .now)
        case .aborted?:
            // The receiver stopped the transfer: report its write error. Content beyond its limit is not needed.
            if receiver.writeError != nil { finishRenewal() }
            try receiver.checkWriting()
            group.ended(id, held: held, at: .now)
        case let failure?: group.failed(id, failure, held: held, at: .now)
        }
    }
}

extension CallDriver {
    private func renew(because reason: TokenLedger.Reason) {
        begin(source.renewals(because: reason)[...])
    }

    private func begin(_ machines: ArraySlice<TokenRenewal>) {
        guard let machine = machines.first else { preconditionFailure("there is something to renew") }
        renewal = Renewal(machine: machine, rest: machines.dropFirst())
        carryOut(machine.next())
    }

    private func carryOut(_ step: TokenRenewal.Step) {
        switch step {
        case .pause(let end): renewal?.pause = end
        case .send(let request):
            let buffer = ResponseBuffer(limit: ServerRequest.limit)
            renewal?.pause = nil
            renewal?.buffer = buffer
            do throws(HTTPError) {
                _ = try transfers.start(
                    request.message, options: serverOptions, withCertificate: request.withCertificate, receiver: buffer)
            } catch {
                renewal.map { carryOut($0.machine.receive(.failure(error))) }
            }
        case .finished(let result):
            let rest = renewal?.rest ?? []
            renewal = nil
            do throws(Failure) {
                let document = try result.get()
                guard rest.isEmpty else { return begin(rest) }
                let token = try source.token(of: document)
                renewed = document
                (current, renewalFailure) = (token, nil)
                group.renewed(token)
            } catch {
                renewalFailure = error
                group.renewed(nil)
            }
        }
    }

    /// Carries the renewal to its end before the process ends: its token must be stored.
    func finishRenewal() {
        while renewal != nil { try? wait() }
    }
}
