internal import CommandSpec
internal import Errands
internal import Glibc
internal import OAuth
internal import System
internal import Wire

/// The document that a command works on: its input, merged with options and variables (oap-documents(5)).
struct Input {
    /// The document.
    var document: Document
    private let secrets: Secrets
    /// Paths of descriptors by the secret that they hold; never written into a document.
    private let descriptors: [String: String]
    /// The programs that print secrets, by the secret; from a profile, and never written into a document.
    private var commands: [String: SecretCommand]
    /// What they printed for this use of the input.
    private var printed: [String: String] = [:]
    /// The input, without options and variables.
    let original: JSONObject
    /// Deviations that did not stop the work.
    private(set) var warnings: [OAuthWarning] = []

    /// The most bytes that a document may have.
    static let limit = 16 << 20

    /// Merges a document with options (which win), variables and the profile (which fill gaps).
    ///
    /// - Parameters:
    ///   - members: the input, which beats variables.
    ///   - profile: the profile, which fills gaps.
    ///   - isManaged: whether `oap` keeps the document: no variable sets an endpoint of it.
    ///   - options: the options of the command that are members.
    /// - Throws: exit 2 or 3 for an invalid value.
    init(
        _ members: JSONObject, isManaged: Bool = false, profile: JSONObject = [:], values: MemberValues,
        options: [MemberOption], secrets: Secrets
    ) throws(Failure) {
        for secret in Member.secrets where members["\(secret)_command"] != nil {
            throw Failure(.badInput, .usage, "\(secret)_command is allowed only in a profile")
        }
        original = members
        self.secrets = secrets
        let environment = secrets.environment
        var document = Document(isManaged ? Self.updating(members, by: profile) : members)
        var descriptors: [String: String] = [:]
        for option in options where values.has(option) {
            if option.form == .file { document.members[String(option.member.dropLast("_file".count))] = nil }
            document.set(option.member, to: try values.value(of: option), from: .option)
        }
        let hasServer = isManaged || members["token_endpoint"]?.isNull == false
        let isOther = try Self.isOtherServer(than: document, profile, environment)
        let settable = Member.ofEnvironment.filter { member in
            switch member.variable {
            case .everywhere: true
            case .ofAddress: !hasServer && !isOther(member.name)
            case .withOption: options.contains { $0.member == member.settableName }
            case .none: false
            }
        }
        try Self.addVariables(to: &document, environment, names: settable.map(\.settableName))
        let known = Self.members(of: profile, for: members, in: document, warnings: &warnings)
        for member in known where Self.isOpen(member.name, in: document) {
            document.members[member.name] = member.value
        }
        commands = try Self.commands(takenFrom: &document, of: profile)
        try Self.settleFiles(in: &document, descriptors: &descriptors)
        document.isKept = isManaged
        self.document = document
        self.descriptors = descriptors
        secrets.register(document.members)
    }

    /// Whether the variable of an address is that of another server than the issuer of the document: `OAP_ISSUER` names
    /// another one, or, for the endpoint that is sent the initial access token, none.
    private static func isOtherServer(
        than document: Document, _ profile: JSONObject, _ environment: Environment
    ) throws(Failure) -> (_ member: String) -> Bool {
        let issuer = document.members["issuer"]?.string
        guard let own = try environment.value(Member.variable(for: "issuer")) else {
            let isKnown = issuer != nil || profile["issuer"]?.string != nil
            return { isKnown && $0 == "registration_endpoint" }
        }
        let differs = issuer.map { !own.isIdentical(to: $0) } ?? false
        return { _ in differs }
    }

    /// The value of a secret member, or nil. One that a command prints is here after ``with(secrets:)`` alone.
    ///
    /// - Throws: see ``Secrets/value(_:of:descriptors:)``.
    func secret(_ name: String) throws(Failure) -> String? {
        try secrets.value(name, of: document, descriptors: descriptors) ?? (isGiven(name) ? nil : printed[name])
    }

    private func isGiven(_ name: String) -> Bool {
        document.members[name] != nil || document.members["\(name)_file"] != nil
    }

    /// The input of one use, with what the commands print for these secrets now.
    ///
    /// - Throws: see ``Secrets/value(of:for:)``.
    func with(secrets names: [String]) -> Attempt<Input, Failure> {
        attempting { () throws(Failure) in
            guard let name = names.first else { return .done(.success(self)) }
            let rest = Array(names.dropFirst())
            if let path = secrets.unread(name, of: document, descriptors: descriptors) {
                return secrets.reading(path, as: name).onward { (_) throws(Failure) in with(secrets: names) }
            }
            guard let command = commands[name], !isGiven(name), printed[name] == nil,
                try secrets.value(name, of: document, descriptors: descriptors) == nil
            else { return with(secrets: rest) }
            return secrets.value(of: command, for: name).onward { (value) throws(Failure) in
                var input = self
                input.printed[name] = value
                return input.with(secrets: rest)
            }
        }
    }

    /// The input of a request in which the client proves itself, with other secrets; see ``with(secrets:)``.
    func withCredential(and others: [String] = []) -> Attempt<Input, Failure> {
        let member = (try? ClientAuthentication.secretMember(of: document, isNamed: true)) ?? nil
        let own = member ?? (IDToken.usesSecret(document) ? "client_secret" : nil)
        return with(secrets: others + (own.map { [$0] } ?? []))
    }

    /// What gave the client secret, if no later command finds it there: a descriptor or a variable; nil if the secret or its
    /// file is kept, or if there is none.
    func passingSecret() throws(Failure) -> String? {
        let isKept = ["client_secret", "client_secret_file"].contains { document.members[$0] != nil }
        guard !isKept, commands["client_secret"] == nil else { return nil }
        if let path = descriptors["client_secret"] { return path }
        return try secretVariable()
    }

    /// The client secret, or the path of its file, if the document or the profile has it; nil if an option, a variable or a
    /// program gives it.
    var ownSecret: (name: String, value: JSON)? {
        let names = ["client_secret", "client_secret_file"]
        guard let name = names.first(where: { document.members[$0]?.isNull == false }),
            let value = document.members[name], document.origin(of: name) == .document
        else { return nil }
        return (name, value)
    }

    /// A token document with the secret that renewed the token in the place of the one that it has: the profile may have
    /// had a newer one. A document without a secret stays without.
    static func replacingSecret(of token: JSONObject, by secret: (name: String, value: JSON)) -> JSONObject {
        let forms = ["client_secret", "client_secret_file"]
        guard forms.contains(where: { token[$0] != nil }) else { return token }
        var token = token
        token.remove(forms)
        token[secret.name] = secret.value
        return token
    }

    /// Where a secret was taken from, for messages.
    func place(of name: String) -> String {
        if let path = descriptors[name] ?? document.members["\(name)_file"]?.string { return path }
        guard document.members[name] != nil else {
            let variable = Member.variable(for: name)
            guard let command = commands[name], !secrets.environment.isSet(variable) else { return variable }
            return "\(command.program), the \(name)_command of the profile"
        }
        if original[name] == document.members[name] { return document.isKept ? "the stored token" : "the document" }
        return "the profile"
    }

    /// Whether the document, an option or a profile gives a secret, or its file.
    func names(_ secret: String) -> Bool {
        document.members[secret] != nil || document.members["\(secret)_file"] != nil || descriptors[secret] != nil
            || commands[secret] != nil
    }

    /// The warning that the client secret of the environment is not used, if the document has none of its own.
    func foreignSecretWarning() throws(Failure) -> OAuthWarning? {
        descriptors["client_secret"] == nil && commands["client_secret"] == nil
            ? try secrets.foreignSecretWarning(for: document) : nil
    }

    /// The variable that holds a secret of this client, or names its file; nil if none does.
    func secretVariable() throws(Failure) -> String? {
        guard try !Secrets.isForeign(document, secrets.environment) else { return nil }
        return ["OAP_CLIENT_SECRET", "OAP_CLIENT_SECRET_FILE"].first(where: secrets.environment.isSet)
    }

    /// The input without the programs that print secrets: they are another server's.
    func withoutCommands() -> Input {
        var input = self
        (input.commands, input.printed) = ([:], [:])
        return input
    }

    /// The input of the next step in the same process: another document, with the same sources of secrets.
    func with(_ members: JSONObject) -> Input {
        var input = self
        input.document.members = members
        secrets.register(members)
        return input
    }
}

extension Input {
    /// Adds the variables of members that the document lacks; none of those of another client.
    private static func addVariables(
        to document: inout Document, _ environment: Environment, names: [String]
    ) throws(Failure) {
        guard Environment.hasOwnVariables else { return }
        for member in names {
            guard let text = try environment.text(Member.variable(for: member)),
                document.members[member]?.isNull ?? true
            else { continue }
            guard !text.isEmpty else {
                document.emptyVariables.append(member)
                continue
            }
            if member == "client_secret_file", document.members["client_secret"] != nil { continue }
            if Member.ofVariableClient.contains(member), try Secrets.isForeign(document, environment) { continue }
            document.set(member, to: Self.value(of: member, in: text), from: .environment)
        }
    }

    /// The value of a variable: a truth value for a member that is one.
    private static func value(of member: String, in text: String) -> JSON {
        guard ["true", "false"].contains(text), Member.named(member)?.form == .boolean else { return .string(text) }
        return .bool(text == "true")
    }

    /// Makes relative paths absolute, and keeps the paths of descriptors out of the document.
    static func settleFiles(
        in document: inout Document, descriptors: inout [String: String]
    ) throws(Failure) {
        for name in Member.files {
            guard let path = document.members[name]?.string else { continue }
            guard !path.isEmpty, path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw Failure(document.invalid(name, "is not the path of a file"))
            }
            if DescriptorPath.isOne(path) {
                document.members[name] = nil
                descriptors[String(name.dropLast("_file".count))] = path
            } else {
                document.members[name] = .string(try InputFile.absolute(path))
            }
        }
    }
}
