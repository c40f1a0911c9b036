internal import CommandSpec
internal import OAuth
internal import Shell
internal import Tokens
internal import Login
internal import Sessions
internal import Wire

/// `oap exchange`: flow or client → token.
enum ExchangeCommand {
    private static let grant = GeneralOption.grant

    static let members =
        MemberOption.identity
        + MemberOption.of("resource", "authorization_details") + MemberOption.ofGrants

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
        let isIdentity = Identity.isDocument(input.document.members)
        if isIdentity, kind.secretMembers == ["assertion"], !input.names("assertion") {
            input = input.with(Identity.asAssertion(input.document.members))
        }
        let used = isIdentity ? Identity.members : []
        guard kind.isTokenExchange else {
            if let option = TokenParameterOption.ofExchange.first(where: arguments.has) {
                throw .usage("\(option.name) needs \(grant.name) token-exchange")
            }
            var token = try TokenFlow.token(of: input, by: kind, extra: extra, session: session)
            token.remove(used)
            return try finish(token, output, session)
        }
        let subject = try SubjectToken(of: input, extra)
        input = subject.input
        var token = try TokenFlow.token(of: input, by: kind, extra: extra, session: session)
        token.remove(used + (subject.isOfDocument ? ["subject_token", "subject_token_file"] : []))
        return try finish(token, output, session)
    }

    /// Prints the token, which the log of a CI job masks where it can.
    private static func finish(
        _ token: JSONObject, _ output: consuming ResultWriter, _ session: Session
    ) throws(Failure) -> Exit {
        try MaskLine.detected(in: session.environment)?.mask(Secrets.texts(in: token))
        return try output.finish(token)
    }

    static let command = Command(
        "exchange", section: "Step by step", summary: "get a token for a code or client credentials",
        options: [grant] + TokenParameterOption.ofExchange + members.map(\.option) + TokenParameterOption.all
            + GeneralOption.input
            + OutputOption.allAndStrict + RetryOption.all + GeneralOption.server + [GeneralOption.dryRun],
        refused: ForeignNames.options("exchange"), run: run)
}
