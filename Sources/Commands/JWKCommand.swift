internal import CommandSpec
internal import JOSE
internal import OAuth
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// `oap jwk`: makes a key of a client, and shows the public half of one (RFC 7517, RFC 7638).
enum JWKCommand {
    private enum Action: String, CaseIterable {
        case new, `public`, thumbprint
    }

    static let algorithm = Option(
        "alg", argument: "ALG", choices: SigningKey.usual.map(\.rawValue) + encrypting, standard: "ES256",
        section: "Request",
        summary: "what the new key signs with, or decrypts")
    /// For keys that open what is encrypted for the client; what the key is of.
    private static let encrypting = ["ECDH-ES", "RSA-OAEP-256"]
    static let keyID = Option(
        "kid", argument: "KID", otherwise: "the thumbprint", section: "Request", summary: "the identifier of the key")
    static let set = Option("set", section: "Output", summary: "print a set with the key (JWKS)")

    static let passPhrase = MemberOption.of(ClientCredential.passPhrase)

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (id, file) = (arguments.value(keyID), arguments.operand(1))
        let isNew = arguments.operand(0) == Action.new.rawValue
        if isNew, let file {
            // Who names its file so wants no key in the log of a CI job.
            throw .usage("jwk new reads no file", hint: "to write the key to it: -o \(file.shellWord)")
        }
        if isNew { try session.form.checkHidesKey("client-key.json") }
        // An existing key is not overwritten: clients and tokens may be bound to it.
        let output = try session.output(replaces: !isNew)
        guard id?.isEmpty != true else { throw .usage("\(keyID.name) is empty") }
        switch Action(rawValue: arguments.operand(0) ?? "") {
        case .new:
            let name = arguments.value(algorithm) ?? SignatureAlgorithm.es256.rawValue
            let signing = SignatureAlgorithm(named: name) ?? (name.hasPrefix("RSA") ? .rs256 : .es256)
            let key = try Failure.jose(try SigningKey(generatedFor: signing))
            var members = try Failure.jose(try key.privateKey()) ?? [:]
            if encrypting.contains(name) { (members["alg"], members["use"]) = (.string(name), .string("enc")) }
            if let id { members["kid"] = .string(id) }
            return try output.finish(members)
        case .public:
            var keys = try publicKeys(in: file, session)
            guard id == nil || keys.count == 1 else {
                throw .usage("\(keyID.name) cannot name \(keys.count) keys", hint: "set the kid of each in the set")
            }
            if let id { keys[0]["kid"] = .string(id) }
            let isSet = arguments.has(set) || keys.count > 1
            return try output.finish(isSet ? ["keys": .array(keys.map { .object($0) })] : keys[0])
        case .thumbprint:
            let keys = try publicKeys(in: file, session)
            let thumbprints = try keys.map { (key) throws(Failure) in
                try Failure.jose(try JSONWebKey(key).thumbprint())
            }
            return try output.finish(line: thumbprints.joined(separator: "\n"))
        case nil: preconditionFailure("the parser lets no other action through than those of its record")
        }
    }

    /// The public halves of the keys of a text, at least one.
    ///
    /// - Throws: exit 3 for a text without a key, exit 11 for a file that cannot be read.
    private static func publicKeys(in file: String?, _ session: Session) throws(Failure) -> [JSONObject] {
        let text = try Self.text(in: file, session)
        guard let keys = (try? JSON(parsing: Array(text.utf8)))?.object?["keys"]?.array, !keys.isEmpty else {
            return [try publicKey(of: text, in: file, session)]
        }
        return try keys.map { (key) throws(Failure) in try publicKey(of: key.text, in: file, session) }
    }

    /// The public half of a key, with `kid`, `alg` and `use` if the key has them.
    ///
    /// - Throws: as ``publicKeys(in:_:)``.
    private static func publicKey(
        of text: String, in file: String?, _ session: Session
    ) throws(Failure) -> JSONObject {
        let object = (try? JSON(parsing: Array(text.utf8)))?.object
        // The digest of a shared secret would help to guess it, too.
        guard object?["kty"] != .string("oct") else {
            throw Failure(
                .badInput, .usage, "\(file ?? "standard input"): kty oct is a secret that both sides share",
                hint: "it has no public half")
        }
        let shown = { (members: JSONObject) throws(Failure) in
            let own = try reading(file) { () throws(JOSEError) in try JSONWebKey(members).publicMembers }
            return JSONObject(unique: own.members + members.members.filter { ["kid", "alg", "use"].contains($0.name) })
        }
        if let members = object, members["kty"] != nil, members["d"] == nil { return try shown(members) }
        if object == nil, let key = try reading(file, { () throws(JOSEError) in try PublicKeyText.key(in: text) }) {
            return key
        }
        if let file, file != "-" { try SecretFile.check(file, session.diagnostics) }
        var phrase: String?
        for option in passPhrase where session.inputs.settings.members.has(option) {
            guard let path = try session.inputs.settings.members.value(of: option).string else { continue }
            phrase = try SecretText.read(path, as: ClientCredential.passPhrase, session.diagnostics)
        }
        // Such a key signs nothing: its public members are what is left of it.
        if let members = object, members["use"] == .string("enc") { return try shown(members) }
        return try reading(file) { [phrase] () throws(JOSEError) in
            let key = try SigningKey(of: PrivateKeyText(text), passPhrase: phrase)
            return key.publicKey ?? [:]
        }
    }

    private static func text(in file: String?, _ session: Session) throws(Failure) -> String {
        let (bytes, name) =
            if let file, file != "-" {
                (try InputFile.read(file, limit: SecretText.limit), file)
            } else {
                (try Input.standardInputBytes(hint: "pipe the key in, or name its file"), "standard input")
            }
        return try SecretText.value(of: bytes, in: name, as: ClientCredential.key.member)
    }

    /// What a key is read to; a failure names the file.
    static func reading<Value>(
        _ file: String?, _ read: () throws(JOSEError) -> Value
    ) throws(Failure) -> Value {
        do throws(JOSEError) { return try read() } catch {
            if case .library = error { throw Failure(error) }
            throw Failure(.badInput, .usage, "\(file ?? "standard input"): \(error.description)")
        }
    }

    static let command = Command(
        "jwk", section: "Set up", summary: "make the key of a client, or print its public half",
        operands: [
            Operand(
                "ACTION", choices: Action.allCases.map(\.rawValue), summary: "what to do"),
            Operand("FILE", isRequired: false, completes: .files, summary: "the key, instead of standard input"),
        ],
        options: [algorithm, keyID, set] + passPhrase.map(\.option) + OutputOption.all,
        rules: [
            .needs([algorithm], anyOf: [.operand("ACTION", values: [Action.new.rawValue])]),
            .needs([set], anyOf: [.operand("ACTION", values: [Action.public.rawValue])]),
            .apart([keyID], from: .operand("ACTION", values: [Action.thumbprint.rawValue])),
        ],
        writesErrorDocuments: false, run: run)
}
