internal import CommandSpec
internal import Errands
internal import OAuth
internal import System
internal import TokenStore
internal import Wire

/// `oap login`: logs in and stores the token under a name.
enum LoginCommand {
    static let ifNeeded = Option(
        "if-needed", section: "Login", summary: "only if no valid token is stored",
        details: """
            Logs in only if `oap token NAME` would fail, or if the stored token lacks a scope value of `--scope`. \
            Otherwise `oap` keeps the stored token. If the stored token expires soon, `oap` renews it. The command \
            needs a terminal only if it logs in.
            """)

    /// Runs the command. Everything that can be checked early is checked before the user has to do anything, and before
    /// the terminal.
    static func run(_ session: Session) throws(Failure) -> Exit {
        var way = try LoginWay(session.arguments)
        let client = try LoginClient(session)
        if session.arguments.has(ifNeeded), try isLoggedIn(client.name, session) { return .done }
        if let note = client.note { session.diagnostics.tell(note) }
        try way.useGrant(of: client.members, session.arguments)
        var login = try LoginPreparation(client, way, session)
        try check(client.name, session)
        try way.checkTerminal()
        if session.arguments.has(LoginRegistration.option), client.hasIdentifier {
            session.diagnostics.tell("the client of the profile is used; --save-profile registers another one")
        }
        for option in way.idle { session.diagnostics.tell("warning: \(option.name) has no effect with --device") }
        let mark = try Failure.storing { () throws(StoreError) in
            try LoginMark(client.name, in: try session.environment.folders.logins())
        }
        defer { withExtendedLifetime(mark) {} }
        if mark.isSecond {
            session.diagnostics.tell(
                """
                another oap login \(client.name.text) is under way; the token of the login that ends last is kept
                """)
        }
        try login.complete()
        // A token that was issued is stored before a signal ends the process.
        let hold = SignalHold()
        var token: JSONObject
        do throws(Failure) {
            token = try LoginFlow.token(of: login.input, way, login.places, holding: hold, session)
        } catch {
            throw login.client.explained(error)
        }
        // A free port was free for this login.
        token["redirect_uri"] = login.input.document.members["redirect_uri"]
        try keep(login.input.with(token), as: client.name, session)
        hold.end()
        Signals.deliver()
        session.diagnostics.tell("the token is stored as \(client.name.text)")
        var found = login.found.keepingMethod(of: token)
        if let grant = way.grant { found["grant_type"] = .string(grant.type) }
        try login.client.save(found)
        guard way.grant == nil else {
            try warn(ofSecretFor: token, login.input, session)
            return .done
        }
        let person = LoginIdentity(of: token, session)
        if let person, person.isFetched {
            do throws(Failure) {
                try keep(person.name, of: token, as: client.name, session)
            } catch {
                session.diagnostics.tell(
                    "warning: the name of the user is not stored with the token: \(error.message)")
            }
        }
        session.diagnostics.tell("logged in" + (person.map { " as \($0.name)" } ?? ""))
        try warn(ofSecretFor: token, login.input, session)
        if login.client.isNew {
            let name = client.name.text
            session.diagnostics.hint("oap call \(name) URL uses the token, and oap token \(name) prints it")
        } else if login.client.hasPassingScope(found), try session.inputs.profiles.find(client.name.text) != nil {
            session.diagnostics.hint(
                "the next login asks for the profile's scope again; --save-profile saves the new scope in the profile")
        }
        return .done
    }

    /// Warns if a renewal of the token will not find the client's secret.
    private static func warn(
        ofSecretFor token: JSONObject, _ input: Input, _ session: Session
    ) throws(Failure) {
        guard TokenDocument.isRenewable(token, now: Clock.now), token["token_endpoint_auth_method"] != .string("none"),
            let source = try input.passingSecret()
        else { return }
        session.diagnostics.tell("warning: the secret in \(source) is not stored, and each renewal needs it again")
        session.diagnostics.hint("--client-secret-file PATH stores the path of a file, so renewals find the secret")
    }

    /// Whether a valid token is stored, renewed if it must be.
    ///
    /// - Throws: whatever keeps it from being renewed, but for exit 8.
    private static func isLoggedIn(_ name: TokenName, _ session: Session) throws(Failure) -> Bool {
        let profile = try session.inputs.profiles.find(name.text)
        let managed = try ManagedToken(named: name.text, profile: profile, session.inputs, over: session.transport)
        do throws(Failure) {
            let token = try session.engine.run(managed.current(minimum: nil))
            guard LoginClient.grants(token, session.arguments) else { return false }
        } catch {
            // Some servers refuse a refresh token without a word.
            let isRefused = error.kind == .httpStatus && error.httpStatus == 400
            guard error.kind.needsLogin || isRefused else { throw error }
            if isRefused { session.diagnostics.tell(error.message) }
            return false
        }
        return true
    }
}

extension LoginCommand {
    /// Checks, as far as possible, that a token can be stored.
    private static func check(_ name: TokenName, _ session: Session) throws(Failure) {
        let check = try session.inputs.store().hold(name) { held in
            held.load().reading { (_) throws(StoreError) in
                try held.reserve(TokenExchange.room)
                held.releaseRoom()
            }
        }
        try session.engine.run(Failure.storing(check))
    }

    /// Stores the token. If that fails, revokes it, so that no forgotten token stays valid.
    private static func keep(_ token: Input, as name: TokenName, _ session: Session) throws(Failure) {
        let bytes = JSON.object(token.document.members).bytes + [0x0A]
        do throws(Failure) {
            try session.engine.run(
                Failure.storing(try session.inputs.store().hold(name) { held in held.save(bytes, over: nil) }))
        } catch {
            var failure = error
            failure.message = "logged in, but the token cannot be stored: \(failure.message)"
            let revocation = try? TokenRevocation(of: token, type: nil, over: session.transport)
            let isRevoked = revocation.map { session.engine.run($0.run()).failure == nil } ?? false
            let end = isRevoked ? "was revoked at the server" : "could not be revoked and stays valid"
            session.diagnostics.tell("the new token \(end)")
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
                return held.save(JSON.object(named).bytes + [0x0A], over: nil)
            }
        }
        try session.engine.run(Failure.storing(kept))
    }

    /// The command.
    static let command = Command(
        "login", section: "Log in and use a token", summary: "log in and store the token under a name",
        description: description,
        operands: [
            Operand(
                "NAME", isRequired: false, completes: StoredNames.both.completion,
                summary: "the name of profile and token",
                details: """
                    The name of the profile and of the stored token: at most 128 letters, digits and `._@:-`. After \
                    the login, `oap token NAME` prints the token.
                    """),
            Operand(
                "VAR=VALUE", isRequired: false, isRepeatable: true,
                completes: .byOption(LoginOption.provider.long, PresetNames.variables),
                summary: "set a variable of the preset",
                details: """
                    A value for a placeholder of the preset that `--provider` names, for example \
                    `host=sso.example.org`.
                    """),
        ],
        options: [
            GeneralOption.named, LoginOption.provider, LoginRegistration.option, LoginOption.saveProfile,
            LoginWay.device, LoginWay.paste, LoginWay.grant,
            LoginWay.noOpen,
            LoginWay.headless, ifNeeded, LoginOption.port,
        ] + ListenOption.all + LoginPreparation.members.map(\.option) + [
            GeneralOption.parameter, AuthurlCommand.noPKCE, AuthurlCommand.challengeMethod, AuthurlCommand.push,
            GeneralOption.store, OutputOption.strict,
        ] + GeneralOption.server, refused: LoginOption.others, examples: examples,
        seeAlso: [
            ManualReference("oap-token", 1), ManualReference("oap-logout", 1), ManualReference("oap-provider", 1),
        ],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Logs in, and stores the token under NAME. The command does the work of this pipe in one process: `oap authurl \
        | oap listen --open | oap callback-parse | oap exchange | oap store put NAME`. The client is described by the \
        profile `$XDG_CONFIG_HOME/oap/profiles/NAME.json`, a client document. Options override members of the profile. \
        Environment variables add members that the profile lacks. If there is no profile, `oap` uses the client of the \
        token that is stored under NAME. If `OAP_ISSUER` is set, it must name the server of the profile or of the \
        stored token. With `--provider`, `OAP_ISSUER` must name the server of the preset. Otherwise the login fails.

        The first login under a name needs a client and a server. `--client-id` or `--client-metadata-document` names \
        an existing client, and `--register` registers a new client. One of three options names the server. \
        `--provider` selects the built-in settings of a known provider, its preset (`oap-providers(7)`). `--issuer` is \
        the issuer URL of the server; `oap` reads the endpoints from the server's metadata. If environment variables \
        name the endpoints, `oap` still reads the metadata, which also says what the server requires. `--resource` is \
        the URL of an API or an MCP server, the resource; `oap` asks the resource for the issuer of the authorization \
        server.

        After the first login, `oap` writes the profile. With `--provider`, the profile contains the preset. With \
        `--issuer`, the profile contains the issuer. With `--resource`, the profile contains the resource, the issuer \
        of the authorization server, and the scope. With any of the three options, the profile also contains the other \
        options for client and server, and the `token_endpoint_auth_method` that the login used. If there is a profile \
        already, and `--issuer` names another server than the profile, the login fails. With `--save-profile`, the \
        login replaces the profile instead.

        If no scope is given, the first login with `--issuer` asks for `openid`, and also for `profile` and `email` if \
        the server's metadata lists them. If the metadata does not list `openid`, the login asks for no scope. With \
        `--provider`, the default redirect URI is the `registration_redirect_uri` of the preset. Register this URI at \
        the provider before the first login. The login writes the URI to the profile.

        If you give `--resource` again at a later login, with the URL that the profile contains, `oap` fetches the \
        metadata of the resource again. The login asks for the scope that was granted before, and also for the scope \
        that the resource asks for now. If the resource now names another authorization server, the login fails unless \
        `--save-profile` is given. With `--save-profile`, the login needs a client at the new server, for example from \
        `--register`.

        `oap` opens the login URL in a browser on this machine, and receives the browser's redirect on a loopback \
        address. Without a display, `oap` prints the login URL and explains how to log in with another browser. If the \
        redirect does not reach `oap`, copy the URL from the address bar of the browser, and paste it at the terminal. \
        The last page in the browser says whether the login succeeded. `--device` and `--paste` log in without a \
        redirect to this machine. Without a terminal, the command fails with exit status 8, unless `--device`, \
        `--open`, `--no-open`, `--headless` or `--grant` is given.

        If the metadata of the server names a login page or a token endpoint that has another host or port than the \
        issuer, `oap` prints one line with all three before the browser opens. A malicious server could name the login \
        page of another server, and would get the code of that login. So the first login with `--resource` or \
        `--register` at such a server fails with exit status 9, unless the server supports `iss` (RFC 9207), or \
        `--authorization-endpoint` names the login page. With `--device`, the page at which the user types the code is \
        compared too. There, `iss` does not help, and `--device-authorization-endpoint` accepts the server.

        Before the browser opens, `oap` checks the client, its secret, the store and the profile. If one of them \
        cannot be used, the login fails. If the scope contains `openid`, `oap` checks `issuer` and `jwks_uri` too, \
        because it needs both to verify the ID token. If the ID token or the userinfo endpoint names the user, `oap` \
        prints this name on standard error after the login. The new token replaces a token that is already stored \
        under NAME. `oap` does not revoke the old token. If `oap` cannot store the new token, it asks the server to \
        revoke the new token.

        With `--grant`, or with `grant_type` in the profile, no user logs in. With `client_credentials`, the token \
        belongs to the client itself. When the token has expired, the next command that uses the token requests a new \
        one with the same grant.
        """

    private static let examples = [
        Example(
            """
            Log in with the issuer URL of a server and a client identifier. Later, log in again only if the token \
            cannot be used any more.
            """,
            command: """
                oap login home --issuer "$OAP_ISSUER" --client-id "$OAP_CLIENT_ID" --open
                oap login home --if-needed
                """),
        Example(
            "Write a profile, log in once, and call an API with the stored token.",
            command: """
                oap profile set work < client.json
                oap login work --open
                oap call -p work /user --jq .login -r
                """, output: "ada"),
        Example(
            "Get and store a token that belongs to the client itself. No user has to log in.",
            command: """
                oap login ci --grant client_credentials --issuer "$OAP_ISSUER" \\
                    --client-id "$OAP_CLIENT_ID"
                """),
    ]
}
