internal import System

/// Why the token store cannot be used. Every case leaves what was stored as it was.
package enum StoreError: Error, Sendable, Equatable {
    /// The name is none that a token may have.
    case badName(String)
    /// What was asked for is no store.
    case badStore(String)
    /// `HOME` is not set or not an absolute path, and nothing else says where the folder is.
    case noHome
    /// The file or folder cannot be read or written; what the system said.
    case system(path: String, reason: String)
    /// The file or folder could be changed or read by somebody else, and what is wrong with it.
    case unsafe(path: String, reason: String)
    /// The content is not what was stored.
    case corrupt(path: String, reason: String)
    /// Everything was written, to another file than it should be; what the system said.
    case misplaced(path: String, at: String, reason: String)
    /// Another process held the lock for longer than the seconds that we waited.
    case locked(path: String, seconds: Int)
    /// The program of a helper is not there.
    case noHelper(String)
    /// A helper fails, and what it says.
    case helper(String, reason: String)
    /// The token is sealed, and there is no key.
    case sealed(String)
    /// The token is not sealed, and there is a key.
    case unsealed(String)
    /// The seal cannot be opened with the key, and why.
    case unopened(String, reason: String)
    /// A token cannot be sealed, and why.
    case unsealable(String)
}

extension StoreError {
    /// The reason of `unsafe` for what the user does not own.
    static let othersOwn = "it belongs to another user"

    /// Runs a step on a file; what it throws becomes `system`.
    static func at<Value: ~Copyable>(
        _ path: String, _ step: @autoclosure () throws(Errno) -> Value
    ) throws(StoreError) -> Value {
        do throws(Errno) {
            return try step()
        } catch {
            throw .system(path: path, reason: error.description)
        }
    }

    /// The sentence for people: lower case, no full stop.
    package var message: String {
        switch self {
        // It may be a token that was given in its place.
        case .badName(let name): "\(name.beginning) is no name for a token: letters, digits and ._@- only, 128 at most"
        case .badStore(let text): "\(text) is no store"
        case .noHome: "HOME is not set to an absolute path"
        case .system(let path, let reason), .unsafe(let path, let reason), .corrupt(let path, let reason):
            "\(path): \(reason)"
        case .misplaced(let path, _, let reason): "cannot take the place of \(path): \(reason)"
        case .locked(let path, let seconds): "\(path) has been locked by another process for \(seconds) seconds"
        case .noHelper(let program): "\(program) is not installed"
        case .helper(let program, let reason): "\(program): \(reason)"
        case .sealed(let name): "the stored token \(name) is sealed"
        case .unsealed(let name): "the stored token \(name) is not sealed"
        case .unopened(let name, let reason): "the stored token \(name) cannot be opened: \(reason)"
        case .unsealable(let reason): "the token cannot be sealed: \(reason)"
        }
    }

    /// What to do about it.
    package var hint: String? {
        switch self {
        case .badName, .system, .corrupt, .helper, .unsealable: nil
        case .badStore: "a store is file:DIR or helper:NAME"
        case .noHome: "set HOME, or XDG_STATE_HOME and XDG_CONFIG_HOME"
        case .unsafe(let path, "others can read it"), .unsafe(let path, "others can read the key"): "chmod 600 \(path)"
        case .unsafe(let path, "others can write to it"): "chmod go-w \(path)"
        case .unsafe: "it must be a file or folder of your own"
        case .misplaced(_, let place, _): "it is in \(place)"
        case .locked: "is a process hanging that has it open?"
        case .noHelper: "Debian's golang-docker-credential-helpers has those for pass and secretservice"
        case .sealed: "OAP_STORE_KEY_FILE names the file of the key"
        case .unsealed(let name):
            "it can be read without OAP_STORE_KEY_FILE; oap store delete \(name) makes room for a sealed one"
        case .unopened(let name, _): "it is left as it is; oap store delete \(name) makes room for another"
        }
    }
}

extension String {
    /// The first six characters, which give no secret away.
    fileprivate var beginning: String { unicodeScalars.count > 6 ? String(unicodeScalars.prefix(6)) + "…" : self }
}
