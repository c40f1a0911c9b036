internal import Glibc
internal import Wire

/// The command of `--run`, with the client document in its environment and in a file, and with folders of its own.
struct ChildCommand: ~Copyable {
    private let id: pid_t
    private let folder: PrivateFolder

    /// Starts the command.
    ///
    /// - Throws: with status 11, when it is not there or the folder cannot be made.
    init(_ words: [String], document: JSONObject) throws(Failure) {
        let folder = try PrivateFolder(document)
        let id = try Self.spawn(
            words,
            environment: Self.variables(document) + ["OAP_SANDBOX_FILE=\(folder.documentFile)"] + folder.variables)
        self.folder = folder
        self.id = id
    }

    /// Sends it a signal.
    borrowing func send(_ signal: Int32) { kill(id, signal) }

    /// Its exit status, 128 and the number for a signal; nil while it runs.
    borrowing func status() -> Int32? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// The members that have a variable of the same meaning: `client_id` is `OAP_CLIENT_ID`.
    private static func variables(_ document: JSONObject) -> [String] {
        document.members.compactMap { member in
            switch member.value {
            case .string(let text): "OAP_\(member.name.uppercased())=\(text)"
            case .bool(let value): "OAP_\(member.name.uppercased())=\(value)"
            default: nil
            }
        }
    }

    private static func spawn(_ words: [String], environment added: [String]) throws(Failure) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What this program ignores, the command need not.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        let names = added.map { $0.prefix { $0 != "=" } + "=" }
        // A token, a secret or a store of the person's own is not for this server.
        let kept = inheritedEnvironment().filter { variable in
            !variable.hasPrefix("OAP_") && !names.contains { variable.hasPrefix($0) }
        }
        let arguments = words.map { strdup($0) } + [nil]
        let environment = (kept + added).map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var id: pid_t = 0
        let code = posix_spawnp(&id, words[0], nil, &attributes, arguments, environment)
        guard code == 0 else {
            throw Failure(.fileFailed, "cannot start \(words[0]): \(String(cString: strerror(code)))")
        }
        return id
    }

    private static func inheritedEnvironment() -> [String] {
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(String(cString: variable))
            next += 1
        }
        return variables
    }
}
