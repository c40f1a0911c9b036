internal import CommandSpec
internal import Glibc
internal import OAuth
internal import System
internal import TokenStore
internal import Wire

/// A token that `oap` keeps and renews: in the store under a name, or in a file (oap-token(1)).
struct ManagedToken {
    /// Why it is renewed.
    enum Reason {
        /// No more seconds are left than this, or than the default for nil, of the access token that was seen before. A new
        /// one that has come meanwhile serves as long as it lasts: where tokens live no longer than that, each of many
        /// processes would renew it again.
        case due(minimum: Int?, seen: String?)
        /// The API refused this access token.
        case refused(String)
        /// Somebody asked for it.
        case asked
    }

    private let store: any TokenStoring
    private let name: TokenName
    /// What it is called in messages.
    private let label: String
    /// The failure for a missing token.
    private let missing: Failure
    private let profile: JSONObject?
    private let inputs: InputReader
    private let transport: Transport

    /// The token that `-p` or `--token-file` names; nil with neither.
    ///
    /// - Throws: exit 2 for both at once or a bad name, exit 3 or 11 for a profile or a path that cannot be read.
    init?(_ inputs: InputReader, over transport: Transport) throws(Failure) {
        let arguments = inputs.arguments
        let (name, path) = (arguments.value(GeneralOption.profile), arguments.value(GeneralOption.tokenFile))
        guard name != nil || path != nil else { return nil }
        guard name == nil || path == nil, !arguments.has(GeneralOption.nullInput) else {
            throw .usage("give one of -n, -p and --token-file")
        }
        if let name {
            // A token document works alone: the profile need not be there.
            try self.init(named: name, profile: try inputs.profiles.find(name), inputs, over: transport)
        } else {
            try self.init(inFile: try LinkedPath.resolved(path ?? ""), inputs, over: transport)
        }
    }

    /// The token in a file of the caller's.
    ///
    /// - Throws: with `--strict`, where others can read it.
    private init(inFile path: String, _ inputs: InputReader, over transport: Transport) throws(Failure) {
        let file = SingleFileStore(path: path)
        (store, name, label, missing) = (file, SingleFileStore.name, path, .file("\(path) is missing"))
        (profile, self.inputs, self.transport) = (nil, inputs, transport)
        if file.isOpenToOthers {
            try inputs.diagnostics.warn([OAuthWarning(.openFile, "others can read \(path)")])
        }
    }

    /// The token stored under a name.
    ///
    /// - Throws: exit 2 for a bad name, exit 11 for a store that cannot be used.
    init(
        named text: String, profile: JSONObject?, _ inputs: InputReader, over transport: Transport
    ) throws(Failure) {
        name = try Failure.storing { () throws(StoreError) in try TokenName(text) }
        store = try StoreSelection.store(inputs.arguments, inputs.environment, inputs.diagnostics.redactor)
        label = "the stored token \(text)"
        missing = Failure(
            .loginNeeded, .reauthRequired, "no token is stored as \(text)",
            hint: "oap login \(text), or oap store put \(text) < token.json")
        (self.profile, self.inputs, self.transport) = (profile, inputs, transport)
    }

    /// The token document as it is kept.
    ///
    /// - Throws: exit 8 where there is none, exit 11 where it cannot be read.
    func load() throws(Failure) -> JSONObject {
        try document(in: try Failure.storing { () throws(StoreError) in try store.read(name) })
    }

    private func load(_ held: borrowing any HeldToken & ~Copyable) throws(Failure) -> JSONObject {
        try document(in: try Failure.storing { () throws(StoreError) in try held.read() })
    }

    private func document(in bytes: [UInt8]?) throws(Failure) -> JSONObject {
        guard let bytes else { throw missing }
        return try Input.object(in: bytes, name: label, exit: .fileFailed)
    }

    /// Waits until no other process works on the token.
    ///
    /// - Throws: exit 11.
    private func hold() throws(Failure) -> any HeldToken & ~Copyable {
        try Failure.storing { () throws(StoreError) in try store.hold(name) }
    }

    /// The document with the options and variables of the command.
    func input(_ options: [MemberOption], members: JSONObject) throws(Failure) -> Input {
        try inputs.input(options, members: members, profile: profile, isManaged: true)
    }

    /// Renews the token under the lock, unless another process has done so meanwhile, and stores it before it returns.
    ///
    /// - Parameters:
    ///   - options: the options of the command that are members.
    ///   - narrower: a scope to ask for, within the granted one.
    ///   - extra: further parameters of the request.
    /// - Returns: the token document as it is kept now.
    /// - Throws: exit 8 where a person must log in, every failure of the request, exit 11.
    func renewed(
        because reason: Reason, options: [MemberOption] = MemberOption.ofRenewal, narrower: String? = nil,
        extra: [(name: String, value: String)] = []
    ) throws(Failure) -> JSONObject {
        let held = try hold()
        var kept = try load(held)
        guard try needsRenewal(kept, because: reason) else { return kept }
        // Another machine may have won, and its token may have expired since; a third time is nobody's luck.
        for isLast in [false, true] {
            let input = try input(options, members: kept)
            let grant = try input.grant(.refreshToken, scope: narrower, extra: extra)
            var exchange = try TokenExchange(grant, input: input, over: transport)
            try exchange.prepare()
            switch try renew(kept, by: exchange, in: held) {
            case .success(let renewed): return renewed
            case .failure(let error):
                kept = try afterRefusal(of: grant.parameters["refresh_token"], options, held) {
                    exchange.failure(error)
                }
            }
            if try isLast || !needsRenewal(kept, because: .due(minimum: 0, seen: nil)) { return kept }
        }
        preconditionFailure("the last attempt returns or throws")
    }

    /// Sends the request, and saves what it brings. Whatever would end the process in between waits until that is done.
    ///
    /// - Returns: the token document, or the refusal of the refresh token.
    /// - Throws: every other failure of the request, exit 11.
    private func renew(
        _ kept: JSONObject, by exchange: TokenExchange, in held: borrowing any HeldToken & ~Copyable
    ) throws(Failure) -> Result<JSONObject, OAuthError> {
        // The new document may be larger.
        let count = JSON.object(kept).bytes.count + 65_536
        try Failure.storing { () throws(StoreError) in try held.reserve(count) }
        Signals.hold()
        defer {
            held.releaseRoom()
            Signals.release()
        }
        let outcome = try exchange.attempt()
        switch outcome {
        case .refused(let error) where error.kind == .reauthRequired: return .failure(error)
        case .unusable(let failure, let rotated?):
            // The old one is void from now on, whatever is wrong with the rest of the answer.
            try Self.save(
                kept.setting("refresh_token", to: .string(rotated)).setting("refresh_token_file", to: nil), in: held)
            throw failure
        case .token, .refused, .unusable, .lost:
            let renewed = try exchange.token(of: outcome).document(from: kept)
            try Self.save(renewed, in: held)
            return .success(renewed)
        }
    }

    private static func save(
        _ document: JSONObject, in held: borrowing any HeldToken & ~Copyable
    ) throws(Failure) {
        try Failure.storing { () throws(StoreError) in try held.write(JSON.object(document).bytes + [0x0A]) }
    }
}

extension ManagedToken {
    /// Takes the token out of the store.
    ///
    /// - Returns: the token; or why it could not be read, though it is gone.
    /// - Throws: exit 8 where there is none, exit 11; then it is where it was, as one that is sealed with another key.
    func forget() throws(Failure) -> Result<JSONObject, Failure> {
        let held = try hold()
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

    /// Whether there is a token, and nothing but its content, its mode or its place keeps it from being read.
    private static func isReadable(_ held: borrowing any HeldToken & ~Copyable) -> Bool {
        do throws(StoreError) {
            return try held.read() != nil
        } catch {
            switch error {
            case .unsafe, .corrupt: return true
            case .badName, .badStore, .noHome, .system, .misplaced, .locked, .noHelper, .helper, .sealed, .unsealed,
                .unopened, .unsealable:
                return false
            }
        }
    }

    /// Whether no more than these seconds are left of a token, or than the default for nil.
    func isDue(_ kept: JSONObject, minimum: Int?) throws(Failure) -> Bool {
        try needsRenewal(kept, because: .due(minimum: minimum, seen: nil))
    }

    private func needsRenewal(_ kept: JSONObject, because reason: Reason) throws(Failure) -> Bool {
        switch reason {
        case .due(let minimum, let seen):
            let document = Document(kept)
            let decision = try lift(try RefreshDecision(of: document))
            let hasExpired = decision.expiresAt.map { $0 <= Clock.now } ?? false
            // A token that nothing can renew serves to its last second.
            guard TokenDocument.isRenewable(kept) else { return hasExpired }
            if let seen, kept["access_token"]?.string?.isIdentical(to: seen) == false { return hasExpired }
            return decision.isDue(now: Clock.now, minimum: minimum)
        case .refused(let token): return kept["access_token"]?.string?.isIdentical(to: token) ?? true
        case .asked: return true
        }
    }

    /// A refused refresh token may have been renewed by a process that shares the store and not the lock, on another
    /// machine: then what it stored serves. Otherwise the token in the store is worth nothing, and is forgotten.
    private func afterRefusal(
        of sent: String?, _ options: [MemberOption], _ held: borrowing any HeldToken & ~Copyable,
        _ failure: () -> Failure
    ) throws(Failure) -> JSONObject {
        let kept = try load(held)
        let now = try input(options, members: kept).secret("refresh_token")
        if let now, let sent, !now.isIdentical(to: sent) { return kept }
        _ = try Failure.storing { () throws(StoreError) in try held.remove() }
        throw failure()
    }
}

extension JSONObject {
    /// The object with a member set, or without it.
    func setting(_ name: String, to value: JSON?) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
