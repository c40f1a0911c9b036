package import Errands
internal import Glibc
package import OAuth
internal import Redaction
internal import System
package import Wire
package import Shell

/// Where the value of a secret is. A descriptor counts before all, else the first of these that is there.
package enum SecretSource {
    /// The document or the profile itself.
    case value(String)
    /// The path of a file, or of a descriptor or a pipe, which no document keeps.
    case file(String, isKept: Bool)
    case variable(String)
    case program(SecretCommand)
    /// What gives another value each time: the text of `NAME_from`.
    case fetched(String)

    /// Whether each use needs a new value: a program is run, or somebody asked, again.
    var isFresh: Bool {
        switch self {
        case .program, .fetched: true
        case .value, .file, .variable: false
        }
    }

    fileprivate var path: String? { if case .file(let path, _) = self { path } else { nil } }

    fileprivate var variable: String? { if case .variable(let name) = self { name } else { nil } }
}

/// Finds the values of secrets: in a document, in a file that it names, or in a variable. A file is read whenever its secret
/// is used, since it may be replaced; a process has one of these, which reads each descriptor and pipe once, since that is
/// empty afterwards. The redactor learns each value.
package final class Secrets {
    package let environment: Environment
    /// Whether a variable of `oap` is set: without any, none of the fifty need be looked for.
    let hasVariables: Bool
    private let world: World
    private let takesTokens: Bool
    private let diagnostics: Diagnostics
    private var redactor: Redactor { diagnostics.redactor }
    /// The keys of bound tokens, by their texts.
    private var bindings: [String: DPoPBinding] = [:]
    /// What came out of descriptors and pipes.
    private var readValues: [String: String] = [:]

    /// Variables may hold tokens with `-n` and `--batch` only.
    package init(environment: Environment, world: World, takesTokens: Bool, _ diagnostics: Diagnostics) {
        (self.environment, self.world, self.takesTokens) = (environment, world, takesTokens)
        self.diagnostics = diagnostics
        hasVariables = !environment.own.isEmpty
    }

    /// Tells the redactor the secrets in a document.
    package func register(_ members: JSONObject) { for text in Self.texts(in: members) { redactor.add(text) } }

    /// Takes note of what a document says, which may be a secret in the wrong place.
    package func note(_ members: JSONObject) {
        let texts = members.members.compactMap { member in member.value.string.map { (member.name, $0) } }
        diagnostics.note(files: texts.filter { Member.files.contains($0.0) }, values: texts.map(\.1))
    }

    /// The texts of the secrets in a document, at every depth: a login has further tokens, and servers have names of their
    /// own.
    package static func texts(in members: JSONObject) -> [String] {
        SensitiveParts.texts(in: members).flatMap { parts(of: $0.text, named: $0.name) }
    }

    /// The value of a secret; nil for one that is another each time.
    ///
    /// - Throws: exit 3 for an invalid value or an empty variable; exit 11 for a file that cannot be read.
    package func value(_ name: String, from source: SecretSource) throws(Failure) -> String? {
        let value: String
        switch source {
        case .value(let text): value = text
        case .file(let path, _): value = try read(path, as: name)
        case .variable(let variable): value = try self.value(of: name, inVariable: variable)
        case .program, .fetched: return nil
        }
        for text in Self.parts(of: value, named: name) { redactor.add(text) }
        if !SecretText.keys.contains(name), let oddity = SecretText.oddity(of: value, in: source.variable) {
            try diagnostics.warn([.other("\(source.path ?? source.variable ?? name) \(oddity)")])
        }
        return value
    }

    /// What is secret in a text. Of a key these are its private parts, as they are written, and the lines that PEM has: the
    /// rest of it stands in much else.
    private static func parts(of value: String, named name: String) -> [String] {
        let blocks = PEMBlock.all(in: value)
        guard SecretText.keys.contains(name) || !blocks.isEmpty else { return [value] }
        if let object = (try? JSON(parsing: Array(value.utf8)))?.object { return texts(in: object) }
        let written = value.split { $0.isWhitespace || $0 == "\\" || $0 == "-" }.map(String.init)
        return (written + blocks.flatMap(\.encoded)).filter { $0.utf8.count > 15 }
    }

    /// The key of a text, with the nonces of a document that is the first to use it.
    ///
    /// - Throws: exit 2 or 3 for a key that cannot be used.
    package func binding(
        of text: String, passPhrase: String?, for document: Document
    ) throws(Failure) -> DPoPBinding {
        if let known = bindings[text] { return known }
        let algorithms = try asFailure(DPoPBinding.algorithms(for: document))
        let binding = try asFailure(
            DPoPBinding(
                key: text, passPhrase: passPhrase, algorithms: algorithms,
                nonces: document.members[DPoPBinding.noncesMember]?.object ?? [:]))
        redactor.add(beginningOfJWTs: binding.header)
        bindings[text] = binding
        return binding
    }

    /// Reads a descriptor or a pipe that was not read yet; nil for another source. Its writer may come late, so it is
    /// looked at from time to time, and nothing else waits.
    ///
    /// - Throws: exit 3 for an invalid value, exit 11 for one that cannot be read.
    package func reading(_ source: SecretSource, as name: String) -> Attempt<Void, Failure>? {
        guard case .file(let path, _) = source, readValues[path] == nil, let status = try? FileStatus(at: path),
            !status.isFile
        else { return nil }
        return attempting { () throws(Failure) in
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
            return .pause(until: world.after(.milliseconds(10))) { [self] in rest(of: secret, path, name) }
        }
    }

    private final class LateSecret {
        let descriptor: FileDescriptor
        var bytes: [UInt8] = []

        init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

        deinit { descriptor.close() }
    }

    private func read(_ path: String, as name: String) throws(Failure) -> String {
        if let earlier = readValues[path] { return earlier }
        let value = try SecretText.read(path, as: name, diagnostics)
        let isOnce = DescriptorPath.isOne(path) || (try? FileStatus(at: path))?.isFile != true
        if isOnce { readValues[path] = value }
        return value
    }

    /// The variable that holds a secret of a document; nil if none does, or if it is another client's.
    package func variable(for name: String, of document: Document) throws(Failure) -> String? {
        guard Member.secretsOfEnvironment.contains(name) else { return nil }
        let isCredential = ClientCredential(rawValue: name) != nil
        guard isCredential ? try !isForeign(to: document) : takesTokens else { return nil }
        let variable = Member.variable(for: name)
        return try environment.lines(variable) == nil ? nil : variable
    }

    /// Whether the variables are another client's: `OAP_CLIENT_ID` is not the document's `client_id`.
    func isForeign(to document: Document) throws(Failure) -> Bool {
        guard let id = try environment.value("OAP_CLIENT_ID"), let own = document.members["client_id"]?.string else {
            return false
        }
        return !own.isIdentical(to: id)
    }

    private func value(of name: String, inVariable variable: String) throws(Failure) -> String {
        let text = try environment.lines(variable) ?? ""
        guard !text.isEmpty else {
            throw Failure(
                .badInput, .usage, "\(variable) is set but empty",
                hint: "if no secret is needed, unset the variable; CI jobs of a fork get no secrets")
        }
        guard text.utf8.count <= SecretText.limit else {
            throw Failure(.badInput, .usage, "\(variable) is larger than \(SecretText.limit) bytes")
        }
        return try SecretText.check(text, in: variable, as: name)
    }
}
