internal import Calls
internal import Errands
internal import OAuth
internal import System
internal import TokenStore
internal import Wire

/// One renewal of a stored token, as an errand: decide, hold the lock, load, decide again, reserve room, send, save,
/// release. Whether it is due, allowed after an earlier failure and possible at all is asked here, before the lock, for all
/// callers alike.
struct TokenRenewal {
    let token: ManagedToken
    let reason: RenewalReason
    var options = MemberOption.ofRenewal
    /// A scope to ask for, within the granted one.
    var narrower: String?
    /// Further parameters of the request.
    var extra: [(name: String, value: String)] = []
    /// Whether a token that is still good is not used, with a warning, after a failure.
    var isStrict = false

    /// Whether the caller has something else to use after a failure.
    var isOptional = false

    /// How often a request is sent again, while its lock is held. A caller whose token is still good does not wait.
    private func retries(of kept: JSONObject, isBrief: Bool) -> RetryPolicy {
        if isOptional || secondsLeft(of: kept) ?? 0 > 2 { return .hasty }
        return isBrief ? token.transport.briefRetries : token.transport.lastingRetries
    }

    /// The longest wait for the lock, in seconds: as long as the process that holds it may take for all its attempts.
    private func patience(for kept: JSONObject) -> Int {
        guard let longest = token.transport.longestRequest else { return StoreLock.patience }
        let retries = retries(of: kept, isBrief: token.isBrief)
        return longest + (retries.repetition > .unsent && retries.limit > 0 ? Int(min(retries.maximumTime, 1e6)) : 0)
    }

    /// The token as it is kept at the end; the document of the login. Its failure keeps what was found.
    private typealias Kept = Attempt<JSONObject, Failure>
    /// How it is renewed.
    private typealias Plan = (kind: Grant.Kind, input: Input)
    /// A document that was read before the lock, and how that is renewed: they count while no other is kept.
    private typealias Seen = (document: JSONObject, plan: Plan)

    /// - Parameter seen: the document as it was kept a moment ago, if the caller has read it and the reason applies to it.
    /// - Returns: an errand for the document of the token that is meant, as it is kept then.
    /// - Throws: exit 8 where a person must log in, every failure of the request, exit 11.
    func errand(after seen: JSONObject? = nil) -> Attempt<JSONObject, Failure> {
        if let seen { return attempting { () throws(Failure) in try begun(seen) } }
        return token.load().onward { (kept) throws(Failure) in
            try applies(to: kept) ? begun(kept) : .done(.success(token.view(kept)))
        }
    }

    /// Renews the token, unless an earlier failure forbids it or nothing can. The token of a login must be good before it is
    /// exchanged.
    private func begun(_ kept: JSONObject) throws(Failure) -> Attempt<JSONObject, Failure> {
        let record = token.record
        if case .due = reason, !record.mayBegin { return .done(try held(back: kept, by: record)) }
        if let failure = failure(heardIn: kept) { return end(.failure(failure), kept) }
        let plan: Plan
        do throws(Failure) { plan = try token.renewal(of: kept, options: options) } catch {
            return end(.failure(error), kept)
        }
        record.begin()
        // What cannot be used is revoked in a step after the lock's last: others need not wait for that.
        var rejected: Errand<Void>?
        let login = token.exchanged?.current(minimum: nil) ?? .done(.success([:]))
        return login.onward { (_) throws(Failure) in locked((kept, plan)) { rejected = $0 } }.then { result in
            guard let rejected else { return end(result, kept) }
            return Errand<Void>.later { rejected }.then { end(result, kept) }
        }
    }

    /// The seconds for which other processes take a refusal without a reason for theirs.
    private static let echo = 30

    /// The failure for a refusal that a process has heard a moment ago; nil for none, and where the user asks.
    private func failure(heardIn kept: JSONObject) -> Failure? {
        if case .asked = reason { return nil }
        guard token.part == nil, let ago = kept["refresh_failed_at"]?.integer.map({ Clock.now - $0 }),
            (0..<Self.echo).contains(ago)
        else { return nil }
        let login = token.failures.login
        return Failure(
            .badAnswer, .httpStatus, "the token endpoint refused a renewal \(ago) s ago, without an OAuth error",
            hint: "oap tries again in \(Self.echo - ago) s" + (login.map { "; if the failure persists: \($0)" } ?? ""))
    }

    private func held(back kept: JSONObject, by record: RenewalRecord) throws(Failure) -> Result<JSONObject, Failure> {
        let view = token.view(kept)
        let isOver = try lift(
            try RenewalReason.due(minimum: 0, seen: nil).applies(to: token.renewable(view), now: Clock.now))
        if isOver, let failure = record.failure { return .failure(failure) }
        return .success(view)
    }

    /// Notes how it ended. A token that was only due for renewal and is good for a second or more is used, with a warning.
    private func end(
        _ result: Result<JSONObject, Failure>, _ seen: JSONObject
    ) -> Attempt<JSONObject, Failure> {
        let result = result.map(token.view).mapError { $0.during(token.failures.advice.task) }
        switch result {
        case .success(let view):
            let isStillDue = try? RenewalReason.due(minimum: minimum, seen: nil).applies(
                to: token.renewable(view), now: Clock.now)
            token.record.succeed(isStillDue: isStillDue ?? false)
            return .done(result)
        case .failure(let failure):
            token.record.fail(failure)
            guard !isStrict, case .due = reason, failure.exit != .usage, failure.shown == nil else {
                return .done(result)
            }
            return token.load().then { .done(usable((try? $0.get()) ?? seen, in: failure) ?? result) }
        }
    }

    private var minimum: Int? { if case .due(let minimum, _) = reason { minimum } else { nil } }

    /// What is left of a token that may be used in place of a new one; nil for no such token.
    private func secondsLeft(of kept: JSONObject) -> Int? {
        guard !isStrict, case .due = reason else { return nil }
        let kept = token.view(kept)
        return kept["refused_at"] == nil ? kept["expires_at"]?.integer.map { $0 - Clock.now } : nil
    }

    private func usable(_ kept: JSONObject, in failure: Failure) -> Result<JSONObject, Failure>? {
        guard let left = secondsLeft(of: kept), left > 0,
            (try? token.transport.diagnostics.warn([token.failures.warning(of: failure, left: left)])) != nil
        else { return nil }
        return .success(token.view(kept))
    }

    private func applies(_ other: RenewalReason? = nil, to kept: JSONObject) throws(Failure) -> Bool {
        try lift(try (other ?? reason).applies(to: token.renewable(token.view(kept)), now: Clock.now))
    }
}

/// Under the lock.
extension TokenRenewal {
    /// Takes the lock. While another process has it, a token that has changed is looked at without the lock: so those who
    /// wait for it do not wait for each other.
    ///
    /// - Parameter reject: is given what to do about tokens that cannot be used.
    private func locked(_ first: Seen, _ reject: @escaping (Errand<Void>) -> Void) -> Kept {
        let patience = patience(for: first.document)
        let (start, end) = (MonotonicTime.now, MonotonicTime.now + .seconds(patience))
        func next(at moment: MonotonicTime, after pause: LockPause, _ seen: Revision?) -> Kept {
            token.tryHold(at: moment).then { result in
                switch result {
                case .success(let held):
                    // Whoever had the lock for long has failed after all its attempts.
                    let isLate = MonotonicTime.now.milliseconds(since: start) > 2000
                    token.transport.retries = retries(of: first.document, isBrief: token.isBrief || isLate)
                    return HeldRenewal(self, held, reject).begin(first).keeping(held)
                case .failure(.locked(let path, _)):
                    guard end > .now else { return .done(.failure(Failure(.locked(path: path, seconds: patience)))) }
                    let now = token.revision
                    let again = { next(at: pause.end, after: pause.next, now) }
                    guard let now, now != seen else { return again() }
                    return token.load().onward { (found) throws(Failure) in
                        try applies(to: found) ? again() : .done(.success(found))
                    }
                case .failure(let error): return .done(.failure(Failure(error)))
                }
            }
        }
        return next(at: .now, after: LockPause(), nil)
    }

    /// The renewal while the lock is held. Every continuation that works on the token names it, and so the lock.
    private struct HeldRenewal {
        let renewal: TokenRenewal
        let held: any HeldToken
        private let reject: (Errand<Void>) -> Void
        /// Whether the refresh token was refused once, while another machine stored a newer one.
        var isLast = false

        var token: ManagedToken { renewal.token }
        private var advice: TokenAdvice { token.failures.advice }

        init(_ renewal: TokenRenewal, _ held: any HeldToken, _ reject: @escaping (Errand<Void>) -> Void) {
            (self.renewal, self.held, self.reject) = (renewal, held, reject)
        }

        func begin(_ seen: Seen) -> Kept {
            token.load(held).onward { (kept) throws(Failure) in
                guard kept.document != seen.document else { return prepare(kept, seen.plan) }
                if let failure = renewal.failure(heardIn: kept.document) { throw failure }
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
                let needed = try lift(try TokenRequest.metadata(for: grant, of: input.document))
                let completed = input.completing(needing: needed, over: token.transport)
                return completed.mapFailure { advice.failure($0) }.onward { (found) throws(Failure) in
                    var kept = kept
                    for member in found.document.members.members
                    where input.document.members[member.name]?.isNull ?? true {
                        kept.document[member.name] = member.value
                    }
                    let exchange = try TokenExchange(
                        grant, input: found, over: token.transport, advice: advice)
                    try token.transport.check()
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
            let hold = SignalHold()
            return try TokenAttempts(exchange, holding: hold).errand().then { outcome in
                attempting { () throws(Failure) in try settle(outcome, of: exchange, kept) }
            }.then { result in
                held.releaseRoom()
                return .done(result)
            }.keeping(hold)
        }

        private func settle(
            _ outcome: TokenExchange.Outcome, of exchange: TokenExchange, _ kept: KeptDocument
        ) throws(Failure) -> Kept {
            switch outcome {
            case .refused(let error) where exchange.hasRefusedToken(error):
                return goOn(after: exchange.failure(error), sent: exchange.refreshToken)
            case .refused(let error) where token.part == nil && exchange.isRefusedWithoutReason(error):
                let document = kept.document.setting("refresh_failed_at", to: .integer(Clock.now))
                return save(document, over: kept, sent: exchange.refreshToken).onward { (_) throws(Failure) in
                    throw exchange.failure(error)
                }
            case .unusable(let fault, let rotated?, _) where exchange.renews:
                // It has replaced the one that was sent, whatever is wrong with the rest of the response.
                let rotated = kept.document.setting("refresh_token", to: .string(rotated))
                    .setting("refresh_token_file", to: nil)
                return save(rotated, over: kept, sent: exchange.refreshToken).onward { (_) throws(Failure) in
                    throw advice.failure(fault)
                }
            default:
                if let rejected = exchange.revoking(outcome) {
                    let hold = SignalHold.begun()
                    reject(
                        rejected.then { _ in
                            hold.end()
                            return .done(())
                        })
                }
                let issued = try exchange.result(of: outcome).get()
                let document =
                    token.part?.document(of: kept.document, adding: issued, now: Clock.now)
                    ?? issued.document(from: kept.document)
                return save(exchange.input.updatingCredential(of: document), over: kept, sent: exchange.refreshToken)
            }
        }

        /// A refused refresh token may have been renewed by a process on another machine, which shares the store but not the
        /// lock: then its token is used, or renewed once if it has expired. Otherwise the refresh token is dropped, and
        /// nothing else: the access token is used until it expires.
        private func goOn(after failure: Failure, sent: String?) -> Kept {
            token.load(held).onward { (kept) throws(Failure) in
                let now = try token.input(renewal.options, members: kept.document).secret("refresh_token")
                guard let now, let sent, !now.isIdentical(to: sent) else {
                    // What is wrong may be the other token that was asked for.
                    guard token.part == nil else { throw failure }
                    var document = kept.document
                    guard now != nil else { return try again(kept, unless: failure) }
                    document.remove(["refresh_token", "refresh_token_file", "refresh_token_expires_at"])
                    document["refresh_refused_at"] = .integer(Clock.now)
                    return save(document, over: kept, sent: sent).onward { (_) throws(Failure) in
                        token.load(held).onward { (kept) throws(Failure) in try again(kept, unless: failure) }
                    }
                }
                guard try !isLast && renewal.applies(.due(minimum: 0, seen: nil), to: kept.document) else {
                    return .done(.success(kept.document))
                }
                var last = self
                last.isLast = true
                return try last.prepare(kept)
            }
        }

        private func again(_ kept: KeptDocument, unless failure: Failure) throws(Failure) -> Kept {
            guard TokenDocument.isRenewable(token.renewable(kept.document), now: Clock.now) else { throw failure }
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
