internal import CommandSpec
internal import OAuth
internal import Shell
internal import Tokens
internal import Login
internal import Sessions

/// `oap exchange`: flow or client → token.
enum ExchangeCommand {
    private static let grant = GeneralOption.grant

    static let members =
        MemberOption.identity
        + MemberOption.of(
            "resource", "authorization_details", "password", "assertion", "subject_token", "actor_token")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (named, extra) = (arguments.value(grant), try TokenParameters(arguments).pairs)
        var input = try session.inputs.read(members)
        let output = try session.output(room: TokenExchange.room)
        let kind =
            if let named {
                Grant.Kind(named: named)
            } else {
                try asFailure(Grant.Kind(impliedBy: input.document))
            }
        guard kind.isTokenExchange else {
            if let option = TokenParameterOption.ofExchange.first(where: arguments.has) {
                throw .usage("\(option.name) needs \(grant.name) token-exchange")
            }
            return try output.finish(try TokenFlow.token(of: input, by: kind, extra: extra, session: session))
        }
        let subject = try SubjectToken(of: input, extra)
        input = subject.input
        var token = try TokenFlow.token(of: input, by: kind, extra: extra, session: session)
        if subject.isOfDocument { token.remove(["subject_token", "subject_token_file"]) }
        return try output.finish(token)
    }

    static let command = Command(
        "exchange", section: "Step by step", summary: "get a token for a code or client credentials",
        options: [grant] + TokenParameterOption.ofExchange + members.map(\.option) + TokenParameterOption.all
            + GeneralOption.input
            + OutputOption.allAndStrict + RetryOption.all + GeneralOption.server + [GeneralOption.dryRun],
        refused: ForeignNames.options("exchange"), run: run)
}
