package import Errands
internal import OAuth
internal import Wire
package import Shell

extension HandedToken {
    /// The ID token of a document as it is kept, with a document that has its end, as far as it says that.
    ///
    /// - Throws: exit 3 without one.
    fileprivate init(idTokenOf kept: JSONObject) throws(Failure) {
        guard let text = kept["id_token"]?.string else {
            throw Failure(
                .badInput, .idTokenMissing, "the login brought no ID token",
                hint: Document(kept).hintForClientToken ?? "log in with the scope openid")
        }
        let claims = (try? JSONWebToken(parsing: text, as: .other))?.claims
        var times: JSONObject = [:]
        if let end = claims?["exp"]?.integer {
            times["expires_at"] = .integer(end)
            times["expires_in"] = claims?["iat"]?.integer.map { .integer(end - $0) }
        }
        self.init(document: times, access: try asFailure(AccessToken(text, of: Document([:]))))
    }

    /// The token, if it can be used.
    ///
    /// - Throws: exit 8 for one that has expired.
    fileprivate func unexpired(at now: Int) throws(Failure) -> HandedToken {
        guard let expiresAt, expiresAt <= now else { return self }
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
    package func idToken(minimum: Int?) -> Attempt<HandedToken, Failure> {
        load().onward { (kept) throws(Failure) in
            let old = try HandedToken(idTokenOf: kept)
            guard let end = old.expiresAt,
                try asFailure(RefreshDecision(of: Document(old.document))).isDue(now: world.seconds, minimum: minimum)
            else { return .done(.success(old)) }
            let isHeldBack = !record.mayBegin && end > world.seconds
            guard kept["id_token_final_exp"]?.integer != end, !isHeldBack else {
                return .done(.success(try old.unexpired(at: world.seconds)))
            }
            let reason = kept["access_token"]?.string.map { RenewalReason.refused($0) } ?? .asked
            let renewal = TokenRenewal(token: self, reason: reason, isOptional: end > world.seconds)
            return renewal.errand(after: kept).then { result in
                attempting { () throws(Failure) in try replaced(old, end, by: result) }
            }
        }
    }

    private func replaced(
        _ old: HandedToken, _ end: Int, by result: Result<JSONObject, Failure>
    ) throws(Failure) -> Attempt<HandedToken, Failure> {
        let new: HandedToken
        do throws(Failure) {
            new = try HandedToken(idTokenOf: try result.get())
        } catch {
            guard end > world.seconds else { throw error }
            try warn("oap uses the old ID token, since it could not be renewed: \(error.message)")
            return .done(.success(old))
        }
        let text = old.access.token
        guard new.access.token.isIdentical(to: text) else {
            return .done(.success(try new.unexpired(at: world.seconds)))
        }
        return change { kept in
            guard kept["id_token"]?.string?.isIdentical(to: text) == true else { return nil }
            return kept.setting("id_token_final_exp", to: .integer(end))
        }.reading { (_) throws(Failure) in
            if end > world.seconds {
                try warn("the server issues no new ID token; oap uses the old ID token until it expires")
            }
            return try old.unexpired(at: world.seconds)
        }
    }
}
