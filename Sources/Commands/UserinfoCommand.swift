internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap userinfo`: the claims of the userinfo endpoint (OpenID Connect Core §5.3).
enum UserinfoCommand {
    /// The members that its options set.
    static let members = MemberOption.of(
        "client_id", "client_secret", "issuer", "userinfo_endpoint", "jwks_uri", "authorization_scheme")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let output = try session.output()
        var fetch = try UserinfoFetch(session.inputs, over: session.transport, members: members)
        return try output.finish(try fetch.claims())
    }

    /// The command.
    static let command = Command(
        "userinfo", section: "Log in and use a token", summary: "ask the server who the user of a token is",
        description: """
            Sends the access token of a document to the `userinfo_endpoint` of the server, and prints the claims of \
            its answer (OpenID Connect Core section 5.3). If the document has no `userinfo_endpoint`, it is looked up \
            in the metadata of the `issuer`.

            The answer must have a `sub`, and it must be that of the ID token (`id_token_claims`); otherwise the \
            command fails with exit status 9. Without an ID token, a warning says that the `sub` is not compared.

            In a signed answer (`application/jwt`), the signature, `iss` and `aud` are checked with the keys of the \
            issuer. If the document has `userinfo_signed_response_alg`, an unsigned answer fails with exit status 9. \
            An encrypted answer is refused.

            With `-p` or `--token-file`, a token that is due is renewed first, and one that the server refuses is \
            renewed and sent once more, as by `oap call`.
            """,
        options: members.map(\.option) + GeneralOption.tokenInput + [MinimumTTL.option] + OutputOption.allAndStrict
            + GeneralOption.server + [GeneralOption.dryRun],
        examples: [
            Example("The claims about the user of a stored token.", command: "oap userinfo work"),
            Example("One claim.", command: "oap userinfo --jq .email -r < token.json", output: "ada@example.com"),
            Example("The names of the claims.", command: "oap userinfo work --jq 'keys[]' -r"),
        ],
        seeAlso: [
            ManualReference("oap-whoami", 1), ManualReference("oap-introspect", 1), ManualReference("oap-call", 1),
        ], writesErrorDocuments: false, run: run)
}
