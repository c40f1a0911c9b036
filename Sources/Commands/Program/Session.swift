internal import CommandSpec
internal import Glibc
internal import HTTP
internal import OAuth
internal import Redaction
internal import System
internal import TokenStore
internal import Wire

/// One run of one command: its command line, its surroundings, and what every command does with them.
struct Session {
    /// The command line.
    let arguments: Arguments
    /// The variables.
    let environment: Environment
    /// Where messages go.
    let diagnostics: Diagnostics
    /// What the options say of the result.
    let form: OutputForm
    /// The records of all commands, for help and completion.
    let program: () -> ProgramRecord
    /// Finds secrets; one for the process.
    let secrets: Secrets
    private let connections = Connections()

    /// A run of a command.
    init(
        arguments: Arguments, environment: Environment, diagnostics: Diagnostics,
        program: @escaping () -> ProgramRecord
    ) throws(Failure) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.diagnostics = diagnostics
        form = try OutputForm(arguments, environment: environment)
        secrets = Secrets(
            environment: environment, takesTokens: arguments.has(GeneralOption.nullInput),
            redactor: diagnostics.redactor)
    }

    /// The document of the command: the profile with `-p`, nothing with `-n`, else what standard input holds.
    ///
    /// - Throws: exit 2, 3 or 11; the failure of an earlier stage, to be passed on.
    func input(_ options: [MemberOption]) throws(Failure) -> Input {
        let profile = try profile()
        let isAlone = profile != nil || arguments.has(GeneralOption.nullInput)
        return try input(options, members: isAlone ? JSONObject() : try Input.readStandardInput(), profile: profile)
    }

    /// A document that came from elsewhere, with options and variables.
    ///
    /// - Parameter isManaged: whether it is a token that `oap` keeps.
    /// - Throws: exit 2 or 3.
    func input(
        _ options: [MemberOption], members: JSONObject, profile: JSONObject?, isManaged: Bool = false
    ) throws(Failure) -> Input {
        let input = try Input(
            members, isManaged: isManaged, profile: profile ?? JSONObject(), arguments: arguments, options: options,
            secrets: secrets)
        try diagnostics.warn(input.warnings)
        return input
    }

    /// The profile that `-p` names; nil without it.
    ///
    /// - Throws: exit 2 for a bad name or beside `-n`, exit 11 where there is none or it cannot be read.
    func profile() throws(Failure) -> JSONObject? {
        guard let name = arguments.value(GeneralOption.profile) else { return nil }
        guard !arguments.has(GeneralOption.nullInput) else { throw .usage("give -n or -p, not both") }
        return try Profile.read(name, in: self)
    }

    /// The user's folders.
    var folders: UserFolders {
        UserFolders { (try? environment.value($0)) ?? nil }
    }

    /// The store that `--store` or `OAP_STORE` asks for, and without them the folder of the user's tokens; sealed with the
    /// key of `OAP_STORE_KEY_FILE`.
    ///
    /// - Throws: exit 11 for what is no store, without a home where one is needed, and for a key that cannot be used.
    func store() throws(Failure) -> any TokenStoring {
        let address =
            if let option = arguments.value(GeneralOption.store) { option } else { try storeVariable("OAP_STORE") }
        let keyFile = try storeVariable("OAP_STORE_KEY_FILE")
        return try Failure.storing { () throws(StoreError) in
            let store: any TokenStoring =
                switch try address.map({ (text) throws(StoreError) in try StoreAddress(text) }) {
                case nil: FileStore(folder: try folders.tokens())
                case .file(let folder): FileStore(folder: folder)
                case .helper(let name):
                    HelperStore(
                        helper: name, locks: try folders.locks(), environment: Environment.forOtherPrograms,
                        masking: { redactor.redact($0, upTo: 1000) })
                }
            let key = try keyFile.map { (path) throws(StoreError) in try SealedStore.key(at: path) }
            return SealedStore(over: store, key: key)
        }
    }

    /// A variable of the store. An empty one is no unset one: the job of a fork, where the variable of a secret is empty,
    /// would keep its token elsewhere, or unsealed.
    ///
    /// - Throws: exit 11 for one that is set but empty.
    private func storeVariable(_ name: String) throws(Failure) -> String? {
        let text = try environment.text(name)
        guard text?.isEmpty != true else {
            throw .file("\(name) is set but empty", hint: "unset it, or give it a value")
        }
        return text
    }

    /// Makes the way out ready.
    ///
    /// - Parameter replaces: whether the file of `-o` may be there already.
    func output(replaces: Bool = true) throws(Failure) -> ResultWriter {
        try ResultWriter(form, diagnostics: diagnostics, replaces: replaces)
    }

    /// The client for the authorization server: one for the process, which keeps its connections.
    ///
    /// - Throws: exit 2 for an option of the transport, exit 11 without libcurl.
    func client() throws(Failure) -> HTTPClient {
        if let client = connections.client { return client }
        let options = try TransportOptions(arguments, environment: environment, maximumTime: 30)
        do throws(HTTPError) {
            let client = try HTTPClient(options: options, trace: trace)
            connections.client = client
            return client
        } catch {
            throw Failure(error, stake: .repeatable)
        }
    }

    /// Holds the client, once there is one.
    private final class Connections {
        var client: HTTPClient?
    }

    /// What `-v` shows, with secrets masked; nil without it.
    var trace: Trace? {
        guard arguments.has(GeneralOption.verbose) else { return nil }
        return Trace(redactor: redactor) { [diagnostics] in diagnostics.print($0) }
    }

    /// Knows every secret that this process has read or was issued.
    var redactor: Redactor { diagnostics.redactor }

    /// Seconds since 1970.
    var now: Int { Clock.now }

    /// The parameters of `--param`.
    ///
    /// - Throws: exit 2 for one without `=`.
    func extraParameters() throws(Failure) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for text in arguments.values(GeneralOption.parameter) {
            guard let (name, value) = text.cut(at: "=") else { throw .usage("--param takes NAME=VALUE") }
            pairs.append((name, value))
        }
        return pairs
    }
}
