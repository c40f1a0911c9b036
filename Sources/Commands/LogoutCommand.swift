internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap logout`: deletes a stored token in any case, and revokes it at the server if possible.
enum LogoutCommand {
    /// The members that its options set.
    static let members = MemberOption.ofRenewal

    /// Runs the command. The token is deleted first, so that it is gone even if a later step fails.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let name = session.arguments.operand(0) ?? ""
        let managed = try ManagedToken(named: name, profile: nil, session.inputs, over: session.transport)
        let found = try managed.forget()
        session.diagnostics.tell("\(name): forgotten here")
        do throws(Failure) {
            let token = try found.get()
            let profile = try session.inputs.profiles.find(name)
            try revoke(
                try session.inputs.input(members, members: token, profile: profile, isManaged: true), name, session)
            return .done
        } catch {
            var failure = error
            failure.message = "\(name): not revoked at the server: \(failure.message)"
            failure.hint = "it stays valid until it expires; revoke it on the provider's website"
            throw failure
        }
    }

    private static func revoke(_ input: Input, _ name: String, _ session: Session) throws(Failure) {
        guard Revocation.isOffered(by: input.document) else {
            session.diagnostics.tell("\(name): not revoked at the server, which names no revocation_endpoint")
            return
        }
        let outcome = try TokenRevocation(of: input, type: nil, over: session.transport).run()
        if !outcome.revoked.isEmpty {
            session.diagnostics.tell("\(name): \(outcome.names.joined(separator: " and ")) revoked at the server")
        }
        if let failure = outcome.failure { throw failure }
        for warning in outcome.warnings { session.diagnostics.tell("warning: \(warning.message)") }
    }

    /// The command.
    static let command = Command(
        "logout", section: "Log in and use a token", summary: "revoke a stored token and delete it",
        description: """
            Removes a token from the store, and asks the authorization server to revoke it as `oap revoke` does: \
            the refresh token first, then the access token. The profile is kept for the next `oap login`.

            The token is removed first, whatever the server then responds, and the result of both steps is printed \
            on standard error. If the server did not revoke the token, the exit status tells why. If the token \
            document has no `revocation_endpoint` and no other `revocation_style`, the token is only removed, and \
            the exit status is 0. A token that is sealed with another key is not removed: use `oap store delete`.
            """,
        operands: [
            Operand("NAME", summary: "the token's name", details: "The name that the token is stored under.")
        ],
        options: [GeneralOption.store] + members.map(\.option) + GeneralOption.transport,
        examples: [Example("Log out.", command: "oap logout work")],
        seeAlso: [ManualReference("oap-revoke", 1), ManualReference("oap-store", 1)], run: run)
}
