internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap revoke`: revokes the tokens of a document at the server (RFC 7009).
enum RevokeCommand {
    static let tokenType = Option(
        "token-type-hint", argument: "TYPE", choices: Revocation.TokenType.allCases.map(\.rawValue), otherwise: "both",
        section: "Request", summary: "revoke only this token",
        details: """
            Revokes only the token of this type: `refresh_token` or `access_token`. Without this option, the command \
            revokes both tokens: first the refresh token, because a client can get a new access token with it, and \
            then the access token.
            """)

    /// The members that its options set.
    static let members = MemberOption.of(
        "client_id", "client_secret", "token_endpoint_auth_method", "basic_encoding", "revocation_endpoint", "issuer",
        "api_base")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        var input: Input
        if let managed = try ManagedToken(session.inputs, over: session.transport) {
            input = try managed.input(members, members: session.engine.run(managed.load()))
        } else {
            input = try session.inputs.read(members)
        }
        let output = try session.output()
        input = try session.engine.run(input.completedForRevocation(over: session.transport, isOptional: false))
        let type = session.arguments.value(tokenType).flatMap(Revocation.TokenType.init(rawValue:))
        let outcome =
            try type == nil
            ? session.engine.run(TokenRevocation.all(of: input, over: session.transport))
            : session.engine.run(TokenRevocation(of: input, type: type, over: session.transport).run())
        guard outcome.lines.isEmpty else { throw .shown(outcome.lines.joined(separator: "\n")) }
        if let failure = outcome.failure {
            for name in outcome.names { session.diagnostics.tell("the \(name) is revoked") }
            throw failure
        }
        try session.diagnostics.warn(outcome.warnings)
        let others = outcome.revokesOthers ? [DerivedToken.member] : []
        return try output.finish(["revoked": .strings(outcome.names + others)])
    }

    /// The command.
    static let command = Command(
        "revoke", section: "Step by step", summary: "revoke a token at the server",
        description: """
            Reads a token document, and asks the authorization server to revoke the tokens of the document (RFC 7009): \
            first the refresh token, then the access token. The result lists the revoked tokens: \
            `{"revoked":["refresh_token","access_token"]}`. If the server does not know a token, the result lists this \
            token as revoked too, as RFC 7009 requires.

            The document may also have `derived_tokens`: other access tokens of the same login, which `oap token` got \
            with options such as `--scope`. The command revokes the derived tokens before the refresh token and the \
            access token, and the result lists `derived_tokens` too. With `--token-type-hint`, the command does not \
            revoke the derived tokens.

            With `-p` or `--token-file`, the revoked token stays in the store or in the file. To revoke a stored token \
            and delete it, use `oap logout`.

            With `--dry-run`, the command sends no request. It prints one `curl` command line for each request.

            If the document has `"revocation_style":"github"`, the command deletes the access token through GitHub's \
            API. This API needs the client secret, and cannot revoke a refresh token.

            If the server does not respond, or responds with an error, the token may still be valid. In this case, run \
            the command again: a repeated request does no harm.
            """,
        options: [tokenType] + members.map(\.option) + GeneralOption.tokenInput + OutputOption.allAndStrict
            + GeneralOption.server + [GeneralOption.dryRun],
        examples: [
            Example(
                "Revoke the tokens of a document.", command: "oap revoke < token.json",
                output: #"{"revoked":["refresh_token","access_token"]}"#),
            Example(
                "Revoke only the access token. The refresh token stays valid.",
                command: "oap revoke --token-type-hint access_token < token.json"),
            Example("Revoke a stored token, but leave it in the store.", command: "oap revoke work > revoked.json"),
        ],
        seeAlso: [ManualReference("oap-logout", 1), ManualReference("oap-refresh", 1)], run: run)
}
