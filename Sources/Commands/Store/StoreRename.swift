internal import Errands
internal import TokenStore
internal import Wire
internal import Shell
internal import Sessions

/// Gives a stored token and the profile of its name another name (`oap store rename`). Nothing is overwritten.
struct StoreRename {
    private let old: TokenName
    private let new: TokenName
    private let session: Session
    private let store: any TokenStoring
    private let folder: String

    /// - Throws: exit 2 for bad names, exit 11 for a store that cannot be used.
    init(from old: String, to new: String, _ session: Session) throws(Failure) {
        (self.old, self.new) = try Failure.storing { () throws(StoreError) in (try TokenName(old), try TokenName(new)) }
        guard !old.isIdentical(to: new) else { throw .usage("both names are \(old)") }
        self.session = session
        store = try session.inputs.store()
        folder = try Failure.storing(try session.environment.folders.logins())
    }

    /// Renames under the locks of both names: no login registers a client, and no token is renewed meanwhile. The new
    /// one is whole before the old one goes.
    ///
    /// - Throws: exit 8 where there is nothing of that name; exit 11 for a name that is taken, and where a login is under way.
    func run() throws(Failure) {
        let names = [old, new].sorted { $0.text < $1.text }
        var locks: [StoreLock] = []
        for name in names {
            guard !LoginMark.isHeld(name, in: folder) else {
                throw .file("oap login \(name.text) is under way", hint: "try again when the login has ended")
            }
            locks.append(try session.engine.run(Failure.storing(LoginMark.lock(name, in: folder))))
        }
        defer { withExtendedLifetime(locks) {} }
        let profile = try session.inputs.profiles.find(old.text)
        guard try session.inputs.profiles.find(new.text) == nil else {
            throw .file(
                "there is a profile \(new.text) already", hint: "choose another name, or oap profile delete \(new.text)"
            )
        }
        // A signal waits from the new token on until the old one is gone: a server would take one token under two names,
        // each renewed, for a stolen one.
        let hold = session.world.hold(.change)
        defer { hold.deliver() }
        try session.engine.run(moved(names, profile, holding: hold))
        if profile != nil { try session.inputs.profiles.delete(old.text) }
    }

    private func moved(
        _ names: [TokenName], _ profile: JSONObject?, holding hold: SignalHold
    ) -> Attempt<Void, Failure> {
        let held = store.hold(names[0]) { (first) throws(StoreError) in
            store.hold(names[1]) { (second) throws(StoreError) in
                let isSorted = names[0].text == old.text
                return .done(.success((from: isSorted ? first : second, to: isSorted ? second : first)))
            }.keeping(first)
        }
        return Failure.holding(held).onward { (held: (from: any HeldToken, to: any HeldToken)) throws(Failure) in
            Failure.storing(held.to.load()).onward { (taken) throws(Failure) in
                guard taken == nil else {
                    throw .file(
                        "a token is stored as \(new.text) already",
                        hint: "choose another name, or oap logout \(new.text)")
                }
                // No other machine renews it meanwhile: its answer would find nothing to replace.
                let token = Failure.holding(held.from.claim()).onward { Failure.storing(held.from.load()) }
                return token.onward { (token) throws(Failure) in
                    hold.begin()
                    guard let token else {
                        // The profile alone has the name.
                        guard let profile else { throw try session.stored(old.text).notStored }
                        try session.inputs.profiles.write(profile, as: new.text)
                        return .done(.success(()))
                    }
                    return Failure.storing(held.to.save(token.bytes, over: nil)).onward { (_) throws(Failure) in
                        do throws(Failure) {
                            if let profile { try session.inputs.profiles.write(profile, as: new.text) }
                        } catch {
                            return Failure.storing(held.to.remove()).reading { (_) throws(Failure) in throw error }
                        }
                        return Failure.storing(held.from.remove()).reading { (_) throws(Failure) in }
                    }
                }.then { result in
                    guard case .failure = result else { return .done(result) }
                    return held.from.release(isDoubtful: false).then { _ in .done(result) }
                }
            }.keeping(held.from).keeping(held.to)
        }
    }
}
