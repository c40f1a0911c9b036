package import CommandSpec
package import Errands
internal import OAuth
internal import TokenStore
internal import Wire
package import Shell
internal import Tokens

/// What the command line of `login` says besides its document (oap-login(1)).
package struct LoginSettings {
    /// How the user logs in, as far as the profile has no say.
    package let way: LoginWay
    package let listen: ListenSettings
    package private(set) var authorization: AuthorizationFlow.Settings
    package let provider: String?
    /// The file by which Google describes a workload or a service account.
    let credentialFile: String?
    /// The variables of the preset, and what else there is beside the name.
    package let operands: [String]
    /// The port of the redirect URI; 0 for a free one.
    package let port: Int?
    package let registers: Bool
    let replacesProfile: Bool
    /// Whether the login asks for what an API wanted of the stored token.
    let stepsUp: Bool
    /// Whether the tokens that those of this login replace are revoked.
    package let revokesOld: Bool
    /// How the options say that the server is reached.
    package let route: Route
    private let words: [String]
    private let options: [(option: Option, words: [String])]

    package init(_ arguments: Arguments) throws(Failure) {
        way = try LoginWay(arguments)
        listen = try ListenSettings(arguments)
        authorization = try AuthorizationFlow.Settings(arguments)
        provider = arguments.value(LoginOption.provider)
        credentialFile = arguments.value(LoginOption.credentialFile)
        words = arguments.operands
        var others = words
        if let place = others.firstIndex(where: { !SubjectSettings.isVariable($0) }) { others.remove(at: place) }
        operands = others
        port = arguments.number(LoginOption.port)
        registers = arguments.has(LoginOption.register)
        replacesProfile = arguments.has(LoginOption.saveProfile)
        stepsUp = arguments.has(LoginOption.stepUp)
        revokesOld = arguments.has(LoginOption.revokeOld)
        route = try TransportSettings(arguments).route
        options = arguments.occurrences.map { ($0.option, [$0.option.name] + $0.values) }
        if let port, port > 0, port < 1024, listen.bind == nil {
            throw .usage("port \(port) is reserved for root", hint: "choose a port from 1024 up, or 0 for a free port")
        }
    }

    /// The command line of this login, with one option more and without some others.
    ///
    /// - Parameter value: that of the option; nil for one without.
    package func command(with option: Option, _ value: String? = nil, without others: [Option]) -> String {
        let given = options.filter { !others.contains($0.option) }.flatMap(\.words)
        let all = words + given + [option.name] + [value].compactMap(\.self)
        return "oap login " + all.map { Terminal.escaping($0).shellWord }.joined(separator: " ")
    }

    /// The settings without a parameter, and its value.
    func taking(_ parameter: String) -> (LoginSettings, value: String?) {
        var settings = self
        settings.authorization.extra.removeAll { $0.name == parameter }
        return (settings, authorization.extra.last { $0.name == parameter }?.value)
    }

    /// The name of the profile and of the token, unchecked. Two names are refused, and a URL, which is the value of an option.
    ///
    /// - Throws: exit 2.
    func name(_ inputs: InputReader) throws(Failure) -> String {
        let name = try inputs.name()
        let others = operands.filter { !SubjectSettings.isVariable($0) }
        if let url = ([name] + others).first(where: Self.isURL) {
            let text = url.isPlainWord ? url : "URL"
            throw .usage(
                "the URL of the server is the value of an option, not an operand",
                hint: "oap login NAME --issuer \(text); for an API or an MCP server: oap login NAME --resource \(text)")
        }
        guard let other = others.first, provider == nil else { return name }
        throw .usage(
            "there are two names, \(Terminal.escaping(name)) and \(Terminal.escaping(other))",
            hint: "give one name: a login makes one token")
    }

    /// The preset of `--provider` and its client document; nil without the option.
    ///
    /// - Throws: exit 2 for an unknown provider and for values that it does not take.
    func preset(for name: String, _ folders: UserFolders) throws(Failure) -> (preset: Preset, client: JSONObject)? {
        guard let provider else {
            guard operands.isEmpty else { throw .usage("VAR=VALUE needs --provider, which names the preset") }
            return nil
        }
        guard !Self.isURL(provider) else {
            throw .usage(
                "--provider takes the name of a preset, not a URL",
                hint: "use --issuer \(provider.isPlainWord ? provider : "URL") instead of --provider")
        }
        return try PresetFiles.found(
            provider, filling: operands[...], folders, by: "oap login \(Terminal.escaping(name)) --provider")
    }

    private static func isURL(_ text: String) -> Bool { text.contains("://") }
}
