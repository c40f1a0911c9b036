internal import OAuth
internal import TokenStore
internal import Wire
internal import Shell

/// A renewal that failed, as the lock of the token remembers it. Who would ask the server the same again takes the failure for
/// its own: after a refusal for a time that doubles while nothing else is asked; after a failure that may pass, only those that
/// waited for the lock meanwhile.
enum FailedRenewal {
    /// The first time and the longest, in seconds.
    private static let (first, longest) = (60, 960)

    /// What the lock remembers about the same request; nil for nothing.
    private static func known(in lock: StoreLock, of exchange: TokenExchange) -> JSONObject? {
        let members = (try? JSON(parsing: lock.note))?.object
        return members?["inputs"] == .string(exchange.identity()) ? members : nil
    }

    /// Has the lock remember an outcome, or forget an earlier one. A refresh token that came with it has replaced the one of
    /// the request.
    static func note(_ outcome: TokenExchange.Outcome, of exchange: TokenExchange, in lock: StoreLock) {
        // A password that may have arrived may be wrong.
        let isOnce = !exchange.renews && exchange.repetition == .unsent
        var (error, rotated): (OAuthError?, String?)
        var isPassing = !isOnce
        switch outcome {
        case .refused(let refusal):
            error = refusal
            isPassing = !isOnce && (refusal.kind == .httpStatus && refusal.status == 407 || refusal.isTemporary)
        case .lost(let lost) where lost.kind == .tooLarge: error = OAuthError(.tooLarge, lost.message)
        case .lost(let lost) where lost.requestSent && isOnce: break
        case .unusable(let fault, let token, _) where isOnce || token == nil || exchange.renews:
            (error, rotated) = (fault.error ?? OAuthError(.httpStatus, "", status: 200), token)
        case .token, .unusable:
            if !lock.note.isEmpty { lock.note = [] }
            return
        case .lost: return
        }
        let count = known(in: lock, of: exchange)?["count"]?.integer ?? 0
        var members: JSONObject = [
            "at": .integer(exchange.transport.world.milliseconds), "inputs": .string(exchange.identity(with: rotated)),
            "count": .integer(isPassing ? 0 : count + 1),
            "seconds": .integer(isPassing ? 0 : min(first << min(count, 8), longest)),
        ]
        members["error"] = error?.code.flatMap { $0.isPlainWord && $0.utf8.count < 100 ? .string($0) : nil }
        members["http_status"] = error?.status.map { .integer($0) }
        members["retry_after"] = error?.retryAfter.map { .integer($0) }
        if let error, error.kind != .oauth, error.kind != .httpStatus {
            let redactor = exchange.transport.diagnostics.redactor
            members["kind"] = .string(error.kind.rawValue)
            members["words"] = .string(redactor.redact(error.message, upTo: 160))
            members["hint"] = error.hint.map { .string(redactor.redact($0)) }
        }
        for name in ["hint", "words"] where JSON.object(members).bytes.count > StoreLock.noteLimit {
            members[name] = nil
        }
        lock.note = JSON.object(members).bytes
    }

    /// The failure that a request would repeat; nil for none.
    ///
    /// - Parameter start: when the caller began to wait for the lock, in milliseconds since 1970.
    static func heard(by exchange: TokenExchange, since start: Int, in lock: StoreLock) -> Failure? {
        guard let known = known(in: lock, of: exchange), let time = known["at"]?.integer else { return nil }
        let (now, code) = (exchange.transport.world.milliseconds, known["error"]?.string)
        let left = time + 1000 * (known["seconds"]?.integer ?? 0) - now
        guard time <= now, left > 0 || time >= start else { return nil }
        let (ago, status) = ((now - time) / 1000, known["http_status"]?.integer)
        let kind = known["kind"]?.string.flatMap(ErrorKind.init(rawValue:))
        let silence = kind == nil ? "did not answer" : "answered"
        let what = code != nil ? "refused" : status.map { "answered \($0) to" } ?? silence
        let why = (code ?? known["words"]?.string).map { ": \($0)" } ?? ""
        let then = left > 0 ? "; oap tries again in \((left + 999) / 1000) s" : ""
        var error = OAuthError(
            kind ?? (code != nil ? .oauth : status != nil ? .httpStatus : .network),
            "the token endpoint \(what) a renewal \(ago) s ago\(why)\(then)", hint: known["hint"]?.string,
            code: code, status: status)
        error.retryAfter = known["retry_after"]?.integer.map { max($0 - ago, 0) }
        return exchange.advice.failure(.refused(error), stake: exchange.stake)
    }
}
