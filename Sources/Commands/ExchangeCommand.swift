internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap exchange`: flow or client → token.
enum ExchangeCommand {
    static let grant = Option(
        "grant", argument: "GRANT", completes: .words(Grant.Kind.names), section: "Request",
        summary: "what is traded for the token",
        details: """
            The grant type: `authorization_code`, `client_credentials`, `device_code`, `refresh_token`, or the URN of an \
            extension grant whose parameters `--param` gives. Without it, it follows from the document: `device_code` \
            where the document has one, else `authorization_code`.
            """)

    /// The members that its options set.
    static let members = MemberOption.identity + MemberOption.of("resource")

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.input(members)
        let output = try session.output()
        let kind =
            if let name = session.arguments.value(grant) {
                Grant.Kind(named: name)
            } else {
                try lift(
                    try Grant.Kind(impliedBy: input.document))
            }
        return try output.finish(
            try token(of: input, by: kind, extra: try session.extraParameters(), session: session))
    }

    /// The token document that a document is traded for.
    ///
    /// - Parameters:
    ///   - kind: the grant.
    ///   - scope: a narrower scope to ask for, where the grant takes one.
    ///   - extra: parameters of the server's own (`--param`).
    /// - Throws: every failure of the exchange.
    static func token(
        of input: Input, by kind: Grant.Kind, scope: String? = nil, extra: [(name: String, value: String)] = [],
        session: Session
    ) throws(Failure) -> JSONObject {
        let grant = try input.grant(kind, scope: scope, extra: extra)
        var exchange = try TokenExchange(grant, input: input, session: session)
        try exchange.prepare()
        return try exchange.run().document(from: input.document.members)
    }
}

extension Input {
    /// A grant of the document.
    ///
    /// - Parameters:
    ///   - scope: a narrower scope to ask for, where the grant takes one.
    ///   - extra: parameters of the server's own (`--param`).
    /// - Throws: exit 2 or 3 for a document that cannot make it, exit 8 for a refresh without a token.
    func grant(
        _ kind: Grant.Kind, scope: String? = nil, extra: [(name: String, value: String)]
    ) throws(Failure) -> Grant {
        let secret: String? = if let name = kind.facts.secretMember { try self.secret(name) } else { nil }
        var grant = try lift(try Grant(kind, of: document, secret: secret, scope: scope))
        try lift(try grant.addExtra(extra, of: document))
        return grant
    }
}

extension ExchangeCommand {
    /// The command.
    static let command = Command(
        record: CommandRecord(
            "exchange", section: "Pipeline", summary: "trade a code or a credential for a token",
            description: description,
            options: [grant] + members.map(\.option) + [
                GeneralOption.parameter, GeneralOption.nullInput, GeneralOption.profile,
            ] + OutputOption.allAndStrict + GeneralOption.transport, refused: GeneralOption.refused,
            examples: examples,
            seeAlso: [ManualReference("oap-refresh", 1), ManualReference("oap-call", 1)]),
        writesErrorDocuments: true, run: run)

    private static let description = """
        Trades what the document holds for a token at the token endpoint (RFC 6749 section 4), checks the answer, and \
        prints the token document: the document without what was used up, with `access_token`, `token_type`, \
        `expires_in`, `expires_at`, `refresh_token` and `scope` as the server granted them, and whatever else it sent.

        With `openid` in the scope the ID token is checked (OpenID Connect Core section 3.1.3.7) and its claims are put \
        into `id_token_claims`; `issuer` and `jwks_uri` must be known, and the keys are fetched before the code is spent.

        There is one attempt: a code is never sent twice. Where the answer was lost, the exit status is 12.

        With a `device_code`, which `oap device` puts into the document, the server is asked until the person has \
        decided (RFC 8628 section 3.5): every `interval` seconds, the first time after one interval; five seconds \
        more after each `slow_down`; half as often after an answer that was lost, which is told on standard error; later \
        where the server is overloaded and says when. At `expires_at` it ends with the error `expired_token` and exit \
        status 4, as it does when the person says no (`access_denied`). Where a lost answer may have brought the token, \
        so that the code does not serve any more, the exit status is 12.
        """

    private static let examples = [
        Example(
            "Client credentials, without a document.",
            command: "oap exchange -n --grant client_credentials --jq .token_type -r", output: "Bearer"),
        Example(
            "The client secret comes from another program, here `printenv`.",
            command: """
                oap exchange -n --grant client_credentials -o token.json \\
                    --client-secret-file <(printenv OAP_CLIENT_SECRET)
                """),
        Example(
            "An extension grant: the token is exchanged for another (RFC 8693). What it wants stands in `token_params`.",
            command: """
                type=urn:ietf:params:oauth:token-type:access_token
                jq --arg type $type '.token_params = {
                    subject_token: .access_token, subject_token_type: $type}' token.json |
                    oap exchange --jq .issued_token_type -r \\
                        --grant urn:ietf:params:oauth:grant-type:token-exchange
                """, output: "urn:ietf:params:oauth:token-type:access_token"),
    ]
}
