internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap inspect`: what a document, a stored token or a JWT says.
enum InspectCommand {
    private static func run(_ session: Session) throws(Failure) -> Exit {
        let output = try session.output()
        let now = Clock.now
        let summary: JSONObject
        switch try TokenText.read(session, []) {
        case .jwt(let text):
            guard !session.arguments.has(GeneralOption.profile) else {
                throw .usage("give a JWT or a stored token, not both")
            }
            summary = try JWTView(text).summary(now: now)
        case .document(let input): summary = DocumentView(input.original, now: now).summary
        }
        guard session.form.isTable else { return try output.finish(summary) }
        return try output.finish(line: InspectionText(summary, now: now).text(width: TerminalSize.columns(of: 1)))
    }

    /// The command.
    static let command = Command(
        "inspect", section: "Log in and use a token", summary: "show what a token, a document or a JWT says",
        description: """
            Shows what is in a document on standard input, in a stored token, or in a JWT. The result has the account, \
            the issuer, the client, the scope, the audience, and the times of issue and expiry. It also says how the \
            token can be renewed, whether it is bound to a key, and whether its signature was checked. No secret is \
            shown, and nothing is sent. The command checks no signature itself: `oap verify` does that.

            On a terminal, the result is a table. Elsewhere, and with `--jq`, `--pretty` or `-c`, it is an object. Its \
            `kind` is `token`, `flow`, `client`, `jwt` or `encrypted jwt`. For a document, the object has the members \
            that are not secret, and the `account` and `sub` of the user. For a token document it also has \
            `issued_at`, `seconds_left`, `renewed_by` and `bound_to`: the grant that renews the token, such as \
            `refresh_token`, and the key to which the token is bound, or null for none. For a JWT, the object has \
            `header`, `claims` and `signature`, which says whether the signature was checked; for an encrypted JWT it \
            has only `header`. If the access token or the ID token of a document is a JWT, the member `access_token` \
            or `id_token` is such an object for this JWT.

            If the input is neither a JWT nor a document, the exit status is 3, and the message names the position of \
            the error.
            """,
        operands: [TokenText.operand],
        options: [GeneralOption.profile, GeneralOption.tokenFile, GeneralOption.store, TokenText.file]
            + OutputOption.all,
        examples: [
            Example("Show what is in a stored token.", command: "oap inspect work"),
            Example(
                "Print for how many seconds a stored token is still valid.",
                command: "oap inspect work --jq .seconds_left"),
            Example(
                "Print a claim of an ID token.",
                command: """
                    oap token work --id-token | oap inspect --jq .claims.sub -r
                    """, output: "1815"),
        ],
        seeAlso: [
            ManualReference("oap-verify", 1), ManualReference("oap-introspect", 1), ManualReference("oap-whoami", 1),
        ], writesErrorDocuments: false, run: run)
}
