internal import OAuth
internal import Wire

/// One request of a group until its outcome is known.
struct Exchange {
    /// Its state.
    enum State {
        case ready
        /// It was sent; the verdict is set when the head arrives.
        case underWay(Verdict?)
        /// The API refused its token with this head.
        case refused(HTTPResponseHead)
        case finished(CallOutcome)
        case reported
    }

    /// What a head means.
    enum Verdict {
        case answer(HTTPResponseHead, CallOutcome.Note?)
        case follow(Hop)
        case stop(RedirectError)
        case renew(HTTPResponseHead)

        var disposition: Disposition {
            switch self {
            case .answer: .deliver
            case .renew: .hold
            case .follow, .stop: .discard
            }
        }
    }

    var state = State.ready
    /// A redirect, a renewal and a retry repeat the current hop, never the first request, which may already have been
    /// carried out.
    var hop: Hop
    /// The number of the token that the hop was sent with.
    private(set) var serial = 0
    /// Whether every request that was sent may be repeated.
    private(set) var isRepeatable = true
    private var scheme = ""
    private var hasNewToken = false

    /// An exchange that begins with a request.
    init(_ request: APIRequest) { hop = Hop(message: request.message, upload: request.upload) }

    /// Whether its outcome was reported.
    var isReported: Bool { if case .reported = state { true } else { false } }

    /// Records the number of the token that the hop is sent with; nil for a hop without credential.
    mutating func start(serial: Int, scheme: String?) {
        self.serial = serial
        self.scheme = scheme ?? ""
        isRepeatable = isRepeatable && hop.message.isIdempotent
        state = .underWay(nil)
    }

    /// Sends the same hop with the new token.
    mutating func sendAgain() {
        hasNewToken = true
        state = .ready
    }

    /// Decides about a head, once.
    ///
    /// - Parameter mayRenew: whether another token is available.
    mutating func judge(_ head: HTTPResponseHead, mayRenew: Bool, redirects: RedirectPolicy) -> Verdict {
        let verdict = verdict(on: head, mayRenew: mayRenew, redirects)
        state = .underWay(verdict)
        return verdict
    }

    private func verdict(on head: HTTPResponseHead, mayRenew: Bool, _ redirects: RedirectPolicy) -> Verdict {
        let isRefused =
            head.status == 401 && !hop.isBare
            && ResourceRefusal(status: head.status, headers: head.headers, scheme: scheme) == .invalidToken
        if isRefused, !hasNewToken, mayRenew {
            return isReplayable ? .renew(head) : .answer(head, .contentNotReplayable)
        }
        do throws(RedirectError) {
            return switch try redirects.decide(after: head, to: hop) {
            case .done: .answer(head, hop.isBare ? .withoutToken : isRefused && hasNewToken ? .refusedAgain : nil)
            case .follow(let next): .follow(next)
            }
        } catch {
            return .stop(error)
        }
    }

    private var isReplayable: Bool { hop.upload?.isReplayable ?? true }
}
