internal import OAuth
internal import Wire

/// Finds the secrets that a document stands for: by value, by file, or by variable (oap-documents(5)).
struct Secrets {
    /// The most bytes that a secret's file may hold.
    static let limit = 1 << 20

    var document: Document
    let environment: Environment
    /// Files of descriptors that an option named: they are read, and never written into a document.
    let descriptors: [String: String]
    /// Whether the variables of tokens serve, which they do with `-n` only.
    let isNullInput: Bool

    /// What was read from files: a pipe can be read once, and one process may authenticate more than once.
    private let readValues = FileValues()

    /// Looks for the secrets of a document.
    init(document: Document, environment: Environment, descriptors: [String: String], isNullInput: Bool) {
        self.document = document
        self.environment = environment
        self.descriptors = descriptors
        self.isNullInput = isNullInput
    }

    /// The value of a secret member: by an option's descriptor, the member itself, the file that it names, the variable.
    ///
    /// - Throws: exit 3 for a value that no secret may have, an empty variable, or two values at once; exit 11 for a
    ///   file that cannot be read.
    func value(_ name: String) throws(Failure) -> String? {
        if let path = descriptors[name] { return try read(path, as: name) }
        let fileMember = "\(name)_file"
        let inline = try Failure.lifting(document) { () throws(OAuthError) in try document.string(name) }
        let path = try Failure.lifting(document) { () throws(OAuthError) in try document.string(fileMember) }
        if let inline {
            guard path == nil else {
                throw Failure(.badInput, "usage", "the document has both \(name) and \(fileMember)")
            }
            guard !inline.isEmpty else { throw Failure(.badInput, "usage", "\(name) is empty") }
            return inline
        }
        if let path {
            let variable = Self.variable(for: name)
            let value = try environment.value(variable)
            guard value == nil || document.origin(of: fileMember) != .environment else {
                throw Failure(.badInput, "usage", "both \(variable) and \(variable)_FILE are set")
            }
            return try read(path, as: name)
        }
        return try variable(name)
    }

    private func read(_ path: String, as name: String) throws(Failure) -> String {
        if let earlier = readValues[path] { return earlier }
        let value = try Self.read(path, as: name)
        readValues[path] = value
        return value
    }

    private func variable(_ name: String) throws(Failure) -> String? {
        let variable = Self.variable(for: name)
        let serves = name == "client_secret" ? try !Self.isForeign(document, environment) : isNullInput
        guard serves, let text = try environment.text(variable) else { return nil }
        guard !text.isEmpty else {
            throw Failure(
                .badInput, "usage", "\(variable) is set but empty",
                hint: "a job of a fork has no secrets; unset the variable where none is needed")
        }
        return try Self.check(text, as: variable)
    }

    private static func variable(for name: String) -> String { MemberOption.variable(for: name) }

    /// Whether the secret of the environment is another client's: `OAP_CLIENT_ID` is not the document's `client_id`.
    static func isForeign(_ document: Document, _ environment: Environment) throws(Failure) -> Bool {
        guard let id = try environment.value("OAP_CLIENT_ID"), let own = document.members["client_id"]?.string else {
            return false
        }
        return !own.isIdentical(to: id)
    }

    /// Tells that the secret of the environment does not serve, where the document has none of its own.
    func foreignSecretWarning() throws(Failure) -> OAuthWarning? {
        let own = document.members["client_secret"] ?? document.members["client_secret_file"]
        guard own == nil, descriptors["client_secret"] == nil, try Self.isForeign(document, environment) else {
            return nil
        }
        for name in ["OAP_CLIENT_SECRET", "OAP_CLIENT_SECRET_FILE"] where try environment.text(name) != nil {
            return OAuthWarning(
                .secretUnused, "\(name) is not used: OAP_CLIENT_ID names another client than the document")
        }
        return nil
    }
}

extension Secrets {
    /// Reads a secret from a file.
    static func read(_ path: String, as name: String) throws(Failure) -> String {
        let bytes = try FileAccess.read(path: path, limit: limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badInput, "usage", "\(path) is not UTF-8")
        }
        let value = try check(text, as: path)
        guard !value.isEmpty else { throw Failure(.badInput, "usage", "\(path) is empty") }
        return value
    }

    /// Takes one line end off a value, and refuses any other control character in it.
    static func check(_ text: String, as name: String) throws(Failure) -> String {
        var bytes = Array(text.utf8)
        if bytes.last == 0x0A {
            bytes.removeLast()
            if bytes.last == 0x0D { bytes.removeLast() }
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Failure(
                .badInput, "usage", "\(name) holds a control character",
                hint: "one line end after the value is taken off, nothing else")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The values that were read from files, by path.
private final class FileValues {
    private var values: [String: String] = [:]

    subscript(path: String) -> String? {
        get { values[path] }
        set { values[path] = newValue }
    }
}
