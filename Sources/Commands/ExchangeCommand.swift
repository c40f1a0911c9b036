internal import Errands
internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap exchange`: flow or client → token.
enum ExchangeCommand {
    static let grant = Option(
        "grant", argument: "GRANT", otherwise: "authorization_code, or device_code if there is one",
        completes: .words(Grant.Kind.names),
        section: "Request",
        summary: "the grant type",
        details: Manual.exchange["--grant"])

    /// The members that its options set.
    static let members =
        MemberOption.identity + MemberOption.of("resource", "password", "assertion", "subject_token", "actor_token")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.inputs.read(members)
        let output = try session.output(room: TokenExchange.room)
        let kind =
            if let name = session.arguments.value(grant) {
                Grant.Kind(named: name)
            } else {
                try lift(try Grant.Kind(impliedBy: input.document))
            }
        let extra = try session.arguments.pairs(GeneralOption.parameter)
        return try output.finish(try token(of: input, by: kind, extra: extra, session: session))
    }

    /// Gets the token document for a flow or client document.
    ///
    /// - Parameters:
    ///   - kind: the grant.
    ///   - scope: a narrower scope, for a refresh.
    ///   - isRepeated: whether the grant brought the token of the document.
    ///   - extra: non-standard parameters (`--param`).
    ///   - hold: holds signals back from the token request on, until the caller has stored the token.
    /// - Throws: every failure of the exchange.
    static func token(
        of input: Input, by kind: Grant.Kind, scope: String? = nil, isRepeated: Bool = false,
        extra: [(name: String, value: String)] = [], holding hold: SignalHold? = nil, session: Session
    ) throws(Failure) -> JSONObject {
        let engine = session.engine
        try lift(try kind.refuseSecrets(in: extra))
        var input = try engine.run(input.withCredential(and: kind.secretMembers))
        let grant = try input.grant(kind, scope: scope, isRepeated: isRepeated, extra: extra)
        let needed = try lift(try TokenRequest.metadata(for: grant, of: input.document))
        input = try engine.run(input.completed(needing: needed, over: session.transport))
        var exchange = try TokenExchange(grant, input: input, over: session.transport)
        if !session.transport.isDryRun { exchange = try engine.run(exchange.withKeys()) }
        let token: IssuedToken
        if kind.isPolled, !session.transport.isDryRun {
            let poll = try DevicePoll(exchange, for: input.document, holding: hold, session.diagnostics)
            token = try engine.listening(DescriptorWatch.ofReader(session.form.watchedOutput)) { () throws(Failure) in
                try engine.run(poll.token())
            }
        } else {
            token = try engine.run(try exchange.attempt(holding: hold).then { [exchange] in exchange.settled($0) })
        }
        let members = input.document.members
        return token.document(
            from: isRepeated ? members : TokenDocument.remembering(extra, of: kind, in: members))
    }

    /// Names that others have for its options.
    private static let others = [
        RefusedOption(foreign: "grant-type", hint: "\(grant.name) GRANT names the grant type"),
        RefusedOption(foreign: "header", hint: "oap token NAME --header prints a stored token as a header field"),
    ]

    /// The command.
    static let command = Command(
        "exchange", section: "Step by step", summary: "get a token for a code or client credentials",
        description: Manual.exchange.description,
        options: [grant] + members.map(\.option) + [GeneralOption.parameter] + GeneralOption.input
            + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun],
        refused: others, examples: Manual.exchange.examples,
        seeAlso: [ManualReference("oap-refresh", 1), ManualReference("oap-call", 1)], run: run)
}
