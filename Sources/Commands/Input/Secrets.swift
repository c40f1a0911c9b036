internal import Errands
internal import Glibc
internal import OAuth
internal import Redaction
internal import System
internal import Wire

/// Finds the values of secrets: in a document, in a file that it names, or in a variable. A file is read whenever its secret
/// is used, since it may be replaced; a process has one of these, which reads each descriptor and pipe once, since that is
/// empty afterwards. The redactor learns each value.
final class Secrets {
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

    /// The path of the descriptor or pipe that holds a secret and was not read yet; nil for a file, and for a document that
    /// gives the secret twice.
    func unread(_ name: String, of document: Document, descriptors: [String: String]) -> String? {
        guard document.members[name] == nil,
            let path = descriptors[name] ?? document.members["\(name)_file"]?.string, readValues[path] == nil,
            let status = try? FileStatus(at: path), !status.isFile
        else { return nil }
        return path
    }

    /// Reads a descriptor or a pipe. Its writer may come late, so it is looked at from time to time, and nothing else waits.
    ///
    /// - Throws: exit 3 for an invalid value, exit 11 for one that cannot be read.
    func reading(_ path: String, as name: String) -> Attempt<Void, Failure> {
        attempting { () throws(Failure) in
            let opened = try Failure.system(
                "cannot open \(path)", try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY))
            return rest(of: LateSecret(opened), path, name)
        }
    }

    private func rest(of secret: LateSecret, _ path: String, _ name: String) -> Attempt<Void, Failure> {
        attempting { () throws(Failure) in
            while secret.descriptor.isReadable {
                let piece = try Failure.system("cannot read \(path)", try secret.descriptor.read(upTo: 4096))
                guard !piece.isEmpty else {
                    readValues[path] = try SecretText.value(of: secret.bytes, in: path, as: name)
                    return .done(.success(()))
                }
                secret.bytes += piece
                guard secret.bytes.count <= SecretText.limit else {
                    throw .file("\(path) is larger than \(SecretText.limit) bytes")
                }
            }
            return .pause(until: .now + .milliseconds(10)) { [self] in rest(of: secret, path, name) }
        }
    }

    /// A descriptor that is read piece by piece.
    private final class LateSecret {
        let descriptor: FileDescriptor
        var bytes: [UInt8] = []

        init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

        deinit { descriptor.close() }
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

    private func read(_ path: String, as name: String) throws(Failure) -> String {
        if let earlier = readValues[path] { return earlier }
        let value = try SecretText.read(path, as: name)
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
        guard text.utf8.count <= SecretText.limit else {
            throw Failure(.badInput, .usage, "\(variable) is larger than \(SecretText.limit) bytes")
        }
        return try SecretText.check(text, as: variable)
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
