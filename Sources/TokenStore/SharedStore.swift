package import Errands
package import JOSE
package import System

/// The store of a fleet: one record for each token in an engine that several machines share, always sealed. A renewal claims
/// the token in its record first, and so is the only one over all machines (oap-store(1), FLEETS).
package struct SharedStore: TokenStoring {
    let records: any SharedRecords
    let seal: Seal
    /// What is this machine's own: locks, what it has seen, and answers that the engine does not have yet.
    let folder: String
    let tell: (String) -> Void
    private let identity: ([UInt8]) -> String?

    /// - Parameters:
    ///   - folder: of this store alone, made when it is needed.
    ///   - identity: what tells which refresh token a token document has, or had when it was refused; nil for none.
    ///   - tell: tells a person what became of an answer.
    package init(
        over records: any SharedRecords, key: SymmetricKey, folder: String,
        identity: @escaping ([UInt8]) -> String?, tell: @escaping (String) -> Void
    ) {
        (self.records, seal, self.folder) = (records, Seal(key: key), folder)
        (self.identity, self.tell) = (identity, tell)
    }

    package func load(_ name: TokenName) -> Attempt<StoredToken?, StoreError> {
        attempting { () throws(StoreError) in
            guard try LateAnswers(of: name, in: folder).all().isEmpty else {
                return hold(name) { held in held.load() }
            }
            return read(name).reading { (kept) throws(StoreError) in
                try kept.map { (kept) throws(StoreError) in try opened(kept, name) }
            }
        }
    }

    package func list() -> Attempt<[TokenName], StoreError> { records.list() }

    /// Changes when a process of this machine has seen another version.
    package func revision(of name: TokenName) -> Revision? { seen(name).stamp.map(Revision.file) }

    package func tryHold(_ name: TokenName, at moment: MonotonicTime) -> Attempt<any HeldToken, StoreError> {
        .pause(until: moment) {
            attempting { () throws(StoreError) in
                try PrivateFile.prepareFolder(folder)
                // The processes of one machine are one client of the engine.
                let lock = try StoreLock("\(folder)/\(name.text).lock")
                let held = ClaimedToken(name, in: self, lock: lock)
                return held.offerLate().onward { (_) throws(StoreError) in free(name, until: .now + Self.look) }
                    .reading { (kept) throws(StoreError) in
                        held.known = kept
                        return held
                    }.keeping(lock)
            }
        }
    }

    /// The longest watch before the caller looks at other things.
    private static let look = Duration.seconds(10)

    typealias Kept = (record: ClaimedRecord, revision: String)

    func seen(_ name: TokenName) -> SeenRecord { SeenRecord(of: name, in: folder) }

    func read(_ name: TokenName) -> Attempt<Kept?, StoreError> {
        records.read(name).reading { (found) throws(StoreError) in
            guard let found else { return nil }
            if let last = seen(name).revision, records.isOlder(found.revision, than: last) {
                throw .shared(
                    records.place,
                    reason: "its revision went back from \(last) to \(found.revision): it was restored or built again",
                    hint: "what it has may be used up: log in again, and store that with --force")
            }
            return (try ClaimedRecord(parsing: found.bytes, of: name, in: records.place), found.revision)
        }
    }

    func opened(_ kept: Kept, _ name: TokenName) throws(StoreError) -> StoredToken {
        StoredToken(
            bytes: try seal.opening(Array(kept.record.token.utf8), name), revision: .text(kept.revision))
    }

    func identity(of record: ClaimedRecord, _ name: TokenName) -> String? {
        (try? seal.opening(Array(record.token.utf8), name)).flatMap(identity)
    }

    func identity(of bytes: [UInt8]) -> String? { identity(bytes) }

    /// The record when no other machine has a claim on it that still counts.
    ///
    /// - Throws: `locked` after that time.
    func free(_ name: TokenName, until end: MonotonicTime) -> Attempt<Kept?, StoreError> {
        read(name).onward { (kept) throws(StoreError) in
            guard let kept, let claim = kept.record.claim else { return .done(.success(kept)) }
            let left = claim.patience - (try seen(name).note(kept.revision))
            guard left > 0 else { return .done(.success(kept)) }
            guard end > .now else { throw .locked(path: "\(records.place), \(name.text)", seconds: 0) }
            let moment = min(end, .now + .milliseconds(left))
            return records.change(of: name, since: kept.revision, until: moment).onward { _ in
                free(name, until: end)
            }
        }
    }
}

extension ClaimedRecord.Claim {
    /// The milliseconds for which others see it unchanged before they take it over. The rates of two clocks may differ by a
    /// tenth.
    var patience: Int { seconds * 1100 + 1000 }
}
