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
        return try output.finish(line: InspectionText(summary, now: now).text)
    }

    /// The command.
    static let command = Command(
        "inspect", section: "Log in and use a token", summary: "show what a token, a document or a JWT says",
        description: """
            Shows what is in a document on standard input, in a stored token, or in a JWT: who it is of, issuer, client, \
            scope, audience, the times as local time and as what is left, what can renew it, whether it is bound to a \
            key, and whether a signature was checked. No secret is shown, nothing is sent, and no key is read: what a \
            JWT says is not checked, `oap verify` does that.

            On a terminal it is a table; elsewhere, or with `--jq`, `--pretty` or `-c`, an object: `kind` (`token`, \
            `flow`, `client`, `jwt` or `encrypted jwt`), the members of the document that are no secrets, `account` and \
            `sub`, `issued_at`, `seconds_left`, `renewed_by` (`refresh_token` or null), and `bound_to`. A JWT has \
            `header`, `claims` and `signature`; those of a document are in `access_token` and `id_token`. Of an \
            encrypted JWT only the header is shown.

            Something else than a JWT or a document is exit status 3, with the place where it goes wrong.
            """,
        operands: [TokenText.operand],
        options: [GeneralOption.profile, GeneralOption.tokenFile, GeneralOption.store, TokenText.file]
            + OutputOption.all,
        examples: [
            Example("A stored token.", command: "oap inspect work"),
            Example("How many seconds are left of it.", command: "oap inspect work --jq .seconds_left"),
            Example("The claims of a JWT.", command: "oap token work | oap inspect --jq .claims.sub || true"),
        ],
        seeAlso: [
            ManualReference("oap-verify", 1), ManualReference("oap-introspect", 1), ManualReference("oap-whoami", 1),
        ], writesErrorDocuments: false, run: run)
}
