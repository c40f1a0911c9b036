internal import Errands
package import JOSE
package import System

/// The store of a fleet: one record for each token in an engine that several machines share, always sealed. A renewal claims
/// the token in its record first, and so is the only one over all machines (oap-store(1), STORES OF SEVERAL MACHINES).
package struct SharedStore {
    let records: any SharedRecords
    let seal: Seal
    /// What is this machine's own: locks, what it has seen, and answers that the engine does not have yet.
    let folder: String
    let clock: MachineClock
    let tell: (String) -> Void
    /// How long an engine that is away is asked again for what changes nothing.
    private let patience: Duration
    private let identity: Identity
    private let sightings = Sightings()

    /// What this process has seen itself: the file may be one of several machines, in a home that they share.
    private final class Sightings {
        var since: [String: (revision: String, time: Int)] = [:]
    }

    /// Tells which refresh token a token document has, or had when it was refused; nil for none.
    package typealias Identity = ([UInt8]) -> (hash: String, isRefused: Bool)?

    /// - Parameters:
    ///   - place: what a seal names the store by.
    ///   - folder: of this store alone, made when it is needed.
    ///   - tell: tells a person what became of an answer.
    package init(
        over records: any SharedRecords, key: SymmetricKey, older: SymmetricKey? = nil, place: String, folder: String,
        clock: MachineClock = .own, patience: Duration = .zero, identity: @escaping Identity,
        tell: @escaping (String) -> Void
    ) {
        (self.records, self.folder, self.clock) = (records, folder, clock)
        seal = Seal(key: key, older: older, place: place)
        (self.patience, self.identity, self.tell) = (patience, identity, tell)
    }

    /// The longest watch before the caller looks at other things, in seconds. A watch may not hear that its member is cut off.
    static let look = 10

    /// A record as it was read or written last, and whether its claim is known not to count any more: it never does again.
    typealias Kept = (record: ClaimedRecord, revision: String, isFree: Bool)

    func seen(_ name: TokenName) -> SeenRecord { SeenRecord(of: name, in: folder, by: clock) }

    func answer(_ name: TokenName) -> SharedAnswer { SharedAnswer(about: name, in: folder, by: clock) }

    func read(_ name: TokenName) -> Attempt<Kept?, StoreError> { patiently { readOnce(name) } }

    /// Asks again while the engine is away.
    ///
    /// - Parameter start: when it was asked first; nil for now.
    func patiently<Value>(
        since start: MonotonicTime? = nil, _ ask: @escaping () -> Attempt<Value, StoreError>
    ) -> Attempt<Value, StoreError> {
        let begun = start ?? clock.now()
        return ask().then { result in
            let (now, end) = (clock.now(), begun + patience)
            guard case .failure(.away(let place, let reason, _)) = result, now < end else { return .done(result) }
            if start == nil { tell("\(place): \(reason); oap asks again for up to \(patience.components.seconds) s") }
            return .pause(until: min(end, now + .milliseconds(500))) { patiently(since: begun, ask) }
        }
    }

    private func readOnce(_ name: TokenName) -> Attempt<Kept?, StoreError> {
        let seen = seen(name)
        // Before the question: what is seen meanwhile may be newer than the answer.
        let last = seen.revision
        return answer(name).get { records.read(name) }.reading { (found) throws(StoreError) in
            guard let found else { return nil }
            if let last, records.isOlder(found.revision, than: last) {
                throw .shared(
                    records.place,
                    reason: """
                        it is not what it was: it was restored, built again, or is another cluster \
                        (revision \(found.revision) after \(last))
                        """,
                    hint: "what it has may be used up: rm \(seen.path), and log in again, unless another machine did")
            }
            return (try ClaimedRecord(parsing: found.bytes, of: name, in: records.place), found.revision, isFree: false)
        }
    }

    func opened(_ kept: Kept?, _ name: TokenName) throws(StoreError) -> StoredToken? {
        guard let kept else { return nil }
        return StoredToken(
            bytes: try seal.opening(Array(kept.record.token.utf8), name), revision: .text(kept.revision))
    }

    func identity(of record: ClaimedRecord, _ name: TokenName) -> (hash: String, isRefused: Bool)? {
        (try? seal.opening(Array(record.token.utf8), name)).flatMap(identity)
    }

    func identity(of bytes: [UInt8]) -> (hash: String, isRefused: Bool)? { identity(bytes) }

    /// For how many milliseconds more a claim counts; 0 or less for one that others may take over.
    ///
    /// - Throws: `system`.
    func patience(with claim: ClaimedRecord.Claim, at revision: String, _ name: TokenName) throws(StoreError) -> Int {
        let now = clock.boot()
        let own = sightings.since[name.text].flatMap { $0.revision == revision ? $0.time : nil } ?? now
        sightings.since[name.text] = (revision, own)
        return claim.patience - max(try seen(name).note(revision), now - own)
    }

    /// The record when no other machine has a claim on it that still counts.
    ///
    /// - Parameters:
    ///   - seconds: the longest wait; 0 asks once.
    ///   - start: when it began; nil for now.
    /// - Throws: `locked` after that time.
    func free(
        _ name: TokenName, within seconds: Int, since start: MonotonicTime? = nil, after pause: LockPause? = nil
    ) -> Attempt<Kept?, StoreError> {
        let start = start ?? clock.now()
        return read(name).onward { (kept) throws(StoreError) in
            guard let kept, let claim = kept.record.claim else {
                // The other processes of this machine that wait look at it.
                if pause != nil, let kept { _ = try? seen(name).note(kept.revision) }
                return .done(.success(kept))
            }
            let left = try patience(with: claim, at: kept.revision, name)
            guard left > 0 else { return .done(.success((kept.record, kept.revision, isFree: true))) }
            let (now, end) = (clock.now(), start + .seconds(seconds))
            let place = "\(records.place), \(name.text)"
            guard end > now else { throw .locked(path: place, seconds: seconds) }
            let pause = pause?.next(waitingFor: place) ?? LockPause(by: clock.now)
            let look = pause.isTold ? .seconds(Self.look) : LockPause.silence
            let moment = min(end, now + .milliseconds(left), now + look)
            return records.change(of: name, since: kept.revision, until: moment).onward { _ in
                free(name, within: seconds, since: start, after: pause)
            }
        }
    }
}

extension ClaimedRecord.Claim {
    /// The milliseconds for which others see it unchanged before they take it over. The rates of two clocks may differ by a
    /// tenth. A claim is not sealed: one of much more time than this version takes counts as one of twice that time.
    var patience: Int { min(seconds, 2 * Self.usual) * 1100 + 1000 }
}
