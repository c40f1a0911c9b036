internal import CommandSpec

extension Command {
    static let logout = Command(
        record: CommandRecord(
            "logout", section: "Managed", summary: "revoke and forget a stored token",
            description: """
                Asks the authorization server to revoke the stored token (as `oap revoke` does: the refresh token first, \
                then the access token), and removes it from the store. The profile stays, for the next `oap login`.

                The token is removed whatever the server says, and a line on standard error tells which of both happened. \
                Where the server could be asked and did not revoke it, the exit status is that of its answer. Where the \
                token document has neither a `revocation_endpoint` nor a `revocation_style`, there is nobody to ask, and \
                the exit status is 0.
                """,
            operands: [
                Operand("NAME", summary: "the token's name", details: "The name that the token is stored under.")
            ],
            options: [GeneralOption.store, OutputOption.strict] + GeneralOption.transport,
            refused: GeneralOption.refused,
            examples: [Example("Log out.", command: "oap logout work")],
            seeAlso: [ManualReference("oap-revoke", 1), ManualReference("oap-store", 1)]),
        writesErrorDocuments: true, run: LogoutCommand.run)
}
