internal import CommandSpec
internal import OAuth
internal import TokenStore
internal import Wire

/// The client of a login: the preset of `--provider` if given, else the profile.
struct LoginClient {
    /// The name of the profile and of the token.
    let name: TokenName
    /// The client document, before options and variables.
    let members: JSONObject
    private let isKnown: Bool
    private let toSave: JSONObject?
    private let profiles: Profiles

    /// The members that a profile keeps.
    static let options = MemberOption.identity + MemberOption.of("device_authorization_endpoint")

    static let provider = Option(
        "provider", argument: "PROVIDER", completes: .words(Preset.builtIn.map(\.name)), section: "Client",
        summary: "make the profile from a provider's preset",
        details: """
            Starts from the preset of the provider instead of the profile, and writes it to the profile, with the \
            client's options, after the login. Values for placeholders of the preset follow the name as `VAR=VALUE`. \
            An existing profile that differs is overwritten only with `--save-profile`.
            """)
    static let saveProfile = Option(
        "save-profile", section: "Client", summary: "write the client's options to the profile",
        details: """
            Merges the options of the sections Client and Server into the profile, after the login. A secret that came \
            from a variable or from `/dev/fd` is never written to the profile.
            """)

    /// Finds the client, and checks that its profile can be written if it is to be saved.
    ///
    /// - Throws: exit 2 for a bad name, an unknown provider, or a profile that would be replaced; exit 3 or 11 for a
    ///   profile that cannot be read or written.
    init(_ inputs: InputReader) throws(Failure) {
        let arguments = inputs.arguments
        let operands = arguments.operands
        let text = operands.first ?? ""
        name = try Failure.storing(try TokenName(text))
        profiles = inputs.profiles
        let isSaved = arguments.has(Self.saveProfile)
        let profile = try profiles.find(text)
        if let provider = arguments.value(Self.provider) {
            members = try ProviderCommand.client(
                of: provider, filling: operands.dropFirst(), folders: inputs.environment.folders)
            isKnown = true
            let new = try Self.profile(from: members, inputs)
            guard profile == nil || profile == new || isSaved else {
                throw .usage(
                    "the profile \(text) exists and differs",
                    hint: "without --provider it is used; --save-profile replaces it")
            }
            toSave = new
        } else {
            guard operands.count == 1 else { throw .usage("VAR=VALUE needs the preset's name: --provider") }
            members = profile ?? [:]
            isKnown = profile != nil
            toSave = isSaved ? try Self.profile(from: members, inputs) : nil
        }
        if toSave != nil { try profiles.writable(text) }
    }

    /// Writes the profile if it is to be saved.
    ///
    /// - Throws: exit 11.
    func save() throws(Failure) {
        guard let toSave else { return }
        try profiles.write(toSave, as: name.text)
    }

    /// The client merged with the options, and with `OAP_CLIENT_ID`, which is not a secret.
    private static func profile(from members: JSONObject, _ inputs: InputReader) throws(Failure) -> JSONObject {
        var profile = members
        if let id = try inputs.environment.value("OAP_CLIENT_ID") { profile["client_id"] = .string(id) }
        for option in options where inputs.arguments.has(option.option) {
            let value = try option.value(of: inputs.arguments.values(option.option))
            if option.form == .file {
                // The secret itself would win over the new file.
                profile[String(option.member.dropLast("_file".count))] = nil
                if value.string.map({ DescriptorPath.isOne($0) }) == true {
                    profile[option.member] = nil
                    continue
                }
            }
            profile[option.member] = value
        }
        return profile
    }

    /// What to do about a member that is missing, where nothing was known of the client.
    var hintForMissing: String? {
        guard !isKnown else { return nil }
        return """
            there is no profile \(name.text); oap login \(name.text) --provider PROVIDER --client-id ID makes one, and \
            oap provider lists the providers
            """
    }
}
