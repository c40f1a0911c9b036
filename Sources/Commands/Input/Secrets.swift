internal import Errands
internal import OAuth
internal import Redaction
internal import System
internal import Wire

/// Finds the values of secrets: in a document, in a file that it names, or in a variable. A file is read whenever its secret
/// is used, since it may be replaced; a process has one of these, which reads each descriptor and pipe once, since that is
/// empty afterwards. The redactor learns each value.
final class Secrets {
    /// The most bytes of a secret; real ones are far shorter.
    static let limit = 1 << 16

    /// The variables.
    let environment: Environment
    private let takesTokens: Bool
    private let redactor: Redactor
    /// What came out of descriptors and pipes.
    private var readValues: [String: String] = [:]

    /// The secrets of a process.
    ///
    /// - Parameters:
    ///   - takesTokens: whether variables may hold tokens, which they may with `-n` and `--batch` only.
    ///   - redactor: learns each value.
    init(environment: Environment, takesTokens: Bool, redactor: Redactor) {
        self.environment = environment
        self.takesTokens = takesTokens
        self.redactor = redactor
    }

    /// Tells the redactor the secrets in a document.
    func register(_ members: JSONObject) {
        for name in Member.secrets { members[name]?.string.map { redactor.add($0) } }
    }

    /// The value of a secret member: from a descriptor, the member itself, its file, or its variable.
    ///
    /// - Throws: exit 3 for an invalid value, an empty variable, or two values; exit 11 for a file that cannot be read.
    func value(
        _ name: String, of document: Document, descriptors: [String: String]
    ) throws(Failure) -> String? {
        let value = try found(name, document, descriptors)
        if let value { redactor.add(value) }
        return value
    }

    /// The secret that a command prints now.
    ///
    /// - Throws: exit 3 for an invalid value, exit 11 for a command that fails.
    func value(of command: SecretCommand, for name: String) -> Attempt<String, Failure> {
        command.secret(for: name).reading { [redactor] (value) throws(Failure) in
            redactor.add(value)
            return value
        }
    }

    /// The path of a named pipe that holds a secret and was not read yet.
    func unreadPipe(_ name: String, of document: Document) -> String? {
        guard let path = document.members["\(name)_file"]?.string, readValues[path] == nil,
            (try? FileStatus(at: path))?.isPipe == true
        else { return nil }
        return path
    }

    /// Reads a named pipe, whose writer may come late, by a program: nothing else waits meanwhile.
    ///
    /// - Throws: exit 3 for an invalid value, exit 11 if nothing comes within 30 seconds.
    func reading(_ path: String, as name: String) -> Attempt<Void, Failure> {
        let child = ChildProgram(
            ["cat", "--", path], variables: Environment.forOtherPrograms, seconds: SecretCommand.seconds,
            limit: Self.limit)
        return .run(child) { [self] end in
            attempting { () throws(Failure) in
                switch end {
                case .ended(status: 0, let output): readValues[path] = try Self.value(of: output, in: path, as: name)
                case .ended, .notStarted: throw .file("cannot read \(path)")
                case .late: throw .file("nothing was written to \(path) within \(SecretCommand.seconds) seconds")
                case .tooLong: throw .file("\(path) is larger than \(Self.limit) bytes")
                }
                return .done(.success(()))
            }
        }
    }

    private func found(
        _ name: String, _ document: Document, _ descriptors: [String: String]
    ) throws(Failure) -> String? {
        if let path = descriptors[name] { return try read(path, as: name) }
        let fileMember = "\(name)_file"
        let inline = try lift(try document.string(name))
        let path = try lift(try document.string(fileMember))
        if let inline {
            guard path == nil else {
                throw Failure(.badInput, .usage, "the document has both \(name) and \(fileMember)")
            }
            guard !inline.isEmpty else { throw Failure(.badInput, .usage, "\(name) is empty") }
            return inline
        }
        if let path {
            let variable = Member.variable(for: name)
            let value = try environment.value(variable)
            guard value == nil || document.origin(of: fileMember) != .environment else {
                throw Failure(.badInput, .usage, "both \(variable) and \(variable)_FILE are set")
            }
            return try read(path, as: name)
        }
        return try variable(name, document)
    }

    /// The secret in a file, or what a descriptor or a pipe has brought.
    ///
    /// - Throws: exit 3 for an invalid value, exit 11 for a file that cannot be read.
    func read(_ path: String, as name: String) throws(Failure) -> String {
        if let earlier = readValues[path] { return earlier }
        let value = try Self.read(path, as: name)
        let isOnce = DescriptorPath.isOne(path) || (try? FileStatus(at: path))?.isFile != true
        if isOnce { readValues[path] = value }
        return value
    }

    private func variable(_ name: String, _ document: Document) throws(Failure) -> String? {
        let variable = Member.variable(for: name)
        guard Member.named(name)?.secretVariable != nil else { return nil }
        let isAllowed = name == "client_secret" ? try !Self.isForeign(document, environment) : takesTokens
        guard isAllowed, let text = try environment.text(variable) else { return nil }
        guard !text.isEmpty else {
            throw Failure(
                .badInput, .usage, "\(variable) is set but empty",
                hint: "if no secret is needed, unset the variable; CI jobs of a fork get no secrets")
        }
        guard text.utf8.count <= Self.limit else {
            throw Failure(.badInput, .usage, "\(variable) is larger than \(Self.limit) bytes")
        }
        return try Self.check(text, as: variable)
    }

    /// Whether the variables are another client's: `OAP_CLIENT_ID` is not the document's `client_id`.
    static func isForeign(_ document: Document, _ environment: Environment) throws(Failure) -> Bool {
        guard let id = try environment.value("OAP_CLIENT_ID"), let own = document.members["client_id"]?.string else {
            return false
        }
        return !own.isIdentical(to: id)
    }

    /// The warning that the secret of the environment is not used, if the document has none of its own.
    func foreignSecretWarning(for document: Document) throws(Failure) -> OAuthWarning? {
        let own = document.members["client_secret"] ?? document.members["client_secret_file"]
        guard own == nil, try Self.isForeign(document, environment) else {
            return nil
        }
        for name in ["OAP_CLIENT_SECRET", "OAP_CLIENT_SECRET_FILE"] where try environment.text(name) != nil {
            let own = document.origin(of: "client_id") == .option ? "--client-id" : "the document"
            return .other("\(name) is not used: OAP_CLIENT_ID names another client than \(own)")
        }
        return nil
    }
}

extension Secrets {
    /// Reads a secret from a file.
    static func read(_ path: String, as name: String) throws(Failure) -> String {
        try value(of: try InputFile.read(path, limit: limit), in: path, as: name)
    }

    /// The secret in the content of a file.
    private static func value(of bytes: [UInt8], in path: String, as name: String) throws(Failure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badInput, .usage, "\(path) is not UTF-8")
        }
        if name == "client_secret", let json = (try? JSON(parsing: bytes))?.object {
            let hint = "the file must contain only the secret; to store a client document: oap profile set NAME < FILE"
            let isGoogle = json["installed"] != nil || json["web"] != nil
            throw Failure(
                .badInput, .usage, "\(path) is not a secret, but a JSON object\(isGoogle ? " of Google's client" : "")",
                hint: hint)
        }
        let value = try check(text, as: path)
        guard !value.isEmpty else { throw Failure(.badInput, .usage, "\(path) is empty") }
        return value
    }

    /// Removes one line end from the end of a value, and refuses any other control character.
    static func check(_ text: String, as name: String) throws(Failure) -> String {
        var bytes = Array(text.utf8)
        if bytes.last == 0x0A {
            bytes.removeLast()
            if bytes.last == 0x0D { bytes.removeLast() }
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            let lines = bytes.count { $0 == 0x0A } + 1
            throw Failure(
                .badInput, .usage,
                lines > 1 ? "\(name) has \(lines) lines; a secret is one line" : "\(name) holds a control character",
                hint: "give only the secret, with at most one line end after it")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
