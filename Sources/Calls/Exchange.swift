internal import Errands
internal import OAuth
internal import System
internal import Wire

/// One request of a group until its outcome is known.
struct Exchange {
    enum State {
        case ready
        /// The request was sent; the verdict is set when the head arrives.
        case underWay(Verdict?)
        case refused(HTTPResponseHead)
        /// The request will be sent again; the caller was not notified yet.
        case retrying(Retry, until: MonotonicTime)
        case paused(until: MonotonicTime)
        case finished(CallOutcome)
    }

    enum Verdict {
        case answer(HTTPResponseHead, CallOutcome.Note?)
        case follow(Hop)
        case stop(RedirectError)
        /// Send it again at once, with a proof that has the nonce which the server wants (RFC 9449 §9).
        case `repeat`
        case renew(HTTPResponseHead)
        /// Send it again then. `concernsAll`: the server asks all requests to wait.
        case retry(Retry, until: MonotonicTime, concernsAll: Bool)
        /// The content says whether it is a rate limit.
        case inspect(HTTPResponseHead, CallOutcome.Note?)

        var disposition: Disposition {
            switch self {
            case .answer: .deliver
            case .renew: .hold
            case .inspect: .inspect
            case .follow, .stop, .retry, .repeat: .discard
            }
        }
    }

    /// The number of the request in the group.
    let id: Int
    var state = State.ready
    /// A redirect, a renewal and a retry repeat the current hop, never the first request, which may already have been
    /// carried out.
    var hop: Hop
    /// What the hop was sent with: the token, nil for one without credential, its number, and its proof.
    private var token: AccessToken?
    private(set) var serial = 0
    private var proof: DPoPBinding.UnsignedProof?
    /// Whether a request that may not be repeated may have been carried out.
    private(set) var isOpen = false
    /// The attempts with another nonce since the last one that was made for another reason.
    private var nonces = NonceBudget()
    /// Whether the request was sent again after a kept connection had ended, which happens once.
    private var hasNewConnection = false
    /// Makes further fields for each attempt; see ``APIRequest/fields``.
    let fields: (() -> [HTTPField])?
    /// Further statuses that may pass.
    private let passing: [Int]
    private var hasNewToken = false
    private var budget = RetryBudget()

    init(_ request: APIRequest, id: Int) {
        self.id = id
        hop = Hop(message: request.message, upload: request.upload)
        (fields, passing) = (request.fields, request.passing)
    }

    /// Makes an attempt, with the token and its number; nil for a hop without credential.
    mutating func start(
        _ token: AccessToken?, serial: Int, at moment: Moment
    ) -> (HTTPRequest, DPoPBinding.UnsignedProof?) {
        var message = hop.message
        message.headers += fields?() ?? []
        (self.token, self.serial) = (token, serial)
        proof = token?.put(on: &message, now: moment.seconds)
        budget.begin(at: moment.time)
        state = .underWay(nil)
        return (message, proof)
    }

    mutating func sendAgain() {
        hasNewToken = true
        state = .ready
    }

    /// Decides about a head, once.
    mutating func judge(
        _ head: HTTPResponseHead, redirects: RedirectPolicy, ledger: inout TokenLedger, retries: inout Retries,
        at moment: Moment
    ) -> Disposition {
        noteSent()
        let verdict = verdict(on: head, redirects, ledger, &retries, moment)
        if case .repeat = verdict {} else { nonces = NonceBudget() }
        state = .underWay(verdict)
        switch verdict {
        case .answer, .retry, .inspect: if !hop.isBare, head.status != 401 { ledger.noteSuccess(serial: serial) }
        case .follow, .stop, .renew, .repeat: break
        }
        return verdict.disposition
    }

    private mutating func verdict(
        on head: HTTPResponseHead, _ redirects: RedirectPolicy, _ ledger: TokenLedger, _ retries: inout Retries,
        _ moment: Moment
    ) -> Verdict {
        if let proof, token?.binding?.learn(from: head, to: proof) == true, nonces.take() {
            return isReplayable ? .repeat : .answer(head, .contentNotReplayable)
        }
        let isRefused =
            head.status == 401 && !hop.isBare
            && ResourceRefusal(status: head.status, headers: head.headers, scheme: token?.scheme ?? "") == .invalidToken
        if isRefused, !hasNewToken, ledger.mayReplace(serial: serial) {
            return isReplayable ? .renew(head) : .answer(head, .contentNotReplayable)
        }
        do throws(RedirectError) {
            if let next = try redirects.next(after: head, to: hop) { return .follow(next) }
        } catch {
            return .stop(error)
        }
        let note = hop.isBare ? CallOutcome.Note.withoutToken : isRefused && hasNewToken ? .refusedAgain : nil
        let wanted = RateLimit.wait(after: head, now: moment.seconds)
        let mayBeLimit = HTTPStatus.mayBeLimit(head.status)
        guard wanted != nil || !mayBeLimit else { return .inspect(head, note) }
        guard mayBeLimit || HTTPStatus.mayPass(head.status) || passing.contains(head.status) else {
            return .answer(head, note)
        }
        let retry = retry(after: .response(head), wanted: wanted, &retries, moment)
        return retry ?? .answer(head, head.status == 403 ? .rateLimited : note)
    }

    /// Allows two more attempts with another nonce, which are made alone: one that is under way beside it may use up the
    /// nonce. It takes two, since answers may come in another order than the server sent them.
    mutating func noteCompany() { nonces.limit = 3 }

    /// Whether no other request with the key may be under way beside it: each uses a nonce up.
    var isLoner: Bool {
        guard nonces.count > 1 else { return false }
        if case .ready = state { return true }
        return isUnanswered
    }

    /// Whether the request's proof is on the way to the server.
    var isUnanswered: Bool { if case .underWay(nil) = state { proof != nil } else { false } }

    /// Takes a retry of the current hop.
    ///
    /// - Parameter isSecondary: whether the response is a limit of which the server gives no time.
    /// - Returns: nil if the failure stays.
    private mutating func retry(
        after cause: Retry.Cause, wanted: Int?, isSecondary: Bool = false, _ retries: inout Retries, _ moment: Moment
    ) -> Verdict? {
        let (needed, isSilent): (Repetition, Bool) =
            switch cause {
            case .failure(let error): (error.requestSent ? .always : .unsent, true)
            case .response(let head): (HTTPStatus.isDeferral(head.status) ? .deferred : .always, false)
            }
        guard hop.message.isIdempotent || needed <= retries.policy.repetition, isReplayable,
            let pause = retries.pause(
                &budget, wanted: wanted, isSecondary: isSecondary, isSilent: isSilent, at: moment.time)
        else { return nil }
        let retry = Retry(
            cause: cause, seconds: pause.seconds, number: budget.count, limit: retries.policy.limit)
        return .retry(retry, until: pause.end, concernsAll: wanted != nil || isSecondary)
    }

    /// Decides about a response by its content: a limit without a time is recognised by its text.
    mutating func inspect(
        _ head: HTTPResponseHead, _ note: CallOutcome.Note?, content: [UInt8], retries: inout Retries, at moment: Moment
    ) -> Verdict {
        let isLimit = RetryPolicy.isSecondaryLimit(content)
        guard isLimit || head.status == 429 else { return .answer(head, note) }
        let retry = retry(after: .response(head), wanted: nil, isSecondary: isLimit, &retries, moment)
        return retry ?? .answer(head, head.status == 403 ? .rateLimited : note)
    }

    /// Decides about a transfer that failed before its head, or whose rest can be requested.
    mutating func fail(_ error: HTTPError, retries: inout Retries, at moment: Moment) {
        if error.requestSent { noteSent() }
        nonces = NonceBudget()
        // libcurl would repeat the very same request, with a proof that the server may know already. It is made anew, and
        // counts as no retry.
        if case .network(.stale, _, _) = error, proof != nil, hop.message.isIdempotent, isReplayable,
            !hasNewConnection
        {
            hasNewConnection = true
            state = .ready
            return
        }
        // A download may take longer than all attempts.
        if case .underWay(.some) = state { budget.restart(at: moment.time) }
        if error.mayPass,
            case .retry(let retry, let end, _)? = retry(after: .failure(error), wanted: nil, &retries, moment)
        {
            state = .retrying(retry, until: end)
        } else {
            state = .finished(.lost(error, isOpen: isOpen))
        }
    }

    private mutating func noteSent() { isOpen = isOpen || !hop.message.isIdempotent }

    private var isReplayable: Bool { hop.upload?.isReplayable ?? true }
}
