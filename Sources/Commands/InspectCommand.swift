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
            the issuer, the client, the scope, the audience, and the times of issue and expiry. For a token, the \
            result also says which grant renews the token, and whether the token is bound to a key. The command shows \
            no secret, and sends no request. The command does not check signatures: to check a signature, use `oap \
            verify`. `oap` checked the signature of a stored ID token when the token was issued.

            On a terminal, the result is a table. If the output is a pipe or a file, or with `--jq`, `--pretty` or \
            `-c`, the result is a JSON object. The member `kind` of this object is `token`, `flow`, `client`, `jwt` or \
            `encrypted jwt`.

            For a document, the object has some members of the document, such as `issuer` and `scope`, but no secret. \
            The object also has the `account` and the `sub` of the user. For a token document, the object also has \
            `issued_at`, `seconds_left`, `renewed_by` and `bound_to`. `renewed_by` is the grant that renews the token, \
            such as `refresh_token`. If the token cannot be renewed, `renewed_by` is null. `bound_to` is the kind of \
            key to which the token is bound. If the token is not bound to a key, `bound_to` is null.

            For a JWT, the object has `header`, `claims` and `signature`. `signature` is `not checked`, `checked when \
            it was issued`, or `none` if the JWT is not signed. For an encrypted JWT, the object has only some members \
            of the header, such as `alg`. If a token document contains an ID token, or an access token that is a JWT, \
            the result has such an object under `id_token` or `access_token`.

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
