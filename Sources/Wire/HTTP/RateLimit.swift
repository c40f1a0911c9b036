/// How long a server asks to wait before the next request.
package enum RateLimit {
    /// The seconds to wait after a response: `Retry-After` of any response (RFC 9110 §10.2.3); after a 403 or 429 also
    /// the fields of a rate limit whose quota is used up: `RateLimit` and `RateLimit-Reset`
    /// (draft-ietf-httpapi-ratelimit-headers), `X-RateLimit-Reset` as seconds or as a time. Nil if nothing is said.
    ///
    /// - Parameter now: seconds since 1970, for a response without `Date`.
    package static func wait(after head: HTTPResponseHead, now: Int) -> Int? {
        let fields = head.headers
        let mayBeLimit = HTTPStatus.mayBeLimit(head.status)
        let after = fields.first("Retry-After")
        guard after != nil || mayBeLimit else { return nil }
        let now = fields.first("Date").flatMap { HTTPDate($0, now: now) }?.seconds ?? now
        if let seconds = after.flatMap({ RetryAfter.seconds($0, now: now) }) { return seconds }
        guard mayBeLimit else { return nil }
        let limits = [policy(in: fields)] + prefixes.map { separate($0, in: fields) }
        let limit = limits.lazy.compactMap(\.self).first { head.status == 429 || $0.remaining == 0 }
        guard let reset = limit?.reset else { return nil }
        guard reset >= firstTime else { return reset }
        let (left, isOverflow) = reset.subtractingReportingOverflow(now)
        return isOverflow ? .max : max(0, left)
    }

    /// What is left of a quota, and when it is renewed.
    private struct Limit {
        var remaining: Int?
        /// Seconds from now, or since 1970 for a number that is too large for that.
        var reset: Int?
    }

    /// Smaller numbers are seconds to wait: this is a day of 2001.
    private static let firstTime = 1_000_000_000
    /// The names of drafts and of services.
    private static let prefixes = ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"]

    private static func separate(_ prefix: String, in fields: [HTTPField]) -> Limit? {
        fields.first(prefix + "Reset").map {
            Limit(remaining: fields.first(prefix + "Remaining").flatMap(RetryAfter.count), reset: RetryAfter.count($0))
        }
    }

    /// `"default";r=0;t=30` and `limit=100, remaining=0, reset=30`; of several policies, the one that is used up.
    private static func policy(in fields: [HTTPField]) -> Limit? {
        let value = fields.values(of: "RateLimit").joined(separator: ",")
        var limits = [Limit()]
        for (index, item) in value.split(separator: ",").enumerated() {
            if index > 0, item.contains(";") { limits.append(Limit()) }
            for part in item.split(separator: ";") {
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, let number = RetryAfter.count(String(pair[1])) else { continue }
                switch String(pair[0]).trimmed {
                case "r", "remaining": limits[limits.count - 1].remaining = number
                case "t", "reset": limits[limits.count - 1].reset = number
                default: continue
                }
            }
        }
        return limits.first { $0.remaining == 0 && $0.reset != nil } ?? limits.first { $0.reset != nil }
    }
}

/// What `Retry-After` says (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The seconds to wait, from a number of seconds or a date; 0 for a date that has passed, `Int.max` for a number
    /// beyond all counting. Nil for anything else, which is as good as no field.
    package static func seconds(_ value: String, now: Int) -> Int? {
        count(value) ?? HTTPDate(value.trimmed, now: now).map { max(0, $0.seconds - now) }
    }

    /// The number that a text is; `Int.max` for one beyond all counting.
    static func count(_ text: String) -> Int? {
        let digits = text.trimmed
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits) ?? .max
    }
}
