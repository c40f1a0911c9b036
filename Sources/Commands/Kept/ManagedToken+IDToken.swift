internal import OAuth
internal import System
internal import TokenStore
internal import Wire

extension ManagedToken {
    /// The ID token, renewed first if no more than these seconds are left by its own `exp`, or than the default for nil.
    /// One that a renewal has not replaced is not renewed again: it is used until its end.
    ///
    /// - Returns: the token, its end in seconds since 1970, and the seconds that it was issued for.
    /// - Throws: exit 3 without an ID token, exit 8 for one that has expired and that no renewal replaces; as `load()` and
    ///   `renewed(because:)`.
    func idToken(minimum: Int?) throws(Failure) -> (text: String, expiresAt: Int?, lifetime: Int?) {
        var kept = try load()
        var token = try Self.idToken(of: kept)
        guard let end = token.expiresAt,
            RefreshDecision(expiresAt: end, lifetime: token.lifetime).isDue(now: Clock.now, minimum: minimum)
        else { return token }
        if kept["id_token_final_exp"]?.integer != end {
            do throws(Failure) {
                let old = token
                kept = try renewed(because: kept["access_token"]?.string.map { .refused($0) } ?? .asked)
                token = try Self.idToken(of: kept)
                if token.text.isIdentical(to: old.text) {
                    try markFinal(old.text, end)
                    guard end <= Clock.now else {
                        try warn("the server issues no new ID token; oap uses the old ID token until it expires")
                        return old
                    }
                }
            } catch {
                guard end > Clock.now else { throw error }
                try warn("oap uses the old ID token, since it could not be renewed: \(error.message)")
            }
        }
        if let end = token.expiresAt, end <= Clock.now {
            throw Failure(
                .loginNeeded, .loginNeeded, "the ID token has expired, and the server issued no new one",
                hint: "log in again")
        }
        return token
    }

    /// The same, as a token with a document that has its end.
    func handedIDToken(minimum: Int?) throws(Failure) -> HandedToken {
        let token = try idToken(minimum: minimum)
        var document: JSONObject = [:]
        document["expires_at"] = token.expiresAt.map { .integer($0) }
        document["expires_in"] = token.lifetime.map { .integer($0) }
        return HandedToken(document: document, access: try lift(try AccessToken(token.text, of: Document([:]))))
    }

    /// Notes that a renewal brought no other ID token than this one, which has this end.
    private func markFinal(_ token: String, _ end: Int) throws(Failure) {
        let held = try Failure.storing { () throws(StoreError) in try hold(seconds: StoreLock.patience) }
        var kept = try load(held)
        guard kept["id_token"]?.string?.isIdentical(to: token) == true else { return }
        kept["id_token_final_exp"] = .integer(end)
        try Failure.storing(try held.write(JSON.object(kept).bytes + [0x0A]))
    }

    /// The ID token of a document, its end, and the seconds that it was issued for.
    ///
    /// - Throws: exit 3 without one.
    private static func idToken(
        of kept: JSONObject
    ) throws(Failure) -> (text: String, expiresAt: Int?, lifetime: Int?) {
        guard let text = kept["id_token"]?.string else {
            throw Failure(
                .badInput, .idTokenMissing, "the login brought no ID token",
                hint: Document(kept).hintForClientToken ?? "log in with the scope openid")
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let payload = parts.count == 3 ? Base64.decodeURL(String(Substring(parts[1]))) : nil
        let claims = payload.flatMap { (try? JSON(parsing: $0))?.object }
        let end = claims?["exp"]?.integer
        return (text, end, end.flatMap { end in claims?["iat"]?.integer.map { end - $0 } })
    }
}
