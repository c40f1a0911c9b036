internal import CommandSpec
internal import OAuth
internal import System
internal import Shell
internal import Tokens
internal import Login
internal import Sessions

/// `oap refresh`: token → token.
enum RefreshCommand {
    static let scope = Option(
        "scope", argument: "SCOPE", isRepeatable: true, section: "Request", summary: "ask for a narrower scope")
    static let ifExpired = Option("if-expired", section: "Request", summary: "refresh only when little time is left")

    static let document = Option(
        "document", section: OutputOption.section, summary: "print the document of a stored token")

    /// The members that its options set; its `--scope` is not one, since the document's scope is the granted one.
    static let members = MemberOption.identity.filter { $0.member != "scope" }

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (isOnlyIfDue, minimum) = (arguments.has(ifExpired), session.inputs.settings.minimum)
        let narrower = MemberOption.scope(of: arguments.values(scope))
        let extra = arguments.pairs(GeneralOption.parameter)
        try session.refuseWaitingToken()
        if let managed = try session.keptToken() {
            let output = try session.output(room: TokenExchange.room)
            let kept = try session.engine.run(managed.load())
            if session.transport.isDryRun {
                try session.engine.run(managed.shownRenewal(options: members, narrower: narrower, extra: extra))
            }
            var document = managed.view(kept)
            if isOnlyIfDue ? try managed.isDue(document, minimum: minimum) : true {
                let reason =
                    isOnlyIfDue
                    ? RenewalReason.due(minimum: minimum, seen: document["access_token"]?.string) : .asked
                document = try session.engine.run(
                    managed.renewed(
                        because: reason, after: kept, options: members, narrower: narrower, extra: extra,
                        isStrict: true))
            }
            // What cron runs is silent: it mails what is printed.
            let isAsked = arguments.has(Self.document) || session.form.filter != nil || session.form.file != nil
            guard isAsked else { return .done }
            if document == managed.view(kept) { managed.transport.note() }
            return try output.finish(document)
        }
        var input = try session.inputs.read(members)
        if session.inputs.settings.isAlone {
            let hint = "without a document, \(Member.variable(for: "refresh_token")) has the token"
            input.document.hintsForMissing.append(("refresh_token", hint))
        }
        if case .standardInput = try session.inputs.source(),
            !["access_token", "refresh_token", "grant_type"].contains(where: input.document.members.holds)
        {
            throw Failure(
                .badInput, .metadataMissing, "the document has no token",
                hint: "pass the token document that oap exchange printed")
        }
        let output = try session.output(room: TokenExchange.room)
        if isOnlyIfDue, try !isDue(input.document, minimum: minimum) {
            return try output.finish(input.original)
        }
        let kind = TokenDocument.renewalGrant(of: input.document.members, now: Clock.now) ?? .refreshToken
        return try output.finish(
            try TokenFlow.token(
                of: input, by: kind, scope: narrower, isRepeated: true, extra: extra, session: session))
    }

    private static func isDue(_ document: Document, minimum: Int?) throws(Failure) -> Bool {
        guard document.members.holds("access_token") else { return true }
        let decision = try asFailure(RefreshDecision(of: document))
        return decision.isDue(now: Clock.now, minimum: minimum)
    }

    static let command = Command(
        "refresh", section: "Step by step", summary: "renew a token",
        options: [scope, ifExpired, GeneralOption.minimumTTL, document] + members.map(\.option)
            + [GeneralOption.parameter] + GeneralOption.tokenInput + OutputOption.allAndStrict + RetryOption.all
            + GeneralOption.server + [GeneralOption.dryRun],
        rules: [.apart([ifExpired, GeneralOption.dryRun])], run: run)
}
