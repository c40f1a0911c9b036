package import Wire

/// Why a kept token is renewed.
package enum RenewalReason: Sendable {
    /// No more seconds are left than this, or than the default for nil, of the access token that was seen before. A newer
    /// one is used until it expires: otherwise each of many processes would renew a token that never lives longer.
    case due(minimum: Int?, seen: String?)
    /// The API refused this access token.
    case refused(String)
    case asked

    /// Whether it applies to the token document that is kept now.
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
