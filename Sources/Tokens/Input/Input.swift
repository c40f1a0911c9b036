package import Errands
internal import Glibc
package import OAuth
package import Wire
package import Shell

/// The document that a command works on: its input, merged with options and variables (oap-documents(5)).
package struct Input {
    package var document: Document
    package let secrets: Secrets
    /// Paths of descriptors by the secret that they hold; never written into a document.
    private let descriptors: [String: String]
    /// The programs that print secrets, by the secret; from a profile, and never written into a document.
    private var commands: [String: SecretCommand]
    /// What programs printed, and others gave, for this use of the input.
    private var printed: [String: FreshSecret] = [:]
    /// Fetches what is another value each time; nil where nothing can be fetched.
    private let fetch: Fetch?
    package typealias Fetch = (_ name: String, _ source: String, Input) -> Attempt<FreshSecret, Failure>
    /// The input, without options and variables.
    package private(set) var original: JSONObject
    package private(set) var warnings: [OAuthWarning] = []
    /// Whether it is the token of a file, which anybody may have written.
    var isOfFile = false

    /// The most bytes that a document may have.
    package static let limit = 16 << 20

    /// Merges a document with options (which win), variables and the profile (which fill gaps).
    ///
    /// - Parameters:
    ///   - members: the input, which beats variables.
    ///   - isManaged: whether `oap` keeps the document: no variable sets an endpoint of it.
    /// - Throws: exit 2 or 3 for an invalid value.
    package init(
        _ members: JSONObject, isManaged: Bool = false, profile: JSONObject = [:], values: MemberValues,
        hasCertificate: Bool, options: [MemberOption], secrets: Secrets, fetching fetch: Fetch? = nil
    ) throws(Failure) {
        for secret in Member.secrets where members["\(secret)_command"] != nil {
            throw Failure(.badInput, .usage, "\(secret)_command is allowed only in a profile")
        }
        (original, self.fetch) = (members, fetch)
        self.secrets = secrets
        let environment = secrets.environment
        var document = Document(isManaged ? Self.updating(members, by: profile) : members)
        for option in options where values.has(option) {
            let secret = Member.secret(of: option.member)
            if secret != option.member, Member.secrets.contains(secret) {
                document.members.remove(Member.forms(of: secret))
            }
            document.set(option.member, to: try values.value(of: option), from: .option)
        }
        let namesServer = isManaged || members.namesServer
        let isOther = try Self.isOtherServer(than: document, environment)
        let settable = Member.ofEnvironment.filter { member in
            switch member.variable {
            case .everywhere: true
            case .ofAddress: !namesServer && !isOther(member.name)
            case .withOption: options.contains { $0.member == member.settableName }
            case .none: false
            }
        }
        let (addresses, others) = (settable.filter(Self.isAddress), settable.filter { !Self.isAddress($0) })
        try Self.addVariables(to: &document, secrets, names: others.map(\.settableName))
        let known = Self.members(of: profile, for: members, in: document, warnings: &warnings)
        // What is got for a profile goes to the server that it names, and to no other.
        if !JSONObject(unique: known).namesServer {
            try Self.addVariables(to: &document, secrets, names: addresses.map(\.settableName))
        }
        document.idleVariables = Member.ofEnvironment.filter {
            $0.variable == .ofAddress && environment.isSet(Member.variable(for: $0.name))
        }.map(\.name)
        for member in known where Self.isOpen(member.name, in: document) {
            document.members[member.name] = member.value
        }
        commands = try Self.commands(takenFrom: &document, of: profile)
        // Paths as they were given: a word that is made one may be a secret.
        secrets.note(document.members)
        descriptors = try Self.resolveFiles(in: &document)
        document.isKept = isManaged
        for name in ["proxy", "no_proxy"] { _ = try asFailure(document.string(name)) }
        document.hasCertificate = hasCertificate || document.members["tls_client_certificate_file"]?.isNull == false
        self.document = document
        secrets.register(document.members)
        // What is wrong with the source is said where the key is used.
        self.document.keyUse = isSomewhere(ClientCredential.key.member) ? .signing : nil
        self.document.hasDPoPKey = isSomewhere(DPoPBinding.keyMember)
    }

    private func isSomewhere(_ secret: String) -> Bool { names(secret) || (try? source(of: secret)) != nil }

    /// Whether it says where requests go; the issuer decides whether a profile is used.
    private static func isAddress(_ member: Member) -> Bool { member.variable == .ofAddress && member.name != "issuer" }

    /// Whether the variable of an address is that of another server than the issuer of the document: `OAP_ISSUER` names
    /// another one, or, for the endpoint that is sent the initial access token, none.
    private static func isOtherServer(
        than document: Document, _ environment: Environment
    ) throws(Failure) -> (_ member: String) -> Bool {
        let issuer = document.members["issuer"]?.string
        guard let own = try environment.value(Member.variable(for: "issuer")) else {
            return { issuer != nil && $0 == "registration_endpoint" }
        }
        let differs = issuer.map { !own.isIdentical(to: $0) } ?? false
        return { _ in differs }
    }

    /// Where the value of a secret is; nil if it is nowhere.
    ///
    /// - Throws: exit 3 for a secret that is given twice, and for an empty one.
    package func source(of name: String) throws(Failure) -> SecretSource? {
        if let path = descriptors[name] { return .file(path, isKept: false) }
        let fileMember = "\(name)_file"
        let path = try asFailure(document.string(fileMember))
        if Member.fetched.contains(name), let text = try asFailure(document.string("\(name)_from")) {
            guard path == nil, document.members[name]?.isNull ?? true else {
                throw Failure(.badInput, .usage, "the document has both \(name)_from and the \(name) itself")
            }
            try refuseLogin(giving: name)
            return .fetched(text)
        }
        if let value = try asFailure(document.string(name)) {
            guard path == nil else {
                throw Failure(.badInput, .usage, "the document has both \(name) and \(fileMember)")
            }
            guard !value.isEmpty else { throw Failure(.badInput, .usage, "\(name) is empty") }
            return .value(value)
        }
        if let path {
            let variable = Member.variable(for: name)
            guard !secrets.environment.isSet(variable) || document.origin(of: fileMember) != .environment else {
                throw Failure(.badInput, .usage, "both \(variable) and \(variable)_FILE are set")
            }
            return .file(path, isKept: true)
        }
        if let variable = try secrets.variable(for: name, of: document) { return .variable(variable) }
        return commands[name].map { .program($0) }
    }

    /// The value of a secret, or nil. One that a program prints is here after ``with(secrets:)`` alone.
    ///
    /// - Throws: as ``source(of:)`` and ``Secrets/value(_:from:)``.
    package func secret(_ name: String) throws(Failure) -> String? {
        guard let source = try source(of: name) else { return nil }
        return try secrets.value(name, from: source) ?? printed[name]?.text
    }

    /// The input of one use, with what programs and pipes say of these secrets now.
    ///
    /// - Throws: see ``refuseLogin(giving:)``, ``SecretCommand/secret(for:)``, `AssertionSources` and
    ///   ``Secrets/reading(_:as:)``.
    package func with(secrets names: [String]) -> Attempt<Input, Failure> {
        // Before anything is fetched for another one of them.
        do throws(Failure) { for name in names { try refuseLogin(giving: name) } } catch {
            return .done(.failure(error))
        }
        guard let name = names.first else { return .done(.success(self)) }
        let rest = Array(names.dropFirst())
        // What is wrong with the source of a secret is said where it is used.
        guard let source = try? source(of: name) else { return with(secrets: rest) }
        if let reading = secrets.reading(source, as: name) {
            return reading.onward { (_) throws(Failure) in with(secrets: rest) }
        }
        guard printed[name]?.isSpent ?? true, let fresh = fresh(name, from: source) else {
            return with(secrets: rest)
        }
        return fresh.onward { (value) throws(Failure) in
            changing(self) { $0.printed[name] = value }.with(secrets: rest)
        }
    }

    /// A new value of a secret: what a program prints, or what somebody gives.
    private func fresh(_ name: String, from source: SecretSource) -> Attempt<FreshSecret, Failure>? {
        let value: Attempt<FreshSecret, Failure>? =
            switch source {
            case .program(let command): command.secret(for: name).reading { FreshSecret(text: $0, type: nil) }
            case .fetched(let source): fetch?(name, source, self)
            case .value, .file, .variable: nil
            }
        return value?.reading { [secrets] value in
            secrets.register([name: .string(value.text)])
            return value
        }
    }

    /// Takes note that a secret stands in a request: where it is an assertion, the next one needs another.
    func spend(_ name: String) { printed[name]?.isSpent = true }

    /// Whether the source of an assertion gives the same one again.
    func isStatic(_ name: String) -> Bool { printed[name]?.isStatic == true }

    /// The type of a token (RFC 8693 §3), as far as what gave it or the document says.
    ///
    /// - Throws: exit 3 for a member that is no text.
    package func type(of token: String) throws(Failure) -> String? {
        if let type = try asFailure(document.string("\(token)_type")) { return type }
        return printed[token]?.type
    }

    /// Where a secret is taken from, for messages, and whether a later command finds it there; nil if it is nowhere.
    package func place(of name: String) -> (text: String, isKept: Bool)? {
        switch try? source(of: name) {
        case .value where original[name] != document.members[name]: ("the profile", true)
        case .value: (document.isKept ? "the stored token" : "the document", true)
        case .file(let path, let isKept): (path, isKept)
        case .variable(let variable): (variable, false)
        case .program(let command): ("\(command.program), the \(name)_command of the profile", true)
        case .fetched(let source): (source, true)
        case nil: nil
        }
    }

    /// Whether the document, an option or a profile gives a secret.
    package func names(_ secret: String) -> Bool {
        descriptors[secret] != nil || commands[secret] != nil || document.members.holds(secret)
    }

    /// The input of another use, for which programs are run again.
    var unprinted: Input { changing(self) { $0.printed = [:] } }

    /// The input as it came, with the secrets that programs of the profile print as members of that form: what renews a
    /// token depends on them.
    package var renewable: JSONObject {
        var document = original
        for secret in commands.keys where !original.holds(secret) { document["\(secret)_command"] = .bool(true) }
        return document
    }

    /// The input without the programs that print secrets: they are another server's.
    package func withoutCommands() -> Input { changing(self) { ($0.commands, $0.printed) = ([:], [:]) } }

    /// The input of the next step in the same process: another document, with the same sources of secrets.
    package func with(_ members: JSONObject) -> Input {
        secrets.register(members)
        return changing(self) { $0.document.members = members }
    }

    /// The input with the document of a renewed token: what options, variables and the profile made of the one before
    /// counts for it too.
    package func renewed(to members: JSONObject) -> Input {
        var input = with(members)
        for member in document.members.members where original[member.name] != member.value {
            input.document.members[member.name] = member.value
        }
        input.original = members
        return input
    }
}

extension Input {
    /// Adds the variables of members that the document lacks; none of those of another client.
    private static func addVariables(
        to document: inout Document, _ secrets: Secrets, names: [String]
    ) throws(Failure) {
        guard secrets.hasVariables else { return }
        for member in names {
            guard document.members[member]?.isNull ?? true,
                let text = try secrets.environment.text(Member.variable(for: member))
            else { continue }
            guard !text.isEmpty else {
                document.emptyVariables.append(member)
                continue
            }
            if document.members[Member.secret(of: member)]?.isNull == false { continue }
            if Member.ofVariableClient.contains(member), try secrets.isForeign(to: document) { continue }
            document.set(member, to: Self.value(of: member, in: text), from: .environment)
        }
    }

    /// The value of a variable: a truth value for a member that is one.
    private static func value(of member: String, in text: String) -> JSON {
        guard ["true", "false"].contains(text), Member.named(member)?.form == .boolean else { return .string(text) }
        return .bool(text == "true")
    }

    /// Makes relative paths absolute, and takes the paths of descriptors out of the document.
    ///
    /// - Returns: those paths, by the secret that they hold.
    package static func resolveFiles(in document: inout Document) throws(Failure) -> [String: String] {
        var descriptors: [String: String] = [:]
        for name in Member.files {
            guard let path = try asFailure(document.string(name)) else { continue }
            guard !path.isEmpty, path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw Failure(document.invalid(name, "is not the path of a file"))
            }
            if DescriptorPath.isOne(path) {
                // An option may name one: its process is this one.
                guard !Member.ofRoute.contains(name) else {
                    throw Failure(document.invalid(name, "is the path of a descriptor, which only an option can be"))
                }
                document.members[name] = nil
                descriptors[Member.secret(of: name)] = path
            } else {
                document.members[name] = .string(try InputFile.absolute(path))
            }
        }
        return descriptors
    }
}
