internal import CommandSpec
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap token`: prints a stored access token, renewed first if it is about to expire.
enum TokenCommand {
    static let header = Option("header", section: OutputOption.section, summary: "print it as an Authorization header")
    static let document = Option("document", section: OutputOption.section, summary: "print the whole token document")

    static let idToken = Option("id-token", section: OutputOption.section, summary: "print the ID token")
    static let place = Option("for", argument: "URL", section: "Input", summary: "find the token by a URL")
    static let watch = Option("watch", section: OutputOption.section, summary: "keep the file of -o fresh")

    /// What contradicts its options. The filter of `--jq` runs on the token document.
    private static let rules: [OptionRule] = [
        .needs([ExpiringTokens.within], anyOf: [ExpiringTokens.all]),
        .needs(
            [ExpiringTokens.all], anyOf: [ExpiringTokens.within],
            hint: "to renew the tokens that would expire within a week: oap token --all --within 7d"),
        .apart(
            [ExpiringTokens.all],
            from: [GeneralOption.named, place, watch, idToken, GeneralOption.dryRun] + DerivedTokenOption.all),
        .apart([ExpiringTokens.all, place], from: .operand("NAME")), .apart([place, GeneralOption.named]),
        .apart([[.option(header)], [.option(idToken)], [document, OutputOption.jq].words]),
        .apart([idToken], from: DerivedTokenOption.all), .apart([watch, GeneralOption.dryRun]),
        .needs([watch], anyOf: [OutputOption.output]),
    ]

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let arguments = session.arguments
        if arguments.has(ExpiringTokens.all) {
            return try ExpiringTokens.renew(session)
        }
        let name = try name(session)
        // A token document works without a profile.
        let profile = try session.inputs.profiles.find(name)
        let part = try DerivedTokenOption.token(of: arguments)
        let managed = try ManagedToken(named: name, profile: profile, session.inputs, over: session.transport)
            .deriving(part)
        let minimum = arguments.number(MinimumTTL.option)
        if session.transport.isDryRun {
            try session.engine.run(managed.shownRenewal())
        }
        guard !arguments.has(watch) else {
            guard session.form.file != nil else { throw .usage("--watch needs a file: --output FILE") }
            try keepFresh(managed, minimum, session)
        }
        let output = try session.output()
        if arguments.has(idToken) {
            return try output.finish(line: try session.engine.run(managed.idToken(minimum: minimum)).text)
        }
        return try write(try session.engine.run(managed.current(minimum: minimum)), of: managed, to: output, session)
    }

    /// The name that `--for` finds, or that the command line gives.
    ///
    /// - Throws: exit 2 for both; exit 8 if no profile is for the URL.
    private static func name(_ session: Session) throws(Failure) -> String {
        guard let text = session.arguments.value(place) else {
            return try session.inputs.name(session.arguments.operand(0))
        }
        let urls = TokenSearch.urls(text).filter { $0.userinfo == nil }
        guard let url = urls.first else { throw .usage("--for takes an https URL, or an http one on loopback") }
        guard let name = try TokenSearch(session).token(for: urls, isAmongStored: true)?.name else {
            throw Failure(
                .loginNeeded, .loginNeeded, "there is no token for \(url.origin)",
                hint:
                    "log in with oap login NAME; api_base, resource or api_origins in the profile must name this origin"
            )
        }
        return name
    }

    private static func write(
        _ kept: JSONObject, of managed: ManagedToken, to output: consuming ResultWriter, _ session: Session
    ) throws(Failure) -> Exit {
        if session.arguments.has(document) || session.form.filter != nil {
            // The message of a filter that fails repeats its input.
            session.inputs.register(kept)
            return try output.finish(managed.part == nil ? kept : DerivedToken.handedOut(kept))
        }
        let access = try session.engine.run(try managed.handed(of: kept)).access
        return try output.finish(
            line: session.arguments.has(header) ? "\(access.field.name): \(access.field.value)" : access.token)
    }

    /// Writes the file of `-o`, again whenever there is another token.
    private static func keepFresh(
        _ managed: ManagedToken, _ minimum: Int?, _ session: Session
    ) throws(Failure) -> Never {
        let isIDToken = session.arguments.has(idToken)
        let show = { (token: HandedToken) throws(Failure) in
            let output = try session.output()
            guard isIDToken else {
                _ = try write(token.document, of: managed, to: output, session)
                return
            }
            _ = try output.finish(line: token.access.token)
        }
        let keeper = try session.engine.run(
            TokenKeeper.begun(managed, minimum: minimum, isIDToken: isIDToken, session.diagnostics))
        try show(keeper.token)
        while true {
            session.engine.pause(until: keeper.next, watching: [])
            guard session.engine.run(keeper.renewal()) else { continue }
            do throws(Failure) {
                try show(keeper.token)
            } catch {
                session.diagnostics.tell(error)
            }
        }
    }

    /// The command.
    static let command = Command(
        "token", section: "Log in and use a token", summary: "print a stored access token, renewed if needed",
        manual: Manual.token,
        operands: [
            Operand(
                "NAME", isRequired: false, completes: StoredNames.tokens.completion,
                summary: "the token's name")
        ],
        options: [
            GeneralOption.named, place, GeneralOption.store, MinimumTTL.option, ExpiringTokens.all,
            ExpiringTokens.within, header, document, idToken, watch,
        ]
            + DerivedTokenOption.all + MemberOption.ofRenewal.map(\.option)
            + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun],
        rules: rules,
        seeAlso: [ManualReference("oap-call", 1), ManualReference("oap-store", 1)],
        writesErrorDocuments: false, run: run)
}
