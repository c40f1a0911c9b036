internal import Errands
internal import System

/// A token of a shared store while no other process of this machine works on it, and, after ``claim()``, no other machine uses
/// it up.
final class ClaimedToken: HeldToken {
    let name: TokenName
    let store: SharedStore
    let lock: StoreLock
    /// What was read last.
    private(set) var known: SharedStore.Kept?
    /// Why the record cannot be read.
    private var problem: StoreError?
    /// The claim of this process, and when it was asked for (``BootTime``).
    private var own: Own?
    private var isKnownNew = false

    typealias Own = (claim: ClaimedRecord.Claim, revision: String, sent: Int)

    init(_ name: TokenName, in store: SharedStore, lock: StoreLock) {
        (self.name, self.store, self.lock) = (name, store, lock)
    }

    private static let (longest, seconds) = (ClaimedRecord.Claim.longestRequest, ClaimedRecord.Claim.usual)

    var needsClaim: Bool { true }

    var claimed: Claim? {
        guard let own else { return nil }
        let end = own.sent + (own.claim.seconds - Self.longest - 1) * 1000
        return Claim(seconds: Double(Self.longest)) { [clock = store.clock] in clock.boot() < end }
    }

    /// Takes note of what was read a moment ago.
    func found(_ kept: SharedStore.Kept?) { (known, isKnownNew) = (kept, true) }

    /// Takes note of a record that nothing but a deletion helps.
    func found(_ problem: StoreError) { self.problem = problem }

    /// Takes note of what this process has written, with which an errand is done.
    @discardableResult
    func wrote(_ record: ClaimedRecord, _ revision: String) -> Attempt<Void, StoreError> {
        known = (record, revision, isFree: false)
        // The others of this machine that wait look at it.
        _ = try? store.seen(name).note(revision)
        return .done(.success(()))
    }

    func load() -> Attempt<StoredToken?, StoreError> {
        attempting { () throws(StoreError) in
            if let problem { throw problem }
            guard isKnownNew else {
                return store.read(name).reading { [self] (kept) throws(StoreError) in
                    known = kept
                    if kept?.revision != own?.revision { own = nil }
                    return try store.opened(kept, name)
                }
            }
            isKnownNew = false
            return .done(.success(try store.opened(known, name)))
        }
    }

    /// Room on the disk of this machine: the new token lies there before the store has it.
    func reserve(_ count: Int) throws(StoreError) {
        try PrivateFile.checkRoom(for: store.seal.size(of: count), at: "\(store.folder)/\(name.text)")
    }

    func releaseRoom() {}

    func claim() -> Attempt<Void, StoreError> {
        attempting { () throws(StoreError) in
            guard let known else { return .done(.success(())) }
            var record = known.record
            if let other = record.claim {
                // One that is not free was read after the last wait.
                let left = known.isFree ? 0 : try store.patience(with: other, at: known.revision, name)
                guard left <= 0 || own?.claim == other else { return lost() }
                // One that is taken over may have been used.
                record.again += 1
            }
            let claim = try ClaimedRecord.Claim(seconds: Self.seconds)
            record.claim = claim
            own = nil
            let sent = store.clock.boot()
            return store.records.replace(name, with: record.bytes, over: known.revision).onward { [self] (outcome) in
                switch outcome {
                case .done(let revision):
                    self.known = (record, revision, isFree: false)
                    own = (claim, revision, sent)
                    return .done(.success(()))
                case .lost: return lost()
                case .unknown:
                    return store.read(name).onward { [self] (kept) throws(StoreError) in
                        guard let kept, kept.record.claim == claim else { return lost() }
                        self.known = kept
                        own = (claim, kept.revision, sent)
                        return .done(.success(()))
                    }
                }
            }
        }
    }

    /// Waits until the claim of the other machine is over. The caller then reads the record again before it claims.
    ///
    /// - Throws: `changed`; `locked` if others take too long.
    private func lost() -> Attempt<Void, StoreError> {
        store.free(name, within: Self.longestWait).reading { [self] (kept) throws(StoreError) in
            found(kept)
            throw changed
        }
    }

    /// The most seconds that another machine takes: the time of its claim, as others count it, and of a request after it.
    private static let longestWait = seconds * 11 / 10 + 1 + longest + 3 * SharedRecord.longestRequest

    func release(isDoubtful: Bool) -> Attempt<Void, StoreError> {
        guard let own, let known else { return .done(.success(())) }
        self.own = nil
        var record = known.record
        record.claim = nil
        if isDoubtful { record.again += 1 }
        return store.records.replace(name, with: record.bytes, over: own.revision).then { [self] result in
            // Where it fails, the claim says the same until its time is over.
            if case .success(.done(let revision)) = result { wrote(record, revision) }
            return .done(.success(()))
        }
    }

    var changed: StoreError { .changed(path: "\(store.records.place), \(name.text)") }

    func save(_ bytes: [UInt8], over revision: Revision?) -> Attempt<Void, StoreError> {
        attempting { () throws(StoreError) in
            let sealed = String(decoding: try store.seal.sealing(bytes, name), as: UTF8.self)
            guard let own, let known else { return replace(sealed, bytes, over: revision) }
            self.own = nil
            let (from, new) = (store.identity(of: known.record, name), store.identity(of: bytes))
            if let from, let new, !new.isRefused, new.hash != from.hash {
                return keep(sealed, from: from.hash, over: own)
            }
            // Nothing was used up: another machine may have the claim by now.
            var record = next(sealed, bytes, after: known.record)
            record.claim = nil
            if new?.isRefused == true { record.again = 0 }
            return replace(own.claim, with: record, over: own.revision, attempts: Self.attempts).then { [self] result in
                guard case .failure(.shared(_, let reason, _)) = result else { return .done(result) }
                store.tell("what came of the renewal is not stored: \(reason)")
                return .done(.success(()))
            }
        }
    }

    /// The number of attempts of a write whose outcome is unknown.
    static let attempts = 5

    /// The record after a new version of the document. The doubt about a refresh token, and a claim on it, go with that
    /// token alone.
    private func next(_ sealed: String, _ bytes: [UInt8], after old: ClaimedRecord?) -> ClaimedRecord {
        var record = ClaimedRecord(token: sealed)
        if let old, let identity = store.identity(of: old, name), identity.hash == store.identity(of: bytes)?.hash {
            (record.again, record.claim) = (old.again, old.claim)
        }
        return record
    }

    /// Stores a version with the same refresh token, or the mark of its refusal, over the claim of this process.
    private func replace(
        _ claim: ClaimedRecord.Claim, with record: ClaimedRecord, over revision: String, attempts: Int
    ) -> Attempt<Void, StoreError> {
        store.records.replace(name, with: record.bytes, over: revision).onward { [self] (outcome) throws(StoreError) in
            switch outcome {
            case .done(let revision):
                return wrote(record, revision)
            case .lost: throw changed
            case .unknown:
                return store.read(name).onward { [self] (kept) throws(StoreError) in
                    if let kept, kept.record.token == record.token {
                        return wrote(kept.record, kept.revision)
                    }
                    guard let kept, kept.record.claim == claim, attempts > 1 else { throw changed }
                    return replace(claim, with: record, over: kept.revision, attempts: attempts - 1)
                }
            }
        }
    }

    /// Stores a document that no request has used anything up for. One that only changes what was read is not stored over a
    /// newer token of another machine, and leaves a claim on it alone.
    private func replace(_ sealed: String, _ bytes: [UInt8], over revision: Revision?) -> Attempt<Void, StoreError> {
        let before = known
        return put(sealed) { [self] (kept) throws(StoreError) in
            if let kept {
                // A token that cannot be opened is not replaced.
                _ = try store.opened(kept, name)
                guard revision == nil || revision == .text(kept.revision) else { throw changed }
            }
            if let before, kept?.revision != before.revision,
                store.identity(of: before.record, name)?.hash == store.identity(of: bytes)?.hash,
                kept?.record.token != before.record.token
            {
                throw changed
            }
            return next(sealed, bytes, after: kept?.record)
        }.reading { (_) throws(StoreError) in }
    }

    /// Stores a sealed token over the record that is there, if it is not there already.
    ///
    /// - Parameter record: the new record; nil to leave the one that is there.
    /// - Returns: whether the store has the token.
    func put(
        _ sealed: String, attempts: Int = attempts,
        _ record: @escaping (SharedStore.Kept?) throws(StoreError) -> ClaimedRecord?
    ) -> Attempt<Bool, StoreError> {
        store.read(name).onward { [self] (kept) throws(StoreError) in
            if let kept, kept.record.token == sealed {
                wrote(kept.record, kept.revision)
                return .done(.success(true))
            }
            guard let new = try record(kept) else { return .done(.success(false)) }
            return store.records.replace(name, with: new.bytes, over: kept?.revision).onward {
                [self] (outcome) throws(StoreError) in
                if case .done(let revision) = outcome {
                    wrote(new, revision)
                    return .done(.success(true))
                }
                guard attempts > 1 else { throw changed }
                return put(sealed, attempts: attempts - 1, record)
            }
        }
    }

    func remove() -> Attempt<Bool, StoreError> {
        remove(attempts: Self.attempts, wasTried: false).then { [self] result in
            store.answer(name).remove()
            return .done(result)
        }
    }

    private func remove(attempts: Int, wasTried: Bool) -> Attempt<Bool, StoreError> {
        store.records.read(name).onward { [self] (found) throws(StoreError) in
            guard let found else { return .done(.success(wasTried)) }
            return store.records.replace(name, with: nil, over: found.revision).onward {
                [self] (outcome) throws(StoreError) in
                if case .done = outcome { return .done(.success(true)) }
                guard attempts > 1 else { throw changed }
                return remove(attempts: attempts - 1, wasTried: outcome == .unknown)
            }
        }
    }
}
