internal import Calls
internal import Errands
internal import OAuth
internal import TokenStore
internal import Wire
internal import Shell

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
    func retries(of kept: JSONObject, isBrief: Bool) -> RetryPolicy {
        if isOptional || secondsLeft(of: kept) ?? 0 > 2 { return .hasty }
        return isBrief ? token.transport.briefRetries : token.transport.lastingRetries
    }

    /// The longest wait for the lock, in seconds: as long as the process that holds it may take for all its attempts.
    func patience(for kept: JSONObject) -> Int {
        guard let longest = token.transport.longestRequest else { return StoreLock.patience }
        let retries = retries(of: kept, isBrief: token.isBrief)
        return longest + (retries.repetition > .unsent && retries.limit > 0 ? Int(min(retries.maximumTime, 1e6)) : 0)
    }

    /// The token as it is kept at the end; the document of the login. Its failure keeps what was found.
    typealias Kept = Attempt<JSONObject, Failure>
    /// How the token is renewed.
    typealias Plan = (kind: Grant.Kind, input: Input)
    /// A document that was read before the lock, and how that is renewed: they count while no other is kept.
    typealias Seen = (document: JSONObject, plan: Plan)

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
        let plan: Plan
        do throws(Failure) { plan = try token.renewal(of: kept, options: options) } catch {
            return end(.failure(error), kept)
        }
        record.begin()
        // What cannot be used is revoked in a step after the lock's last: others need not wait for that.
        var rejected: Errand<Void>?
        let login = token.exchanged?.current(minimum: nil) ?? .done(.success([:]))
        return login.onward { (_) throws(Failure) in locked((kept, plan)) { rejected = $0 } }.then { result in
            // A token that is stored has the newest nonce.
            let isStored = if case .success = result { true } else { false }
            let nonces = isStored ? .done(()) : token.keepNonces(of: try? plan.input.binding())
            return nonces.then {
                guard let rejected else { return end(result, kept) }
                return Errand<Void>.later { rejected }.then { end(result, kept) }
            }
        }
    }

    /// Whether it takes the failure of a process that has just asked the server the same for its own: not where the user asks,
    /// and not for another token of the login.
    var hears: Bool { if case .asked = reason { false } else { token.part == nil } }

    private func held(back kept: JSONObject, by record: RenewalRecord) throws(Failure) -> Result<JSONObject, Failure> {
        let view = token.view(kept)
        if try token.isDue(view, minimum: 0), let failure = record.failure { return .failure(failure) }
        return .success(view)
    }

    /// Notes how it ended. A token that was only due for renewal and is good for a second or more is used, with a warning.
    private func end(
        _ result: Result<JSONObject, Failure>, _ seen: JSONObject
    ) -> Attempt<JSONObject, Failure> {
        let result = result.map(token.view).mapError { $0.during(token.failures.advice.task) }
        switch result {
        case .success(let view):
            token.record.succeed(isStillDue: (try? token.isDue(view, minimum: minimum)) ?? false)
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
    func secondsLeft(of kept: JSONObject) -> Int? {
        guard !isStrict, case .due = reason else { return nil }
        let kept = token.view(kept)
        return kept["refused_at"] == nil ? kept["expires_at"]?.integer.map { $0 - token.world.seconds } : nil
    }

    private func usable(_ kept: JSONObject, in failure: Failure) -> Result<JSONObject, Failure>? {
        guard let left = secondsLeft(of: kept), left > 0,
            (try? token.transport.diagnostics.warn([token.failures.warning(of: failure, left: left)])) != nil
        else { return nil }
        return .success(token.view(kept))
    }

    func applies(_ other: RenewalReason? = nil, to kept: JSONObject) throws(Failure) -> Bool {
        try asFailure((other ?? reason).applies(to: token.renewable(token.view(kept)), now: token.world.seconds))
    }
}
