internal import CommandSpec
internal import OAuth
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// `oap revoke`: revokes the tokens of a document at the server (RFC 7009).
enum RevokeCommand {
    static let tokenType = Option(
        "token-type-hint", argument: "TYPE", choices: Revocation.TokenType.allCases.map(\.rawValue), otherwise: "both",
        section: "Request", summary: "revoke only this token")

    static let members =
        MemberOption.ofAuthentication + MemberOption.of("revocation_endpoint", "issuer", "api_base")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let isRaw = arguments.has(GeneralOption.raw)
        let type = arguments.value(tokenType).flatMap(Revocation.TokenType.init(rawValue:)) ?? (isRaw ? .access : nil)
        let transport = session.transport.patient
        if !isRaw { try session.refuseWaitingToken(orElse: GeneralOption.raw.name) }
        let subject = try Subject(of: session, members)
        var input = subject.input
        if isRaw, let type {
            let token: JSONObject = [type.rawValue: .string(try session.inputs.bareToken())]
            input = input.with(input.document.members.changed(by: token))
        }
        let output = try session.output()
        input = try session.engine.run(
            input.completedForRevocation(of: type, over: transport, isOptional: false))
        let outcome =
            try type == nil
            ? session.engine.run(TokenRevocation.all(of: input, over: transport))
            : session.engine.run(TokenRevocation(of: input, type: type, over: transport).run())
        guard outcome.lines.isEmpty else { throw .shown(outcome.lines.joined(separator: "\n")) }
        try mark(outcome, of: input, in: subject, session)
        if let failure = outcome.failure ?? outcome.unsupported {
            for name in outcome.names { session.diagnostics.tell("the \(name) is revoked") }
            throw failure
        }
        try session.diagnostics.warn(outcome.warnings)
        let others = outcome.revokesOthers ? [DerivedToken.member] : []
        return try output.finish(["revoked": .strings(outcome.names + others)])
    }

    /// Marks the access tokens that are kept and revoked now, so that no later command uses them.
    private static func mark(
        _ outcome: TokenRevocation.Outcome, of input: Input, in subject: Subject, _ session: Session
    ) throws(Failure) {
        let others = outcome.revokesOthers ? DerivedToken.live(in: subject.kept, now: session.world.seconds) : []
        var revoked = others.compactMap { $0["access_token"]?.string }
        if outcome.revoked.contains(.access), let token = try input.secret("access_token") { revoked.append(token) }
        guard let token = subject.token, !revoked.isEmpty else { return }
        do throws(Failure) { try session.engine.run(token.markRevoked(revoked)) } catch {
            session.diagnostics.tell("warning: the stored token is not marked as revoked: \(error.message)")
        }
    }

    static let command = Command(
        "revoke", section: "Step by step", summary: "revoke a token at the server",
        options: [tokenType, GeneralOption.raw] + members.map(\.option)
            + [GeneralOption.nullInput, GeneralOption.typedProfile, GeneralOption.tokenFile] + GeneralOption.stores
            + OutputOption.allAndStrict + RetryOption.all + GeneralOption.server + [GeneralOption.dryRun],
        rules: GeneralOption.rawRules, run: run)
}
