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
        details: """
            The grant type: `authorization_code`, `client_credentials`, `device_code`, `refresh_token`, `password` \
            (RFC 6749 section 4.3), `jwt-bearer` (RFC 7523), `saml2-bearer` (RFC 7522), `token-exchange` (RFC 8693), \
            or the URN of another grant. The default is `device_code` if the document has a `device_code`, and \
            `authorization_code` otherwise. Parameters that a grant needs beyond the members of the document are given \
            with `--param`, or in the member `token_params`. The secrets of a grant are read from files, with options \
            such as `--password-file`.
            """)

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
    /// - Throws: every failure of the exchange.
    static func token(
        of input: Input, by kind: Grant.Kind, scope: String? = nil, isRepeated: Bool = false,
        extra: [(name: String, value: String)] = [], session: Session
    ) throws(Failure) -> JSONObject {
        try lift(try kind.refuseSecrets(in: extra))
        let grant = try input.grant(kind, scope: scope, isRepeated: isRepeated, extra: extra)
        let needed = try lift(try TokenRequest.metadata(for: grant, of: input.document))
        let input = try input.completed(needing: needed, over: session.transport)
        var exchange = try TokenExchange(grant, input: input, over: session.transport)
        if !session.transport.isDryRun { try exchange.prepare() }
        let token: IssuedToken
        if kind.isPolled, !session.transport.isDryRun {
            var poll = try DevicePoll(
                exchange, for: input.document, session.diagnostics, watching: session.form.watchedOutput)
            token = try poll.token()
        } else {
            let outcome = try exchange.attempt()
            token = try exchange.token(of: outcome)
        }
        let members = input.document.members
        return token.document(
            from: isRepeated ? members : TokenDocument.remembering(extra, of: kind, in: members))
    }

    /// The command.
    static let command = Command(
        "exchange", section: "Step by step", summary: "get a token for a code or client credentials",
        description: description,
        options: [grant] + members.map(\.option) + [GeneralOption.parameter] + GeneralOption.input
            + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun],
        examples: examples,
        seeAlso: [ManualReference("oap-refresh", 1), ManualReference("oap-call", 1)], run: run)

    private static let description = """
        Sends the code, the device code or the client credentials of the document to the token endpoint (RFC 6749 \
        section 4), and gets a token. It checks the response, and prints the token document. The token document is the \
        input document plus `access_token`, `token_type`, `expires_in`, `expires_at`, `refresh_token`, `scope` and the \
        other members of the response. Members of the input that have been used, such as `code`, are removed.

        If the scope contains `openid`, the ID token is checked (OpenID Connect Core section 3.1.3.7), and its claims \
        are written to `id_token_claims`. This requires an `issuer` and a `jwks_uri`. The keys at the `jwks_uri` are \
        fetched before the code is sent. The check of the ID token's times allows for a clock of this machine that is \
        up to 30 seconds ahead of the server's, or up to 5 minutes behind it.

        An authorization code is sent only once. If no response comes, or if its status is 408 or 5xx, the exit status \
        is 12: the server may have issued a token.

        With a `device_code` from `oap device`, the command polls the token endpoint every `interval` seconds until \
        the user decides (RFC 8628 section 3.5). If the server responds with `slow_down`, the interval grows by 5 \
        seconds. If no response comes, the interval is doubled, and a message says so. If a response has \
        `Retry-After`, the next request waits at least that long. If the user has not decided by the time \
        `expires_at`, the command fails with the error `expired_token` and exit status 4. If the user refuses, the \
        error is `access_denied`, and the exit status is also 4. If a response with the token may have been lost, and \
        the server refuses the code after that, the exit status is 12.
        """

    private static let examples = [
        Example(
            "Get a token for client credentials, without a document.",
            command: "oap exchange -n --grant client_credentials --jq .token_type -r", output: "Bearer"),
        Example(
            "Read the client secret from another program, here `printenv`.",
            command: """
                oap exchange -n --grant client_credentials -o token.json \\
                    --client-secret-file <(printenv OAP_CLIENT_SECRET)
                """),
        Example(
            "Exchange a token for another (RFC 8693), with the parameters in `token_params`.",
            command: """
                type=urn:ietf:params:oauth:token-type:access_token
                jq --arg type $type '.token_params = {
                    subject_token: .access_token, subject_token_type: $type}' token.json |
                    oap exchange --grant token-exchange --jq .issued_token_type -r
                """, output: "urn:ietf:params:oauth:token-type:access_token"),
    ]
}
