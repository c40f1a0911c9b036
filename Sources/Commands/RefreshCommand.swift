internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap refresh`: token → token.
enum RefreshCommand {
    static let scope = Option(
        "scope", argument: "SCOPE", isRepeatable: true, section: "Request", summary: "ask for a narrower scope",
        details: """
            Asks for only some of the scope values that the user granted (RFC 6749 section 6). A later refresh can ask \
            for the other values. Without this option, `oap refresh` asks for all granted scope values.
            """)
    static let ifExpired = Option(
        "if-expired", section: "Request", summary: "refresh only when little time is left",
        details: """
            Renews the token only if it expires in `--min-ttl` seconds or less. Otherwise, the document stays as it is.
            """)

    static let document = Option(
        "document", section: OutputOption.section, summary: "print the document of a stored token",
        details: """
            Prints the token document even if it is stored under a name or in a file. The printed document contains \
            the refresh token.
            """)

    /// The members that its options set; its `--scope` is not one, since the document's scope is the granted one.
    static let members = MemberOption.identity.filter { $0.member != "scope" }

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let minimum = try MinimumTTL.seconds(of: session.arguments)
        let narrower = MemberOption.scope(of: session.arguments.values(scope))
        guard !session.transport.isDryRun || !session.arguments.has(ifExpired) else {
            throw .usage("--dry-run shows the request even if the token is still valid: leave out \(ifExpired.name)")
        }
        if let managed = try ManagedToken(session.inputs, over: session.transport) {
            let output = try session.output(room: TokenExchange.room)
            let kept = try session.engine.run(managed.load())
            let reason =
                session.arguments.has(ifExpired)
                ? RenewalReason.due(minimum: minimum, seen: kept["access_token"]?.string) : .asked
            let extra = try session.arguments.pairs(GeneralOption.parameter)
            if session.transport.isDryRun {
                try session.engine.run(managed.shownRenewal(options: members, narrower: narrower, extra: extra))
            }
            let renewal = TokenRenewal(
                token: managed, reason: reason, options: members, narrower: narrower, extra: extra, isStrict: true)
            let renewed = try session.engine.run(renewal.errand(after: kept))
            // What cron runs is silent: it mails what is printed.
            let isAsked = session.arguments.has(document) || session.form.filter != nil || session.form.file != nil
            return isAsked ? try output.finish(renewed) : .done
        }
        let input = try session.inputs.read(members)
        let output = try session.output(room: TokenExchange.room)
        if try !isDue(input.document, session, minimum: minimum) { return try output.finish(input.original) }
        let extra = try session.arguments.pairs(GeneralOption.parameter)
        let kind = TokenDocument.renewalGrant(of: input.document.members, now: Clock.now) ?? .refreshToken
        return try output.finish(
            try ExchangeCommand.token(
                of: input, by: kind, scope: narrower, isRepeated: true, extra: extra, session: session))
    }

    private static func isDue(_ document: Document, _ session: Session, minimum: Int?) throws(Failure) -> Bool {
        guard session.arguments.has(ifExpired) else { return true }
        guard document.members["access_token"] != nil || document.members["access_token_file"] != nil else {
            return true
        }
        let decision = try lift(try RefreshDecision(of: document))
        return decision.isDue(now: Clock.now, minimum: minimum)
    }

    /// The command.
    static let command = Command(
        "refresh", section: "Step by step", summary: "renew a token",
        description: description,
        options: [scope, ifExpired, MinimumTTL.option, document] + members.map(\.option) + [GeneralOption.parameter]
            + GeneralOption.tokenInput + OutputOption.allAndStrict + GeneralOption.server
            + [GeneralOption.dryRun],
        examples: examples,
        seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-call", 1)], run: run)

    private static let description = """
        Gets a new access token with the refresh token of a token document (RFC 6749 section 6). `oap` prints the \
        document with the new token. The document keeps its refresh token and its ID token, unless the response has \
        new ones. If the response has no scope, the document has the requested scope (see `--scope`). If the response \
        has no lifetime (`expires_in`), the document has no `expires_in` and no `expires_at`. If the document has no \
        refresh token, `oap` repeats the grant that issued the token. This works only with a grant that needs no user, \
        such as `client_credentials`; see `grant_type` in `oap-documents(5)`.

        With `-p` or `--token-file`, `oap` stores the new token in place of the former token. In this case, `oap` \
        prints the document only with `--document`, `--jq` or `-o`. So a cron job can run `oap refresh --if-expired -p \
        NAME`, which prints nothing.

        The request is sent only once, since many servers accept a refresh token only once. If the response is lost, \
        or has status 408 or 5xx, the exit status is 12. If nothing can renew the token, or if the server refuses the \
        refresh token, the exit status is 8: the user must log in again.
        """

    private static let examples = [
        Example(
            "Renew the token in a file, and write the new token into the same file.",
            command: "oap refresh -o token.json < token.json"),
        Example(
            "Renew the token only if it expires in five minutes or less.",
            command: "oap refresh --if-expired --min-ttl 300 -o token.json < token.json"),
        Example(
            "Get a token with a narrower scope.",
            command: "oap refresh --scope 'openid email' --jq .scope -r < token.json",
            output: "openid email"),
    ]
}
