internal import CommandSpec
internal import OAuth

extension Command {
    static let revoke = Command(
        record: CommandRecord(
            "revoke", section: "Pipeline", summary: "make a token worthless at the server",
            description: """
                Reads a token document, and asks the authorization server to revoke its tokens (RFC 7009): first the \
                refresh token, then the access token. The result names what is revoked: \
                `{"revoked":["refresh_token","access_token"]}`. A token that the server does not know counts as revoked, \
                as the RFC has it.

                With `-p` or `--token-file` the token is taken from there, and stays there: `oap logout` also forgets it.

                Where the document has `"revocation_style":"github"`, the access token is deleted by the API of GitHub, \
                which needs the client secret; it has no way to revoke a refresh token.

                When the server does not answer, or answers with an error, a token must be taken for valid still; the \
                request may be repeated.
                """,
            options: [RevokeCommand.tokenType] + RevokeCommand.members.map(\.option) + [
                GeneralOption.nullInput, GeneralOption.profile, GeneralOption.tokenFile, GeneralOption.store,
            ] + OutputOption.all + [OutputOption.strict] + GeneralOption.transport, refused: GeneralOption.refused,
            examples: [
                Example(
                    "Revoke what a token document holds.", command: "oap revoke < token.json",
                    output: #"{"revoked":["refresh_token","access_token"]}"#),
                Example(
                    "Revoke the access token alone, and keep the right to get another.",
                    command: "oap revoke --token-type-hint access_token < token.json"),
            ],
            seeAlso: [ManualReference("oap-logout", 1), ManualReference("oap-refresh", 1)]),
        writesErrorDocuments: true, run: RevokeCommand.run)
}
