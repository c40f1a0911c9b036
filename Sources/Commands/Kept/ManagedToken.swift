internal import CommandSpec
internal import OAuth
internal import System
internal import TokenStore
internal import Wire

/// A token that `oap` keeps and renews: in the store under a name, or in a file (oap-token(1)).
struct ManagedToken {
    /// The connections to the authorization server.
    let transport: Transport
    private let store: any TokenStoring
    private let name: TokenName
    /// What it is called in messages.
    private let label: String
    /// What is said where it cannot be renewed.
    private(set) var failures: RenewalFailure
    /// The other token of the login that is meant; nil for the login's own.
    private(set) var part: DerivedToken?
    /// The failure for a missing token.
    private let missing: Failure
    private let profile: JSONObject?
    private let inputs: InputReader

    /// The token that `-p`, `--token-file` or `OAP_PROFILE` names; nil if the document is elsewhere.
    ///
    /// - Throws: exit 2 for both at once or a bad name, exit 3 or 11 for a profile or a path that cannot be read.
    init?(_ inputs: InputReader, over transport: Transport) throws(Failure) {
        switch try inputs.source() {
        case .standardInput, .nothing: return nil
        case .name(let name):
            // A token document works alone: the profile need not be there.
            try self.init(named: name, profile: try inputs.profiles.find(name), inputs, over: transport)
        case .tokenFile(let path): try self.init(inFile: try LinkedPath.resolved(path), inputs, over: transport)
        }
    }

    /// The token in a file of the caller's.
    ///
    /// - Throws: with `--strict`, where others can read it.
    private init(inFile path: String, _ inputs: InputReader, over transport: Transport) throws(Failure) {
        let file = SingleFileStore(path: path)
        (store, name, label, missing) = (file, SingleFileStore.name, path, .file("\(path) is missing"))
        (profile, self.inputs, self.transport) = (nil, inputs, transport)
        failures = RenewalFailure(
            subject: "the token in \(path)", task: inputs.isRefresh ? nil : "renewing the token \(path)", login: nil,
            client: nil, isPending: { false })
        if file.isOpenToOthers {
            try inputs.diagnostics.warn([.other("other users can read \(path)")])
        }
    }

    /// The token stored under a name.
    ///
    /// - Throws: exit 2 for a bad name, exit 11 for a store that cannot be used.
    init(
        named text: String, profile: JSONObject?, _ inputs: InputReader, over transport: Transport
    ) throws(Failure) {
        let name = try Failure.storing { () throws(StoreError) in try TokenName(text) }
        self.name = name
        store = try StoreSelection.store(inputs.arguments, inputs.environment, inputs.diagnostics.redactor)
        label = "the stored token \(text)"
        failures = RenewalFailure(
            subject: "the token of \(text)", task: inputs.isRefresh ? nil : "renewing the token \(text)",
            login: "oap login \(text)", client: profile.flatMap { ForgottenClient($0, named: text) },
            isPending: { [folders = inputs.environment.folders] in
                (try? folders.logins()).map { LoginMark.isHeld(name, in: $0) } ?? false
            })
        missing = Failure(
            .loginNeeded, .loginNeeded, "no token is stored as \(text)",
            hint: "log in with oap login \(text), or store a token with oap store put \(text) < token.json")
        (self.profile, self.inputs, self.transport) = (profile, inputs, transport)
    }

    /// Another token of the same login; the same one for nil.
    func deriving(_ part: DerivedToken?) -> ManagedToken {
        guard let part else { return self }
        var other = self
        other.part = part
        other.failures = RenewalFailure(
            subject: failures.subject, task: "getting another token of \(name.text)", login: failures.login,
            client: failures.client, isPending: failures.isPending)
        return other
    }

    /// The token of the login that is exchanged for this one; nil for another.
    var exchanged: ManagedToken? {
        guard part?.isExchange == true else { return nil }
        var login = self
        login.part = nil
        return login
    }

    /// The token document of the token that is meant, from the document as it is kept.
    func view(_ kept: JSONObject) -> JSONObject { part?.document(in: kept) ?? kept }

    /// The token document as it is kept: that of the login.
    ///
    /// - Throws: exit 8 without a stored token, exit 11 if it cannot be read.
    func load() throws(Failure) -> JSONObject {
        try document(in: try Failure.storing { () throws(StoreError) in try store.read(name) })
    }

    /// The token document, while its lock is held.
    ///
    /// - Throws: as `load()`.
    func load(_ held: borrowing any HeldToken & ~Copyable) throws(Failure) -> JSONObject {
        try document(in: try Failure.storing { () throws(StoreError) in try held.read() })
    }

    private func document(in bytes: [UInt8]?) throws(Failure) -> JSONObject {
        guard let bytes else { throw failures.pending(missingHere) }
        return try Input.object(in: bytes, name: label, exit: .fileFailed)
    }

    /// The failure for a missing token, with a guess of the name that was meant.
    private var missingHere: Failure {
        guard missing.kind.needsLogin else { return missing }
        var failure = missing
        failure.hint = nameHint(else: missing.hint)
        return failure
    }

    /// What tells whether the token has changed; nil if its store cannot say.
    var stamp: FileStamp? { store.stamp(name) }

    /// Waits until no other process works on the token.
    ///
    /// - Parameter seconds: how long; 0 tries once.
    /// - Throws: ``StoreError``; `locked` when the time is over.
    func hold(seconds: Int) throws(StoreError) -> any HeldToken & ~Copyable {
        try store.hold(name, seconds: seconds)
    }

    /// The document with the options and variables of the command.
    func input(_ options: [MemberOption], members: JSONObject) throws(Failure) -> Input {
        let input = try inputs.input(options, members: members, profile: profile, isManaged: true)
        guard let part else { return input }
        var placed = part.placed(input.document.members)
        // The user names this place for the token, as with `--allow-origin`.
        if let base = options.first(where: { $0.member == "api_base" }), inputs.arguments.has(base.option) {
            placed["api_base"] = input.document.members["api_base"]
        }
        return input.with(placed)
    }

    /// Renews the token, unless another process has done so meanwhile, and stores it before it returns.
    ///
    /// - Parameters:
    ///   - options: the options of the command that are members.
    ///   - narrower: a scope to ask for, within the granted one.
    ///   - extra: further parameters of the request.
    ///   - isStrict: whether a token that is still good is not used, with a warning, after a failure.
    /// - Returns: the token document of the token that is meant, as it is kept now.
    /// - Throws: exit 8 where a person must log in, every failure of the request, exit 11.
    func renewed(
        because reason: RenewalReason, options: [MemberOption] = MemberOption.ofRenewal, narrower: String? = nil,
        extra: [(name: String, value: String)] = [], isStrict: Bool = false
    ) throws(Failure) -> JSONObject {
        try TokenRenewal(
            of: self, because: reason, options: options, narrower: narrower, extra: extra, isStrict: isStrict
        ).run()
    }

    /// The token document, renewed first if no more than these seconds are left of the token, or than the default for nil.
    ///
    /// - Throws: as `load()` and `renewed(because:)`.
    func current(minimum: Int?) throws(Failure) -> JSONObject {
        let kept = view(try load())
        guard try isDue(kept, minimum: minimum) else {
            try warnOfRefusal(kept, minimum: minimum)
            return kept
        }
        _ = try exchanged?.current(minimum: nil)
        return try renewed(because: .due(minimum: minimum, seen: kept["access_token"]?.string))
    }

    /// Warns of a token that has less left than was asked for, since the server refused to renew it.
    private func warnOfRefusal(_ kept: JSONObject, minimum: Int?) throws(Failure) {
        guard let minimum, kept["refresh_refused_at"]?.isNull == false,
            let left = kept["expires_at"]?.integer.map({ $0 - Clock.now }), left <= minimum
        else { return }
        try inputs.diagnostics.warn([failures.warning(of: failures.unrenewable(kept), left: left)])
    }

    /// Prints a warning.
    ///
    /// - Throws: with `--strict`.
    func warn(_ message: String) throws(Failure) { try inputs.diagnostics.warn([.other(message)]) }

    /// Whether no more than these seconds are left of a token, or than the default for nil.
    func isDue(_ kept: JSONObject, minimum: Int?) throws(Failure) -> Bool {
        try lift(try RenewalReason.due(minimum: minimum, seen: nil).applies(to: kept, now: Clock.now))
    }
}

extension ManagedToken {
    /// Marks an access token that an API refused as invalid and nothing renews: it is not used again. Another token of a
    /// login is dropped. One that is kept meanwhile is left alone.
    ///
    /// - Throws: exit 11.
    func markRefused(_ accessToken: String) throws(Failure) {
        let held = try Failure.storing { () throws(StoreError) in try hold(seconds: StoreLock.patience) }
        var kept = try load(held)
        guard part == nil else {
            guard let others = DerivedToken.dropping(accessToken, from: kept) else { return }
            return try Failure.storing(try held.write(JSON.object(others).bytes + [0x0A]))
        }
        let isSame = kept["access_token"]?.string?.isIdentical(to: accessToken) ?? false
        guard isSame, !TokenDocument.isRenewable(kept, now: Clock.now) else { return }
        kept["refused_at"] = .integer(Clock.now)
        try Failure.storing(try held.write(JSON.object(kept).bytes + [0x0A]))
    }

    /// Refuses a name that no token is stored under, before a lock file is made for it.
    ///
    /// - Throws: exit 8.
    func requireStored() throws(Failure) {
        let isMissing: Bool
        do throws(StoreError) {
            isMissing = try store.read(name) == nil
        } catch {
            // There is something, or its lock tells what is wrong.
            isMissing = false
        }
        if isMissing { throw notStored }
    }

    /// The failure of a command that ends a token, if none is stored under the name.
    var notStored: Failure {
        Failure(
            .loginNeeded, .loginNeeded, "no token is stored as \(name.text)",
            hint: nameHint(else: "find the name with oap store list"))
    }

    /// The hint for a name that no token is stored under.
    private func nameHint(else hint: String?) -> String? {
        StoredNames.both.hint(
            for: name.text, in: inputs.environment, store: inputs.arguments.value(GeneralOption.store), else: hint)
    }

    /// Takes the token out of the store after a step with it, during which no other process works on it.
    ///
    /// - Throws: exit 8 without a stored token; what the step throws: then the token stays; exit 11.
    func forget(after step: (JSONObject) throws(Failure) -> Void) throws(Failure) {
        let held = try Failure.storing { () throws(StoreError) in try hold(seconds: StoreLock.patience) }
        try step(try load(held))
        _ = try Failure.storing { () throws(StoreError) in try held.remove() }
    }

    /// Takes the token out of the store.
    ///
    /// - Returns: the token; or why it could not be read, though it is gone.
    /// - Throws: exit 8 without a stored token, exit 11 if it cannot be removed.
    func forget() throws(Failure) -> Result<JSONObject, Failure> {
        let held = try Failure.storing { () throws(StoreError) in try hold(seconds: StoreLock.patience) }
        let found: Result<JSONObject, Failure>
        do throws(Failure) {
            found = .success(try load(held))
        } catch {
            guard Self.isReadable(held) else { throw error }
            found = .failure(error)
        }
        _ = try Failure.storing { () throws(StoreError) in try held.remove() }
        return found
    }

    /// Whether there is a token, and nothing but its content, its seal, its mode or its place keeps it from being read.
    private static func isReadable(_ held: borrowing any HeldToken & ~Copyable) -> Bool {
        do throws(StoreError) {
            return try held.read() != nil
        } catch {
            switch error {
            case .unsafe, .corrupt, .sealed, .unsealed, .unopened: return true
            case .badName, .badStore, .noHome, .system, .misplaced, .locked, .noHelper, .helper, .unsealable:
                return false
            }
        }
    }
}
