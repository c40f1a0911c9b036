package import Errands
package import System

/// An engine that several machines share. It knows names, bytes and revisions: what the bytes mean is said elsewhere, so that
/// a further engine is small.
package protocol SharedRecords {
    /// What the engine is called in messages.
    var place: String { get }

    /// The record of a name as the whole cluster has it now (a linearizable read); nil if there is none.
    func read(_ name: TokenName) -> Attempt<SharedRecord?, StoreError>

    /// Replaces a record only while its revision is the one that was read; nil for one that must not be there.
    ///
    /// - Parameter bytes: nil removes it.
    func replace(
        _ name: TokenName, with bytes: [UInt8]?, over revision: String?
    ) -> Attempt<SharedRecord.Replacement, StoreError>

    /// Ends when a record may have changed since a revision, or at a moment.
    func change(of name: TokenName, since revision: String, until end: MonotonicTime) -> Attempt<Void, StoreError>

    /// The names of the records, sorted.
    func list() -> Attempt<[TokenName], StoreError>

    /// Whether a revision is certainly an earlier one than another, so that the engine was restored from a backup.
    func isOlder(_ revision: String, than other: String) -> Bool
}

extension SharedRecords {
    /// Watches a record until there is news, or until a moment.
    ///
    /// - Parameters:
    ///   - start: the time now.
    ///   - pause: how long one lasts at least that ends without news, or is not allowed: the record is read then.
    ///   - news: what the content so far says: whether the record has changed, or the watch goes no further; nil for nothing.
    func watching(
        _ request: ServerRequest, from start: MonotonicTime, until end: MonotonicTime, pause: Duration,
        for news: @escaping ([UInt8]) -> Bool?
    ) -> Attempt<Void, StoreError> {
        var request = request
        request.maximumTime = max(Double(end.milliseconds(since: start)) / 1000, 0.05)
        request.isEnough = { news($0) != nil }
        return .send(request) { (result, moment) in
            let isNew =
                if case .success(let response) = result, response.head.status == 200 {
                    news(response.body) == true
                } else { false }
            return .pause(until: isNew ? moment.time : min(end, start + pause)) { .done(.success(())) }
        }
    }
}

/// A record of an engine, and what tells it from the next version.
package struct SharedRecord {
    package let bytes: [UInt8]
    package let revision: String

    /// The time limit of one request to an engine, in seconds.
    package static let longestRequest = 2
    /// The time limit of the last attempts to read, in seconds. Where thousands of processes begin at once, the shorter
    /// time is over before they have had their turn.
    static let patience = 10

    package init(bytes: [UInt8], revision: String) { (self.bytes, self.revision) = (bytes, revision) }

    package enum Replacement: Equatable {
        case done(revision: String)
        /// Another revision is there: nothing was changed.
        case lost
        /// Whether the record was replaced is not known: the record must be read.
        case unknown
    }
}
