package import OAuth
package import System
package import Wire

/// What happens between API requests and their final responses: redirects, retries, and the renewal of the token that
/// all requests of the group share. It does no I/O: the caller asks for the next step, carries it out, and reports what
/// came of it. The clock is passed in.
///
/// Between `.send` and `ended` or `failed`, the head of the response is reported with `receive`, whose disposition says
/// what to do with the content that follows.
package struct CallGroup {
    /// Names a request of the group.
    package typealias ID = Int

    /// What to do next.
    package enum Step {
        /// Send this request, credential included. With `isBare` it goes to another origin: without credential, and
        /// without the client certificate.
        case send(ID, HTTPRequest, upload: (any ContentSource)?, isBare: Bool)
        /// Renew the token and report the result with `renewed`. Not repeated until then.
        case renew(TokenLedger.Reason)
        /// A request will be sent again after a pause: nothing is to be done but to say so.
        case retry(ID, Retry)
        /// A request is done.
        case finish(ID, CallOutcome)
        /// Wait until then, or for a report if it comes first; nil: the next step depends on a report.
        case wait(until: MonotonicTime?)
        /// Every request is done.
        case done
    }

    private let redirects: RedirectPolicy
    private var ledger: TokenLedger
    private var retries: Retries
    private var exchanges: [Exchange] = []
    /// Until when the server asks all requests to wait.
    private var pause: MonotonicTime?

    /// A group without requests.
    ///
    /// - Parameters:
    ///   - token: the token that all requests share; nil if one must be had first.
    ///   - isRenewable: whether `.renew` can be carried out.
    ///   - redirects: which redirects are followed.
    ///   - retries: which requests are sent again.
    ///   - random: the numbers for the pauses.
    package init(
        token: AccessToken?, isRenewable: Bool, redirects: RedirectPolicy, retries: RetryPolicy,
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        ledger = TokenLedger(token, isRenewable: isRenewable)
        self.redirects = redirects
        self.retries = Retries(policy: retries, random: random)
    }

    /// Adds a request.
    package mutating func add(_ request: APIRequest) -> ID {
        exchanges.append(Exchange(request))
        return exchanges.count - 1
    }

    /// The next step.
    package mutating func next(at moment: Moment) -> Step {
        if let reason = ledger.startRenewal() { return .renew(reason) }
        if let end = pause, end <= moment.time { pause = nil }
        var wake: MonotonicTime?
        for id in exchanges.indices {
            if case .paused(let end) = exchanges[id].state, end <= moment.time { exchanges[id].state = .ready }
            switch exchanges[id].state {
            case .finished(let outcome):
                exchanges[id].state = .reported
                return .finish(id, outcome)
            case .retrying(let retry, let end):
                exchanges[id].state = .paused(until: end)
                return .retry(id, retry)
            case .paused(let end): wake = min(wake ?? end, end)
            case .ready where exchanges[id].hop.isBare:
                return send(id, token: nil, at: moment)
            case .ready:
                if let pause {
                    wake = min(wake ?? pause, pause)
                    continue
                }
                if let token = ledger.token { return send(id, token: token, at: moment) }
                guard ledger.isExhausted else { continue }
                exchanges[id].state = .reported
                return .finish(id, .notRenewed(nil))
            case .underWay, .refused, .reported: continue
            }
        }
        return exchanges.allSatisfy(\.isReported) ? .done : .wait(until: wake)
    }

    private mutating func send(_ id: ID, token: AccessToken?, at moment: Moment) -> Step {
        exchanges[id].start(serial: ledger.serial, scheme: token?.scheme, at: moment)
        let hop = exchanges[id].hop
        var message = hop.message
        if let token { message.headers.insert(token.field, at: 0) }
        return .send(id, message, upload: hop.upload, isBare: hop.isBare)
    }
}

extension CallGroup {
    /// Takes the head of a response, and decides what to do with its content.
    package mutating func receive(_ head: HTTPResponseHead, for id: ID, at moment: Moment) -> Disposition {
        let mayRenew = ledger.mayReplace(serial: exchanges[id].serial)
        let verdict = exchanges[id].judge(
            head, mayRenew: mayRenew, redirects: redirects, retries: &retries, at: moment)
        switch verdict {
        case .answer, .retry, .inspect:
            if !exchanges[id].hop.isBare, head.status != 401 { ledger.noteSuccess(serial: exchanges[id].serial) }
        case .follow, .stop, .renew: break
        }
        return verdict.disposition
    }

    /// Takes the end of a response.
    ///
    /// - Parameter held: the content of a response that is inspected, or its beginning.
    package mutating func ended(_ id: ID, held: [UInt8] = [], at moment: Moment) {
        guard case .underWay(let verdict?) = exchanges[id].state else {
            preconditionFailure("a response ends after its head")
        }
        carryOut(verdict, for: id, held: held, at: moment)
    }

    private mutating func carryOut(_ verdict: Exchange.Verdict, for id: ID, held: [UInt8], at moment: Moment) {
        switch verdict {
        case .answer(let head, let note): exchanges[id].state = .finished(.answered(head, note))
        case .follow(let hop):
            exchanges[id].hop = hop
            exchanges[id].state = .ready
        case .stop(let error): exchanges[id].state = .finished(.stopped(error))
        case .retry(let retry, let end, let concernsAll):
            exchanges[id].state = .retrying(retry, until: end)
            if concernsAll { pause = max(pause ?? end, end) }
        case .inspect(let head, let note):
            let verdict = exchanges[id].inspect(head, note, content: held, retries: &retries, at: moment)
            carryOut(verdict, for: id, held: [], at: moment)
        case .renew(let head):
            exchanges[id].state = .refused(head)
            if ledger.isReplaced(serial: exchanges[id].serial) {
                exchanges[id].sendAgain()
            } else {
                ledger.wantRenewal()
            }
        }
    }

    /// Takes the failure of a transfer. After a head whose content is not delivered, it only ends that response: a
    /// redirect that was cut off is still a redirect.
    package mutating func failed(_ id: ID, _ error: HTTPError, held: [UInt8] = [], at moment: Moment) {
        switch exchanges[id].state {
        case .underWay(.answer?), .underWay(.inspect?):
            exchanges[id].state = .finished(.lost(error, isOpen: exchanges[id].isOpen))
        case .underWay(let verdict?): carryOut(verdict, for: id, held: held, at: moment)
        case .underWay(nil): exchanges[id].fail(error, retries: &retries, at: moment)
        case .ready, .refused, .retrying, .paused, .finished, .reported:
            preconditionFailure("a transfer fails while it is under way")
        }
    }

    /// Has the token renewed before anything else is sent: its time is over.
    package mutating func expire() { ledger.expire() }

    /// Takes the token of a renewal; nil if it failed.
    package mutating func renewed(_ token: AccessToken?) {
        ledger.finishRenewal(token)
        for id in exchanges.indices {
            switch exchanges[id].state {
            case .refused where token != nil: exchanges[id].sendAgain()
            case .refused(let head): exchanges[id].state = .finished(.notRenewed(head))
            case .ready, .underWay, .retrying, .paused, .finished, .reported: continue
            }
        }
    }
}
