internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap exchange`: flow or client → token.
enum ExchangeCommand {
    static let grant = Option(
        "grant", argument: "GRANT", otherwise: "authorization_code, or device_code if there is one",
        completes: .words(Grant.Kind.names),
        section: "Request",
        summary: "the grant type")

    static let members =
        MemberOption.identity + MemberOption.of("resource", "password", "assertion", "subject_token", "actor_token")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (named, extra) = (arguments.value(grant), arguments.pairs(GeneralOption.parameter))
        let input = try session.inputs.read(members)
        let output = try session.output(room: TokenExchange.room)
        let kind =
            if let named {
                Grant.Kind(named: named)
            } else {
                try lift(try Grant.Kind(impliedBy: input.document))
            }
        return try output.finish(try TokenFlow.token(of: input, by: kind, extra: extra, session: session))
    }

    /// Names that others have for its options.
    private static let others = [
        RefusedOption(foreign: "grant-type", hint: "\(grant.name) GRANT names the grant type"),
        RefusedOption(foreign: "header", hint: "oap token NAME --header prints a stored token as a header field"),
    ]

    static let command = Command(
        "exchange", section: "Step by step", summary: "get a token for a code or client credentials",
        manual: Manual.exchange,
        options: [grant] + members.map(\.option) + [GeneralOption.parameter] + GeneralOption.input
            + OutputOption.allAndStrict + RetryOption.all + GeneralOption.server + [GeneralOption.dryRun],
        refused: others, run: run)
}
