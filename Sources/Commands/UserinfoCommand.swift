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
            Sends the access token of a document to the `userinfo_endpoint` of the server (OpenID Connect Core section \
            5.3), and prints the claims about the user that the server returns. If the document has no \
            `userinfo_endpoint`, the endpoint is looked up in the metadata of the `issuer`.

            A response without a `sub` fails with exit status 10. If the document has claims of an ID token \
            (`id_token_claims`), their `sub` must be the same; if it is not, the exit status is 9. If the document has \
            no such claims, a warning says that the `sub` is not compared.

            If the response is signed (`application/jwt`), its signature is checked with the keys of the issuer, and \
            its `iss` and `aud` are checked too. If the document has `userinfo_signed_response_alg`, an unsigned \
            response fails with exit status 9. An encrypted response always fails.

            With `-p` or `--token-file`, a token that expires soon is renewed first. If the server refuses the token, \
            it is renewed, and the request is sent once more, as by `oap call`.
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
