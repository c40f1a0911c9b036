internal import CommandSpec
internal import Errands
internal import JOSE
internal import OAuth
internal import Wire
internal import Shell
internal import Tokens
internal import Login
internal import Sessions

/// `oap profile`: lists, prints, writes and deletes profiles.
enum ProfileCommand {
    enum Action: String, CaseIterable {
        case list, show, get, set, delete
    }

    /// The option `-n` of `profile`, which, unlike that of other commands, stands beside a name.
    static let nullInput = Option(
        "null-input", short: "n", section: "Input", summary: "make the profile from options only")

    static let showSecrets = Option(
        "show-secrets", section: OutputOption.section, summary: "show secrets on a terminal")

    static let members = LoginClient.options

    private static func action(_ actions: Action...) -> OptionRule.Word {
        .operand("ACTION", values: actions.map(\.rawValue))
    }

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        guard let action = Action(rawValue: arguments.operand(0) ?? "") else {
            preconditionFailure("the parser lets no other action through than those of its record")
        }
        guard action != .list else { return try list(session) }
        let name = try session.inputs.name()
        switch action {
        case .show, .get: return try show(name, masks: !arguments.has(showSecrets), session)
        case .set: try set(name, isAlone: arguments.has(nullInput), session)
        case .delete, .list: try session.inputs.profiles.delete(name)
        }
        return .done
    }

    private static func list(_ session: Session) throws(Failure) -> Exit {
        let profiles = session.inputs.profiles
        try profiles.requireHome()
        return try session.list(
            try profiles.names(), columns: columns, orSay: "there are no profiles", row: row
        ) { (name) throws(Failure) in
            guard let profile = try profiles.find(name) else { return nil }
            var entry: JSONObject = ["name": .string(name)]
            for member in ["issuer", "token_endpoint", "client_id", "scope"] {
                entry[member] = profile[member]?.string.map { JSON.string($0).withoutCredentials }
            }
            return entry
        }
    }

    private static let columns = [
        Table.Column(head: "NAME", narrowing: .shortens), Table.Column(head: "SERVER", narrowing: .cuts),
        Table.Column(head: "CLIENT", narrowing: .cuts), Table.Column(head: "SCOPE", narrowing: .cuts),
    ]

    private static func row(of entry: JSONObject) -> [String] {
        let server = Table.address((entry["issuer"] ?? entry["token_endpoint"])?.string ?? "")
        let text = { (name: String) in entry[name]?.string ?? "" }
        return [text("name"), server, text("client_id"), text("scope")]
    }

    private static func show(_ name: String, masks: Bool, _ session: Session) throws(Failure) -> Exit {
        let output = try session.output()
        var profile = try session.inputs.profiles.read(name)
        session.inputs.register(profile)
        if session.form.isTerminal, masks {
            for secret in Member.masked where profile[secret]?.isNull == false {
                profile[secret] = .string("***")
            }
            if let proxy = Route(of: profile).shownProxy { profile["proxy"] = .string(proxy) }
        }
        return try output.finish(profile)
    }

    static let noDescriptor = "a profile cannot name a descriptor, which exists in one process only"

    /// Writes a profile: the document, with the options, and with `OAP_CLIENT_ID` in the place of a missing `client_id`.
    private static func set(_ name: String, isAlone: Bool, _ session: Session) throws(Failure) {
        try session.inputs.profiles.writable(name)
        var client = isAlone ? [:] : try Input.readStandardInput(hint: Self.setHint)
        try refusePrograms(in: client, of: name, session.inputs.profiles)
        let values = session.inputs.settings.members
        client = try values.merging(members, into: client)
        if client["client_id"]?.isNull ?? true, let id = try session.environment.value("OAP_CLIENT_ID") {
            client["client_id"] = .string(id)
        }
        var document = Document(client)
        for option in members where values.has(option) {
            guard let value = client[option.member] else { throw .usage("\(option.option.name): \(noDescriptor)") }
            document.set(option.member, to: value, from: .option)
        }
        if let secret = try Input.resolveFiles(in: &document).keys.first {
            throw Failure(.badInput, .usage, "\(secret)_file: \(noDescriptor)")
        }
        for name in Member.secrets {
            guard let path = document.members["\(name)_file"]?.string else { continue }
            try SecretFile.check(path, session.diagnostics)
        }
        session.inputs.register(document.members)
        try checkKey(of: document, session)
        try asFailure(document.checkClient())
        _ = try asFailure(document.authorizationField())
        guard !document.members.isEmpty else { throw .usage("the profile would be empty") }
        try session.diagnostics.warn(document.misspellings + unknownGrant(of: document))
        try session.inputs.profiles.write(document.members, as: name)
    }

    /// A warning for a grant that a login would refuse.
    private static func unknownGrant(of document: Document) -> [OAuthWarning] {
        guard let type = document.members["grant_type"]?.string else { return [] }
        do throws(OAuthError) {
            try Grant.Kind(named: type).check(in: document, among: Grant.Kind.names)
            return []
        } catch {
            return [.other("grant_type: \(error.message)" + (error.hint.map { "; \($0)" } ?? ""))]
        }
    }

    /// Lets the key of the client sign, so that one that cannot is noticed now, unless it is for decryption alone.
    ///
    /// - Throws: exit 2, 3 or 11.
    private static func checkKey(of document: Document, _ session: Session) throws(Failure) {
        let secret = { (name: String) throws(Failure) in
            if let value = document.members[name]?.string { return value as String? }
            guard let path = document.members["\(name)_file"]?.string else { return nil }
            return try SecretText.read(path, as: name, session.diagnostics)
        }
        guard let key = try secret(ClientCredential.key.member) else { return }
        let phrase = try secret(ClientCredential.passPhrase)
        let method = document.members["token_endpoint_auth_method"]?.string
        if let text = try? PrivateKeyText(key), !text.signs, ClientCredential(method: method) != .key {
            for profile in JWTProfile.allCases {
                _ = try asFailure(JWTDecryption(for: profile, of: document, key: (key, phrase)))
            }
            return
        }
        _ = try asFailure(
            JWTSigner(of: document, key: key, passPhrase: phrase, for: .authentication(at: "token_endpoint")))
    }

    /// Refuses members that name programs to run, which only the user's own hand writes into a profile: what comes by pipe
    /// may be a stranger's. One that the profile already has is kept.
    ///
    /// - Throws: exit 3.
    private static func refusePrograms(
        in client: JSONObject, of name: String, _ profiles: Profiles
    ) throws(Failure) {
        let commands = client.members.filter { $0.name.hasSuffix("_command") && !$0.value.isNull }
        guard !commands.isEmpty else { return }
        let profile = try profiles.find(name) ?? [:]
        guard let new = commands.first(where: { profile[$0.name] != $0.value }) else { return }
        throw Failure(
            .badInput, .usage, "\(new.name) names a program, which oap profile set does not accept",
            hint: "to add it, edit the file \(try profiles.writable(name))")
    }

    private static let setHint = """
        pipe a client document in, or use -n to make the profile from options only; to change one: oap profile show NAME \
        | oap profile set NAME OPTION ...
        """

    private static let renameHint = "oap store rename OLD NEW renames a profile and its token"

    static let command = Command(
        "profile", section: "Set up", summary: "list, print, write and delete profiles",
        operands: [
            Operand(
                "ACTION", choices: Action.allCases.map(\.rawValue),
                otherChoices: ["rename", "mv"].map { (word: $0, hint: renameHint) }, summary: "what to do"),
            Operand(
                "NAME", isRequired: false,
                completes: .byFirst([.init(["show", "get", "set", "delete"], StoredNames.profiles.completion)]),
                summary: "the profile's name"),
        ],
        options: [GeneralOption.named, nullInput, showSecrets] + members.map(\.option.withoutVariable)
            + OutputOption.allAndStrict,
        rules: [
            .apart([[action(.list)], [.operand("NAME"), .option(GeneralOption.named)]]),
            .apart(OutputOption.all, from: action(.set, .delete)),
            .apart([showSecrets], from: action(.list, .set, .delete)),
            .apart([OutputOption.strict], from: action(.list, .show, .get, .delete)),
            .apart(
                [nullInput] + members.map(\.option), from: action(.list, .show, .get, .delete)),
        ],
        refused: ForeignNames.options("profile"), writesErrorDocuments: false, run: run)
}
