internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap whoami`: the account of a token.
enum WhoamiCommand {
    /// The members that its options set.
    static let members = UserinfoCommand.members

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let output = try session.output()
        var fetch = try UserinfoFetch(session.inputs, over: session.transport, members: members)
        let known = fetch.input.document.members["id_token_claims"]?.object ?? [:]
        var (claims, source) = (known, "id_token")
        if LoginIdentity.name(in: known) == nil {
            (claims, source) = (try found(by: &fetch, known, session) ?? known, "userinfo")
            if claims == known { source = "id_token" }
        }
        guard let account = LoginIdentity.name(in: claims) ?? claims["sub"]?.string else {
            throw Failure(
                .badAnswer, .invalidResponse, "the answer of the userinfo endpoint names nobody",
                hint: "oap userinfo shows the answer")
        }
        guard session.form.isShaped else { return try output.finish(line: Terminal.escaping(account)) }
        var result: JSONObject = ["account": .string(account)]
        result["sub"] = claims["sub"]
        result["issuer"] = fetch.input.document.members["issuer"]
        result["source"] = .string(source)
        return try output.finish(result)
    }

    /// What the userinfo endpoint says. One that fails is passed over, with a warning, if the user is known without it.
    ///
    /// - Throws: exit 2 to 11 where nothing else says who the user is.
    private static func found(
        by fetch: inout UserinfoFetch, _ known: JSONObject, _ session: Session
    ) throws(Failure) -> JSONObject? {
        do throws(Failure) {
            return try fetch.claims(checksSubject: false)
        } catch {
            guard known["sub"] != nil, error.kind != .subjectMismatch else { throw error }
            guard error.kind != .metadataMissing else { return nil }
            try session.diagnostics.warn([.other("the name is not known: \(error.message)")])
            return nil
        }
    }

    /// The command.
    static let command = Command(
        "whoami", section: "Log in and use a token", summary: "print the account of a token",
        description: """
            Prints one line: the account that a token is of. That is the `preferred_username`, `login`, `email` or \
            `name` in the claims of the ID token, as they were checked when the token came. If they have none of these, \
            the `userinfo_endpoint` of the server is asked as by `oap userinfo`; of GitHub that is `/user`. What is \
            left is the `sub`.

            With `--jq`, `--pretty` or `-c` the result is an object: `account`, `sub`, `issuer`, and as `source` \
            `id_token` or `userinfo`.

            Without a stored token of the name the exit status is 8.
            """,
        options: members.map(\.option) + GeneralOption.tokenInput + [MinimumTTL.option] + OutputOption.allAndStrict
            + GeneralOption.server,
        examples: [
            Example("The account of a stored token.", command: "oap whoami work", output: "ada"),
            Example("The subject at its server.", command: "oap whoami work --jq .sub -r", output: "1815"),
        ],
        seeAlso: [
            ManualReference("oap-userinfo", 1), ManualReference("oap-inspect", 1), ManualReference("oap-store", 1),
        ], writesErrorDocuments: false, run: run)
}
