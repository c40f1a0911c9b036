internal import Errands
internal import OAuth
internal import System
internal import Wire

struct KeptIDToken {
    let text: String
    /// Its end, in seconds since 1970; nil if it does not say.
    let expiresAt: Int?
    /// The seconds that it was issued for; nil if it does not say.
    let lifetime: Int?

    /// Reads the times of an ID token.
    ///
    /// - Throws: exit 3 without one.
    fileprivate init(of kept: JSONObject) throws(Failure) {
        guard let text = kept["id_token"]?.string else {
            throw Failure(
                .badInput, .idTokenMissing, "the login brought no ID token",
                hint: Document(kept).hintForClientToken ?? "log in with the scope openid")
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let payload = parts.count == 3 ? Base64.decodeURL(String(Substring(parts[1]))) : nil
        let claims = payload.flatMap { (try? JSON(parsing: $0))?.object }
        let end = claims?["exp"]?.integer
        (self.text, expiresAt) = (text, end)
        lifetime = end.flatMap { end in claims?["iat"]?.integer.map { end - $0 } }
    }

    /// The token, if it can be used.
    ///
    /// - Throws: exit 8 for one that has expired.
    fileprivate func unexpired() throws(Failure) -> KeptIDToken {
        guard let expiresAt, expiresAt <= Clock.now else { return self }
        throw Failure(
            .loginNeeded, .loginNeeded, "the ID token has expired, and the server issued no new one",
            hint: "log in again")
    }
}

extension ManagedToken {
    /// The ID token, renewed first if no more than these seconds are left by its own `exp`, or than the default for nil.
    /// One that a renewal has not replaced is not renewed again: it is used until its end.
    ///
    /// - Throws: exit 3 without an ID token, exit 8 for one that has expired and that no renewal replaces; as `load()` and
    ///   `renewed(because:after:)`.
    func idToken(minimum: Int?) -> Attempt<KeptIDToken, Failure> {
        load().onward { (kept) throws(Failure) in
            let old = try KeptIDToken(of: kept)
            guard let end = old.expiresAt,
                RefreshDecision(expiresAt: end, lifetime: old.lifetime).isDue(now: Clock.now, minimum: minimum)
            else { return .done(.success(old)) }
            let isHeldBack = !record.mayBegin && end > Clock.now
            guard kept["id_token_final_exp"]?.integer != end, !isHeldBack else {
                return .done(.success(try old.unexpired()))
            }
            let reason = kept["access_token"]?.string.map { RenewalReason.refused($0) } ?? .asked
            let renewal = TokenRenewal(token: self, reason: reason, isOptional: end > Clock.now)
            return renewal.errand(after: kept).then { result in
                attempting { () throws(Failure) in try replaced(old, end, by: result) }
            }
        }
    }

    private func replaced(
        _ old: KeptIDToken, _ end: Int, by result: Result<JSONObject, Failure>
    ) throws(Failure) -> Attempt<KeptIDToken, Failure> {
        let new: KeptIDToken
        do throws(Failure) {
            new = try KeptIDToken(of: try result.get())
        } catch {
            guard end > Clock.now else { throw error }
            try warn("oap uses the old ID token, since it could not be renewed: \(error.message)")
            return .done(.success(old))
        }
        guard new.text.isIdentical(to: old.text) else { return .done(.success(try new.unexpired())) }
        return change { kept in
            guard kept["id_token"]?.string?.isIdentical(to: old.text) == true else { return nil }
            return kept.setting("id_token_final_exp", to: .integer(end))
        }.reading { (_) throws(Failure) in
            if end > Clock.now {
                try warn("the server issues no new ID token; oap uses the old ID token until it expires")
            }
            return try old.unexpired()
        }
    }

    /// The same, as a token with a document that has its end.
    func handedIDToken(minimum: Int?) -> Attempt<HandedToken, Failure> {
        idToken(minimum: minimum).reading { (token) throws(Failure) in
            var document: JSONObject = [:]
            document["expires_at"] = token.expiresAt.map { .integer($0) }
            document["expires_in"] = token.lifetime.map { .integer($0) }
            return HandedToken(document: document, access: try lift(try AccessToken(token.text, of: Document([:]))))
        }
    }
}
