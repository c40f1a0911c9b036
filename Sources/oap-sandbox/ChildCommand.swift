internal import Glibc
internal import System
internal import Wire

/// The command of `--run`, with the client document in its environment and in a file, and with folders of its own.
struct ChildCommand: ~Copyable {
    private let process: Subprocess
    private let folder: PrivateFolder

    /// Starts the command.
    ///
    /// - Throws: with status 11, when it is not there or the folder cannot be made.
    init(_ words: [String], document: JSONObject) throws(Failure) {
        let folder = try PrivateFolder(document)
        process = try Self.start(
            words,
            with: Self.variables(document) + ["OAP_SANDBOX_FILE=\(folder.documentFile)"] + folder.variables)
        self.folder = folder
    }

    /// Sends it a signal.
    borrowing func send(_ signal: Int32) { process.send(signal) }

    /// Its exit status, 128 and the number for a signal; nil while it runs.
    borrowing func status() -> Int32? { process.status() }

    /// The members with a variable of the same meaning: `client_id` is `OAP_CLIENT_ID`.
    private static func variables(_ document: JSONObject) -> [String] {
        document.members.compactMap { member in
            switch member.value {
            case .string(let text): "OAP_\(member.name.uppercased())=\(text)"
            case .bool(let value): "OAP_\(member.name.uppercased())=\(value)"
            default: nil
            }
        }
    }

    private static func start(_ words: [String], with added: [String]) throws(Failure) -> Subprocess {
        let names = added.map { $0.prefix { $0 != "=" } + "=" }
        // The user's own tokens, secrets and stores are not meant for this server.
        let kept = ProcessWords.variables.filter { variable in
            !variable.hasPrefix("OAP_") && !names.contains { variable.hasPrefix($0) }
        }
        var program = ProgramStart(words, variables: kept + added)
        program.inheritsDescriptors = true
        program.restored = [SIGPIPE]
        return try Failure.system("cannot start \(words[0])", try program.start())
    }
}
