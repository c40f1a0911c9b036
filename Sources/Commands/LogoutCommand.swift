internal import CommandSpec
internal import Errands
internal import OAuth
internal import System
internal import TokenStore
internal import Wire

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
        var first: Failure?
        for name in names {
            do throws(Failure) {
                try logOut(name, isLocal: isLocal, session)
            } catch {
                guard names.count > 1 else { throw error }
                session.diagnostics.tell(error)
                first = first ?? error
            }
        }
        if var first {
            (first.message, first.hint) = ("not all tokens are logged out", nil)
            throw first
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

    /// Logs out of one token. It is deleted once the server has answered, whatever it said: until then, repeating helps.
    private static func logOut(_ name: String, isLocal: Bool, _ session: Session) throws(Failure) {
        let managed = try session.stored(name)
        try session.engine.run(managed.requireStored())
        guard !isLocal else {
            try session.engine.run(managed.forget())
            return session.diagnostics.tell("\(name): deleted from the store, not revoked at the server")
        }
        let hold = SignalHold(.revocation)
        defer {
            hold.end()
            Signals.deliver()
        }
        var refusal: Failure?
        do throws(Failure) {
            let profile = try session.inputs.profiles.find(name)
            refusal = try session.engine.run(
                managed.forget { token in
                    attempting { () throws(Failure) in
                        let input = try session.inputs.input(
                            members, members: token, profile: profile, isManaged: true)
                        return revoke(input, name, session.transport, holding: hold)
                    }
                }.keeping(hold))
        } catch {
            throw error.prefixed("\(name): not logged out: ").adding(
                hint: "oap logout --local \(name) deletes the token without asking the server")
        }
        session.diagnostics.tell("\(name): deleted from the store")
        guard let refusal else { return }
        // Nothing is left that could be tried later.
        throw refusal.decided.prefixed("\(name): not revoked at the server: ").advising(
            "the token stays valid until it expires; revoke it on the provider's website")
    }

    /// Asks the server to revoke the tokens.
    ///
    /// - Returns: why the server, which has answered, has not revoked all of them; nil if it has.
    /// - Throws: every failure without an answer.
    private static func revoke(
        _ token: Input, _ name: String, _ transport: Transport, holding hold: SignalHold
    ) -> Attempt<Failure?, Failure> {
        let diagnostics = transport.diagnostics
        return token.completedForRevocation(over: transport, isOptional: true).onward { (input) throws(Failure) in
            guard Revocation.isOffered(by: input.document) else {
                diagnostics.tell("\(name): not revoked at the server: no revocation_endpoint is known")
                return .done(.success(nil))
            }
            return TokenRevocation.all(of: input, over: transport, holding: hold).reading { (outcome) throws(Failure) in
                if !outcome.revoked.isEmpty {
                    diagnostics.tell("\(name): \(outcome.names.joined(separator: " and ")) revoked at the server")
                }
                if let failure = outcome.failure {
                    if outcome.isLost { throw failure }
                    return failure
                }
                for warning in outcome.warnings { diagnostics.tell("warning: \(warning.message)") }
                return nil
            }
        }
    }

    static let command = Command(
        "logout", section: "Log in and use a token", summary: "revoke a stored token and delete it",
        manual: Manual.logout,
        operands: [
            Operand(
                "NAME", isRequired: false, isRepeatable: true, completes: StoredNames.tokens.completion,
                summary: "the token's name")
        ],
        options: [GeneralOption.named, all, local, GeneralOption.store] + members.map(\.option) + GeneralOption.server,
        rules: [.apart([[.option(all)], [.operand("NAME"), .option(GeneralOption.named)]])],
        writesErrorDocuments: false, run: run)
}
