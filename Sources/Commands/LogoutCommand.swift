internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap logout`: forgets a stored token in any case, and revokes it at the server where that can be done.
enum LogoutCommand {
    /// The members that its options set.
    static let members = MemberOption.ofRenewal

    /// Runs the command. The token is forgotten first: whatever ends the rest early, it is not here any more.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let name = session.arguments.operand(0) ?? ""
        let managed = try ManagedToken(named: name, profile: nil, session: session)
        let found = try managed.forget()
        session.diagnostics.tell("\(name): forgotten here")
        do throws(Failure) {
            let token = try found.get()
            let profile = try Profile.find(name, in: session)
            try revoke(
                try session.input(members, members: token, profile: profile, isManaged: true), name, session)
            return .done
        } catch {
            var failure = error
            failure.message = "\(name): not revoked at the server: \(failure.message)"
            failure.hint = "it serves whoever has it until it expires; the server's own pages may end it"
            throw failure
        }
    }

    private static func revoke(_ input: Input, _ name: String, _ session: Session) throws(Failure) {
        guard Revocation.isOffered(by: input.document) else {
            session.diagnostics.tell("\(name): not revoked at the server, which names no revocation_endpoint")
            return
        }
        let outcome = try TokenRevocation(of: input, type: nil, session: session).run()
        if !outcome.revoked.isEmpty {
            session.diagnostics.tell("\(name): \(outcome.names.joined(separator: " and ")) revoked at the server")
        }
        if let failure = outcome.failure { throw failure }
        for warning in outcome.warnings { session.diagnostics.tell("warning: \(warning.message)") }
    }
}

extension LogoutCommand {
    /// The command.
    static let command = Command(
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
            options: [GeneralOption.store] + members.map(\.option) + GeneralOption.transport,
            refused: GeneralOption.refused,
            examples: [Example("Log out.", command: "oap logout work")],
            seeAlso: [ManualReference("oap-revoke", 1), ManualReference("oap-store", 1)]),
        writesErrorDocuments: true, run: run)
}
