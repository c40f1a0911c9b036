package import Wire

/// Whether a token has to be refreshed before it is used.
package struct RefreshDecision: Sendable {
    /// When the access token ends, in seconds since 1970; nil when nobody said.
    package var expiresAt: Int?
    /// The lifetime that it was issued with, in seconds.
    var lifetime: Int?

    package init(expiresAt: Int?, lifetime: Int?) { (self.expiresAt, self.lifetime) = (expiresAt, lifetime) }

    /// Decides by the `expires_at` and `expires_in` of a token document; see ``TokenEnd`` for those of other programs.
    ///
    /// - Throws: `usage` when one is there and no whole number.
    package init(of document: Document) throws(OAuthError) {
        if let name = TokenEnd.unreadable(in: document.members) {
            throw document.invalid(name, "is not a whole number of seconds")
        }
        let members = TokenEnd.normalized(document.members).document
        func seconds(_ name: String) throws(OAuthError) -> Int? {
            guard let value = members[name], !value.isNull else { return nil }
            guard let seconds = value.seconds else {
                throw document.invalid(name, "is not a whole number of seconds")
            }
            return seconds
        }
        self.init(expiresAt: try seconds("expires_at"), lifetime: try seconds("expires_in"))
    }

    /// Whether no more than `minimum` seconds are left. Without a minimum it is the smaller of 60 and a tenth of the
    /// lifetime. A clock that is 300 s or more before the time of issue is not trusted (oap-token(1), `--min-ttl`).
    package func isDue(now: Int, minimum: Int? = nil) -> Bool {
        guard let expiresAt else { return false }
        if let lifetime, now < expiresAt - lifetime - 300 { return true }
        return expiresAt - now <= margin(minimum)
    }

    /// The seconds until it is due, 0 or less if it is; nil for a token without an end.
    package func secondsUntilDue(now: Int, minimum: Int? = nil) -> Int? {
        guard let expiresAt else { return nil }
        return isDue(now: now, minimum: minimum) ? 0 : expiresAt - now - margin(minimum)
    }

    private func margin(_ minimum: Int?) -> Int { minimum ?? min(60, (lifetime ?? 600) / 10) }
}

/// Why a kept token is renewed.
package enum RenewalReason: Sendable {
    /// No more seconds are left than this, or than the default for nil, of the access token that was seen before. A newer
    /// one is used until it expires: otherwise each of many processes would renew a token that never lives longer.
    case due(minimum: Int?, seen: String?)
    /// The API refused this access token.
    case refused(String)
    case asked

    /// Whether the reason applies to the token document that is kept now.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `usage` for times that are no whole numbers.
    package func applies(to kept: JSONObject, now: Int) throws(OAuthError) -> Bool {
        switch self {
        case .due(let minimum, let seen):
            if kept["refused_at"] != nil { return true }
            let decision = try RefreshDecision(of: Document(kept))
            let hasExpired = decision.expiresAt.map { $0 <= now } ?? false
            // A token that cannot be renewed is used to its last second.
            guard TokenDocument.isRenewable(kept, now: now) else { return hasExpired }
            if let seen, kept["access_token"]?.string?.isIdentical(to: seen) == false { return hasExpired }
            return decision.isDue(now: now, minimum: minimum)
        case .refused(let token): return kept["access_token"]?.string?.isIdentical(to: token) ?? true
        case .asked: return true
        }
    }
}

/// How many renewals of one token one process may try, so that it never storms the server: five in half a minute.
package struct RenewalWindow {
    private static let most = 5
    private static let seconds = 30
    private var attempts: [Int] = []

    package init() {}

    /// `now` is in seconds on any clock.
    package mutating func note(at now: Int) { attempts = attempts.suffix(Self.most - 1) + [now] }

    /// The seconds until the next attempt may be made; 0 if it may be made now.
    package func wait(at now: Int) -> Int {
        guard attempts.count == Self.most, let first = attempts.first else { return 0 }
        return max(0, first + Self.seconds + 1 - now)
    }
}
