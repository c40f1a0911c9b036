internal import CommandSpec
internal import OAuth
internal import TokenStore
internal import Wire

/// The client that a person logs in with: a provider's preset where one is named, else the profile.
struct LoginClient {
    /// The name of the profile and of the token.
    let name: TokenName
    /// The client document, to which options and variables are added.
    let members: JSONObject
    private let isKnown: Bool
    private let session: Session

    static let provider = Option(
        "provider", argument: "PROVIDER", completes: .words(Preset.builtIn.map(\.name)), section: "Client",
        summary: "make the profile from a provider's preset",
        details: """
            Starts from what `oap provider` knows of the provider instead of the profile, and writes it as the profile, \
            with the client's options, once the login has worked. What stands for a place of the preset follows the \
            name as `VAR=VALUE`.
            """)
    static let saveProfile = Option(
        "save-profile", section: "Client", summary: "write the client's options to the profile",
        details: "Writes the profile with the client's options over it, once the login has worked.")

    /// Finds the client.
    ///
    /// - Throws: exit 2 for a bad name or an unknown provider, exit 3 or 11 for a profile that cannot be read.
    init(_ session: Session) throws(Failure) {
        let operands = session.arguments.operands
        let text = operands.first ?? ""
        name = try Failure.storing { () throws(StoreError) in try TokenName(text) }
        self.session = session
        if let provider = session.arguments.value(Self.provider) {
            members = try ProviderCommand.client(of: provider, filling: operands.dropFirst(), session: session)
            isKnown = true
        } else {
            guard operands.count == 1 else { throw .usage("VAR=VALUE fills a place of a preset: --provider names it") }
            let profile = try Profile.find(text, folders: session.folders)
            members = profile ?? [:]
            isKnown = profile != nil
        }
    }

    /// Writes the profile where that is asked for. No value of a variable is written, and no path of a descriptor.
    ///
    /// - Throws: exit 11.
    func save() throws(Failure) {
        let arguments = session.arguments
        guard arguments.has(Self.provider) || arguments.has(Self.saveProfile) else { return }
        var profile = members
        for option in MemberOption.identity + [.deviceAuthorizationEndpoint] where arguments.has(option.option) {
            let value = try option.value(of: arguments.values(option.option))
            let isDescriptor = option.form == .file && value.string.map { FileAccess.isDescriptor($0) } == true
            profile[option.member] = isDescriptor ? nil : value
        }
        try Profile.write(profile, as: name.text, folders: session.folders)
    }

    /// The failure, with what to do about it where nothing was known of the client.
    func explained(_ failure: Failure) -> Failure {
        guard !isKnown, failure.error == OAuthError.Kind.metadataMissing.name else { return failure }
        var failure = failure
        failure.hint = """
            there is no profile \(name.text); oap login \(name.text) --provider PROVIDER --client-id ID makes one, and \
            oap provider lists the providers
            """
        return failure
    }
}
