package import Errands
internal import Wire

/// The store behind a docker-credential-helper, such as those for the secret service of the desktop and for `pass`
/// (https://github.com/docker/docker-credential-helpers).
///
/// A token is the password of the user `oap` at `https://oap.invalid/NAME`, a host that cannot exist (RFC 2606 section 2).
/// It must be UTF-8 text. The locks are files.
package struct HelperStore: TokenStoring {
    private let program: HelperProgram
    private let locks: String
    private let sharing: SharedFolder

    private static let place = "https://oap.invalid/"
    private static let user = "oap"

    /// The complaint of every helper about a missing token.
    private static let nothing = "credentials not found in native keychain"

    /// `locks` is the folder of the locks of all helpers; `masking` masks the secrets in a complaint and shortens it.
    package init(
        helper: String, locks: String, environment: [String], sharing: SharedFolder = .checked,
        masking: @escaping (String) -> String
    ) {
        let program = HelperProgram(
            name: "docker-credential-\(helper)", environment: environment, seconds: 120, masking: masking)
        self.init(program, locks: "\(locks)/\(helper)", sharing: sharing)
    }

    init(_ program: HelperProgram, locks: String, sharing: SharedFolder = .checked) {
        (self.program, self.locks, self.sharing) = (program, locks, sharing)
    }

    package func load(_ name: TokenName) -> Attempt<StoredToken?, StoreError> { load(name, isGuarded: false) }

    fileprivate func load(_ name: TokenName, isGuarded: Bool) -> Attempt<StoredToken?, StoreError> {
        ask("get", Self.place + name.text, isGuarded: isGuarded).reading { (answer) throws(StoreError) in
            switch answer {
            case .failed(Self.nothing): return nil
            // The helper for pass says this after a failed store, which leaves an empty folder.
            case .failed(let reason) where reason.hasPrefix("no usernames for "): return nil
            case .failed(let reason): throw .helper(program.name, reason: "\(name.text): \(reason)")
            case .done(let output):
                guard let secret = try members(of: output)["Secret"]?.string else {
                    throw .helper(program.name, reason: "its answer has no Secret")
                }
                // The helper for pass before 0.7 gives an empty secret for a missing token.
                return secret.isEmpty ? nil : StoredToken(bytes: Array(secret.utf8), revision: .text(secret))
            }
        }
    }

    package func list() -> Attempt<[TokenName], StoreError> {
        output(of: "list").reading { (output) throws(StoreError) in
            let names = try members(of: output).members.compactMap { entry -> TokenName? in
                guard entry.name.hasPrefix(Self.place) else { return nil }
                return try? TokenName(String(entry.name.dropFirst(Self.place.count)))
            }
            return names.sorted { $0.text < $1.text }
        }
    }

    package func tryHold(_ name: TokenName, waits: Bool) -> Attempt<any HeldToken, StoreError> {
        attempting { () throws(StoreError) in
            let file = try lockFile(name.text)
            try sharing.check(locks)
            let lock = try StoreLock(file)
            return .done(.success(HeldHelperToken(lock: lock, store: self, name: name)))
        }
    }

    private func lockFile(_ name: String) throws(StoreError) -> String {
        try PrivateFile.prepareFolder(locks)
        return "\(locks)/\(name).lock"
    }

    /// Stores a token; its lock is held.
    fileprivate func save(
        _ bytes: [UInt8], as name: TokenName, over revision: Revision?
    ) throws(StoreError) -> Attempt<Void, StoreError> {
        let line = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
        guard let secret = String(validating: line, as: UTF8.self) else {
            throw .helper(program.name, reason: "it stores only UTF-8 text, and the token is other data")
        }
        let credentials: JSONObject = [
            "ServerURL": .string(Self.place + name.text), "Username": .string(Self.user), "Secret": .string(secret),
        ]
        let store = { output(of: "store", JSON.object(credentials).text).reading { (_) throws(StoreError) in } }
        guard let revision else { return store() }
        return load(name, isGuarded: true).then { result in
            // A token that cannot be read now is no reason to lose the new one.
            guard case .success(let kept) = result, kept?.revision != revision else { return store() }
            return .done(.failure(.changed(path: name.text)))
        }
    }

    /// Removes a token; its lock is held.
    fileprivate func remove(_ name: TokenName) -> Attempt<Bool, StoreError> {
        list().then { names in
            // A token whose key is lost is still listed. If listing fails, the token may be the cause, so it is removed.
            if case .success(let names) = names, !names.contains(name) { return .done(.success(false)) }
            return output(of: "erase", Self.place + name.text).reading { (_) throws(StoreError) in true }
        }
    }

    /// Runs the program, one process at a time: the user is asked for a passphrase once, and the agent of gpg refuses
    /// parallel decryption. (No token has a name that begins with a dot.)
    private func ask(
        _ action: String, _ input: String, isGuarded: Bool = false
    ) -> Attempt<HelperProgram.Answer, StoreError> {
        attempting { () throws(StoreError) in
            StoreLock.hold(try lockFile(".helper")).onward { (lock) throws(StoreError) in
                program.run(action, input: input, isGuarded: isGuarded).keeping(lock)
            }
        }
    }

    private func output(of action: String, _ input: String = "") -> Attempt<[UInt8], StoreError> {
        ask(action, input).reading { (answer) throws(StoreError) in
            switch answer {
            case .done(let output): return output
            case .failed(let reason): throw .helper(program.name, reason: reason)
            }
        }
    }

    private func members(of output: [UInt8]) throws(StoreError) -> JSONObject {
        guard let members = (try? JSON(parsing: output))?.object else {
            throw .helper(program.name, reason: "its answer is not a JSON object")
        }
        return members
    }
}

/// A token behind a helper, with its lock. Its helper cannot reserve room; while some is reserved, a new token is to come,
/// and no signal of a terminal ends the helper.
private final class HeldHelperToken: HeldToken {
    let lock: StoreLock
    private let store: HelperStore
    private let name: TokenName
    private var isGuarded = false

    init(lock: StoreLock, store: HelperStore, name: TokenName) {
        (self.lock, self.store, self.name) = (lock, store, name)
    }

    func load() -> Attempt<StoredToken?, StoreError> { store.load(name, isGuarded: isGuarded) }

    func reserve(_ count: Int) throws(StoreError) { isGuarded = true }

    func releaseRoom() { isGuarded = false }

    func save(_ bytes: [UInt8], over revision: Revision?) -> Attempt<Void, StoreError> {
        attempting { () throws(StoreError) in try store.save(bytes, as: name, over: revision) }
    }

    func remove() -> Attempt<Bool, StoreError> { store.remove(name) }
}
