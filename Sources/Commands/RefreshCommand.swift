internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap refresh`: token → token.
enum RefreshCommand {
    static let scope = Option(
        "scope", argument: "SCOPE", section: "Request", summary: "ask for a narrower scope",
        details:
            "Scope values within those that were granted; without it the scope stays as it is (RFC 6749 section 6).")
    static let ifExpired = Option(
        "if-expired", section: "Request", summary: "refresh only when little time is left",
        details: "Passes the token on unchanged while more than `--min-ttl` seconds are left.")

    /// The members that its options set; its `--scope` is not one, since the document's scope is the granted one.
    static let members = MemberOption.identity.filter { $0.member != "scope" }

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let minimum = try MinimumTTL.seconds(of: session)
        let narrower = session.arguments.value(scope)
        if let managed = try ManagedToken(session) {
            let output = try session.output()
            let seen = try managed.load()["access_token"]?.string
            let reason =
                session.arguments.has(ifExpired) ? ManagedToken.Reason.due(minimum: minimum, seen: seen) : .asked
            return try output.finish(
                try managed.renewed(
                    because: reason, options: members, narrower: narrower, extra: try session.extraParameters()))
        }
        let input = try session.input(members)
        let output = try session.output()
        if try !isDue(input.document, session, minimum: minimum) { return try output.finish(input.original) }
        var grant = try grant(of: input, scope: narrower)
        let extra = try session.extraParameters()
        try Failure.lifting(input.document) { () throws(OAuthError) in
            try grant.addExtra(extra, of: input.document)
        }
        let endpoint = try TokenRequest(grant: grant, input: input, session: session)
        let issued = try endpoint.send(session)
        let token = TokenDocument.refreshed(input.document.members, by: issued.response, start: issued.start)
        return try output.finish(issued.addingClaims(to: token))
    }

    /// The refresh grant of a token document.
    ///
    /// - Throws: exit 8 where there is no refresh token.
    static func grant(of input: Input, scope: String?) throws(Failure) -> Grant {
        guard let refreshToken = try input.secret("refresh_token") else {
            throw Failure(
                .loginNeeded, OAuthError.Kind.reauthRequired.name, "refresh_token is missing",
                hint: "log in again; servers issue one when they are asked for offline access, or not at all")
        }
        // A scope that cannot be asked for is the option's fault, not the document's.
        return try Failure.lifting(scope == nil ? input.document : nil) { () throws(OAuthError) in
            try Grant.refresh(input.document, refreshToken: refreshToken, scope: scope)
        }
    }

    private static func isDue(_ document: Document, _ session: Session, minimum: Int?) throws(Failure) -> Bool {
        guard session.arguments.has(ifExpired) else { return true }
        guard document.members["access_token"] != nil || document.members["access_token_file"] != nil else {
            return true
        }
        let decision = try Failure.lifting(document) { () throws(OAuthError) in try RefreshDecision(of: document) }
        return decision.isDue(now: session.now, minimum: minimum)
    }
}

extension RefreshCommand {
    /// The command.
    static let command = Command(
        record: CommandRecord(
            "refresh", section: "Pipeline", summary: "renew a token",
            description: description,
            options: [scope, ifExpired, MinimumTTL.option]
                + members.map(\.option) + [
                    GeneralOption.parameter, GeneralOption.nullInput, GeneralOption.profile, GeneralOption.tokenFile,
                    GeneralOption.store,
                ]
                + OutputOption.allAndStrict + GeneralOption.transport, refused: GeneralOption.refused,
            examples: examples,
            seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-call", 1)]),
        writesErrorDocuments: true, run: run)

    private static let description = """
        Renews the token of a document with its refresh token (RFC 6749 section 6) and prints the document with the new \
        token. What the answer leaves out stays as it was: the refresh token, the scope, the ID token; the lifetime does \
        not.

        There is one attempt, since a server may take a refresh token once only. Where the answer was lost, the exit \
        status is 12; where a person must log in again, it is 8.
        """

    private static let examples = [
        Example("In place.", command: "oap refresh -o token.json < token.json"),
        Example(
            "Only when less than five minutes are left.",
            command: "oap refresh --if-expired --min-ttl 300 -o token.json < token.json"),
        Example(
            "A token that may do less.", command: "oap refresh --scope 'openid email' --jq .scope -r < token.json",
            output: "openid email"),
    ]
}
