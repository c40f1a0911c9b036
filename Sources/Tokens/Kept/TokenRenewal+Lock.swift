internal import Calls
internal import Errands
internal import OAuth
internal import System
internal import TokenStore
internal import Wire
internal import Shell

/// Under the lock.
extension TokenRenewal {
    /// Takes the lock. While another process has it, a token that has changed is looked at without the lock: so those who
    /// wait for it do not wait for each other.
    ///
    /// - Parameter reject: is given what to do about tokens that cannot be used.
    func locked(_ first: Seen, _ reject: @escaping (Errand<Void>) -> Void) -> Kept {
        let patience = patience(for: first.document)
        // A machine that died has its claim for some time: who has a good token does not wait for it.
        let waits = !token.store.outlivesHolders || secondsLeft(of: first.document) ?? 0 <= 2
        let (start, end) = (token.world.moment, token.world.moment + .seconds(patience))
        let began = token.world.milliseconds
        func next(at moment: MonotonicTime, after pause: LockPause, _ seen: Revision?) -> Kept {
            Attempt.pause(until: moment) { token.store.tryHold(token.name, waits: waits) }.then { result in
                switch result {
                case .success(let held):
                    // A process that had the lock for long has made all its attempts, and failed.
                    let isLate = token.world.moment.milliseconds(since: start) > 2000
                    let policy = retries(of: first.document, isBrief: token.isBrief || isLate)
                    return HeldRenewal(self, held, since: began, policy, reject).begin(first).keeping(held)
                case .failure(.locked(let path, _)):
                    guard waits else { return .done(.success(first.document)) }
                    guard end > token.world.moment else {
                        return Failure.holding(.done(.failure(.locked(path: path, seconds: patience))))
                    }
                    let now = token.store.revision(of: token.name)
                    let again = { next(at: pause.end, after: pause.next(waitingFor: path), now) }
                    guard let now, now != seen else { return again() }
                    return token.load().onward { (found) throws(Failure) in
                        try applies(to: found) ? again() : .done(.success(found))
                    }
                case .failure(let error): return .done(.failure(Failure(error)))
                }
            }
        }
        return next(at: token.world.moment, after: LockPause(by: { token.world.moment }), nil)
    }

    /// The renewal while the lock is held. Every continuation that works on the token names it, and so the lock.
    private struct HeldRenewal {
        let renewal: TokenRenewal
        let held: any HeldToken
        /// Whether other machines may use the token up, so that it is claimed first.
        private let isOfFleet: Bool
        private let transport: Transport
        private let reject: (Errand<Void>) -> Void
        /// What may be sent again under a further claim; the transport sends nothing again under one.
        private var further: RetryPolicy
        /// When the process began to wait for the lock, in milliseconds since 1970.
        private let start: Int
        /// Whether the failure of another process counts. Once this one has asked, what the lock remembers is its own.
        private var hears: Bool
        /// Whether the refresh token was refused once, while another machine stored a newer one.
        var isLast = false

        var token: ManagedToken { renewal.token }
        private var advice: TokenAdvice { token.failures.advice }

        init(
            _ renewal: TokenRenewal, _ held: any HeldToken, since start: Int, _ retries: RetryPolicy,
            _ reject: @escaping (Errand<Void>) -> Void
        ) {
            (self.renewal, self.held, self.start, self.reject) = (renewal, held, start, reject)
            isOfFleet = held.needsClaim
            transport = renewal.token.transport.retrying(isOfFleet ? .none : retries)
            further = isOfFleet ? retries : .none
            hears = renewal.hears
        }

        /// Makes the request, unless others have stored what is good since `seen` was read, before the lock.
        func begin(_ seen: Seen? = nil) -> Kept {
            token.load(held).onward { (kept) throws(Failure) in
                if let seen, kept.document == seen.document { return prepare(kept, seen.plan) }
                return try renewal.applies(to: kept.document) ? prepare(kept) : .done(.success(kept.document))
            }
        }

        private func prepare(_ kept: KeptDocument) throws(Failure) -> Kept {
            prepare(kept, try token.renewal(of: kept.document, options: renewal.options))
        }

        /// Makes the request. Whatever can fail is done before the refresh token is used. What the metadata of the issuer
        /// adds is kept, so that the next renewal need not ask for it.
        private func prepare(_ kept: KeptDocument, _ plan: Plan) -> Kept {
            let (kind, input) = plan
            return input.withCredential(and: kind.secretMembers).onward { (input) throws(Failure) in
                let grant = try token.grant(kind, of: input, narrower: renewal.narrower, extra: renewal.extra)
                let needed = try asFailure(TokenRequest.metadata(for: grant, of: input.document))
                let completed = input.completing(needing: needed, over: transport)
                return completed.mapFailure { advice.failure($0) }.onward { (found) throws(Failure) in
                    var kept = kept
                    for member in found.document.members.members
                    where input.document.members[member.name]?.isNull ?? true {
                        kept.document[member.name] = member.value
                    }
                    let exchange = try TokenExchange(
                        grant, input: found, over: transport, advice: advice)
                    if let binding = try found.binding() {
                        kept.document[DPoPBinding.thumbprintMember] = .string(binding.thumbprint)
                    }
                    if hears,
                        let failure = FailedRenewal.heard(by: exchange, since: start, in: held.lock)
                    {
                        throw failure
                    }
                    try transport.check()
                    return exchange.withKeys().onward { [kept] (exchange) throws(Failure) in
                        try send(exchange, kept)
                    }
                }
            }
        }

        /// Reserves room for the new document, which may be larger. Signals that would end the process are held until the
        /// token is saved, but in the pauses between its attempts.
        private func send(_ exchange: TokenExchange, _ kept: KeptDocument) throws(Failure) -> Kept {
            let count = JSON.object(kept.document).bytes.count + TokenExchange.room
            try Failure.storing { () throws(StoreError) in try held.reserve(count) }
            return held.claim().then { result in
                switch result {
                case .success:
                    do throws(Failure) { return try sendClaimed(exchange, kept) } catch {
                        // No request began.
                        return held.release(isDoubtful: false).then { _ in .done(.failure(error)) }
                    }
                case .failure(.changed): return begin()
                case .failure(let error): return Failure.holding(.done(.failure(error)))
                }
            }.then { result in
                held.releaseRoom()
                return .done(result)
            }
        }

        private func sendClaimed(_ exchange: TokenExchange, _ kept: KeptDocument) throws(Failure) -> Kept {
            let hold = token.world.hold()
            var next = changing(self) { $0.hears = false }
            var isFurther = false
            return try TokenAttempts(exchange, holding: hold, within: held.claimed).errand().then { [next] outcome in
                isFurther = exchange.mayRepeat(outcome, as: further) && !token.world.isEnding()
                if !isFurther, token.part == nil { FailedRenewal.note(outcome, of: exchange, in: held.lock) }
                let saved = attempting { () throws(Failure) in try next.act(on: outcome, of: exchange, kept) }
                return saved.then { result in
                    held.release(isDoubtful: exchange.isDoubtful(outcome)).then { _ in .done(result) }
                }
            }.keeping(hold).then { result in
                guard isFurther else { return .done(result) }
                next.further = .none
                // While a server may still take the refresh token that it has replaced.
                return .pause(until: token.world.after(.milliseconds(.random(in: 500...1500)))) { [next] in
                    next.begin()
                }
            }
        }

        private func act(
            on outcome: TokenExchange.Outcome, of exchange: TokenExchange, _ kept: KeptDocument
        ) throws(Failure) -> Kept {
            if let rejected = exchange.revoking(outcome) {
                let hold = token.world.hold()
                hold.begin()
                reject(
                    rejected.then { _ in
                        hold.end()
                        return .done(())
                    })
            }
            switch outcome {
            case .refused(let error) where exchange.hasRefusedToken(error):
                return goOn(after: exchange.failure(error), sent: exchange.refreshToken)
            case .unusable(let fault, let rotated?, _) where exchange.renews:
                // It has replaced the one that was sent, whatever is wrong with the rest of the response.
                var document = kept.document
                document.remove(Member.of(.refreshToken))
                document["refresh_token"] = .string(rotated)
                return save(document, over: kept, sent: exchange.refreshToken).onward { (_) throws(Failure) in
                    throw advice.failure(fault)
                }
            default:
                let issued = try exchange.result(of: outcome).get()
                let document =
                    token.part?.document(of: kept.document, adding: issued, now: token.world.seconds)
                    ?? issued.document(from: kept.document)
                return save(exchange.input.updatingCredential(of: document), over: kept, sent: exchange.refreshToken)
            }
        }

        /// Goes on after the server has refused the refresh token: with the token that another machine has stored, renewed
        /// once if it has expired, or without the refresh token.
        private func goOn(after failure: Failure, sent: String?) -> Kept {
            token.load(held).onward { (kept) throws(Failure) in
                let now = try token.input(renewal.options, members: kept.document).secret("refresh_token")
                let isOvertaken = isOfFleet && held.claimed == nil && !isLast
                switch RefreshRefusal(of: sent, kept: now, isOfPart: token.part != nil, isOvertaken: isOvertaken) {
                case .replaced where try isLast || !renewal.applies(.due(minimum: 0, seen: nil), to: kept.document):
                    return .done(.success(kept.document))
                case .replaced, .overtaken: return try afresh(kept)
                case .ofPart: throw failure
                case .dropped: return try again(kept, unless: failure)
                case .final:
                    // Another machine may have its answer.
                    let hashed = isOfFleet ? sent : nil
                    let document = SpentToken.dropped(from: kept.document, sent: hashed, now: token.world.seconds)
                    return save(document, over: kept, sent: sent).onward { (_) throws(Failure) in
                        token.load(held).onward { (kept) throws(Failure) in try again(kept, unless: failure) }
                    }
                }
            }
        }

        private func afresh(_ kept: KeptDocument) throws(Failure) -> Kept {
            try changing(self) { $0.isLast = true }.prepare(kept)
        }

        private func again(_ kept: KeptDocument, unless failure: Failure) throws(Failure) -> Kept {
            guard TokenDocument.isRenewable(token.renewable(kept.document), now: token.world.seconds) else {
                throw failure
            }
            return try prepare(kept)
        }

        /// Saves a document over the version that was read. If another machine has stored another one meanwhile, which
        /// knows nothing of the lock, its token is kept, unless it is still the one whose refresh token was sent.
        private func save(_ document: JSONObject, over kept: KeptDocument, sent: String?) -> Kept {
            let bytes = JSON.object(document).bytes + [0x0A]
            return held.save(bytes, over: kept.revision).then { result in
                switch result {
                case .success: return .done(.success(document))
                case .failure(.changed):
                    return token.load(held).onward { (other) throws(Failure) in
                        // What it has is newer, and over a claim nothing older is stored.
                        guard !isOfFleet else {
                            return .done(.success(try renewal.applies(to: other.document) ? document : other.document))
                        }
                        let now = other.document["refresh_token"]?.string
                        guard let now, let sent, !now.isIdentical(to: sent) else {
                            return Failure.storing(held.save(bytes, over: nil)).reading { (_) throws(Failure) in
                                document
                            }
                        }
                        return .done(.success(other.document))
                    }
                case .failure(let error): return .done(.failure(Failure(error)))
                }
            }
        }
    }
}
