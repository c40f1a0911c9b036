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
        var fetch = try UserinfoFetch(session, members: members)
        return try output.finish(try fetch.claims())
    }

    /// The command.
    static let command = Command(
        "userinfo", section: "Log in and use a token", summary: "ask the server who the user of a token is",
        description: """
            Reads a token document, and sends the access token to the `userinfo_endpoint` of the server (OpenID \
            Connect Core section 5.3). The server responds with claims about the user, and the command prints these \
            claims. If the document has no `userinfo_endpoint`, `oap` takes this endpoint from the metadata of the \
            `issuer`.

            If the response has no `sub`, the command fails with exit status 10. If the document has the claims of an \
            ID token (`id_token_claims`), the command compares the `sub` of the ID token with the `sub` of the \
            response. If the two are different, the command fails with exit status 9. If the document has no \
            `id_token_claims`, a warning says that the `sub` is not compared.

            If the response is signed (`application/jwt`), the command checks the signature with the keys of the \
            issuer. The command also checks the `iss` and the `aud` of the response. If the document has \
            `userinfo_signed_response_alg`, and the response is not signed, the command fails with exit status 9. If \
            the response is encrypted, the command always fails.

            With `-p` or `--token-file`, the command can renew the token. If the token expires soon, the command \
            renews the token before the request. If the server refuses the token, the command renews the token and \
            repeats the request once.
            """,
        options: members.map(\.option) + GeneralOption.tokenInput + [MinimumTTL.option] + OutputOption.allAndStrict
            + GeneralOption.server + [GeneralOption.dryRun],
        examples: [
            Example("Print the claims about the user of a stored token.", command: "oap userinfo work"),
            Example("Print one claim.", command: "oap userinfo --jq .email -r < token.json", output: "ada@example.com"),
            Example("Print the names of the claims.", command: "oap userinfo work --jq 'keys[]' -r"),
        ],
        seeAlso: [
            ManualReference("oap-whoami", 1), ManualReference("oap-introspect", 1), ManualReference("oap-call", 1),
        ], writesErrorDocuments: false, run: run)
}
