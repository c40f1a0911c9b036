internal import CommandSpec
internal import Errands
internal import OAuth
internal import System
internal import TokenStore
internal import Wire
internal import Shell
internal import Tokens
internal import Login
internal import Sessions

/// `oap login`: logs in and stores the token under a name.
enum LoginCommand {
    /// Runs the command. Everything that can be checked early is checked before the user has to do anything, and before
    /// the terminal.
    static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let client = try LoginClient(session, try LoginSettings(arguments))
        let settings = client.settings
        var way = settings.way
        try way.useGrant(of: client.members)
        let isIfNeeded = arguments.has(LoginOption.ifNeeded)
        if isIfNeeded, try isLoggedIn(client, way, session) { return .done }
        let folder = try Failure.storing(try session.environment.folders.logins())
        // It is about logins of users, and was read at the first one.
        if way.grant == nil, let note = client.note, !LoginMark.isKnown(client.name, in: folder) {
            session.diagnostics.tell(note)
        }
        var session = session
        session.transport = session.transport.logging(as: client.name.text)
        if way.grant != nil { session.transport = session.transport.patient }
        try client.warnOfVariables()
        var login = try LoginPreparation(client, way, session)
        try check(client.name, session)
        try way.checkTerminal()
        if settings.registers, client.hasIdentifier {
            session.diagnostics.tell("the client of the profile is used; --save-profile registers another one")
        }
        for option in way.idle { session.diagnostics.tell("warning: \(option.name) has no effect with --device") }
        // Of those that begin at once one logs in.
        var turn: StoreLock?
        if isIfNeeded {
            turn = try Failure.storing(try LoginMark.turn(client.name, in: folder))
            guard turn != nil else {
                try wait(forOthers: client.name, in: folder, session)
                return try run(session, arguments)
            }
            // Another one may have logged in since the first look, which has said what there is to say.
            if try isLoggedIn(client, way, session, again: true) { return .done }
        }
        defer { withExtendedLifetime(turn) {} }
        let mark = try Failure.storing { () throws(StoreError) in try LoginMark(client.name, in: folder) }
        defer { withExtendedLifetime(mark) {} }
        if mark.isSecond {
            session.diagnostics.tell(
                """
                another oap login \(client.name.text) is under way; the token of the login that ends last is kept
                """)
            session.diagnostics.hint("\(LoginOption.ifNeeded.name) waits for the other login, and uses its token")
        }
        do throws(Failure) {
            try login.complete()
        } catch {
            guard case .issuer = error.cause else { throw error }
            throw client.withHint(for: error)
        }
        try finish(login, way, settings, session)
        return .done
    }

    private static func finish(
        _ login: LoginPreparation, _ way: LoginWay, _ settings: LoginSettings, _ session: Session
    ) throws(Failure) {
        let (client, name) = (login.client, login.client.name)
        let hold = session.world.hold()
        defer { hold.deliver() }
        let (token, replaced) = try stored(login, way, settings, holding: hold, session)
        session.diagnostics.tell("the token is stored as \(name.text)")
        warnOfRoute(settings.route, session.diagnostics)
        var found = login.found
        // Next time a secret that is missing is noticed before the login.
        found["token_endpoint_auth_method"] = token["token_endpoint_auth_method"]
        if !settings.authorization.extra.isEmpty { found[way.parameters] = token[way.parameters] }
        if let grant = way.grant { found["grant_type"] = .string(grant.type) }
        try client.save(found)
        try client.saveCredential()
        hold.deliver()
        try MaskLine.detected(in: session.environment)?.mask(Secrets.texts(in: token))
        if let replaced { LogoutCommand.revoke(replaced, replacedBy: token, as: name.text, session) }
        let profile = !client.saves ? try session.inputs.profiles.find(name.text) : nil
        if profile != nil, try client.hasPassingWishes(found, way) {
            session.diagnostics.hint(
                """
                the next login asks for the profile's scope, resource and parameters again; --save-profile saves those \
                of this login in the profile
                """)
        }
        guard way.grant == nil else { return warn(ofSecretFor: token, login.input, session) }
        let person = LoginIdentity(of: token, session)
        if let person, person.isFetched {
            do throws(Failure) {
                try keep(person.name, of: token, as: name, session)
            } catch {
                session.diagnostics.tell(
                    "warning: the name of the user is not stored with the token: \(error.message)")
            }
        }
        session.diagnostics.tell("logged in" + (person.map { " as \($0.name)" } ?? ""))
        warn(ofSecretFor: token, login.input, session)
        if let option = login.optionForRenewal(after: token) {
            session.diagnostics.tell("the server issued no refresh token: nothing can renew this login")
            session.diagnostics.hint("oap login \(name.text) \(option) asks for a refresh token")
        }
        warn(ofSharedKeyIn: token, name, session)
        if client.saves, client.isNew {
            session.diagnostics.hint("oap call \(name.text) URL uses the token, and oap token \(name.text) prints it")
        }
    }

    /// The token of the login, and the one that it replaces, if that is to be revoked. It is stored, and the profile with it,
    /// before a signal ends the process.
    private static func stored(
        _ login: LoginPreparation, _ way: LoginWay, _ settings: LoginSettings, holding hold: SignalHold,
        _ session: Session
    ) throws(Failure) -> (JSONObject, replaced: JSONObject?) {
        var token: JSONObject
        do throws(Failure) {
            token = try LoginFlow.token(of: login.input, way, settings, login.places, holding: hold, session)
        } catch {
            throw login.client.withHint(for: error, asking: login.input.document.members["scope"]?.string)
        }
        // A free port was free for this login.
        token["redirect_uri"] = login.input.document.members["redirect_uri"]
        token = TokenDocument.remembering(settings.authorization.extra, as: way.parameters, in: token)
        let name = login.client.name
        let replaced = settings.revokesOld ? try? session.engine.run(session.login(name.text).load()) : nil
        try keep(login.input.with(token), as: name, session)
        return (token, replaced)
    }

    /// Says that a proxy is not remembered whose URL has a secret.
    private static func warnOfRoute(_ route: Route, _ diagnostics: Diagnostics) {
        guard route.proxyUser != nil else { return }
        diagnostics.tell(
            "warning: the proxy is not stored, since its URL has a user name or a password; each renewal needs it again"
        )
        diagnostics.hint("a renewal takes the proxy from the variable https_proxy, too")
    }

    /// Warns if a renewal of the token will not find the client's secret, which came through a descriptor. A variable is
    /// usually set for later commands too, and a renewal without it says so.
    private static func warn(ofSecretFor token: JSONObject, _ input: Input, _ session: Session) {
        guard TokenDocument.isRenewable(token, now: Clock.now),
            let credential = ClientCredential(method: token["token_endpoint_auth_method"]?.string),
            case .file(let path, isKept: false)? = try? input.source(of: credential.member)
        else { return }
        session.diagnostics.tell(
            "warning: the \(credential.noun) in \(path) is not stored, and each renewal needs it again")
        session.diagnostics.hint(
            "\(credential.option) PATH stores the path of a file, so renewals find the \(credential.noun)")
    }

    /// Warns if another profile has the same key for its tokens: it links the two.
    private static func warn(ofSharedKeyIn token: JSONObject, _ name: TokenName, _ session: Session) {
        let profiles = session.inputs.profiles
        guard let path = token["dpop_key_file"]?.string, let names = try? profiles.names(),
            let other = names.first(where: {
                $0 != name.text && (try? profiles.read($0))?["dpop_key_file"]?.string == path
            })
        else { return }
        session.diagnostics.tell(
            "warning: the profile \(other) has the same dpop_key_file, which shows servers that both are of one user")
    }

    /// Whether a valid token is stored, renewed if it must be.
    ///
    /// - Throws: whatever keeps it from being renewed, but for exit 8.
    private static func isLoggedIn(
        _ client: LoginClient, _ way: LoginWay, _ session: Session, again: Bool = false
    ) throws(Failure) -> Bool {
        let managed = try session.login(client.name.text)
        do throws(Failure) {
            let token = try session.engine.run(managed.current(minimum: nil))
            guard try client.suits(token, for: way) else { return false }
            guard token["unauthorized_at"]?.isNull ?? true else {
                if !again { session.diagnostics.tell("an API answered 401 to the stored token") }
                return false
            }
        } catch {
            // Some servers refuse a refresh token without a word. Of one that another process has heard, the status is not
            // known.
            let isSilent = !error.kind.needsLogin
            guard !isSilent || error.kind == .httpStatus && error.httpStatus ?? 400 == 400 else { throw error }
            if isSilent, !again { session.diagnostics.tell(error.message) }
            return false
        }
        return true
    }
}

extension LoginCommand {
    /// Waits until no other process logs in under this name.
    private static func wait(forOthers name: TokenName, in folder: String, _ session: Session) throws(Failure) {
        var pause = LockPause(by: { session.world.moment })
        var isTold = false
        while try Failure.storing(try LoginMark.turn(name, in: folder)) == nil {
            if !isTold, LoginMark.isHeld(name, in: folder) {
                session.diagnostics.tell("another oap login \(name.text) is under way: waiting for its end")
                isTold = true
            }
            session.engine.pause(until: pause.end)
            pause = pause.next(waitingFor: nil)
        }
    }

    /// Checks, as far as possible, that a token can be stored.
    private static func check(_ name: TokenName, _ session: Session) throws(Failure) {
        let check = try session.inputs.store().hold(name) { held in
            held.load().reading { (_) throws(StoreError) in
                try held.reserve(TokenExchange.room)
                held.releaseRoom()
            }
        }
        try session.engine.run(Failure.holding(check))
    }

    /// Stores the token. If that fails, revokes it, so that no forgotten token stays valid.
    private static func keep(_ token: Input, as name: TokenName, _ session: Session) throws(Failure) {
        let bytes = JSON.object(token.document.members).bytes + [0x0A]
        do throws(Failure) {
            try session.engine.run(
                Failure.holding(
                    try session.inputs.store().hold(name) { held throws(StoreError) in
                        // From here on, no signal ends a helper.
                        try held.reserve(bytes.count)
                        return held.save(bytes, over: nil).then { result in
                            held.releaseRoom()
                            return .done(result)
                        }
                    }))
        } catch {
            let revocation = try? TokenRevocation(of: token, type: nil, over: session.transport)
            let ended = revocation.map { session.engine.run($0.run()) }
            let isRevoked = ended.map { $0.failure == nil && $0.unsupported == nil } ?? false
            let end = isRevoked ? "was revoked at the server" : "could not be revoked and stays valid"
            session.diagnostics.tell("the new token \(end)")
            let failure = error.prefixed("logged in, but the token cannot be stored: ")
            // A signal ends the process before the command does.
            if Signals.isPending { session.diagnostics.tell(failure) }
            throw failure
        }
    }

    /// Writes the account to a stored token, unless that is another one by now.
    private static func keep(
        _ account: String, of token: JSONObject, as name: TokenName, _ session: Session
    ) throws(Failure) {
        let kept = try session.inputs.store().hold(name) { held in
            held.load().onward { (found) throws(StoreError) in
                guard let found, let stored = (try? JSON(parsing: found.bytes))?.object,
                    stored["access_token"] == token["access_token"]
                else { return .done(.success(())) }
                let named = stored.setting("logged_in_as", to: .string(account))
                return held.save(JSON.object(named).bytes + [0x0A], over: found.revision).then { result in
                    if case .failure(.changed) = result { return .done(.success(())) }
                    return .done(result)
                }
            }
        }
        try session.engine.run(Failure.holding(kept))
    }

    static let command = Command(
        "login", section: "Log in and use a token", summary: "log in and store the token under a name",
        of: [Manual.named("authurl")],
        operands: [
            Operand(
                "NAME", isRequired: false, completes: StoredNames.both.completion,
                summary: "the name of profile and token"),
            Operand(
                "VAR=VALUE", isRequired: false, isRepeatable: true,
                completes: .byOption(LoginOption.provider.long, ProviderCommand.variables),
                summary: "set a variable of the preset"),
        ],
        options: [
            GeneralOption.named, LoginOption.provider, LoginOption.credentialFile, LoginOption.register,
            LoginOption.saveProfile, LoginWay.device, LoginWay.ciba, LoginWay.paste, LoginWay.grant,
            LoginWay.noOpen, LoginWay.headless, LoginOption.ifNeeded, LoginOption.stepUp, LoginOption.revokeOld,
            LoginOption.port,
        ] + ListenOption.all + LoginPreparation.members.map(\.option) + TokenParameterOption.all
            + TokenParameterOption.ofExchange + AuthorizationFlow.options + GeneralOption.stores + [OutputOption.strict]
            + RetryOption.all
            + GeneralOption.server,
        rules: LoginWay.rules + LoginRegistration.rules + ListenOption.rules + [
            .apart([LoginOption.stepUp], from: [LoginOption.ifNeeded, LoginWay.device, LoginWay.grant]),
            .needs(TokenParameterOption.ofExchange, anyOf: [LoginWay.grant]),
            .apart([LoginOption.credentialFile], from: [LoginOption.provider]),
            .apart([LoginOption.port] + MemberOption.of("redirect_uri").map(\.option)),
        ], refused: ForeignNames.options("login") + ForeignNames.options("authorization request"),
        writesErrorDocuments: false, run: run)
}
