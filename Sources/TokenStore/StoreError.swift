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
    /// Another process held the lock for longer than the seconds that we waited.
    case locked(path: String, seconds: Int)
}

extension StoreError {
    /// The sentence for people: lower case, no full stop.
    package var message: String {
        switch self {
        case .badName(let name): "\(name) is no name for a token: letters, digits and ._@- only, 128 at most"
        case .badStore(let text): "\(text) is no store"
        case .noHome: "HOME is not set to an absolute path"
        case .system(let path, let reason), .unsafe(let path, let reason), .corrupt(let path, let reason):
            "\(path): \(reason)"
        case .locked(let path, let seconds): "\(path) has been locked by another process for \(seconds) seconds"
        }
    }

    /// What to do about it.
    package var hint: String? {
        switch self {
        case .badName, .system, .corrupt: nil
        case .badStore: "a store is file:DIR or helper:NAME"
        case .noHome: "set HOME, or XDG_STATE_HOME and XDG_CONFIG_HOME"
        case .unsafe(let path, _): "chmod 600 for a file, 700 for a folder, and your own: \(path)"
        case .locked: "is a process hanging that has it open?"
        }
    }
}
