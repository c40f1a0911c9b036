internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap refresh`: token → token.
enum RefreshCommand {
    static let scope = Option(
        "scope", argument: "SCOPE", isRepeatable: true, section: "Request", summary: "ask for a narrower scope")
    static let ifExpired = Option("if-expired", section: "Request", summary: "refresh only when little time is left")

    static let document = Option(
        "document", section: OutputOption.section, summary: "print the document of a stored token")

    /// The members that its options set; its `--scope` is not one, since the document's scope is the granted one.
    static let members = MemberOption.identity.filter { $0.member != "scope" }

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let minimum = session.arguments.number(MinimumTTL.option)
        let narrower = MemberOption.scope(of: session.arguments.values(scope))
        if let managed = try ManagedToken(session.inputs, over: session.transport) {
            let output = try session.output(room: TokenExchange.room)
            let kept = try session.engine.run(managed.load())
            let reason =
                session.arguments.has(ifExpired)
                ? RenewalReason.due(minimum: minimum, seen: kept["access_token"]?.string) : .asked
            let extra = session.arguments.pairs(GeneralOption.parameter)
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
        let extra = session.arguments.pairs(GeneralOption.parameter)
        let kind = TokenDocument.renewalGrant(of: input.document.members, now: Clock.now) ?? .refreshToken
        return try output.finish(
            try TokenFlow.token(
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
        manual: Manual.refresh,
        options: [scope, ifExpired, MinimumTTL.option, document] + members.map(\.option) + [GeneralOption.parameter]
            + GeneralOption.tokenInput + OutputOption.allAndStrict + GeneralOption.server
            + [GeneralOption.dryRun],
        rules: [.apart([ifExpired, GeneralOption.dryRun])],
        seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-call", 1)], run: run)
}
