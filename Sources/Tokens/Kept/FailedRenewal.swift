internal import OAuth
internal import TokenStore
internal import Wire
internal import Shell

/// A renewal that failed, as the lock of the token remembers it. Who would ask the server the same again takes the failure for
/// its own: after a refusal for a time that doubles while nothing else is asked; after a failure that may pass, only those that
/// waited for the lock meanwhile.
struct FailedRenewal {
    /// The first time and the longest, in seconds.
    private static let (first, longest) = (60, 960)

    private let members: JSONObject

    /// What the lock remembers about the same request; nil for nothing.
    private init?(_ lock: StoreLock, of exchange: TokenExchange) {
        guard let members = (try? JSON(parsing: lock.note))?.object, members["inputs"] == .string(exchange.identity)
        else { return nil }
        self.members = members
    }

    /// Has the lock remember an outcome, or forget an earlier one.
    static func note(_ outcome: TokenExchange.Outcome, of exchange: TokenExchange, in lock: StoreLock) {
        // A password that may have arrived may be wrong.
        let isOnce = !exchange.renews && exchange.repetition == .unsent
        let error: OAuthError?
        switch outcome {
        case .refused(let refusal): error = refusal
        case .lost(let lost) where lost.requestSent && isOnce: error = nil
        case .unusable(_, let refreshToken, _) where isOnce || refreshToken == nil:
            error = OAuthError(.httpStatus, "", status: 200)
        case .token, .unusable:
            if !lock.note.isEmpty { lock.note = [] }
            return
        case .lost: return
        }
        let isOfGateway = error.map { $0.kind == .httpStatus && [200, 407].contains($0.status) } ?? false
        let isPassing = !isOnce && (isOfGateway || error?.isTemporary == true)
        let count = FailedRenewal(lock, of: exchange)?.members["count"]?.integer ?? 0
        var members: JSONObject = [
            "at": .integer(exchange.transport.world.milliseconds), "inputs": .string(exchange.identity),
            "count": .integer(isPassing ? 0 : count + 1),
            "seconds": .integer(isPassing ? 0 : min(first << min(count, 8), longest)),
        ]
        members["error"] = error?.code.flatMap { $0.isPlainWord && $0.utf8.count < 100 ? .string($0) : nil }
        members["http_status"] = error?.status.map { .integer($0) }
        lock.note = JSON.object(members).bytes
    }

    /// The failure that a request would repeat; nil for none.
    ///
    /// - Parameter start: when the caller began to wait for the lock, in milliseconds since 1970.
    static func heard(by exchange: TokenExchange, since start: Int, in lock: StoreLock) -> Failure? {
        guard let known = FailedRenewal(lock, of: exchange), let time = known.members["at"]?.integer else { return nil }
        let (now, code) = (exchange.transport.world.milliseconds, known.members["error"]?.string)
        let left = time + 1000 * (known.members["seconds"]?.integer ?? 0) - now
        guard time <= now, left > 0 || time >= start else { return nil }
        let (ago, status) = ("\((now - time) / 1000) s ago", known.members["http_status"]?.integer)
        let what = code.map { "refused a renewal \(ago): \($0)" }
        let other = "\(status.map { "answered \($0)" } ?? "did not answer") to a renewal \(ago)"
        let then = left > 0 ? "; oap tries again in \((left + 999) / 1000) s" : ""
        let error = OAuthError(
            code != nil ? .oauth : status != nil ? .httpStatus : .network, "the token endpoint \(what ?? other)\(then)",
            code: code, status: status)
        return exchange.advice.failure(.refused(error), stake: exchange.stake)
    }
}
