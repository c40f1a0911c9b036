package import Errands
package import OAuth
internal import TokenStore
package import Wire
package import Shell

/// Changes of a kept token besides its renewal.
extension ManagedToken {
    /// Marks an access token that an API refused and nothing renews. One that is kept meanwhile is left alone.
    ///
    /// - Parameter isCertain: whether the API called it invalid: then it is not used again, and another token of a login is
    ///   dropped. Else a login that is only made if needed is needed: the API may have refused the request alone. So it is
    ///   of a token that was stored by hand: no login replaces it, and its other APIs may take it.
    /// - Throws: exit 11.
    package func markRefused(_ accessToken: String, isCertain: Bool) -> Attempt<Void, Failure> {
        change { marked($0, accessToken, isCertain ? "refused_at" : "unauthorized_at") }
    }

    /// Marks access tokens that were revoked, so that the next use of the login gets others.
    ///
    /// - Throws: exit 11.
    package func markRevoked(_ tokens: [String]) -> Attempt<Void, Failure> {
        change { kept in
            let rest = tokens.reduce(kept) { DerivedToken.dropping($1, from: $0) ?? $0 }
            let isOwn = tokens.contains { kept["access_token"]?.string?.isIdentical(to: $0) == true }
            let marked = isOwn ? rest.setting("refused_at", to: .integer(world.seconds)) : rest
            return marked == kept ? nil : marked
        }
    }

    private func marked(_ kept: JSONObject, _ accessToken: String, _ member: String) -> JSONObject? {
        guard part == nil else {
            return member == "refused_at" ? DerivedToken.dropping(accessToken, from: kept) : nil
        }
        let isSame = kept["access_token"]?.string?.isIdentical(to: accessToken) ?? false
        guard isSame, !TokenDocument.isRenewable(renewable(kept), now: world.seconds) else { return nil }
        let isByHand = failures.storing(kept) != nil && !hasClient
        return kept.setting(isByHand ? "unauthorized_at" : member, to: .integer(world.seconds))
    }

    /// Keeps what an API asked of the next login. The token that is kept meanwhile may be a newer one: then it is left alone.
    ///
    /// - Throws: exit 11.
    package func keepStepUp(_ wish: JSONObject, for accessToken: String) -> Attempt<Void, Failure> {
        change { kept in
            let isSame = part != nil || kept["access_token"]?.string?.isIdentical(to: accessToken) == true
            return isSame && kept["step_up"] != .object(wish) ? kept.setting("step_up", to: .object(wish)) : nil
        }
    }

    /// Keeps the nonces that servers want in the proofs of its key, so that the next process has them. What goes wrong costs
    /// that process one more request.
    package func keepNonces(of binding: DPoPBinding?) -> Errand<Void> {
        guard let binding, binding.hasNewNonces else { return .done(()) }
        return change { kept in kept.holds(DPoPBinding.keyMember) ? binding.addingNonces(to: kept) : nil }
            .then { _ in .done(()) }
    }

    /// Refuses a name that no token is stored under, before a lock file is made for it.
    ///
    /// - Throws: exit 8.
    package func requireStored() -> Attempt<Void, Failure> {
        store.load(name).then { result in
            // After an error there is something, or its lock tells what is wrong.
            if case .success(nil) = result { return .done(.failure(notStored)) }
            return .done(.success(()))
        }
    }

    /// The failure of a command that ends a token, if none is stored under the name.
    package var notStored: Failure {
        Failure(
            .loginNeeded, .loginNeeded, "no token is stored as \(name.text)",
            hint: nameHint(else: "find the name with oap store list")
        ).unknown(name.text)
    }

    /// The hint for a name that no token is stored under.
    func nameHint(else hint: String?) -> String? {
        StoredNames.both.hint(
            for: name.text, in: inputs.environment, store: inputs.settings.store, else: hint)
    }

    /// Takes the token out of the store after a step with it, during which no other process works on it.
    ///
    /// - Throws: exit 8 without a stored token; what the step throws: then the token stays; exit 11.
    package func forget<Value>(
        after step: @escaping (JSONObject) -> Attempt<Value, Failure>
    ) -> Attempt<Value, Failure> {
        holding { (held) throws(Failure) in
            load(held).onward { (kept) throws(Failure) in
                step(kept.document).onward { (value) throws(Failure) in
                    Failure.storing(held.remove()).reading { (_) throws(Failure) in value }
                }
            }
        }
    }

    /// Takes the token out of the store, though it may be unreadable.
    ///
    /// - Throws: exit 8 without a stored token, exit 11 if it cannot be removed.
    package func forget() -> Attempt<Void, Failure> {
        holding { (held) throws(Failure) in
            Failure.storing(held.remove()).reading { (existed) throws(Failure) in
                guard existed else { throw notStored }
            }
        }
    }

    /// Changes the token as it is kept; nil leaves it alone.
    ///
    /// - Throws: exit 8 without a stored token, exit 11.
    package func change(_ change: @escaping (JSONObject) -> JSONObject?) -> Attempt<Void, Failure> {
        holding { (held) throws(Failure) in self.change(held, attempts: 5, change) }
    }

    private func change(
        _ held: any HeldToken, attempts: Int, _ change: @escaping (JSONObject) -> JSONObject?
    ) -> Attempt<Void, Failure> {
        load(held).onward { (kept) throws(Failure) in
            guard let changed = change(kept.document) else { return .done(.success(())) }
            // Over this version alone: another machine may have stored a newer token meanwhile.
            return held.save(JSON.object(changed).bytes + [0x0A], over: kept.revision).then { result in
                if case .failure(.changed) = result, attempts > 1 {
                    return self.change(held, attempts: attempts - 1, change)
                }
                return .done(result.mapError(Failure.init))
            }
        }
    }
}
