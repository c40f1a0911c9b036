internal import Wire

/// The store behind a docker-credential-helper, such as those for the secret service of the desktop and for `pass`
/// (https://github.com/docker/docker-credential-helpers).
///
/// A token is the password of the user `oap` at `https://oap.invalid/NAME`, a host that cannot exist (RFC 2606 section 2).
/// It must be UTF-8 text. The locks are files.
package struct HelperStore: TokenStoring {
    private let program: HelperProgram
    private let locks: String

    private static let place = "https://oap.invalid/"
    private static let user = "oap"

    /// The complaint of every helper about a missing token.
    private static let nothing = "credentials not found in native keychain"

    /// The store of a helper.
    ///
    /// - Parameters:
    ///   - helper: the name of the program after `docker-credential-`.
    ///   - locks: the folder of the locks of all helpers.
    ///   - environment: the program's variables.
    ///   - masking: masks the secrets in a complaint and shortens it.
    package init(
        helper: String, locks: String, environment: [String], masking: @escaping (String) -> String
    ) {
        let program = HelperProgram(
            name: "docker-credential-\(helper)", environment: environment, seconds: 120, masking: masking)
        self.init(program, locks: "\(locks)/\(helper)")
    }

    /// The store of a program.
    ///
    /// - Parameter locks: the folder of its locks.
    init(_ program: HelperProgram, locks: String) {
        self.program = program
        self.locks = locks
    }

    package func read(_ name: TokenName) throws(StoreError) -> [UInt8]? {
        switch try ask("get", Self.place + name.text) {
        case .failed(Self.nothing): return nil
        // The helper for pass says this after a failed store, which leaves an empty folder.
        case .failed(let reason) where reason.hasPrefix("no usernames for "): return nil
        case .failed(let reason): throw .helper(program.name, reason: "\(name.text): \(reason)")
        case .done(let output):
            guard let secret = try members(of: output)["Secret"]?.string else {
                throw .helper(program.name, reason: "its answer has no Secret")
            }
            // The helper for pass before 0.7 gives an empty secret for a missing token.
            return secret.isEmpty ? nil : Array(secret.utf8)
        }
    }

    package func names() throws(StoreError) -> [TokenName] {
        let entries = try members(of: try output(of: "list"))
        let names = entries.members.compactMap { entry -> TokenName? in
            guard entry.name.hasPrefix(Self.place) else { return nil }
            return try? TokenName(String(entry.name.dropFirst(Self.place.count)))
        }
        return names.sorted { $0.text < $1.text }
    }

    package func hold(_ name: TokenName, seconds: Int) throws(StoreError) -> any HeldToken & ~Copyable {
        HeldHelperToken(lock: try lock(file: name.text, seconds: seconds), store: self, name: name)
    }

    private func lock(file name: String, seconds: Int = StoreLock.patience) throws(StoreError) -> StoreLock {
        try PrivateFile.prepareFolder(locks)
        return try StoreLock("\(locks)/\(name).lock", seconds: seconds)
    }

    /// Stores a token; its lock is held.
    fileprivate func write(_ bytes: [UInt8], as name: TokenName) throws(StoreError) {
        let line = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
        guard let secret = String(validating: line, as: UTF8.self) else {
            throw .helper(program.name, reason: "it stores only UTF-8 text, and the token is other data")
        }
        let credentials: JSONObject = [
            "ServerURL": .string(Self.place + name.text), "Username": .string(Self.user), "Secret": .string(secret),
        ]
        _ = try output(of: "store", JSON.object(credentials).text)
    }

    /// Removes a token; its lock is held.
    fileprivate func remove(_ name: TokenName) throws(StoreError) -> Bool {
        // A token whose key is lost is still listed. If listing fails, the token may be the cause, so it is removed.
        if let names = try? names(), !names.contains(name) { return false }
        _ = try output(of: "erase", Self.place + name.text)
        return true
    }

    /// Runs the program, one process at a time: the user is asked for a passphrase once, and the agent of gpg refuses
    /// parallel decryption. (No token has a name that begins with a dot.)
    private func ask(_ action: String, _ input: String) throws(StoreError) -> HelperProgram.Answer {
        let held = try lock(file: ".helper")
        defer { withExtendedLifetime(held) {} }
        return try program.run(action, input: input)
    }

    private func output(of action: String, _ input: String = "") throws(StoreError) -> [UInt8] {
        switch try ask(action, input) {
        case .done(let output): return output
        case .failed(let reason): throw .helper(program.name, reason: reason)
        }
    }

    private func members(of output: [UInt8]) throws(StoreError) -> JSONObject {
        guard let members = (try? JSON(parsing: output))?.object else {
            throw .helper(program.name, reason: "its answer is not a JSON object")
        }
        return members
    }
}

/// A token behind a helper, with its lock. Its helper cannot reserve room.
struct HeldHelperToken: HeldToken, ~Copyable {
    fileprivate let lock: StoreLock
    fileprivate let store: HelperStore
    fileprivate let name: TokenName

    func read() throws(StoreError) -> [UInt8]? { try store.read(name) }

    func reserve(_ count: Int) throws(StoreError) {}

    func releaseRoom() {}

    func write(_ bytes: [UInt8]) throws(StoreError) { try store.write(bytes, as: name) }

    func remove() throws(StoreError) -> Bool { try store.remove(name) }
}
