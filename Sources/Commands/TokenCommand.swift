internal import CommandSpec
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap token`: prints a stored access token, renewed first if it is about to expire.
enum TokenCommand {
    static let header = Option(
        "header", section: OutputOption.section, summary: "print it as an Authorization header",
        details: "Prints `Authorization: Bearer …`, or the field that the API requires; `curl -H @-` reads it.")
    static let document = Option(
        "document", section: OutputOption.section, summary: "print the whole token document",
        details: "Prints the token document, refresh token included.")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let name = try session.inputs.name(session.arguments.operand(0))
        // A token document works without a profile.
        let profile = try session.inputs.profiles.find(name)
        let managed = try ManagedToken(named: name, profile: profile, session.inputs, over: session.transport)
        let wantsDocument = session.arguments.has(document) || session.form.filter != nil
        guard !wantsDocument || !session.arguments.has(header) else {
            throw .usage("--header and --document cannot be combined")
        }
        let output = try session.output()
        let kept = try managed.current(minimum: try MinimumTTL.seconds(of: session.arguments))
        if wantsDocument { return try output.finish(kept) }
        let access = try managed.handed(of: kept).access
        return try output.finish(
            line: session.arguments.has(header) ? "\(access.field.name): \(access.field.value)" : access.token)
    }

    /// The command.
    static let command = Command(
        "token", section: "Log in and use a token", summary: "print a stored access token, renewed if needed",
        description: description,
        operands: [
            Operand(
                "NAME", isRequired: false, summary: "the token's name",
                details: "The name that the token is stored under.")
        ],
        options: [GeneralOption.named, GeneralOption.store, MinimumTTL.option, header, document]
            + MemberOption.ofRenewal.map(\.option)
            + OutputOption.allAndStrict + GeneralOption.server,
        examples: examples,
        seeAlso: [ManualReference("oap-call", 1), ManualReference("oap-store", 1)],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Prints the access token that is stored under a name, and nothing else, for other programs. If it has no more \
        than `--min-ttl` seconds left, it is renewed first; of several processes, one renews it and the others wait \
        for it. The new token is on the disk before it is printed. The command never asks the user anything: if a new \
        login is needed, the exit status is 8.

        The tokens are in `$XDG_STATE_HOME/oap/tokens`, by default `~/.local/state/oap/tokens`, each in a file that \
        only its owner can read, or in the store of `--store`; see `oap-store(1)`.

        During a renewal, SIGHUP, SIGINT and SIGTERM are held until the new token is stored, since the old one may no \
        longer be valid; a second signal is not held. The same applies to `oap call` and `oap refresh` with `-p` or \
        `--token-file`.
        """

    private static let examples = [
        Example(
            "For curl, without a secret in its arguments.",
            command: """
                h=$(oap token work --header) && printf '%s\\n' "$h" |
                    curl -fsS -H @- "$OAP_API_BASE/user" | jq -r .login
                """, output: "ada")
    ]
}
