internal import Glibc
internal import Sandbox
internal import System
internal import Wire

/// The command of `--run`, with the client document in its environment and in a file, and with folders of its own.
struct ChildCommand: ~Copyable {
    private let process: Subprocess
    private let folder: PrivateFolder

    /// Starts the command, which trusts the certificate (PEM). With `opensPages`, `BROWSER` opens pages without showing
    /// them, since no user has to decide.
    init(
        _ words: [String], document: JSONObject, certificate: [UInt8]?, opensPages: Bool
    ) throws(Failure) {
        let folder = try PrivateFolder(document, certificate: certificate)
        process = try Self.start(
            words,
            with: Self.variables(document) + ["OAP_SANDBOX_FILE=\(folder.documentFile)"] + folder.variables
                + ShellPrompt.variables
                + (document["issuer"]?.string.map(SandboxServer.variablesOfJob) ?? [])
                + (opensPages ? Self.browser(trusting: folder.certificateFile) : []))
        self.folder = folder
    }

    borrowing func send(_ signal: Int32) { process.send(signal) }

    /// The exit status of the command, 128 and the number for a signal; nil while it runs.
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

    /// This program as the browser. `BROWSER` has no quotes: a path with a space or a colon cannot be in it.
    private static func browser(trusting certificate: String?) -> [String] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard count > 0, !(path + (certificate ?? "")).contains(where: { " :%".contains($0) }) else {
            Diagnostics.tell("warning: BROWSER is not set, since the path of oap-sandbox has a space, a colon or a %")
            return []
        }
        return ["BROWSER=\(path) \(Opener.words(certificate: certificate))"]
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
