internal import Errands
package import OAuth
package import Wire
package import Shell
package import Tokens
package import Sessions

/// The step from a grant to its token.
package enum TokenFlow {
    /// `isRepeated` tells that the grant brought the token of the document. `hold` holds signals back from the token
    /// request on, until the caller has stored the token.
    package static func token(
        of input: Input, by kind: Grant.Kind, scope: String? = nil, isRepeated: Bool = false,
        extra: [(name: String, value: String)] = [], holding hold: SignalHold? = nil, session: Session
    ) throws(Failure) -> JSONObject {
        let engine = session.engine
        let transport = kind.isOfPerson ? session.transport : session.transport.patient
        try asFailure(kind.refuseSecrets(in: extra))
        if !isRepeated { try refuseIdle(in: input, by: kind, session.diagnostics) }
        if kind.type == "password", !isRepeated {
            session.diagnostics.tell(
                "warning: the password grant shows the user's password to the client (RFC 9700, section 2.4)")
        }
        var input = try engine.run(input.withCredential(and: kind.secretMembers))
            .withBinding(isBegun: kind.isSpent)
        let extra = isRepeated ? extra : try extra + Self.types(of: input, by: kind, beside: extra)
        let grant = try input.grant(kind, scope: scope, isRepeated: isRepeated, extra: extra)
        let needed = try asFailure(TokenRequest.metadata(for: grant, of: input.document))
        input = try engine.run(input.completed(needing: needed, over: transport))
        let route = try transport.routeMembers()
        var exchange = try TokenExchange(grant, input: input, over: transport)
        if !transport.isDryRun { exchange = try engine.run(exchange.withKeys()) }
        let token: IssuedToken
        if kind.isPolled, !transport.isDryRun {
            let poll = try DevicePoll(exchange, for: input.document, holding: hold, session.diagnostics)
            token = try engine.listening(DescriptorWatch.ofReader(session.form.watchedOutput)) { () throws(Failure) in
                try engine.run(poll.token())
            }
        } else {
            token = try engine.run(try exchange.attempt(holding: hold).then(exchange.finish))
        }
        let members = input.document.members
        return token.document(
            from: isRepeated ? members : TokenDocument.remembering(extra, of: kind, in: members).changed(by: route))
    }

    /// Refuses options whose values are not sent.
    ///
    /// - Parameter diagnostics: warns of a variable without effect; nil where that is said later.
    /// - Throws: exit 2 for an option of another grant, and for one about an identity that nobody asks for.
    package static func refuseIdle(
        in input: Input, by kind: Grant.Kind, _ diagnostics: Diagnostics? = nil
    ) throws(Failure) {
        let (document, audience) = (input.document, "identity_audience")
        if let idle = kind.secretsOfOthers.flatMap(Member.forms).first(where: { document.origin(of: $0) == .option }) {
            throw .usage("\(Member.option(for: idle)) has no effect: the grant is \(kind.type)")
        }
        if kind.isRepeatable, try !asFailure(document.takesScope) {
            let variable = Member.variable(for: "scope")
            switch document.origin(of: "scope") {
            case .option: throw Failure(document.scopeRefusal)
            case .environment:
                try diagnostics?.warn([.other("\(variable) has no effect: the server takes no scope")])
            case .document: break
            }
        }
        let sources = Member.fetched.map { "\($0)_from" }
        if document.origin(of: audience) == .option, sources.allSatisfy({ document.members[$0]?.isNull ?? true }) {
            let needed = sources.map(Member.option).joined(separator: ", ", last: " or ")
            throw .usage("\(Member.option(for: audience)) has no effect without \(needed)")
        }
    }

    /// The types of the tokens of an exchange that nothing names (RFC 8693 §2.1): mostly they are access tokens.
    private static func types(
        of input: Input, by kind: Grant.Kind, beside extra: [(name: String, value: String)]
    ) throws(Failure) -> [(name: String, value: String)] {
        guard kind.isTokenExchange else { return [] }
        let named = try asFailure(input.document.parameters("token_params")) + extra
        var types: [(name: String, value: String)] = []
        for token in ["subject_token", "actor_token"]
        where input.names(token) && !named.contains(where: { $0.name == "\(token)_type" }) {
            let type = try input.type(of: token) ?? "urn:ietf:params:oauth:token-type:access_token"
            types.append(("\(token)_type", type))
        }
        return types
    }
}
