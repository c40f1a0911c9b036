internal import CommandSpec
internal import HTTP
internal import Shell
internal import Calling
internal import Sessions

/// `oap call`: token → the API's answer.
enum CallCommand {
    static let members = MemberOption.of("api_base", "authorization_scheme")

    /// Runs the command. The request is built first, so that usage errors are reported before a token is renewed.
    static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let settings = try CallSettings(arguments)
        let names = { StoredNames.both.names(in: session.environment, store: session.inputs.settings.store) }
        let subject = session.inputs.settings
        let operand = subject.isNamedAlone ? nil : arguments.operand(named: "URL")
        try CallOperands.check(subject.name, operand, names: names)
        let target = try CallTarget.read(operand, names: names())
        let isAnonymous = arguments.has(CallOption.anonymous)
        let source = try TokenSource(session, members: members, isAnonymous: isAnonymous)
        guard !subject.isBatch else { return try runBatch(settings, source, session) }
        let request = try CallRequest(
            settings, to: target, named: subject.name, document: source.document,
            isStandardInputFree: source.isStandardInputFree,
            diagnostics: session.diagnostics)
        if !source.isAnonymous {
            try CallTarget.checkOrigin(of: request.url, document: source.document, allowed: settings.origins)
        }
        if session.transport.isDryRun {
            let line = source.shown(request.request, with: try source.shownToken(), session)
            return try session.output().finish(line: line)
        }
        return try send(request, settings, source, session)
    }

    private static func send(
        _ request: CallRequest, _ settings: CallSettings, _ source: TokenSource, _ session: Session
    ) throws(Failure) -> Exit {
        let token = try source.firstToken()
        let pages = try PagedCall(
            from: request.request, settings, form: session.form, diagnostics: session.diagnostics)
        let download = try settings.continues ? Download(form: session.form, for: request.request) : nil
        if let part = download?.part, part.size > 0, part.origin == nil {
            session.diagnostics.tell("the bytes in \(part.file.path) are of another URL: the download begins again")
        }
        let result = try CallResult(
            settings, form: session.form, diagnostics: session.diagnostics,
            mayCompileLater: request.request.onlyReads && (token != nil || source.isAnonymous),
            keepsContent: pages?.keepsContent ?? false, showsProgress: pages == nil, download: download)
        var options = try options(settings, request.headers, source, session)
        if download != nil { options.compressed = false }
        let cache = try settings.cacheAge.flatMap { (age) throws(Failure) in
            try CallCache(
                maximumAge: age, for: request.request, over: options, in: session.environment.folders,
                redactor: session.diagnostics.redactor)
        }
        let call = SingleCall(request.request, result: result, cache: cache, diagnostics: session.diagnostics)
        let driver = try CallDriver(
            token: token, source: source, retries: settings.retries, redirects: settings.redirects, over: session,
            options: options,
            notifyRetry: { _, retry in session.diagnostics.tell(retry) },
            makeReceiver: { _, disposition in call.makeReceiver(disposition) })
        defer { session.engine.run(source.keepingNonces()) }
        if let pages { return try pages.run(call, by: driver) }
        return try call.run(by: driver)
    }

    /// How the API is reached, without the fields that the options remove.
    private static func options(
        _ settings: CallSettings, _ headers: CallHeaders, _ source: TokenSource, _ session: Session
    ) throws(Failure) -> TransportOptions {
        var options = try session.apiOptions(of: session.transport.serving(source.document))
        options.http11Only = settings.usesHTTP11
        if headers.leavesOut("User-Agent") { options.userAgent = "" }
        if headers.leavesOut("Accept-Encoding") { options.compressed = false }
        return options
    }

    private static func runBatch(
        _ settings: CallSettings, _ source: TokenSource, _ session: Session
    ) throws(Failure) -> Exit {
        try source.requireToken(hint: "to name a stored token: oap call NAME --batch; else set OAP_ACCESS_TOKEN")
        let requests = try BatchRequests(settings, document: source.document)
        guard !session.transport.isDryRun else { return try requests.list(settings, source, session) }
        let batch = try Batch(session, settings, requests: requests)
        var options = try options(settings, requests.headers, source, session)
        options.multiplexes = true
        defer { session.engine.run(source.keepingNonces()) }
        return try batch.run(
            by: CallDriver(
                token: try source.firstToken(), source: source, retries: settings.retries,
                redirects: settings.redirects, over: session, options: options,
                notifyRetry: { id, retry in batch.tell(id, retry) },
                makeReceiver: { id, disposition in batch.makeReceiver(id, disposition) }))
    }

    static let command = Command(
        "call", section: "Log in and use a token", summary: "send a request to an API with a token",
        operands: [
            Operand(
                "NAME", isLeading: true, completes: StoredNames.both.completion,
                summary: "a profile and its stored token"),
            Operand("URL", unless: BatchOption.batch, summary: "the URL or path"),
        ],
        options: CallOption.all + PageOption.all + StreamOption.all + BatchOption.all
            + (members + MemberOption.ofRenewal).map(\.option) + [GeneralOption.minimumTTL] + DerivedTokenOption.all
            + GeneralOption.tokenInput + OutputOption.all + [GeneralOption.noDiscovery] + GeneralOption.transport,
        rules: CallRules.all,
        refused: ForeignNames.options("call"), surplus: CallOperands.hint,
        writesErrorDocuments: false, run: run)
}
