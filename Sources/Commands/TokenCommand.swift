internal import CommandSpec
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap token`: prints a stored access token, renewed first if it is about to expire.
enum TokenCommand {
    static let header = Option(
        "header", section: OutputOption.section, summary: "print it as an Authorization header",
        details: """
            Prints the token as a header field, `Authorization: Bearer …`, or the field that the API requires; `curl \
            -H @-` reads it.
            """)
    static let document = Option(
        "document", section: OutputOption.section, summary: "print the whole token document",
        details: "Prints the whole token document, with the refresh token.")

    static let idToken = Option(
        "id-token", section: OutputOption.section, summary: "print the ID token",
        details: """
            Prints the ID token instead of the access token. It is renewed first if its own `exp` is near. Not every \
            server issues a new ID token when it renews a token: then the old one is printed until it expires, and \
            after that the exit status is 8.
            """)
    static let place = Option(
        "for", argument: "URL", section: "Input", summary: "find the token by a URL",
        details: """
            Finds the name by the URL of an API, instead of the operand: that of the profile whose `api_base`, \
            `resource` or `api_origins` has the origin of this URL, or else of the stored token whose document has it. \
            If several have it, the one with the longest matching path is taken; if several are equally long, the \
            command fails and names them.
            """)
    static let watch = Option(
        "watch", section: OutputOption.section, summary: "keep the file of -o fresh",
        details: """
            Keeps running until a signal ends it: renews the token before it expires, and each time replaces the file \
            of `-o`. If a renewal fails, a message says why, and it is tried again later.
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
            throw .usage("--header, --id-token and --document cannot be combined")
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
        Prints the access token that is stored under a name, and nothing else, for other programs. If it has no more \
        than `--min-ttl` seconds left, it is renewed first; if several processes need it at once, one renews it and \
        the others wait. The new token is written to the disk before it is printed. The command never asks the user \
        anything: if a new login is needed, the exit status is 8.

        The token is renewed with its refresh token. Without a refresh token, the grant that issued the token is \
        repeated, provided that this grant needs no user (`client_credentials`). If the renewal fails, the old token \
        is printed, with a warning, as long as it is valid for a second or more. A refresh token that the server \
        refuses is deleted, and the access token is used until it expires. A process waits for the renewal by another \
        process for at most the time limit of a request (`--max-time`).

        \(DerivedTokenOption.text)

        With `--dry-run` the request that would renew the token is printed, also if the token need not be renewed yet.

        The tokens are in `$XDG_STATE_HOME/oap/tokens`, which is `~/.local/state/oap/tokens` by default, each in a \
        file that only its owner can read, or in the store that `--store` names; see `oap-store(1)`.

        SIGHUP, SIGINT and SIGTERM that arrive during a renewal take effect only after the new token is stored, since \
        the old one may no longer be valid. A second signal takes effect at once, unless it is the same signal within \
        half a second: `timeout(1)` sends its signal twice. `oap call` and `oap refresh` with `-p` or `--token-file` \
        treat these signals in the same way.
        """

    private static let examples = [
        Example(
            "For curl, without a secret in its arguments.",
            command: """
                h=$(oap token work --header) && printf '%s\\n' "$h" |
                    curl -fsS -H @- "$OAP_API_BASE/user" | jq -r .login
                """, output: "ada"),
        Example(
            "A token with less scope, for a program that is not trusted.",
            command: "oap token work --scope email --jq .scope -r", output: "email"),
        Example(
            "In a daily timer: renew what would end within a week, so that logins that are not used stay valid.",
            command: "oap token --all --within 7d"),
    ]
}
