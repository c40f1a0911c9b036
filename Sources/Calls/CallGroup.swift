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
    package typealias ID = Int

    package enum Step {
        case send(ID, Attempt)
        /// Renew the token and report the result with `renewed`. Not repeated until then.
        case renew(TokenLedger.Reason)
        /// A request will be sent again after a pause: nothing is to be done but to say so.
        case retry(ID, Retry)
        case finish(ID, CallOutcome)
        /// Wait until then, or for a report if it comes first; nil: the next step depends on a report.
        case wait(until: MonotonicTime?)
        case done
    }

    /// A request as it is sent now, credential included.
    package struct Attempt {
        /// Complete but for the proof.
        package var message: HTTPRequest
        package let proof: DPoPBinding.UnsignedProof?
        package let upload: (any ContentSource)?
        /// Whether the hop goes to another origin: without credential, and without the client certificate.
        package let isBare: Bool

        /// The request with its proof, signed here.
        package var signed: HTTPRequest {
            var message = message
            proof?.sign(&message)
            return message
        }
    }

    private let isAnonymous: Bool
    private let redirects: RedirectPolicy
    private var ledger: TokenLedger
    private var retries: Retries
    /// The requests that are not done, by their numbers, which grow.
    private var exchanges: [Exchange] = []
    /// How many requests were added.
    private var count = 0
    /// Until when the server asks all requests to wait.
    private var pause: MonotonicTime?

    /// A group without requests.
    ///
    /// - Parameters:
    ///   - token: the token that all requests share; nil if one must be had first.
    ///   - isAnonymous: whether requests are sent without a token, and a refused one is final.
    ///   - isRenewable: whether `.renew` can be carried out.
    package init(
        token: AccessToken?, isAnonymous: Bool = false, isRenewable: Bool, redirects: RedirectPolicy,
        retries: RetryPolicy, random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        self.isAnonymous = isAnonymous
        ledger = TokenLedger(token, isRenewable: isRenewable)
        self.redirects = redirects
        self.retries = Retries(policy: retries, random: random)
    }

    package mutating func add(_ request: APIRequest) -> ID {
        exchanges.append(Exchange(request, id: count))
        count += 1
        return count - 1
    }

    /// How many requests are not done. Nothing is kept of the others.
    package var size: Int { exchanges.count }

    /// The place of a request, which moves when an earlier one is done.
    private func place(of id: ID) -> Int {
        var places = exchanges.indices
        while let middle = places.dropFirst(places.count / 2).first {
            if exchanges[middle].id == id { return middle }
            places = exchanges[middle].id < id ? middle + 1..<places.endIndex : places.startIndex..<middle
        }
        preconditionFailure("a report is about a request that is not done")
    }

    private mutating func finish(_ place: Int, _ outcome: CallOutcome) -> Step {
        .finish(exchanges.remove(at: place).id, outcome)
    }

    package mutating func next(at moment: Moment) -> Step {
        if !isAnonymous, let reason = ledger.startRenewal() { return .renew(reason) }
        if let end = pause, end <= moment.time { pause = nil }
        var wake: MonotonicTime?
        let loner = exchanges.firstIndex(where: \.isLoner)
        for place in exchanges.indices {
            if case .paused(let end) = exchanges[place].state, end <= moment.time { exchanges[place].state = .ready }
            switch exchanges[place].state {
            case .finished(let outcome): return finish(place, outcome)
            case .retrying(let retry, let end):
                exchanges[place].state = .paused(until: end)
                return .retry(exchanges[place].id, retry)
            case .paused(let end): wake = min(wake ?? end, end)
            case .ready where exchanges[place].hop.isBare:
                return send(place, nil, at: moment)
            case .ready:
                if let pause {
                    wake = min(wake ?? pause, pause)
                    continue
                }
                if isAnonymous { return send(place, nil, at: moment) }
                if let loner, place != loner || exchanges.contains(where: \.isUnanswered) { continue }
                if let token = ledger.token { return send(place, token, at: moment) }
                guard ledger.isExhausted else { continue }
                return finish(place, .notRenewed(nil))
            case .underWay, .refused: continue
            }
        }
        return exchanges.isEmpty ? .done : .wait(until: wake)
    }

    private mutating func send(_ place: Int, _ token: AccessToken?, at moment: Moment) -> Step {
        let (message, proof) = exchanges[place].start(token, serial: ledger.serial, at: moment)
        if proof != nil {
            let unanswered = exchanges.indices.filter { exchanges[$0].isUnanswered }
            if unanswered.count > 1 { for place in unanswered { exchanges[place].noteCompany() } }
        }
        let hop = exchanges[place].hop
        return .send(
            exchanges[place].id, Attempt(message: message, proof: proof, upload: hop.upload, isBare: hop.isBare))
    }
}

extension CallGroup {
    package mutating func receive(_ head: HTTPResponseHead, for id: ID, at moment: Moment) -> Disposition {
        exchanges[place(of: id)].judge(head, redirects: redirects, ledger: &ledger, retries: &retries, at: moment)
    }

    /// `held` is the content of a response that is inspected, or its beginning.
    package mutating func ended(_ id: ID, held: [UInt8] = [], at moment: Moment) {
        let place = place(of: id)
        guard case .underWay(let verdict?) = exchanges[place].state else {
            preconditionFailure("a response ends after its head")
        }
        carryOut(verdict, at: place, held: held, moment)
    }

    private mutating func carryOut(_ verdict: Exchange.Verdict, at place: Int, held: [UInt8], _ moment: Moment) {
        switch verdict {
        case .answer(let head, let note): exchanges[place].state = .finished(.answered(head, note))
        case .follow(let hop):
            exchanges[place].hop = hop
            exchanges[place].state = .ready
        case .repeat: exchanges[place].state = .ready
        case .stop(let error): exchanges[place].state = .finished(.stopped(error))
        case .retry(let retry, let end, let concernsAll):
            exchanges[place].state = .retrying(retry, until: end)
            if concernsAll { pause = max(pause ?? end, end) }
        case .inspect(let head, let note):
            let verdict = exchanges[place].inspect(head, note, content: held, retries: &retries, at: moment)
            carryOut(verdict, at: place, held: [], moment)
        case .renew(let head):
            exchanges[place].state = .refused(head)
            if ledger.isReplaced(serial: exchanges[place].serial) {
                exchanges[place].sendAgain()
            } else if ledger.hasFailed {
                exchanges[place].state = .finished(.notRenewed(head))
            } else {
                ledger.wantRenewal()
            }
        }
    }

    /// Takes the failure of a transfer. After a head whose content is not delivered, it only ends that response: a
    /// redirect that was cut off is still a redirect.
    package mutating func failed(_ id: ID, _ error: HTTPError, held: [UInt8] = [], at moment: Moment) {
        let place = place(of: id)
        switch exchanges[place].state {
        case .underWay(.answer?) where exchanges[place].fields == nil, .underWay(.inspect?):
            exchanges[place].state = .finished(.lost(error, isOpen: exchanges[place].isOpen))
        case .underWay(nil), .underWay(.answer?): exchanges[place].fail(error, retries: &retries, at: moment)
        case .underWay(let verdict?): carryOut(verdict, at: place, held: held, moment)
        case .ready, .refused, .retrying, .paused, .finished:
            preconditionFailure("a transfer fails while it is under way")
        }
    }

    /// Forgets a request whose answer is not wanted any more. It must not be reported about afterwards.
    package mutating func drop(_ id: ID) { exchanges.removeAll { $0.id == id } }

    /// Has the token renewed before anything else is sent: its time is over.
    package mutating func expire() { ledger.expire() }

    /// Takes the token of a renewal; nil if it failed.
    package mutating func renewed(_ token: AccessToken?) {
        ledger.finishRenewal(token)
        for place in exchanges.indices {
            switch exchanges[place].state {
            case .refused where token != nil: exchanges[place].sendAgain()
            case .refused(let head): exchanges[place].state = .finished(.notRenewed(head))
            case .ready, .underWay, .retrying, .paused, .finished: continue
            }
        }
    }
}
