internal import CommandSpec
internal import OAuth
internal import Shell
internal import Tokens
internal import Sessions

/// `oap introspect`: asks the server what a token says (RFC 7662, RFC 9701).
enum IntrospectCommand {
    static let tokenType = Option(
        "token-type-hint", argument: "TYPE", choices: Introspection.TokenType.allCases.map(\.rawValue),
        standard: "access_token", section: "Request", summary: "which token to ask about")
    static let signed = Option("signed", section: "Request", summary: "accept only a signed response")

    static let members =
        MemberOption.ofAuthentication
        + MemberOption.of("introspection_endpoint", "issuer", "jwks_uri", "access_token")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let isRaw = arguments.has(GeneralOption.raw)
        let type = arguments.value(tokenType).flatMap(Introspection.TokenType.init(rawValue:)) ?? .access
        var (input, token) = try isRaw ? bare(session) : subject(type, session)
        let output = try session.output()
        input = try session.engine.run(input.completed(needing: ["introspection_endpoint"], over: session.transport))
        let introspection = try asFailure(Introspection(of: input.document, isSigned: arguments.has(signed)))
        let decryption = try input.decryption(for: .introspection)
        let server = try AuthorizationServer(of: input, over: session.transport, at: "introspection_endpoint")
        let response = try session.engine.run(
            server.answer(from: introspection.endpoint) { [token] moment throws(OAuthError) in
                try introspection.request(for: token, of: type, by: server.authentication, at: moment)
            })
        let answer = try server.asHintedFailure(introspection.answer(response, decryption: decryption))
        let members = try asFailure(fault: session.engine.run(input.members(of: answer, over: session.transport)))
        try asFailure(introspection.check(members))
        return try output.finish(members)
    }

    /// The document and the token that is asked about.
    ///
    /// - Throws: exit 2 for another token in `OAP_ACCESS_TOKEN`, which counts with `-n` alone: an answer about this one
    ///   could be taken for one about that.
    private static func subject(
        _ type: Introspection.TokenType, _ session: Session
    ) throws(Failure) -> (input: Input, token: String) {
        let hasFile = members.contains { $0.member == "access_token_file" && session.inputs.settings.members.has($0) }
        let counts = type == .access && !session.inputs.settings.isAlone && !hasFile
        let given = counts ? try session.environment.value("OAP_ACCESS_TOKEN") : nil
        let ignored = Failure.usage(
            "OAP_ACCESS_TOKEN holds another token, but is used only with -n",
            hint: "unset the variable; to ask about its token, use --access-token-file <(printenv OAP_ACCESS_TOKEN)")
        if !hasFile { try session.refuseWaitingToken(orElse: GeneralOption.raw.name) }
        let hint = "pipe in a token document; to pipe in only the token: -p NAME \(GeneralOption.raw.name)"
        // A file that holds the token leaves the profile alone to read.
        let read =
            try hasFile
            ? session.inputs.read(members, hintForOther: hint)
            : Subject(of: session, members, orElse: given == nil ? nil : ignored, hintForOther: hint).input
        let input = try session.engine.run(read.withCredential(and: [type.rawValue]))
        let token = try input.secret(type.rawValue)
        if let given, token?.isIdentical(to: given) != true { throw ignored }
        try session.inputs.sayWhoseToken()
        guard let token else { throw Failure(input.document.missing(type.rawValue)) }
        return (input, token)
    }

    /// The client's document, and the token on standard input.
    private static func bare(_ session: Session) throws(Failure) -> (input: Input, token: String) {
        let input = try session.engine.run(session.inputs.read(members).withCredential())
        return (input, try session.inputs.bareToken())
    }

    static let command = Command(
        "introspect", section: "Step by step", summary: "ask the server about a token",
        options: [tokenType, signed, GeneralOption.raw] + members.map(\.option) + GeneralOption.tokenInput
            + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun],
        rules: GeneralOption.rawRules + [
            .apart(MemberOption.of("access_token").map(\.option) + [GeneralOption.tokenFile]),
            .apart(MemberOption.of("access_token").map(\.option) + [GeneralOption.raw]),
        ],
        refused: [
            GeneralOption.refusal(
                of: Introspection.TokenType.refresh.rawValue,
                hint: "\(tokenType.name) refresh_token asks about the refresh token of the document")
        ], run: run)
}
