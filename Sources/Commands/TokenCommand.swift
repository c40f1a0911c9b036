internal import CommandSpec
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap token`: prints a stored access token, renewed first if it is about to expire.
enum TokenCommand {
    static let header = Option(
        "header", section: OutputOption.section, summary: "print it as an Authorization header",
        details: """
            Prints the token as a header field, such as `Authorization: Bearer TOKEN`. The members \
            `authorization_scheme` and `authorization_header` of the token document change this field \
            (`oap-documents(5)`). `curl -H @-` reads this field from a pipe.
            """)
    static let document = Option(
        "document", section: OutputOption.section, summary: "print the whole token document",
        details: "Prints the whole stored token document, which also contains the refresh token.")

    static let idToken = Option(
        "id-token", section: OutputOption.section, summary: "print the ID token",
        details: """
            Prints the ID token instead of the access token. If the ID token expires soon (`exp`), `oap` renews it \
            first. Some servers issue no new ID token in a renewal. With such a server, `oap` prints the stored ID \
            token until this token expires. After the expiry, the exit status is 8.
            """)
    static let place = Option(
        "for", argument: "URL", section: "Input", summary: "find the token by a URL",
        details: """
            Finds the token by the URL of an API. Leave the operand NAME out. A profile matches if its `api_base`, its \
            `resource` or one of its `api_origins` has the origin of this URL. If several profiles match, `oap` uses \
            the one with the longest matching path prefix. If several profiles match equally well, the command fails \
            and lists them. If no profile matches, `oap` searches the stored tokens in the same way.
            """)
    static let watch = Option(
        "watch", section: OutputOption.section, summary: "keep the file of -o fresh",
        details: """
            Keeps a valid token in the file of `-o`. Before the token expires, `oap` renews the token and replaces the \
            file. The command runs until a signal ends it. If a renewal fails, a message names the reason, and `oap` \
            tries again later.
            """)

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let arguments = session.arguments
        if arguments.has(ExpiringTokens.all) {
            let single = [GeneralOption.named, place, watch, idToken, GeneralOption.dryRun] + DerivedTokenOption.all
            guard arguments.operands.isEmpty, !single.contains(where: arguments.has) else {
                throw .usage("--all takes no name and no option of a single token")
            }
            return try ExpiringTokens.renew(session)
        }
        guard !arguments.has(ExpiringTokens.within) else { throw .usage("--within has no effect without --all") }
        let name = try name(session)
        // A token document works without a profile.
        let profile = try session.inputs.profiles.find(name)
        let part = try DerivedTokenOption.token(of: arguments)
        let managed = try ManagedToken(named: name, profile: profile, session.inputs, over: session.transport)
            .deriving(part)
        let forms = [
            arguments.has(document) || session.form.filter != nil, arguments.has(header), arguments.has(idToken),
        ]
        guard forms.count(where: \.self) <= 1 else {
            throw .usage(
                arguments.has(document) || session.form.filter == nil
                    ? "--header, --id-token and --document cannot be combined"
                    : "--jq filters the token document, and cannot be combined with --header or --id-token")
        }
        guard part == nil || !arguments.has(idToken) else {
            throw .usage("--id-token cannot be combined with --scope, --resource, --audience and --exchange")
        }
        let minimum = try MinimumTTL.seconds(of: arguments)
        if session.transport.isDryRun {
            guard !arguments.has(watch) else { throw .usage("--watch and --dry-run cannot be combined") }
            try session.engine.run(managed.shownRenewal())
        }
        guard !arguments.has(watch) else {
            guard session.form.file != nil else { throw .usage("--watch needs -o FILE") }
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
        guard session.arguments.operands.isEmpty, !session.arguments.has(GeneralOption.named) else {
            throw .usage("give --for or a name, not both")
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
        description: description,
        operands: [
            Operand(
                "NAME", isRequired: false, completes: StoredNames.tokens.completion,
                summary: "the token's name",
                details: "The name that the token is stored under.")
        ],
        options: [
            GeneralOption.named, place, GeneralOption.store, MinimumTTL.option, ExpiringTokens.all,
            ExpiringTokens.within, header, document, idToken, watch,
        ]
            + DerivedTokenOption.all + MemberOption.ofRenewal.map(\.option)
            + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun],
        examples: examples,
        seeAlso: [ManualReference("oap-call", 1), ManualReference("oap-store", 1)],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Prints the access token that is stored under NAME, and nothing else, so that other programs can read the \
        token. If the token expires in `--min-ttl` seconds or less, `oap` renews it first. If several processes want \
        to renew the token at once, one process renews it, and the others wait for the new token. `oap` writes the new \
        token to the disk before it prints the token. The command never asks the user anything. If a new login is \
        needed, the exit status is 8.

        `oap` renews the token with the refresh token. If there is no refresh token, `oap` requests a new token with \
        the grant of the login. This is possible only if the grant needs no user, such as `client_credentials`. If the \
        renewal fails, but the stored access token has not expired, `oap` prints a warning and the stored token. If \
        the server refuses the refresh token, `oap` deletes the refresh token. From then on, `oap` prints the stored \
        access token until it expires. A process waits at most `--max-time` for a renewal by another process.

        \(DerivedTokenOption.text)

        With `--dry-run`, the command prints the request that would renew the token, and sends nothing. The request is \
        printed even if the token need not be renewed yet.

        Each token is in a file in `$XDG_STATE_HOME/oap/tokens`, by default `~/.local/state/oap/tokens`. Only the \
        owner can read the file. With `--store`, `oap` keeps tokens in another place; see `oap-store(1)`.

        If SIGHUP, SIGINT or SIGTERM arrives during a renewal, `oap` still stores the new token before it ends, \
        because the server may refuse the old token from now on. If the same signal arrives again within half a \
        second, `oap` ignores the repetition, because `timeout(1)` sends each signal twice. Any other second signal \
        ends `oap` at once. `oap call` and `oap refresh` treat signals in the same way, if `-p` or `--token-file` is \
        given.
        """

    private static let examples = [
        Example(
            "Give the token to `curl` through a pipe. In an argument, other users could see the token.",
            command: """
                h=$(oap token work --header) && printf '%s\\n' "$h" |
                    curl -fsS -H @- "$OAP_API_BASE/user" | jq -r .login
                """, output: "ada"),
        Example(
            "Get a token with less scope, for an untrusted program, and print its scope.",
            command: "oap token work --scope email --jq .scope -r", output: "email"),
        Example(
            """
            Renew all tokens that would expire within a week. If a daily timer runs this command, logins stay valid \
            even if nobody uses them.
            """,
            command: "oap token --all --within 7d"),
    ]
}
