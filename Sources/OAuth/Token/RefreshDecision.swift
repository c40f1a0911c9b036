/// Whether a token has to be refreshed before it is used.
package struct RefreshDecision: Sendable {
    /// When the access token ends, in seconds since 1970; nil when nobody said.
    package var expiresAt: Int?
    /// The lifetime that it was issued with, in seconds.
    var lifetime: Int?

    package init(expiresAt: Int?, lifetime: Int?) {
        (self.expiresAt, self.lifetime) = (expiresAt, lifetime)
    }

    /// Decides by the `expires_at` and `expires_in` of a token document; see ``TokenEnd`` for those of other programs.
    ///
    /// - Throws: `usage` when one is there and no whole number.
    package init(of document: Document) throws(OAuthError) {
        if let name = TokenEnd.unreadable(in: document.members) {
            throw document.invalid(name, "is not a whole number of seconds")
        }
        let members = TokenEnd.settled(document.members).document
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
