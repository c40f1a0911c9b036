internal import OAuth
internal import System
internal import Wire

extension ManagedToken {
    /// The grant that renews a token, and the input of its request.
    ///
    /// - Parameters:
    ///   - kept: the document as it is kept.
    ///   - options: the options of the command that are members.
    ///   - narrower: a scope to ask for, within the granted one.
    ///   - extra: further parameters of the request.
    /// - Throws: exit 2 or 3 for an unsuitable document, exit 8 if nothing can renew it.
    func renewalGrant(
        of kept: JSONObject, options: [MemberOption], narrower: String?, extra: [(name: String, value: String)]
    ) throws(Failure) -> (grant: Grant, input: Input) {
        var input = try input(options, members: kept)
        if let part { input = input.with(part.requested(of: input.document.members)) }
        guard
            let kind = part?.grant ?? TokenDocument.renewalGrant(of: input.document.members, now: Clock.now)
        else {
            if part != nil { throw failures.underivable() }
            throw kept["refused_at"] == nil ? failures.unrenewable(kept) : failures.refused(kept)
        }
        try lift(try kind.refuseSecrets(in: extra))
        let grant = try input.grant(
            kind, scope: part?.scope ?? narrower, isRepeated: true, extra: extra + (part?.extra ?? []))
        return (grant, input)
    }

    /// Ends the command with the request that would renew the token (`--dry-run`). No lock is taken.
    ///
    /// - Throws: the end of the command; exit 2 to 11 if no request can be made.
    func showRenewal(
        options: [MemberOption] = MemberOption.ofRenewal, narrower: String? = nil,
        extra: [(name: String, value: String)] = []
    ) throws(Failure) -> Never {
        var (grant, input) = try renewalGrant(of: try load(), options: options, narrower: narrower, extra: extra)
        let needed = try lift(try TokenRequest.metadata(for: grant, of: input.document))
        input = try input.completed(needing: needed, over: transport)
        var exchange = try TokenExchange(grant, input: input, over: transport)
        _ = try exchange.attempt()
        preconditionFailure("with --dry-run no request is sent")
    }
}
