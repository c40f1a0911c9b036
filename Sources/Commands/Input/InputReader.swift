internal import CommandSpec
internal import Wire

/// Reads the documents of a command: standard input, profile or stored token, with options and variables.
struct InputReader {
    /// The command line.
    let arguments: Arguments
    /// The variables.
    let environment: Environment
    /// Where warnings go.
    let diagnostics: Diagnostics
    /// The profiles.
    let profiles: Profiles
    private let secrets: Secrets

    /// A reader for a process: it reads no file or descriptor of a secret twice.
    init(_ arguments: Arguments, _ environment: Environment, _ diagnostics: Diagnostics) {
        self.arguments = arguments
        self.environment = environment
        self.diagnostics = diagnostics
        profiles = Profiles(environment.folders, diagnostics)
        secrets = Secrets(
            environment: environment, takesTokens: arguments.has(GeneralOption.nullInput),
            redactor: diagnostics.redactor)
    }

    /// Tells the redactor the secrets in a document.
    func register(_ members: JSONObject) { secrets.register(members) }

    /// The document of the command: the profile with `-p`, an empty one with `-n`, else standard input.
    ///
    /// - Throws: exit 2, 3 or 11; the failure of an earlier stage, to be passed on.
    func read(_ options: [MemberOption]) throws(Failure) -> Input {
        let profile = try profile()
        let isAlone = profile != nil || arguments.has(GeneralOption.nullInput)
        return try input(options, members: isAlone ? [:] : try Input.readStandardInput(), profile: profile)
    }

    /// A document from elsewhere, with options and variables.
    ///
    /// - Parameter isManaged: whether it is a token that `oap` keeps.
    /// - Throws: exit 2 or 3.
    func input(
        _ options: [MemberOption], members: JSONObject, profile: JSONObject?, isManaged: Bool = false
    ) throws(Failure) -> Input {
        let input = try Input(
            members, isManaged: isManaged, profile: profile ?? [:], arguments: arguments, options: options,
            secrets: secrets)
        try diagnostics.warn(input.warnings)
        return input
    }

    /// The profile that `-p` names; nil without it.
    ///
    /// - Throws: exit 2 for a bad name or beside `-n`, exit 11 for a profile that is missing or cannot be read.
    func profile() throws(Failure) -> JSONObject? {
        guard let name = arguments.value(GeneralOption.profile) else { return nil }
        guard !arguments.has(GeneralOption.nullInput) else { throw .usage("give -n or -p, not both") }
        return try profiles.read(name)
    }
}
