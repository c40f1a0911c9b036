internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap logout`: forgets a stored token in any case, and revokes it at the server where that can be done.
enum LogoutCommand {
    /// The members that its options set.
    static let members: [MemberOption] = [.clientSecretFile]

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
