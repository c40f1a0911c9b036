package import OAuth
package import Wire

/// What happens between API requests and their final responses: redirects, and the renewal of the token that all
/// requests of the group share. It does no I/O: the caller asks for the next step, carries it out, and reports what
/// came of it.
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
        /// A request is done.
        case finish(ID, CallOutcome)
        /// Wait: the next step depends on a report.
        case wait
        /// Every request is done.
        case done
    }

    private let redirects: RedirectPolicy
    private var ledger: TokenLedger
    private var exchanges: [Exchange] = []

    /// A group without requests.
    ///
    /// - Parameters:
    ///   - token: the token that all requests share; nil if one must be had first.
    ///   - isRenewable: whether `.renew` can be carried out.
    ///   - redirects: which redirects are followed.
    package init(token: AccessToken?, isRenewable: Bool, redirects: RedirectPolicy) {
        ledger = TokenLedger(token, isRenewable: isRenewable)
        self.redirects = redirects
    }

    /// Adds a request.
    package mutating func add(_ request: APIRequest) -> ID {
        exchanges.append(Exchange(request))
        return exchanges.count - 1
    }

    /// The next step.
    package mutating func next() -> Step {
        if let reason = ledger.startRenewal() { return .renew(reason) }
        for id in exchanges.indices {
            switch exchanges[id].state {
            case .finished(let outcome):
                exchanges[id].state = .reported
                return .finish(id, outcome)
            case .ready where exchanges[id].hop.isBare:
                return send(id, token: nil)
            case .ready:
                if let token = ledger.token { return send(id, token: token) }
                guard ledger.isExhausted else { continue }
                exchanges[id].state = .reported
                return .finish(id, .notRenewed(nil))
            case .underWay, .refused, .reported: continue
            }
        }
        return exchanges.allSatisfy(\.isReported) ? .done : .wait
    }

    private mutating func send(_ id: ID, token: AccessToken?) -> Step {
        exchanges[id].start(serial: ledger.serial, scheme: token?.scheme)
        let hop = exchanges[id].hop
        var message = hop.message
        if let token { message.headers.insert(token.field, at: 0) }
        return .send(id, message, upload: hop.upload, isBare: hop.isBare)
    }
}

extension CallGroup {
    /// Takes the head of a response, and decides what to do with its content.
    package mutating func receive(_ head: HTTPResponseHead, for id: ID) -> Disposition {
        let mayRenew = ledger.mayReplace(serial: exchanges[id].serial)
        let verdict = exchanges[id].judge(head, mayRenew: mayRenew, redirects: redirects)
        if case .answer = verdict, !exchanges[id].hop.isBare, head.status != 401 {
            ledger.noteSuccess(serial: exchanges[id].serial)
        }
        return verdict.disposition
    }

    /// Takes the end of a response.
    package mutating func ended(_ id: ID) {
        guard case .underWay(let verdict?) = exchanges[id].state else {
            preconditionFailure("a response ends after its head")
        }
        switch verdict {
        case .answer(let head, let note): exchanges[id].state = .finished(.answered(head, note))
        case .follow(let hop):
            exchanges[id].hop = hop
            exchanges[id].state = .ready
        case .stop(let error): exchanges[id].state = .finished(.stopped(error))
        case .renew(let head):
            exchanges[id].state = .refused(head)
            if ledger.isReplaced(serial: exchanges[id].serial) {
                exchanges[id].sendAgain()
            } else {
                ledger.wantRenewal()
            }
        }
    }

    /// Takes the failure of a transfer. After the head of a redirect, it only ends that response: a redirect that was
    /// cut off is still a redirect.
    package mutating func failed(_ id: ID, _ error: HTTPError) {
        guard case .underWay(let verdict) = exchanges[id].state else {
            preconditionFailure("a transfer fails while it is under way")
        }
        if let verdict, verdict.disposition != .deliver { return ended(id) }
        exchanges[id].state = .finished(.lost(error, isRepeatable: exchanges[id].isRepeatable))
    }

    /// Takes the token of a renewal; nil if it failed.
    package mutating func renewed(_ token: AccessToken?) {
        ledger.finishRenewal(token)
        for id in exchanges.indices {
            switch exchanges[id].state {
            case .refused where token != nil: exchanges[id].sendAgain()
            case .refused(let head): exchanges[id].state = .finished(.notRenewed(head))
            case .ready, .underWay, .finished, .reported: continue
            }
        }
    }
}
