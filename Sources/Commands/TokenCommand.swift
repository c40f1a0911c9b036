internal import CommandSpec
internal import OAuth
internal import Redaction
internal import System
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// `oap token`: prints a stored access token, renewed first if it is about to expire.
enum TokenCommand {
    static let header = Option("header", section: OutputOption.section, summary: "print it as an Authorization header")
    static let method = Option(
        "method", argument: "METHOD", otherwise: "GET", section: OutputOption.section,
        summary: "the method that the proof of a bound token is for")
    static let url = Option(
        "url", argument: "URL", section: OutputOption.section,
        summary: "the URL that the proof of a bound token is for")
    static let document = Option("document", section: OutputOption.section, summary: "print the whole token document")

    static let accessOnly = Option(
        "access-only", section: OutputOption.section, summary: "leave out of the document all that renews the token")

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
            from: [GeneralOption.named, place, watch, idToken, MaskLine.option, GeneralOption.dryRun]
                + DerivedTokenOption.all),
        .apart([ExpiringTokens.all, place], from: .operand("NAME")), .apart([place, GeneralOption.named]),
        .apart([[.option(header)], [.option(idToken)], ([document] + OutputOption.filters).words]),
        .needs([method], anyOf: [url]), .needs([url], anyOf: [header]),
        .needs([accessOnly], anyOf: [document] + OutputOption.filters),
        .apart([idToken], from: DerivedTokenOption.all),
        .apart([GeneralOption.dryRun], from: [watch, MaskLine.option]),
        .needs([watch], anyOf: [OutputOption.output]), .needs(FileAccess.all, anyOf: [watch]),
    ]

    private struct Settings {
        enum Form { case token, header, document, idToken }

        let form: Form
        var maskLine: MaskLine?
        let isAccessOnly: Bool
        /// The request that a proof is for.
        let method: String
        let url: String?

        init(_ arguments: Arguments, _ output: OutputForm) {
            let isDocument = arguments.has(document) || output.filter != nil
            form =
                arguments.has(idToken) ? .idToken : arguments.has(header) ? .header : isDocument ? .document : .token
            isAccessOnly = arguments.has(accessOnly)
            maskLine = arguments.value(MaskLine.option).flatMap(MaskLine.init)
            (method, url) = (arguments.value(TokenCommand.method) ?? "GET", arguments.value(TokenCommand.url))
        }
    }

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let minimum = session.inputs.settings.minimum
        var settings = Settings(arguments, session.form)
        if settings.maskLine == nil { settings.maskLine = try MaskLine.detected(in: session.environment) }
        let within = arguments.period(ExpiringTokens.within)
        if let within { return try ExpiringTokens.renew(session, within: within) }
        // A token document works without a profile.
        let managed = try session.login(try name(at: arguments.value(place), session))
            .deriving(session.inputs.settings.part)
        if session.transport.isDryRun { try session.engine.run(managed.shownRenewal()) }
        guard !arguments.has(watch) else {
            guard session.form.file != nil else {
                throw .usage("\(watch.name) needs a file: \(OutputOption.output.name) FILE")
            }
            try keepFresh(managed, minimum, settings, session)
        }
        let output = try session.output()
        if settings.form == .idToken {
            let token = try session.engine.run(managed.handed(minimum: minimum, isIDToken: true)).access.token
            try settings.maskLine?.mask([token])
            return try output.finish(line: token)
        }
        let kept = try session.engine.run(managed.current(minimum: minimum))
        managed.transport.note()
        return try write(kept, of: managed, as: settings, to: output, session)
    }

    /// Masks the token, and with the document its other secrets.
    private static func mask(_ kept: JSONObject, _ settings: Settings) throws(Failure) {
        let names = settings.form == .document ? ["id_token"] : ["access_token"]
        let texts = names.compactMap { kept[$0]?.string }
        try settings.maskLine?.mask(settings.form == .document ? Secrets.texts(in: kept) + texts : texts)
    }

    /// The name that `--for` finds, or that the command line gives.
    ///
    /// - Throws: exit 2 for what is no URL; exit 8 if no profile is for the URL.
    private static func name(at place: String?, _ session: Session) throws(Failure) -> String {
        guard let text = place else { return try session.inputs.name() }
        let urls = TokenSearch.urls(text).filter { $0.userinfo == nil }
        guard let url = urls.first else { throw .usage("--for takes an https URL, or an http one on loopback") }
        guard let name = try TokenSearch(session).token(for: urls, isOfPerson: true)?.name.text else {
            throw Failure(
                .loginNeeded, .loginNeeded, "there is no token for \(url.origin)",
                hint:
                    "log in with oap login NAME; api_base, resource or api_origins in the profile must name this origin"
            )
        }
        return name
    }

    private static func write(
        _ kept: JSONObject, of managed: ManagedToken, as settings: Settings, to output: consuming ResultWriter,
        _ session: Session
    ) throws(Failure) -> Exit {
        try mask(kept, settings)
        guard settings.form != .document else {
            // The message of a filter that fails repeats its input.
            session.inputs.register(kept)
            let isWhole = managed.part == nil && !settings.isAccessOnly
            var shown = isWhole ? kept : DerivedToken.handedOut(kept)
            if settings.isAccessOnly { shown["renewed_by"] = HostName.own.map { .string($0) } }
            try checkAccess(to: shown, session)
            return try output.finish(shown)
        }
        let access = try session.engine.run(try managed.handed(of: kept)).access
        guard settings.form == .header else {
            if access.binding != nil { try managed.warn(ManagedToken.bound) }
            return try output.finish(line: access.token)
        }
        var request = HTTPRequest(method: settings.method, url: settings.url ?? "")
        if access.binding != nil {
            guard let text = settings.url else {
                throw .usage(
                    "the token is bound to a key (DPoP): its header fields are for one request",
                    hint: "\(header.name) \(method.name) METHOD \(url.name) URL prints both fields; oap call sends them"
                )
            }
            guard let target = WebURL(text), target.host?.isEmpty == false, target.userinfo == nil,
                target.scheme == "https" || target.scheme == "http" && target.isLoopback
            else { throw .usage("\(url.name) takes an https URL, or an http one on loopback, without a user name") }
            guard settings.method.isHTTPToken, settings.method.utf8.count <= 64 else {
                throw .usage("\(method.name) takes an HTTP method")
            }
        }
        access.authorize(&request, now: Clock.now)
        let fields = request.headers.map { "\($0.name): \($0.value)" }
        return try output.finish(line: fields.joined(separator: "\n"))
    }

    /// Refuses to give others more than an access token.
    ///
    /// - Throws: exit 2.
    private static func checkAccess(to kept: JSONObject, _ session: Session) throws(Failure) {
        let secrets = Member.secretForms.filter(kept.holds) + SensitiveParts.texts(in: kept).map(\.name)
        guard session.form.access != nil, let secret = secrets.first(where: { $0 != "access_token" }) else { return }
        throw .usage(
            "--mode and --group are refused: the document has \(secret)",
            hint: "without \(document.name) and \(OutputOption.jq.name), the file has the access token alone")
    }

    /// Writes the file of `-o`, again whenever there is another token.
    private static func keepFresh(
        _ managed: ManagedToken, _ minimum: Int?, _ settings: Settings, _ session: Session
    ) throws(Failure) -> Never {
        let isIDToken = settings.form == .idToken
        let show = { (token: HandedToken) throws(Failure) in
            let output = try session.output()
            guard isIDToken else { return try write(token.document, of: managed, as: settings, to: output, session) }
            try settings.maskLine?.mask([token.access.token])
            return try output.finish(line: token.access.token)
        }
        let keeper = try session.engine.run(
            TokenKeeper.awaited(managed, minimum: minimum, isIDToken: isIDToken, session.diagnostics))
        _ = try show(keeper.token)
        while true {
            session.engine.pause(until: keeper.next)
            guard session.engine.run(keeper.renewal()) else { continue }
            do throws(Failure) {
                _ = try show(keeper.token)
            } catch {
                session.diagnostics.tell(error)
            }
        }
    }

    static let command = Command(
        "token", section: "Log in and use a token", summary: "print a stored access token, renewed if needed",
        operands: [GeneralOption.tokenOperand],
        options: [
            GeneralOption.named, place, GeneralOption.store, GeneralOption.storeTrust, GeneralOption.minimumTTL,
            ExpiringTokens.all,
            ExpiringTokens.within, header, method, url, document, accessOnly, idToken, watch,
            MaskLine.option,
        ] + FileAccess.all
            + DerivedTokenOption.all + MemberOption.ofRenewal.map(\.option)
            + OutputOption.allAndStrict + RetryOption.all + GeneralOption.server + [GeneralOption.dryRun],
        rules: rules, refused: ForeignNames.options("token"),
        surplus: { _, options in
            options.contains(watch)
                ? "one process keeps one token; for several: oap-recipes(7), RENEWALS"
                : "for several: for name in NAME ...; do oap token $name; done"
        },
        writesErrorDocuments: false, run: run)
}
