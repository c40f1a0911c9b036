internal import TokenStore
package import Wire
package import Shell
package import Tokens

/// What a command is about: its document, and the token with its store if `oap` keeps it.
package struct Subject {
    /// The token that `-p`, the operand, `--token-file` or `OAP_PROFILE` names; nil if the document is elsewhere.
    package let token: ManagedToken?
    /// The document of its login as it is kept; empty if the document is elsewhere.
    package let kept: JSONObject
    /// The document, with options, variables and the profile.
    package var input: Input

    /// With `isAnonymous` the token is not used: a profile of its name does in its place. `missing` is the failure for a
    /// name without a stored token; `hintForOther` is what to do where standard input holds something else than a document.
    package init(
        of session: Session, _ members: [MemberOption], isAnonymous: Bool = false, orElse missing: Failure? = nil,
        hintForOther: String? = nil
    ) throws(Failure) {
        token = isAnonymous && (try? session.inputs.profile()) != nil ? nil : try session.keptToken()
        if let token {
            kept = try session.engine.run(token.load(orElse: missing))
            input = try token.input(members, members: token.view(kept))
        } else {
            (kept, input) = ([:], try session.inputs.read(members, hintForOther: hintForOther))
        }
    }
}

extension Session {
    /// Refuses a token that waits on standard input where a stored one is named: an answer about this one would be taken for
    /// one about that, and who pipes one in to revoke it does not mean a login. Nothing is taken from standard input.
    ///
    /// - Parameter option: how the command takes a JWT on standard input; nil where it takes none.
    /// - Throws: exit 2.
    package func refuseWaitingToken(orElse option: String? = nil) throws(Failure) {
        let settings = inputs.settings
        // What is no name may be a secret in its place, which is not repeated.
        guard case .name(let name) = try inputs.source(), settings.jwt == nil, settings.jwtFile == nil,
            (try? TokenName(name)) != nil, let waiting = WaitingInput(.standardInput),
            waiting == .document || option != nil
        else { return }
        let (noun, client) = (waiting.rawValue, "-p \(name.shellWord)")
        let file = "\(GeneralOption.tokenFile.name) -" + (settings.name == nil ? "" : " instead of \(client)")
        let way = waiting == .jwt ? "\(client) \(option ?? "")" : file
        throw .usage(
            "standard input holds a \(noun), but \(settings.name == nil ? "OAP_PROFILE" : client) means the stored token",
            hint: "for the \(noun): \(way); for the stored token: < /dev/null")
    }

    /// The token that the command line or `OAP_PROFILE` names, or the other token of its login that is meant; nil if the
    /// document is elsewhere.
    ///
    /// - Throws: exit 2 for a bad name or another token of no login, exit 3 or 11 for a profile or a path that cannot be
    ///   read.
    package func keptToken() throws(Failure) -> ManagedToken? {
        let token = try ManagedToken(inputs, over: transport)
        guard inputs.settings.part == nil || token != nil else {
            throw .usage(
                "--scope, --resource, --audience and --exchange need a stored token",
                hint: "name the token with -p NAME or --token-file PATH")
        }
        return token?.deriving(inputs.settings.part)
    }

    /// The token of a login, with its profile if there is one.
    ///
    /// - Throws: as `stored(_:)`; exit 3 or 11 for a profile that cannot be read.
    package func login(_ name: String) throws(Failure) -> ManagedToken {
        try ManagedToken(
            named: name, in: try inputs.store(), profile: try inputs.profiles.find(name), inputs, over: transport)
    }

    /// The token that is stored under a name, without its profile.
    ///
    /// - Throws: exit 2 for a bad name, exit 11 for a store that cannot be used.
    package func stored(_ name: String) throws(Failure) -> ManagedToken {
        try ManagedToken(named: name, in: try inputs.store(), profile: nil, inputs, over: transport)
    }
}
