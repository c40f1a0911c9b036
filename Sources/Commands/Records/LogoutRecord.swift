internal import CommandSpec

extension Command {
    static let logout = Command(
        record: CommandRecord(
            "logout", section: "Managed", summary: "revoke and forget a stored token",
            description: """
                Removes a token from the store, and asks the authorization server to revoke it as `oap revoke` does: the \
                refresh token first, then the access token. The profile stays, for the next `oap login`.

                The token is removed first, whatever the server says then, and lines on standard error tell which of both \
                happened. Where the server did not revoke it, the exit status is that of its answer. Where the token \
                document has no `revocation_endpoint` and no other way, there is nobody to ask, and the exit status is 0. \
                A token that is sealed with another key is left alone: `oap store delete` removes it.
                """,
            operands: [
                Operand("NAME", summary: "the token's name", details: "The name that the token is stored under.")
            ],
            options: [GeneralOption.store] + LogoutCommand.members.map(\.option) + GeneralOption.transport,
            refused: GeneralOption.refused,
            examples: [Example("Log out.", command: "oap logout work")],
            seeAlso: [ManualReference("oap-revoke", 1), ManualReference("oap-store", 1)]),
        writesErrorDocuments: true, run: LogoutCommand.run)
}
