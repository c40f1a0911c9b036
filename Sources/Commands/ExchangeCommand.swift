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
        details: """
            The grant type: `authorization_code`, `client_credentials`, `device_code`, `refresh_token`, `password` \
            (RFC 6749 section 4.3), `jwt-bearer` (RFC 7523), `saml2-bearer` (RFC 7522), `token-exchange` (RFC 8693), \
            or the URN of another grant. If the document has a `device_code`, the default is `device_code`. Otherwise, \
            the default is `authorization_code`. If a grant needs other parameters than those that `oap` takes from \
            members of the document, give them with `--param`, or in the member `token_params` of the document. If a \
            grant needs a secret, such as a password, `oap exchange` reads it from the document, or from the file that \
            an option such as `--password-file` names.
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
        description: description,
        options: [grant] + members.map(\.option) + [GeneralOption.parameter] + GeneralOption.input
            + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun],
        refused: others, examples: examples,
        seeAlso: [ManualReference("oap-refresh", 1), ManualReference("oap-call", 1)], run: run)

    private static let description = """
        Sends a token request with the code or the device code of the document, or with the client credentials (RFC \
        6749 section 4). If the response passes all checks, the command prints the token document. The token document \
        is the input document plus `access_token`, `token_type`, `expires_in`, `expires_at`, `refresh_token`, `scope` \
        and the other members of the response. The command removes members that were needed only for the login, such \
        as `code`.

        With a code or a device code, if the scope contains `openid`, the command checks the ID token (OpenID Connect \
        Core section 3.1.3.7). After the check, the command writes the claims of the ID token to `id_token_claims`. \
        The check of the ID token needs an `issuer` and a `jwks_uri`. The command fetches the keys from the `jwks_uri` \
        before it sends the code. For the check of the ID token, this machine's clock may be up to 30 seconds ahead of \
        the server's clock, or up to 5 minutes behind.

        The command sends an authorization code only once. If no response comes, or if the response has status 408 or \
        5xx, the exit status is 12. In both cases, the server may have issued a token.

        With a `device_code` from `oap device`, the command polls the token endpoint every `interval` seconds until \
        the user allows or refuses the login (RFC 8628 section 3.5). If the server responds with `slow_down`, the \
        command adds 5 seconds to the interval. If no response comes, the command doubles the interval and prints a \
        message. If a response has the header field `Retry-After`, the command waits at least as long as this field \
        says. If the user has not decided before the time in `expires_at`, the command fails with the error \
        `expired_token` and exit status 4. But if every poll before this time had no response, or a response with \
        status 408 or 5xx, the command fails with the error of the last poll and exit status 6. If the user refuses, \
        the command fails with the error `access_denied` and exit status 4. If the server refuses the device code \
        after the response to an earlier poll was lost, the exit status is 12: the lost response may have contained \
        the token.
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
            "Exchange the token for a new one (RFC 8693). `token_params` contains the parameters of the exchange.",
            command: """
                type=urn:ietf:params:oauth:token-type:access_token
                jq --arg type $type '.token_params = {
                    subject_token: .access_token, subject_token_type: $type}' token.json |
                    oap exchange --grant token-exchange --jq .issued_token_type -r
                """, output: "urn:ietf:params:oauth:token-type:access_token"),
    ]
}
