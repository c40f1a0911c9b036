internal import Errands
internal import OAuth
internal import System
internal import Wire

/// One request of a group until its outcome is known.
struct Exchange {
    enum State {
        case ready
        /// It was sent; the verdict is set when the head arrives.
        case underWay(Verdict?)
        case refused(HTTPResponseHead)
        /// It will be sent again; the caller was not notified yet.
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

    /// How an attempt of the hop came about.
    private enum Occasion {
        case first
        /// The server wanted another nonce.
        case nonce
        /// It wanted another one still: requests beside this one may have used up the nonce. So this one is alone.
        case alone
        /// It was alone with a nonce from before, and answers may come in another order than the server sent them.
        case aloneAgain
    }

    /// Its number in the group.
    let id: Int
    var state = State.ready
    /// A redirect, a renewal and a retry repeat the current hop, never the first request, which may already have been
    /// carried out.
    var hop: Hop
    /// The number of the token that the hop was sent with.
    private(set) var serial = 0
    /// Whether a request that may not be repeated may have been carried out.
    private(set) var isOpen = false
    private var scheme = ""
    /// The key that the hop proves, and the nonce of its proof.
    private var binding: DPoPBinding?
    private var nonce: String?
    private var occasion = Occasion.first
    /// Whether another request with the key was under way since the first attempt.
    var hasCompany = false
    /// Whether it was sent again after a kept connection had ended, which happens once.
    private var hasNewConnection = false
    /// Makes further fields for each attempt; see ``APIRequest/fields``.
    let fields: (() -> [HTTPField])?
    private var hasNewToken = false
    private var budget = RetryBudget()

    init(_ request: APIRequest, id: Int) {
        self.id = id
        hop = Hop(message: request.message, upload: request.upload)
        fields = request.fields
    }

    /// Records the number of the token that the hop is sent with, and the token; nil for a hop without credential.
    mutating func start(serial: Int, token: AccessToken?, at moment: Moment) {
        self.serial = serial
        scheme = token?.scheme ?? ""
        (binding, nonce) = (token?.binding, token?.nonce(for: hop.message))
        if occasion == .first { hasCompany = false }
        budget.begin(at: moment.time)
        state = .underWay(nil)
    }

    mutating func sendAgain() {
        hasNewToken = true
        state = .ready
    }

    /// Decides about a head, once.
    ///
    /// - Parameter mayRenew: whether another token is available.
    mutating func judge(
        _ head: HTTPResponseHead, mayRenew: Bool, redirects: RedirectPolicy, retries: inout Retries, at moment: Moment
    ) -> Verdict {
        noteSent()
        binding?.learn(from: head, of: hop.message.url, .resource)
        let verdict = verdict(on: head, mayRenew: mayRenew, redirects, &retries, moment)
        if case .repeat = verdict {} else { occasion = .first }
        state = .underWay(verdict)
        return verdict
    }

    private mutating func verdict(
        on head: HTTPResponseHead, mayRenew: Bool, _ redirects: RedirectPolicy, _ retries: inout Retries,
        _ moment: Moment
    ) -> Verdict {
        if let binding, binding.mayRepeat(after: head, at: hop.message.url, used: nonce), let next = nextOccasion {
            guard isReplayable else { return .answer(head, .contentNotReplayable) }
            occasion = next
            return .repeat
        }
        let isRefused =
            head.status == 401 && !hop.isBare
            && ResourceRefusal(status: head.status, headers: head.headers, scheme: scheme) == .invalidToken
        if isRefused, !hasNewToken, mayRenew {
            return isReplayable ? .renew(head) : .answer(head, .contentNotReplayable)
        }
        do throws(RedirectError) {
            if let next = try redirects.next(after: head, to: hop) { return .follow(next) }
        } catch {
            return .stop(error)
        }
        let note = hop.isBare ? CallOutcome.Note.withoutToken : isRefused && hasNewToken ? .refusedAgain : nil
        let wanted = RateLimit.wait(after: head, now: moment.seconds)
        let mayBeLimit = head.status == 403 || head.status == 429
        guard wanted != nil || !mayBeLimit else { return .inspect(head, note) }
        guard mayBeLimit || HTTPStatus.mayPass(head.status) else { return .answer(head, note) }
        let retry = retry(after: .response(head), wanted: wanted, &retries, moment)
        return retry ?? .answer(head, head.status == 403 ? .rateLimited : note)
    }

    /// The occasion of an attempt with another nonce: one after each attempt that was made for another reason, and two
    /// more alone, if others may have used up the nonce. A server that wants another one each time is not asked for ever.
    private var nextOccasion: Occasion? {
        switch occasion {
        case .first: .nonce
        case .nonce where hasCompany: .alone
        case .alone: .aloneAgain
        case .nonce, .aloneAgain: nil
        }
    }

    /// Whether no other request with the key may be under way beside it: each uses a nonce up.
    var isLoner: Bool {
        guard occasion == .alone || occasion == .aloneAgain else { return false }
        if case .ready = state { return true }
        return isUnanswered
    }

    /// Whether its proof is on the way to the server.
    var isUnanswered: Bool { if case .underWay(nil) = state { binding != nil } else { false } }

    /// Takes a retry of the current hop.
    ///
    /// - Parameter isSecondary: whether the response is a limit of which the server gives no time.
    /// - Returns: nil if the failure stays.
    private mutating func retry(
        after cause: Retry.Cause, wanted: Int?, isSecondary: Bool = false, _ retries: inout Retries, _ moment: Moment
    ) -> Verdict? {
        let needed: Repetition =
            switch cause {
            case .failure(let error): error.requestSent ? .always : .unsent
            case .response(let head): RetryPolicy.isDeferral(head) ? .deferred : .always
            }
        guard hop.message.isIdempotent || needed <= retries.policy.repetition, isReplayable,
            let pause = retries.pause(&budget, wanted: wanted, isSecondary: isSecondary, at: moment.time)
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
        occasion = .first
        // libcurl would repeat the very same request, with a proof that the server may know already. It is made anew, and
        // counts as no retry.
        if case .network(.stale, _, _) = error, binding != nil, hop.message.isIdempotent, isReplayable,
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
