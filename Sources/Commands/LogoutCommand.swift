internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap logout`: revokes a stored token at the server where that can be done, and forgets it in any case.
enum LogoutCommand {
    /// What came of the revocation.
    private enum End {
        case revoked([Revocation.TokenType])
        case notOffered
        case failed(Failure)
    }

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let name = session.arguments.operand(0) ?? ""
        let profile = try Profile.find(name, folders: session.folders)
        let managed = try ManagedToken(named: name, profile: profile, session: session)
        let end = try managed.forget { kept in
            do throws(Failure) {
                return try revoke(try managed.input([], members: kept), session)
            } catch {
                return .failed(error)
            }
        }
        switch end {
        case .revoked(let types):
            let list = types.map(\.rawValue).joined(separator: " and ")
            session.diagnostics.tell("\(name): \(list) revoked at the server, forgotten here")
            return .done
        case .notOffered:
            session.diagnostics.tell(
                "\(name): forgotten here; not revoked, since the token names no revocation_endpoint")
            return .done
        case .failed(var failure):
            failure.message = "\(name): forgotten here, but not revoked at the server: \(failure.message)"
            failure.hint = "the token serves whoever has it until it expires; the server's own pages may end it"
            throw failure
        }
    }

    private static func revoke(_ input: Input, _ session: Session) throws(Failure) -> End {
        guard Revocation.isOffered(by: input.document) else { return .notOffered }
        let outcome = try TokenRevocation(of: input, type: nil, session: session).run(session)
        if let failure = outcome.failure { throw failure }
        return .revoked(outcome.revoked)
    }
}
