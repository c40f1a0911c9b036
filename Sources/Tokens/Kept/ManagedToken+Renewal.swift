package import Errands
package import OAuth
package import Wire
package import Shell

extension ManagedToken {
    /// Renews the token, unless another process has done so meanwhile, and stores it before it returns.
    ///
    /// - Parameter seen: the document of the login as it was kept a moment ago, if the caller has read it and the reason
    ///   applies to it.
    /// - Returns: the token document of the token that is meant, as it is kept now.
    /// - Throws: exit 8 where a person must log in, every failure of the request, exit 11.
    package func renewed(
        because reason: RenewalReason, after seen: JSONObject? = nil, options: [MemberOption] = MemberOption.ofRenewal,
        narrower: String? = nil, extra: [(name: String, value: String)] = [], isStrict: Bool = false
    ) -> Attempt<JSONObject, Failure> {
        TokenRenewal(
            token: self, reason: reason, options: options, narrower: narrower, extra: extra, isStrict: isStrict
        ).errand(after: seen)
    }

    /// The grant that renews the token as it is kept, and the input of its request.
    ///
    /// - Throws: exit 2 or 3 for an unsuitable document, exit 8 if nothing can renew it.
    package func renewal(of kept: JSONObject, options: [MemberOption]) throws(Failure) -> (
        kind: Grant.Kind, input: Input
    ) {
        var input = try input(options, members: kept)
        if let part { input = input.with(part.requested(of: input.document.members)) }
        guard
            let kind = part?.grant
                ?? TokenDocument.renewalGrant(of: renewable(input.document.members), now: world.seconds)
        else {
            throw unrenewable(kept)
        }
        // A grant that is sent again may bring a token with another key.
        if !kind.isSpent { input.document.members[DPoPBinding.thumbprintMember] = nil }
        return (kind, input)
    }

    private func unrenewable(_ kept: JSONObject) -> Failure {
        if part != nil { return failures.underivable() }
        return kept["refused_at"] == nil ? failures.unrenewable(kept) : failures.refused(kept)
    }

    /// - Parameters:
    ///   - input: that of the renewal, with its secrets.
    ///   - narrower: a scope to ask for, within the granted one.
    /// - Throws: exit 2 or 3 for an unsuitable document.
    package func grant(
        _ kind: Grant.Kind, of input: Input, narrower: String?, extra: [(name: String, value: String)]
    ) throws(Failure) -> Grant {
        try asFailure(kind.refuseSecrets(in: extra))
        return try input.grant(
            kind, scope: part?.scope ?? narrower, isRepeated: true, extra: extra + (part?.extra ?? []))
    }

    /// Ends the command with the request that would renew the token (`--dry-run`). No lock is taken.
    ///
    /// - Returns: an errand that ends with the end of the command, or exit 2 to 11 if no request can be made.
    package func shownRenewal(
        options: [MemberOption] = MemberOption.ofRenewal, narrower: String? = nil,
        extra: [(name: String, value: String)] = []
    ) -> Attempt<Never, Failure> {
        load().onward { (kept) throws(Failure) in
            let (kind, input) = try renewal(of: kept, options: options)
            return input.withCredential(and: kind.secretMembers).onward { (input) throws(Failure) in
                let grant = try grant(kind, of: input, narrower: narrower, extra: extra)
                let needed = try asFailure(TokenRequest.metadata(for: grant, of: input.document))
                return input.completed(needing: needed, over: transport).onward { (input) throws(Failure) in
                    let exchange = try TokenExchange(
                        grant, input: input, over: transport, advice: failures.advice)
                    return try exchange.attempt().then { _ in
                        preconditionFailure("with --dry-run no request is sent")
                    }
                }
            }
        }
    }
}
