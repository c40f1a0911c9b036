internal import Errands
package import JOSE
internal import System

/// The store of a fleet: one record for each token in an engine that several machines share, always sealed. A renewal claims
/// the token in its record first, and so is the only one over all machines (oap-store(1), STORES OF SEVERAL MACHINES).
package struct SharedStore {
    let records: any SharedRecords
    let seal: Seal
    /// What is this machine's own: locks, what it has seen, and answers that the engine does not have yet.
    let folder: String
    let tell: (String) -> Void
    private let identity: ([UInt8]) -> RefreshTokenIdentity?

    /// - Parameters:
    ///   - folder: of this store alone, made when it is needed.
    ///   - identity: of the refresh token of a token document; nil for none.
    ///   - tell: tells a person what became of an answer.
    package init(
        over records: any SharedRecords, key: SymmetricKey, folder: String,
        identity: @escaping ([UInt8]) -> RefreshTokenIdentity?, tell: @escaping (String) -> Void
    ) {
        (self.records, seal, self.folder) = (records, Seal(key: key), folder)
        (self.identity, self.tell) = (identity, tell)
    }

    typealias Kept = (record: ClaimedRecord, revision: String)

    func seen(_ name: TokenName) -> SeenRecord { SeenRecord(of: name, in: folder) }

    func read(_ name: TokenName) -> Attempt<Kept?, StoreError> {
        records.read(name).reading { (found) throws(StoreError) in
            guard let found else { return nil }
            if let last = seen(name).revision, records.isOlder(found.revision, than: last) {
                throw .shared(
                    records.place,
                    reason: """
                        it is not what it was: it was restored, built again, or is another cluster \
                        (revision \(found.revision) after \(last))
                        """,
                    hint: "its refresh tokens may be used up; if it is meant: rm \(seen(name).path), and log in again")
            }
            return (try ClaimedRecord(parsing: found.bytes, of: name, in: records.place), found.revision)
        }
    }

    func opened(_ kept: Kept, _ name: TokenName) throws(StoreError) -> StoredToken {
        StoredToken(
            bytes: try seal.opening(Array(kept.record.token.utf8), name), revision: .text(kept.revision))
    }

    func identity(of record: ClaimedRecord, _ name: TokenName) -> RefreshTokenIdentity? {
        (try? seal.opening(Array(record.token.utf8), name)).flatMap(identity)
    }

    func identity(of bytes: [UInt8]) -> RefreshTokenIdentity? { identity(bytes) }

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

/// What tells one refresh token from another: an answer that arrives late belongs to the token that it was asked with.
package struct RefreshTokenIdentity: Equatable {
    package let hash: String
    /// Whether the server refused it: the document has no refresh token any more.
    package let isRefused: Bool

    package init(hash: String, isRefused: Bool) { (self.hash, self.isRefused) = (hash, isRefused) }
}
