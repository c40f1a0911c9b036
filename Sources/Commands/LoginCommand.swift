internal import CommandSpec
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap login`: logs in and stores the token under a name.
enum LoginCommand {
    static let ifNeeded = Option(
        "if-needed", section: "Login", summary: "only if no valid token is stored",
        details: """
            Logs in only if `oap token NAME` would fail, or if a part of `--scope` was not granted for the stored \
            token. A valid token is kept, and an expired token is renewed if that is possible. In both cases no \
            terminal is needed.
            """)

    /// Runs the command. Everything that can be checked early is checked before the user has to do anything, and before
    /// the terminal.
    static func run(_ session: Session) throws(Failure) -> Exit {
        var way = try LoginWay(session.arguments)
        let transport = session.transport
        let store = try StoreSelection.store(session.arguments, session.environment, session.diagnostics.redactor)
        let client = try LoginClient(session.inputs, in: store)
        if session.arguments.has(ifNeeded), try isLoggedIn(client.name, session) { return .done }
        if let note = client.note { session.diagnostics.tell(note) }
        try way.useGrant(of: client.members, session.arguments)
        var login = try LoginPreparation(client, way, session, in: store)
        try check(store, client.name)
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
        var token: JSONObject
        do throws(Failure) {
            token = try LoginFlow.token(of: login.input, way, session)
        } catch {
            throw login.client.explained(error)
        }
        // A free port was free for this login.
        token["redirect_uri"] = login.input.document.members["redirect_uri"]
        try keep(login.input.with(token), as: client.name, in: store, over: transport)
        session.diagnostics.tell("the token is stored as \(client.name.text)")
        var found = login.found.keepingMethod(of: token)
        if let grant = way.grant { found["grant_type"] = .string(grant.type) }
        try login.client.save(found)
        guard way.grant == nil else {
            if !login.input.names("client_secret"), let variable = try login.input.secretVariable() {
                session.diagnostics.tell(
                    "warning: the secret in \(variable) is not stored, and each renewal needs it again")
                session.diagnostics.hint(
                    """
                    the path in --client-secret-file PATH is stored, so renewals find the secret
                    """)
            }
            return .done
        }
        let person = LoginIdentity(of: token, over: transport)
        if let person, person.isFetched { try? keep(person.name, of: token, as: client.name, in: store) }
        session.diagnostics.tell("logged in" + (person.map { " as \($0.name)" } ?? ""))
        if login.client.isNew {
            let name = client.name.text
            session.diagnostics.hint("oap call \(name) URL uses the token, and oap token \(name) prints it")
        } else if login.client.hasPassingScope(found), try session.inputs.profiles.find(client.name.text) != nil {
            session.diagnostics.hint("the next login asks for the profile's scope again; --save-profile changes that")
        }
        return .done
    }

    /// Whether a valid token is stored, renewed if it must be.
    ///
    /// - Throws: whatever keeps it from being renewed, but for exit 8.
    private static func isLoggedIn(_ name: TokenName, _ session: Session) throws(Failure) -> Bool {
        let profile = try session.inputs.profiles.find(name.text)
        let managed = try ManagedToken(named: name.text, profile: profile, session.inputs, over: session.transport)
        do throws(Failure) {
            let token = try managed.current(minimum: nil)
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
    private static func check(_ store: any TokenStoring, _ name: TokenName) throws(Failure) {
        try Failure.storing { () throws(StoreError) in
            let held = try store.hold(name)
            _ = try held.read()
            try held.reserve(65_536)
            held.releaseRoom()
        }
    }

    /// Stores the token. If that fails, revokes it, so that no forgotten token stays valid.
    private static func keep(
        _ token: Input, as name: TokenName, in store: any TokenStoring, over transport: Transport
    ) throws(Failure) {
        do throws(Failure) {
            try Failure.storing(try store.hold(name).write(JSON.object(token.document.members).bytes + [0x0A]))
        } catch {
            var failure = error
            failure.message = "logged in, but the token cannot be stored: \(failure.message)"
            let outcome = try? TokenRevocation(of: token, type: nil, over: transport).run()
            let isRevoked = outcome.map { $0.failure == nil } ?? false
            let end = isRevoked ? "was revoked at the server" : "could not be revoked and stays valid"
            transport.diagnostics.tell("the new token \(end)")
            throw failure
        }
    }

    /// Writes the account to a stored token, unless that is another one by now.
    private static func keep(
        _ account: String, of token: JSONObject, as name: TokenName, in store: any TokenStoring
    ) throws(StoreError) {
        let held = try store.hold(name)
        guard let bytes = try held.read(), var stored = (try? JSON(parsing: bytes))?.object,
            stored["access_token"] == token["access_token"]
        else { return }
        stored["logged_in_as"] = .string(account)
        try held.write(JSON.object(stored).bytes + [0x0A])
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
                "VAR=VALUE", isRequired: false, isRepeatable: true, completes: PresetNames.allVariables,
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
        ] + GeneralOption.server, examples: examples,
        seeAlso: [
            ManualReference("oap-token", 1), ManualReference("oap-logout", 1), ManualReference("oap-provider", 1),
        ],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Logs in, and stores the token under NAME. It does in one process what `oap authurl | oap listen --open | oap \
        callback-parse | oap exchange | oap store put NAME` does in a pipe. The client is described by the profile \
        `$XDG_CONFIG_HOME/oap/profiles/NAME.json`, a client document. Options override members of the profile, and \
        variables add missing members. Without a profile, the client of the token that is stored under the name is \
        used. If `OAP_ISSUER` names another server than the profile, the stored token or the preset, the login fails.

        The first login under a name needs a client and a server. `--client-id` or `--client-metadata-document` names \
        the client, or `--register` registers a client. One of three options names the server. `--provider` names the \
        preset of a provider. `--issuer` names a server, whose endpoints are in its metadata. `--resource` names an \
        API or an MCP server, which says what its authorization server is.

        After this login, the profile is written. It contains the preset, or the issuer, or the resource with its \
        issuer and scope. It also contains the options for the client, and the method with which the client \
        authenticated at the server. If the profile exists already and has another issuer, the login fails. With \
        `--save-profile`, the profile is replaced instead.

        If no scope is given, the first login with `--issuer` asks for those of the scope values `openid`, `profile` \
        and `email` that the server lists. If the server does not list `openid`, the login asks for no scope. With \
        `--provider`, the redirect URI is the one that the preset tells the user to register. This URI is written to \
        the profile too.

        If a later login repeats `--resource` with the resource of the profile, the metadata of the resource is \
        fetched again. The login asks for the scope that was granted before, and for the scope that the resource wants \
        now. If the resource now names another authorization server, the login fails, unless `--save-profile` and a \
        client at the new server are given.

        The login URL is opened in a browser on this machine, and the browser's redirect is received on a loopback \
        address. Without a display, the login URL is printed with instructions. While the command waits for the \
        redirect, the URL to which the browser was redirected can also be pasted at the terminal. The last page in the \
        browser says whether the login succeeded. `--device` and `--paste` log in without a redirect to this machine. \
        Without a terminal, the command fails with exit status 8, unless `--device`, `--open`, `--no-open`, \
        `--headless` or `--grant` is given.

        Before the browser opens, the command checks that client, secret, store and profile can be used. With `openid` \
        in the scope, `issuer` and `jwks_uri` are checked too, since the ID token is verified with them. After the \
        login, the name of the user is printed on standard error, if the ID token or the userinfo endpoint has a name. \
        A token that is already stored under the name is replaced. It is not revoked at the server. If the new token \
        cannot be stored, the new token is revoked.

        With `--grant`, or with `grant_type` in the profile, no user logs in: the token belongs to the client itself. \
        When the token has expired, the next command that uses it requests a new token with the same grant.
        """

    private static let examples = [
        Example(
            """
            Log in with the address of a server and the identifier of a client. Later, log in again only if the \
            token cannot be used any more.
            """,
            command: """
                oap login home --issuer "$OAP_ISSUER" --client-id "$OAP_CLIENT_ID" --open
                oap token home > /dev/null && oap login home --if-needed
                """),
        Example(
            "Write a profile, log in once, and call an API with the stored token.",
            command: """
                oap profile set work < client.json
                oap login work --open
                oap call -p work /user --jq .login -r
                """, output: "ada"),
        Example(
            "Store a token of the client itself, for a machine without a user.",
            command: """
                oap login ci --grant client_credentials --issuer "$OAP_ISSUER" \\
                    --client-id "$OAP_CLIENT_ID"
                """),
    ]
}
