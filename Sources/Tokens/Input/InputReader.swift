package import JOSE
internal import OAuth
package import TokenStore
package import Wire
package import Shell

/// Reads the documents of a command: standard input, profile or stored token, with options and variables.
package final class InputReader {
    package let settings: SubjectSettings
    package let environment: Environment
    package let world: World
    package let diagnostics: Diagnostics
    package let profiles: Profiles
    private let found: Result<DocumentSource, Failure>
    private let secrets: Secrets
    private let stores: SelectedStore
    private var fetch: Input.Fetch?
    private var records: [String: RenewalRecord] = [:]

    /// A reader for a process: it reads no descriptor of a secret twice.
    package init(
        _ settings: SubjectSettings, _ environment: Environment, _ world: World, _ diagnostics: Diagnostics,
        _ carrier: Carrier
    ) {
        self.settings = settings
        stores = SelectedStore(settings, environment, diagnostics, carrier)
        (self.environment, self.world, self.diagnostics) = (environment, world, diagnostics)
        profiles = Profiles(environment: environment, diagnostics: diagnostics)
        found = Result { () throws(Failure) in try DocumentSource(settings, environment) }
        let hasNone = if case .success(.nothing) = found { settings.isAlone || settings.isBatch } else { false }
        secrets = Secrets(environment: environment, world: world, takesTokens: hasNone, diagnostics)
    }

    /// Has assertions fetched that are others each time (`NAME_from`).
    package func fetch(by sources: @escaping Input.Fetch) { fetch = sources }

    /// Whether the command's own job is to renew a token.
    var isRefresh: Bool { diagnostics.command == "refresh" }

    /// Whether the command stores the token of a login.
    var isLogin: Bool { diagnostics.command == "login" }

    /// Whether a program waits that has asked for a token.
    package var isHelper: Bool { diagnostics.command == "credential" }

    /// Whether it renews a token that is kept: then nothing goes to standard output that was not asked for.
    package var isKeptRefresh: Bool {
        get throws(Failure) {
            guard isRefresh else { return false }
            return switch try source() {
            case .name, .tokenFile: true
            case .standardInput, .nothing, .file: false
            }
        }
    }

    /// The store of tokens that the command line and the variables select.
    ///
    /// - Throws: exit 11 for one that cannot be used.
    package func store() throws(Failure) -> any TokenStoring { try stores.store() }

    /// Whether the store may be searched for each URL that a program asks about.
    package var storeIsFolder: Bool { get throws(Failure) { try stores.isFolder } }

    /// The same, which opens too what the key in a file has sealed.
    package func store(openedBy path: String) throws(Failure) -> any TokenStoring { try stores.store(openedBy: path) }

    /// Whether the locks in folders of tokens are asked for; see `--store-trust`.
    var sharing: SharedFolder { stores.sharing }

    /// The key that seals what is stored; nil for none.
    ///
    /// - Throws: exit 11 for one that cannot be used.
    package func storeKey() throws(Failure) -> SymmetricKey? { try stores.key() }

    /// What this process remembers of the renewals of a token, by what it is called.
    package func record(of token: String) -> RenewalRecord {
        let record = records[token] ?? RenewalRecord(world)
        records[token] = record
        return record
    }

    /// Tells the redactor the secrets in a document.
    package func register(_ members: JSONObject) {
        secrets.note(members)
        secrets.register(members)
    }

    /// - Throws: as ``DocumentSource``.
    package func source() throws(Failure) -> DocumentSource { try found.get() }

    /// The document of the command: a profile, an empty one with `-n`, else standard input.
    ///
    /// - Parameter hintForOther: what to do where standard input holds something else than a document.
    /// - Throws: exit 2, 3 or 11; the failure of an earlier stage, to be passed on.
    package func read(_ options: [MemberOption], hintForOther: String? = nil) throws(Failure) -> Input {
        let members = try document(hintForOther: hintForOther)
        return try input(options, members: members ?? [:], profile: try profile())
    }

    /// What standard input or a file holds that is read once; nil if the document is elsewhere.
    ///
    /// - Throws: as ``read(_:hintForOther:)``.
    package func document(hintForOther: String? = nil) throws(Failure) -> JSONObject? {
        switch try source() {
        case .standardInput:
            return try Input.readStandardInput(hint: hintForNothing, hintForOther: hintForOther)
        case .file(let path):
            let bytes = try SecretFile.read(path, limit: Input.limit, nil)
            return try Input.documentObject(in: bytes, name: path, hintForOther: hintForOther)
        case .nothing, .name, .tokenFile: return nil
        }
    }

    /// What to do without standard input.
    private var hintForNothing: String {
        switch diagnostics.command {
        case "listen", "callback-parse": return "pipe in the flow document that oap authurl prints"
        case "exchange":
            return """
                pipe in the document that oap callback-parse or oap device prints; for a grant without a user, use \
                --grant, and name a profile or use -n
                """
        case "end-session":
            return "name a stored token, pipe in a token document, or use -n to log out without an ID token"
        case let command:
            let variable = command == "refresh" ? "OAP_REFRESH_TOKEN" : "OAP_ACCESS_TOKEN"
            return
                (settings.takesToken
                ? "name a stored token, pipe in a token document" : "name a profile, pipe in a client document")
                + (settings.takesNothing
                    ? settings.takesToken ? ", or use -n with \(variable)" : ", or use -n to start without one"
                    : "")
                + (settings.takesNoToken ? "; \(CallOption.anonymous.name) needs no token" : "")
        }
    }

    /// A document from elsewhere, with options and variables.
    ///
    /// - Parameter isManaged: whether it is a token that `oap` keeps.
    /// - Throws: exit 2 or 3.
    package func input(
        _ options: [MemberOption], members: JSONObject, profile: JSONObject?, isManaged: Bool = false
    ) throws(Failure) -> Input {
        let (members, foreign) = TokenEnd.normalized(members)
        try diagnostics.warn(foreign)
        let input = try Input(
            members, isManaged: isManaged, profile: profile ?? [:], values: settings.members,
            hasCertificate: settings.hasCertificate, options: options,
            secrets: secrets, fetching: fetch)
        try diagnostics.warn(input.warnings)
        return input
    }

    /// The profile that `-p` or `OAP_PROFILE` names; nil if the document is elsewhere.
    ///
    /// - Throws: exit 2 for a bad name or beside `-n`, exit 11 for a profile that is missing or cannot be read.
    package func profile() throws(Failure) -> JSONObject? {
        guard case .name(let name) = try source() else { return nil }
        do throws(Failure) { return try profiles.read(name) } catch { throw withHint(for: error) }
    }

    /// The failure for a name that is not known, which says so if `OAP_PROFILE` alone names it.
    package func withHint(for unknown: Failure) -> Failure {
        guard settings.name == nil else { return unknown }
        return unknown.adding(
            hint: "OAP_PROFILE names it; for a document on standard input: \(GeneralOption.tokenFile.name) -")
    }
}

extension InputReader {
    /// The one token that standard input holds (`--raw`), on a line of its own or in a header field.
    ///
    /// - Throws: exit 3 for anything else.
    package func bareToken() throws(Failure) -> String {
        let bytes = try Input.standardInputBytes(hint: "pipe the token in")
        let copied = String(validating: bytes, as: UTF8.self).flatMap { AccessToken.copied(in: $0) }
        let alone = copied.map { Array($0.utf8) } ?? bytes
        let token = try SecretText.value(of: alone, in: "standard input", as: "access_token")
        guard bytes.count <= SecretText.limit, !token.utf8.contains(UInt8(ascii: " ")) else {
            throw Failure(.badInput, .usage, "standard input is not one token")
        }
        register(["access_token": .string(token)])
        return token
    }

    /// Says whose token is meant where `OAP_PROFILE` alone names it: standard input, which is not looked at, may hold another.
    package func sayWhoseToken() throws(Failure) {
        guard settings.name == nil, case .name(let name) = try source() else { return }
        diagnostics.tell("the token of \(name) is meant, which OAP_PROFILE names")
    }

    /// The name of a profile or a token: the operand, `-p`, or `OAP_PROFILE`.
    ///
    /// - Throws: exit 2 without a name.
    package func name() throws(Failure) -> String {
        if let name = settings.name { return name }
        guard let name = try DocumentSource.variable(environment) else {
            throw .usage("missing operand: NAME", hint: "give the name as the operand or with -p, or set OAP_PROFILE")
        }
        return name
    }
}
