internal import CommandSpec
internal import Errands
internal import OAuth
internal import Wire
internal import TokenStore
internal import Shell
internal import Tokens
internal import Sessions

/// `oap logout`: revokes stored tokens at the server and deletes them.
enum LogoutCommand {
    static let all = Option("all", section: "Input", summary: "every stored token")
    static let local = Option("local", section: "Request", summary: "delete without asking the server")

    /// The members that its options set; the stored token names its client.
    static let members =
        MemberOption.ofAuthentication.filter { $0.member != "client_id" } + MemberOption.of("revocation_endpoint")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let names = try arguments.has(all) ? stored(session) : names(arguments.operands, session)
        let isLocal = arguments.has(local)
        var worst: Failure?
        for name in names {
            do throws(Failure) {
                try logOut(name, isLocal: isLocal, session)
            } catch {
                guard names.count > 1 else { throw error }
                session.diagnostics.tell(error)
                worst = .worse(worst, error)
            }
        }
        if var worst {
            (worst.message, worst.hint) = ("not all tokens are logged out", nil)
            throw worst
        }
        return .done
    }

    private static func names(_ operands: [String], _ session: Session) throws(Failure) -> [String] {
        guard operands.count > 1 else { return [try session.inputs.name()] }
        var names: [String] = []
        for name in operands {
            _ = try Failure.storing { () throws(StoreError) in try TokenName(name) }
            if !names.contains(where: name.isIdentical) { names.append(name) }
        }
        return names
    }

    private static func stored(_ session: Session) throws(Failure) -> [String] {
        let names = try session.engine.run(Failure.storing(try session.inputs.store().list())).map(\.text)
        if names.isEmpty { session.diagnostics.tell("no token is stored") }
        return names
    }

    /// Logs out of one token. It is deleted once the server has revoked it, or has said that it cannot: until then, repeating
    /// helps.
    private static func logOut(_ name: String, isLocal: Bool, _ session: Session) throws(Failure) {
        let managed = try session.stored(name)
        try session.engine.run(managed.requireStored())
        guard !isLocal else {
            try session.engine.run(managed.forget())
            return session.diagnostics.tell("\(name): deleted from the store, not revoked at the server")
        }
        let hold = session.world.hold(.revocation)
        defer {
            hold.end()
            Signals.deliver()
        }
        let profile = try session.inputs.profiles.find(name)
        do throws(Failure) {
            try session.engine.run(
                managed.forget { token in
                    attempting { () throws(Failure) in
                        let input = try session.inputs.input(
                            members, members: token, profile: profile, isManaged: true)
                        return revoke(input, name, managed.transport.patient, holding: hold)
                    }
                }.keeping(hold))
        } catch {
            let hint = "oap logout --local \(name) deletes the token without asking the server"
            let failure = error.prefixed("\(name): not logged out: ")
            let isDeleted = error.cause == .client && profile.map { $0["client_id"] == nil } ?? false
            throw isDeleted
                ? failure.advising("the profile \(name) has no client any more: \(hint)") : failure.adding(hint: hint)
        }
        session.diagnostics.tell("\(name): deleted from the store")
    }

    /// Asks the server to revoke the tokens.
    ///
    /// - Throws: every failure but that of a server that cannot revoke.
    private static func revoke(
        _ token: Input, _ name: String, _ transport: Transport, holding hold: SignalHold
    ) -> Attempt<Void, Failure> {
        let diagnostics = transport.diagnostics
        return token.completedForRevocation(over: transport, isOptional: true).onward { (input) throws(Failure) in
            guard Revocation.isOffered(by: input.document) else {
                diagnostics.tell("\(name): not revoked at the server: no revocation_endpoint is known")
                return .done(.success(()))
            }
            return TokenRevocation.all(of: input, over: transport, holding: hold).reading { (outcome) throws(Failure) in
                if !outcome.revoked.isEmpty {
                    diagnostics.tell("\(name): \(outcome.names.joined(separator: " and ")) revoked at the server")
                }
                if let failure = outcome.failure { throw failure }
                if let unsupported = outcome.unsupported { diagnostics.tell("\(name): \(unsupported.message)") }
                for warning in outcome.warnings { diagnostics.tell("warning: \(warning.message)") }
            }
        }
    }

    /// Revokes the tokens that those of a login have replaced. Those are stored, whatever comes of it.
    static func revoke(
        _ old: JSONObject, replacedBy token: JSONObject, as name: String, _ session: Session
    ) {
        let sessions = [old, token].map { ($0["id_token_claims"]?.object?["sid"] ?? $0["session_state"])?.string }
        let isShared =
            sessions[0] != nil && sessions[0] == sessions[1]
            || ["access_token", "refresh_token"].contains { old[$0]?.string != nil && old[$0] == token[$0] }
        guard !isShared else {
            return session.diagnostics.tell("the earlier login is not revoked: the server has one session for both")
        }
        let hold = session.world.hold(.revocation)
        defer { hold.deliver() }
        do throws(Failure) {
            let profile = try session.inputs.profiles.find(name)
            let input = try session.inputs.input(members, members: old, profile: profile, isManaged: true)
            try session.engine.run(revoke(input, "the earlier login", session.transport, holding: hold))
        } catch {
            session.diagnostics.tell("warning: the earlier login is not revoked: \(error.message)")
        }
    }

    static let command = Command(
        "logout", section: "Log in and use a token", summary: "revoke a stored token and delete it",
        operands: [
            Operand(
                "NAME", isRequired: false, isRepeatable: true, completes: StoredNames.tokens.completion,
                summary: "the token's name")
        ],
        options: [GeneralOption.named, all, local] + GeneralOption.stores + members.map(\.option)
            + RetryOption.all + GeneralOption.server,
        rules: [.apart([[.option(all)], [.operand("NAME"), .option(GeneralOption.named)]])],
        writesErrorDocuments: false, run: run)
}
