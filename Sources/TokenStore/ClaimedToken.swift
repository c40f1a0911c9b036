internal import Errands
internal import System

/// A token of a shared store while no other process of this machine works on it, and, after ``claim()``, no other machine uses
/// it up.
final class ClaimedToken: HeldToken {
    /// What was read last.
    var known: SharedStore.Kept?

    private let name: TokenName
    private let store: SharedStore
    private let lock: StoreLock
    /// The claim of this process, and when it was asked for (``BootTime``).
    private var own: (claim: ClaimedRecord.Claim, revision: String, sent: Int)?
    private var isKnownNew = true

    init(_ name: TokenName, in store: SharedStore, lock: StoreLock) {
        (self.name, self.store, self.lock) = (name, store, lock)
    }

    /// The longest request that uses the token up, with its connection, in seconds.
    private static let longest = 10
    /// A claim outlives its request, three requests to the engine, and a margin.
    private static let seconds = longest + 3 * SharedRecord.longestRequest + 4

    var claimed: Claim? {
        guard let own else { return nil }
        let end = own.sent + (own.claim.seconds - Self.longest - 1) * 1000
        return Claim(seconds: Double(Self.longest)) { BootTime.now < end }
    }

    func load() -> Attempt<StoredToken?, StoreError> {
        attempting { () throws(StoreError) in
            guard isKnownNew, let known else { return reread() }
            isKnownNew = false
            return .done(.success(try store.opened(known, name)))
        }
    }

    private func reread() -> Attempt<StoredToken?, StoreError> {
        store.read(name).reading { [self] (kept) throws(StoreError) in
            known = kept
            if kept?.revision != own?.revision { own = nil }
            return try kept.map { (kept) throws(StoreError) in try store.opened(kept, name) }
        }
    }

    var isShared: Bool { true }

    func reserve(_ count: Int) throws(StoreError) {}

    func releaseRoom() {}

    func claim() -> Attempt<Void, StoreError> {
        attempting { () throws(StoreError) in
            guard let known else { return .done(.success(())) }
            var record = known.record
            // One that is taken over may have been used.
            if record.claim != nil { record.again += 1 }
            let claim = try ClaimedRecord.Claim(seconds: Self.seconds)
            record.claim = claim
            let sent = BootTime.now
            return store.records.replace(name, with: record.bytes, over: known.revision).onward { [self] (outcome) in
                switch outcome {
                case .done(let revision):
                    self.known = (record, revision)
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

    /// Waits until nobody has a claim: then the record is looked at again, and not claimed in a row.
    ///
    /// - Throws: `changed`.
    private func lost() -> Attempt<Void, StoreError> {
        store.free(name, until: .now + .seconds(Self.longestWait)).onward { [self] (kept) throws(StoreError) in
            (known, isKnownNew) = (kept, true)
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
        // Where it fails, the claim says the same until its time is over.
        return store.records.replace(name, with: record.bytes, over: own.revision).then { _ in .done(.success(())) }
    }

    private var changed: StoreError { .changed(path: "\(store.records.place), \(name.text)") }

    private func failure(after outcome: SharedRecord.Replacement) -> StoreError {
        guard outcome == .unknown else { return changed }
        return .shared(store.records.place, reason: "it does not say whether it has stored \(name.text)", hint: nil)
    }

    func save(_ bytes: [UInt8], over revision: Revision?) -> Attempt<Void, StoreError> {
        attempting { () throws(StoreError) in
            let sealed = String(decoding: try store.seal.sealing(bytes, name), as: UTF8.self)
            guard let own, let known else { return replace(sealed, bytes, over: revision, attempts: 5) }
            self.own = nil
            let (from, new) = (store.identity(of: known.record, name)?.hash, store.identity(of: bytes)?.hash)
            let late = LateAnswers(of: name, in: store.folder)
            // On the disk before anything else: nothing else has it.
            let answer =
                if let from, from != new { try late.keep(sealed, from: from, nonce: own.claim.nonce) } else {
                    LateAnswers.Answer?.none
                }
            let record = next(sealed, bytes, after: known.record)
            return store.records.replace(name, with: record.bytes, over: own.revision).then { [self] result in
                if case .success(.done(let revision)) = result {
                    answer.map(late.forget)
                    note(record, revision)
                    return .done(.success(()))
                }
                guard let answer else { return settledWithoutFile(result) }
                return offer(answer, attempts: 3).then { [self] result in
                    switch result {
                    case .success(true): return .done(.success(()))
                    case .success(false): return .done(.failure(changed))
                    case .failure(let error):
                        store.tell("the new token is kept in \(answer.path) until the store has it: \(error.message)")
                        return .done(.success(()))
                    }
                }
            }
        }
    }

    /// What became of a token that nothing was used up for.
    private func settledWithoutFile(
        _ result: Result<SharedRecord.Replacement, StoreError>
    ) -> Attempt<Void, StoreError> {
        switch result {
        case .failure(let error): .done(.failure(error))
        case .success: .done(.failure(changed))
        }
    }

    /// The record after a new version of the document. The doubt about a refresh token goes with it.
    private func next(_ sealed: String, _ bytes: [UInt8], after old: ClaimedRecord?) -> ClaimedRecord {
        var record = ClaimedRecord(token: sealed)
        if let old, let identity = store.identity(of: old, name), identity == store.identity(of: bytes) {
            record.again = old.again
        }
        return record
    }

    private func note(_ record: ClaimedRecord, _ revision: String) {
        known = (record, revision)
        // Others of this machine that wait look at it.
        _ = try? store.seen(name).note(revision)
    }

    /// Stores a document that no request has used anything up for.
    private func replace(
        _ sealed: String, _ bytes: [UInt8], over revision: Revision?, attempts: Int
    ) -> Attempt<Void, StoreError> {
        store.read(name).onward { [self] (kept) throws(StoreError) in
            if let kept {
                // An attempt of which nobody knew the outcome has stored it.
                if kept.record.token == sealed {
                    note(kept.record, kept.revision)
                    return .done(.success(()))
                }
                // A token that cannot be opened is not replaced.
                _ = try store.opened(kept, name)
                guard revision == nil || revision == .text(kept.revision) else { throw changed }
            }
            var record = next(sealed, bytes, after: kept?.record)
            // Another machine may be about to use the same refresh token up.
            if let kept, let identity = store.identity(of: bytes), identity == store.identity(of: kept.record, name) {
                record.claim = kept.record.claim
            }
            return store.records.replace(name, with: record.bytes, over: kept?.revision).onward {
                [self, record] (outcome) throws(StoreError) in
                if case .done(let revision) = outcome {
                    note(record, revision)
                    return .done(.success(()))
                }
                guard attempts > 1 else { throw failure(after: outcome) }
                return replace(sealed, bytes, over: revision, attempts: attempts - 1)
            }
        }
    }

    func remove() -> Attempt<Bool, StoreError> {
        store.records.read(name).onward { [self] (found) throws(StoreError) in
            guard let found else { return .done(.success(false)) }
            return store.records.replace(name, with: nil, over: found.revision).onward { [self] (outcome) in
                if case .done = outcome { return .done(.success(true)) }
                return store.records.read(name).reading { [self] (left) throws(StoreError) in
                    guard left == nil else { throw changed }
                    return true
                }
            }
        }
    }

    /// Offers the store what this machine received and could not store.
    func offerLate() -> Attempt<Void, StoreError> {
        attempting { () throws(StoreError) in
            let late = LateAnswers(of: name, in: store.folder)
            func next(_ rest: ArraySlice<(path: String, answer: LateAnswers.Answer?)>) -> Attempt<Void, StoreError> {
                guard let (path, answer) = rest.first else { return .done(.success(())) }
                guard let answer else {
                    store.tell("\(path) holds a token that was not stored, and cannot be read")
                    return next(rest.dropFirst())
                }
                return offer(answer, attempts: 3).onward { [self] (isStored) in
                    store.tell(
                        isStored
                            ? "a token that an earlier process received is stored now"
                            : "a token that an earlier process received was older than the stored one, and is dropped")
                    return next(rest.dropFirst())
                }
            }
            return next(try late.all()[...])
        }
    }

    /// Stores an answer if the record is still what it was asked with, even over a claim of another machine.
    ///
    /// - Returns: whether the store has it. The file is gone then, and also where the store has a newer one.
    private func offer(_ answer: LateAnswers.Answer, attempts: Int) -> Attempt<Bool, StoreError> {
        let late = LateAnswers(of: name, in: store.folder)
        return store.read(name).onward { [self] (kept) throws(StoreError) in
            if let kept, kept.record.token == answer.token {
                late.forget(answer)
                note(kept.record, kept.revision)
                return .done(.success(true))
            }
            // What cannot be opened with the key here is neither replaced nor dropped.
            let stored = try kept.map { (kept) throws(StoreError) in try store.opened(kept, name) }
            guard let kept, let stored, store.identity(of: stored.bytes)?.hash == answer.from else {
                late.forget(answer)
                return .done(.success(false))
            }
            let record = ClaimedRecord(token: answer.token)
            return store.records.replace(name, with: record.bytes, over: kept.revision).onward {
                [self] (outcome) throws(StoreError) in
                if case .done(let revision) = outcome {
                    late.forget(answer)
                    note(record, revision)
                    return .done(.success(true))
                }
                guard attempts > 1 else { throw failure(after: outcome) }
                return offer(answer, attempts: attempts - 1)
            }
        }
    }
}
