internal import System

/// Why the token store cannot be used. Nothing stored has changed.
package enum StoreError: Error, Sendable, Equatable {
    case badName(String)
    /// An address that is none: what it begins with, where that is the name of a kind. The rest may be a password.
    case badStore(kind: String?)
    case noHome
    case system(path: String, reason: String)
    case unsafe(path: String, Danger)
    case corrupt(path: String, reason: String)
    /// Everything was written, but the file could not be renamed; the system's reason.
    case misplaced(path: String, at: String, reason: String)
    case locked(path: String, seconds: Int)
    /// The locks in a folder of a network keep off no other machine: why, and the option of mount(8) to ask for.
    case localLocks(path: String, reason: String, wanted: String?)
    /// The stored token is not the version that was read: another machine has changed it meanwhile.
    case changed(path: String)
    case noHelper(String)
    case helper(String, reason: String)
    case keyMissing(String)
    case sealed(String)
    case unsealed(String)
    case unopened(String, reason: String)
    case unsealable(String)
    /// A cluster's store: its place, and what is wrong.
    case shared(String, reason: String, hint: String?)
    /// A cluster's store does not answer now: it may later.
    case away(String, reason: String, hint: String? = nil)
}

extension StoreError {
    package enum Danger: Sendable, Equatable {
        /// Other users can read the file: its secret, if it has one of its own, or the token.
        case readable(secret: String?)
        case writable
        case foreign
        case link
        /// The file is no pipe of the user's own, or the redirected URL is no line of fewer bytes.
        case unfitPipe(limit: Int)

        var reason: String {
            switch self {
            case .readable(let secret): "others can read \(secret ?? "it")"
            case .writable: "others can write to it"
            case .foreign: "it belongs to another user"
            case .link: "it is a symbolic link"
            case .unfitPipe(let limit):
                "it must be a pipe of your own, and the redirected URL one line of less than \(limit) bytes"
            }
        }

        func hint(_ path: String) -> String {
            let isFolder = (try? FileStatus(at: path))?.isFolder == true
            let commands = "oap token NAME --watch -o FILE --group GROUP, or sudo -u OWNER oap token NAME"
            let others = isFolder ? "; for other users: \(commands)" : ""
            return switch self {
            case .readable: "chmod 600 \(path)"
            case .writable: "chmod go-w \(path)\(others)"
            case .foreign: "use a file or folder that belongs to you; sudo -H takes the home of root\(others)"
            case .link, .unfitPipe: "use a file or folder that belongs to you, not a link"
            }
        }
    }

    static func at<Value: ~Copyable>(
        _ path: String, _ step: @autoclosure () throws(Errno) -> Value
    ) throws(StoreError) -> Value {
        do throws(Errno) {
            return try step()
        } catch {
            throw .system(path: path, reason: error.description)
        }
    }

    /// The message: lower case, no full stop.
    package var message: String {
        switch self {
        // The user may have typed a token.
        case .badName(""): "the name of the profile or token is empty"
        case .badName: "the name of the profile or token is not valid"
        case .badStore(let kind): "\(kind ?? "the value of --store or OAP_STORE") is not a store"
        case .noHome: "HOME is not set to an absolute path"
        case .system(let path, let reason), .corrupt(let path, let reason): "\(path): \(reason)"
        case .unsafe(let path, let danger): "\(path): \(danger.reason)"
        case .misplaced(let path, _, let reason): "cannot replace \(path): \(reason)"
        case .changed(let path): "\(path) was changed by another program meanwhile"
        case .localLocks(let path, let reason, _):
            "\(path): its locks may not keep off other machines: \(reason)"
        case .locked(let path, let seconds): "\(path) has been locked by another process for \(seconds) seconds"
        case .noHelper(let program): "\(program) is not installed"
        case .helper(let program, let reason): "\(program): \(reason)"
        case .keyMissing(let path): "\(path): this key file is missing"
        case .sealed(let name): "the stored token \(name) is sealed, and no key is set"
        case .unsealed(let name): "the stored token \(name) is not sealed, but a key is set"
        case .unopened(let name, let reason): "the stored token \(name) cannot be decrypted: \(reason)"
        case .shared(let place, let reason, _), .away(let place, let reason, _): "\(place): \(reason)"
        case .unsealable(let reason): "the token cannot be sealed: \(reason)"
        }
    }

    package var hint: String? {
        switch self {
        case .badName: "a name begins with a letter or a digit, and has up to 128 letters, digits or ._@:-"
        // The folder of a home that cannot be written to.
        case .system(let path, Errno.readOnly.description), .system(let path, Errno.notAllowed.description):
            path.contains("/.config") || path.contains("/.local")
                ? "set XDG_CONFIG_HOME and XDG_STATE_HOME to folders that you can write to" : nil
        case .system, .corrupt, .changed, .helper, .unsealable: nil
        case .shared(_, _, let hint), .away(_, _, let hint): hint
        case .badStore("etcd:…"):
            "etcd:https://HOST:PORT[,...][/PREFIX]; user and password: OAP_ETCD_USER, OAP_ETCD_PASSWORD_FILE"
        case .badStore:
            "a store is file:DIR, helper:PROGRAM, etcd:https://HOST:PORT[,...][/PREFIX], or kubernetes:NAMESPACE[/PREFIX]"
        case .noHome: "set HOME, or XDG_STATE_HOME and XDG_CONFIG_HOME"
        case .unsafe(let path, let danger): danger.hint(path)
        case .misplaced(_, let place, _): "the new content is in \(place)"
        case .localLocks(_, _, let wanted):
            (wanted.map { "ask for a mount with the option \($0); " } ?? "")
                + "where no other machine uses this folder: --store-trust, or OAP_STORE_TRUST=1"
        case .locked: "the process that holds this lock may hang; end it, or try again later"
        case .noHelper: "Debian's package golang-docker-credential-helpers has the helpers pass and secretservice"
        case .keyMissing(let path): "a new key, for a store that is not sealed yet: oap store key -o \(path)"
        case .sealed: "set OAP_STORE_KEY_FILE to the path of the file with the key"
        case .unsealed(let name):
            "unset OAP_STORE_KEY_FILE to read the token; to store a sealed token, first: oap store delete \(name)"
        case .unopened(let name, _):
            """
            use the key with which it was stored (OAP_STORE_KEY_FILE); to change the key: oap store reseal; to give the \
            token up: oap store delete \(name)
            """
        }
    }
}
