internal import OAuth
internal import TokenStore
internal import Wire
internal import Shell
internal import Tokens

/// The operands of `login`: the name of the profile and of the token, and the variables of the preset.
struct LoginOperands {
    /// The name, unchecked.
    let name: String
    private let values: [String]
    private let provider: String?

    /// Refuses two names, and a URL, which is the value of an option.
    init(_ inputs: InputReader, _ settings: LoginSettings) throws(Failure) {
        name = try inputs.name()
        (values, provider) = (settings.operands, settings.provider)
        let others = values.filter { !SubjectSettings.isVariable($0) }
        if let url = ([name] + others).first(where: Self.isURL) {
            let text = url.isPlainWord ? url : "URL"
            throw .usage(
                "the URL of the server is the value of an option, not an operand",
                hint: "oap login NAME --issuer \(text); for an API or an MCP server: oap login NAME --resource \(text)")
        }
        guard let other = others.first, provider == nil else { return }
        throw .usage(
            "there are two names, \(Terminal.escaping(name)) and \(Terminal.escaping(other))",
            hint: "give one name: a login makes one token")
    }

    /// The preset of `--provider` and its client document; nil without the option.
    ///
    /// - Throws: exit 2 for an unknown provider and for values that it does not take.
    func preset(_ folders: UserFolders) throws(Failure) -> (preset: Preset, client: JSONObject)? {
        guard let provider else {
            guard values.isEmpty else { throw .usage("VAR=VALUE needs --provider, which names the preset") }
            return nil
        }
        guard !Self.isURL(provider) else {
            throw .usage(
                "--provider takes the name of a preset, not a URL",
                hint: "use --issuer \(provider.isPlainWord ? provider : "URL") instead of --provider")
        }
        return try PresetFiles.found(
            provider, filling: values[...], folders, by: "oap login \(Terminal.escaping(name)) --provider")
    }

    private static func isURL(_ text: String) -> Bool { text.contains("://") }
}
