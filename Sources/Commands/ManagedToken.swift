internal import CommandSpec
internal import Glibc
internal import OAuth
internal import TokenStore
internal import Wire

/// A token that `oap` keeps and renews: in the store under a name, or in a file (contract §6, §7).
struct ManagedToken {
    private enum Place {
        case stored(TokenName, any TokenStoring)
        case file(String)
    }

    /// Why it is renewed.
    enum Reason {
        /// No more seconds are left than this, or than the default for nil.
        case due(minimum: Int?)
        /// The API refused this access token.
        case refused(String)
        /// Somebody asked for it.
        case asked
    }

    private let place: Place
    private let profile: JSONObject?
    private let session: Session

    /// The token that `-p` or `--token-file` names; nil with neither.
    ///
    /// - Throws: exit 2 for both at once or a bad name, exit 3 or 11 for a profile that cannot be read.
    init?(_ session: Session) throws(Failure) {
        let (name, path) = (
            session.arguments.value(GeneralOption.profile), session.arguments.value(GeneralOption.tokenFile)
        )
        guard name != nil || path != nil else { return nil }
        guard name == nil || path == nil, !session.arguments.has(GeneralOption.nullInput) else {
            throw .usage("give one of -n, -p and --token-file")
        }
        if let name {
            // A token document works alone: the profile need not be there.
            try self.init(named: name, profile: try Profile.find(name, folders: session.folders), session: session)
        } else {
            self.init(.file(FileAccess.resolved(path ?? "")), profile: nil, session: session)
        }
    }

    private init(_ place: Place, profile: JSONObject?, session: Session) {
        self.place = place
        self.profile = profile
        self.session = session
    }

    /// The token stored under a name.
    ///
    /// - Throws: exit 2 for a bad name, exit 11 for a store that cannot be used.
    init(named name: String, profile: JSONObject?, session: Session) throws(Failure) {
        let name = try Failure.storing { () throws(StoreError) in try TokenName(name) }
        self.init(.stored(name, try session.store()), profile: profile, session: session)
    }

    /// The token document as it is kept.
    ///
    /// - Throws: exit 8 where there is none, exit 11 where it cannot be read.
    func load() throws(Failure) -> JSONObject {
        switch place {
        case .stored(let name, let store):
            guard let bytes = try Failure.storing({ () throws(StoreError) in try store.read(name) }) else {
                throw Failure(
                    .loginNeeded, "reauth_required", "no token is stored as \(name.text)",
                    hint: "oap login \(name.text), or oap store put \(name.text) < token.json")
            }
            return try Input.object(in: bytes, name: "the stored token \(name.text)", exit: .fileFailed)
        case .file(let path):
            let read = try Failure.storing { () throws(StoreError) in try PrivateFile.read(path, isStrict: false) }
            guard let read else { throw .file("\(path) is missing") }
            if read.isOpenToOthers {
                try session.diagnostics.warn([OAuthWarning(.openFile, "others can read \(path)")])
            }
            return try Input.object(in: read.bytes, name: path, exit: .fileFailed)
        }
    }

    /// The document with the options and variables of the command.
    func input(_ options: [MemberOption], members: JSONObject) throws(Failure) -> Input {
        try session.input(options, members: members, profile: profile)
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
        because reason: Reason, options: [MemberOption] = [.clientSecretFile], narrower: String? = nil,
        extra: [(name: String, value: String)] = []
    ) throws(Failure) -> JSONObject {
        let held = try Failure.storing { () throws(StoreError) -> StoreLock in try lock() }
        defer { withExtendedLifetime(held) {} }
        let kept = try load()
        guard try needsRenewal(kept, because: reason) else { return kept }
        let input = try input(options, members: kept)
        var grant = try RefreshCommand.grant(of: input, scope: narrower)
        try Failure.lifting(input.document) { () throws(OAuthError) in try grant.addExtra(extra, of: input.document) }
        let request = try TokenRequest(grant: grant, input: input, session: session)
        try checkRoom(for: kept)
        let issued: IssuedToken
        do throws(Failure) {
            issued = try request.send(session) { (rotated) throws(Failure) in
                // The old one is void from now on, whatever is wrong with the rest of the answer (rule R-05).
                try save(kept.setting("refresh_token", to: .string(rotated)))
            }
        } catch {
            return try afterRefusal(of: grant.parameters["refresh_token"], error)
        }
        let renewed = issued.addingClaims(to: TokenDocument.refreshed(kept, by: issued.response, start: issued.start))
        try save(renewed)
        return renewed
    }
}

extension ManagedToken {
    /// Takes the token out of the store.
    ///
    /// - Returns: the token; or why it could not be read, though it is gone.
    /// - Throws: exit 8 where there is none, exit 11; then it is where it was, as one that is sealed with another key.
    func forget() throws(Failure) -> Result<JSONObject, Failure> {
        guard case .stored(let name, let store) = place else {
            preconditionFailure("a token in a file of the caller's is not forgotten")
        }
        let held = try Failure.storing { () throws(StoreError) -> StoreLock in try lock() }
        defer { withExtendedLifetime(held) {} }
        let found: Result<JSONObject, Failure>
        do throws(Failure) {
            found = .success(try load())
        } catch {
            guard error.exit != .loginNeeded, try isReadable(name, in: store) else { throw error }
            found = .failure(error)
        }
        _ = try Failure.storing { () throws(StoreError) in try store.remove(name) }
        return found
    }

    /// Whether nothing but its content, its mode or its place keeps a token from being read.
    private func isReadable(_ name: TokenName, in store: any TokenStoring) throws(Failure) -> Bool {
        do throws(StoreError) {
            _ = try store.read(name)
            return true
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
        try needsRenewal(kept, because: .due(minimum: minimum))
    }

    private func needsRenewal(_ kept: JSONObject, because reason: Reason) throws(Failure) -> Bool {
        switch reason {
        case .due(let minimum):
            let decision = try Failure.lifting { () throws(OAuthError) in try RefreshDecision(of: Document(kept)) }
            // A token that nothing can renew serves to its last second.
            let isRenewable = kept["refresh_token"] != nil || kept["refresh_token_file"] != nil
            guard isRenewable else { return decision.expiresAt.map { $0 <= session.now } ?? false }
            return decision.isDue(now: session.now, minimum: minimum)
        case .refused(let token): return kept["access_token"]?.string?.isIdentical(to: token) ?? true
        case .asked: return true
        }
    }

    /// A refused refresh token may have been renewed by a process that shares the store and not the lock, on another
    /// machine: then what it stored serves. Otherwise the token in the store is worth nothing, and is forgotten.
    private func afterRefusal(of sent: String?, _ failure: Failure) throws(Failure) -> JSONObject {
        guard failure.exit == .loginNeeded, let sent else { throw failure }
        let kept = try load()
        if let now = kept["refresh_token"]?.string, !now.isIdentical(to: sent) { return kept }
        if case .stored(let name, let store) = place {
            _ = try Failure.storing { () throws(StoreError) in try store.remove(name) }
        }
        throw failure
    }

    private func save(_ document: JSONObject) throws(Failure) {
        let bytes = JSON.object(document).bytes + [0x0A]
        try Failure.storing { () throws(StoreError) in
            switch place {
            case .stored(let name, let store): try store.write(bytes, as: name)
            case .file(let path): try PrivateFile.replace(path, with: bytes)
            }
        }
    }

    /// Makes sure that a renewed token can be stored, before the stored one is spent for it. It may be larger.
    private func checkRoom(for kept: JSONObject) throws(Failure) {
        let count = JSON.object(kept).bytes.count + 65_536
        try Failure.storing { () throws(StoreError) in
            switch place {
            case .stored(let name, let store): try store.checkRoom(for: count, as: name)
            case .file(let path): try PrivateFile.checkRoom(for: count, at: path)
            }
        }
    }

    private func lock() throws(StoreError) -> StoreLock {
        switch place {
        case .stored(let name, let store): try store.lock(name)
        case .file(let path): try StoreLock("\(path).lock")
        }
    }
}

extension JSONObject {
    /// The object with a member set.
    func setting(_ name: String, to value: JSON) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
