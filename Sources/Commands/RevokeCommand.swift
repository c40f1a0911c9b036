internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap revoke`: makes the tokens of a document worthless at the server (RFC 7009).
enum RevokeCommand {
    static let tokenType = Option(
        "token-type-hint", argument: "TYPE", choices: Revocation.TokenType.allCases.map(\.rawValue), section: "Request",
        summary: "revoke this token alone",
        details: """
            Revokes the `refresh_token` or the `access_token` alone. Without it both are, the refresh token first, since \
            whoever has that can get a new access token.
            """)

    /// The members that its options set.
    static let members: [MemberOption] = [
        .clientID, .clientSecretFile, .authenticationMethod, .basicEncoding, .revocationEndpoint, .apiBase,
    ]

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let input: Input
        if let managed = try ManagedToken(session) {
            input = try managed.input(members, members: managed.load())
        } else {
            input = try session.input(members)
        }
        let output = try session.output()
        let type = session.arguments.value(tokenType).flatMap(Revocation.TokenType.init(rawValue:))
        let outcome = try TokenRevocation(of: input, type: type, session: session).run()
        if let failure = outcome.failure {
            for name in outcome.names { session.diagnostics.tell("the \(name) is revoked") }
            throw failure
        }
        try session.diagnostics.warn(outcome.warnings)
        return try output.write(["revoked": .array(outcome.names.map { .string($0) })])
    }
}
