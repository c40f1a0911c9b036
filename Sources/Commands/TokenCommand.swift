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
            Prints the ID token instead of the access token. If the ID token expires soon (`exp`), it is renewed \
            first. Some servers issue no new ID token in a renewal. In this case, the stored ID token is printed until \
            it expires. After that, the exit status is 8.
            """)
    static let place = Option(
        "for", argument: "URL", section: "Input", summary: "find the token by a URL",
        details: """
            Finds the name by the URL of an API, instead of by the operand. First, profiles are searched for one whose \
            `api_base`, `resource` or `api_origins` has the origin of this URL, and then stored tokens. If there are \
            several, their paths are compared with the start of the URL's path: the longest match is used. If several \
            are left, the command fails and lists them.
            """)
    static let watch = Option(
        "watch", section: OutputOption.section, summary: "keep the file of -o fresh",
        details: """
            Keeps the token in the file of `-o` valid: renews it before it expires, replaces the file, and runs until \
            a signal ends it. If a renewal fails, a message names the reason, and the renewal is tried again later.
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
            throw .usage("the ID token is that of the login: it has no other scope, resource or audience")
        }
        let minimum = try MinimumTTL.seconds(of: arguments)
        if session.transport.isDryRun {
            guard !arguments.has(watch) else { throw .usage("--watch and --dry-run cannot be combined") }
            try managed.showRenewal()
        }
        guard !arguments.has(watch) else {
            guard session.form.file != nil else { throw .usage("--watch needs -o FILE") }
            try keepFresh(managed, minimum, session)
        }
        let output = try session.output()
        if arguments.has(idToken) { return try output.finish(line: try managed.idToken(minimum: minimum).text) }
        return try write(try managed.current(minimum: minimum), of: managed, to: output, session)
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
                .loginNeeded, .loginNeeded, "no token is for \(url.origin)",
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
        let access = try managed.handed(of: kept).access
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
        var keeper = try TokenKeeper(managed, minimum: minimum, isIDToken: isIDToken, session.diagnostics)
        try show(keeper.token)
        while true {
            Pause.wait(until: keeper.next)
            guard keeper.renew() else { continue }
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
        Prints the access token that is stored under a name, and nothing else, so that other programs can read it. If \
        the token expires in `--min-ttl` seconds or less, it is renewed first. If several processes need the renewal \
        at once, one of them renews the token, and the others wait for it. The new token is written to the disk before \
        it is printed. The command never asks the user anything. If a new login is needed, the exit status is 8.

        The token is renewed with its refresh token. If there is no refresh token, the grant that issued the token is \
        repeated, as long as this grant needs no user (`client_credentials`). If the renewal fails, the stored token \
        is printed with a warning, until it expires. If the server refuses the refresh token, `oap` deletes the \
        refresh token, and prints the access token until it expires. A process waits at most `--max-time` for a \
        renewal by another process.

        \(DerivedTokenOption.text)

        With `--dry-run`, the request that would renew the token is printed, even if the token need not be renewed \
        yet.

        Each token is in a file in `$XDG_STATE_HOME/oap/tokens`, by default `~/.local/state/oap/tokens`. Only the \
        owner can read the file. With `--store`, tokens can be elsewhere; see `oap-store(1)`.

        If SIGHUP, SIGINT or SIGTERM arrives during a renewal, it ends the process only after the new token is stored, \
        since the old token may not be valid any more. A second signal ends the process at once, unless it is the same \
        signal within half a second: `timeout(1)` sends each signal twice. `oap call` and `oap refresh` with `-p` or \
        `--token-file` do the same.
        """

    private static let examples = [
        Example(
            "Give the token to `curl`, but not in an argument, where other users could see it.",
            command: """
                h=$(oap token work --header) && printf '%s\\n' "$h" |
                    curl -fsS -H @- "$OAP_API_BASE/user" | jq -r .login
                """, output: "ada"),
        Example(
            "Get a token with less scope, for a program that is not trusted.",
            command: "oap token work --scope email --jq .scope -r", output: "email"),
        Example(
            """
            Renew all tokens that would expire within a week. A daily timer with this command keeps logins valid that are \
            not used.
            """,
            command: "oap token --all --within 7d"),
    ]
}
