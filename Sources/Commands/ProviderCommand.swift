internal import CommandSpec
internal import Glibc
internal import OAuth
internal import System
internal import TokenStore
internal import Wire

/// `oap provider`: the presets, as a list or one as a client document.
enum ProviderCommand {
    private static func run(_ session: Session) throws(Failure) -> Exit {
        let folders = session.environment.folders
        guard let name = session.arguments.operand(0) else { return try list(try ownFolder(folders), session) }
        let output = try session.output()
        let values = session.arguments.operands.dropFirst()
        let (preset, client) = try found(name, filling: values, folders, by: "oap provider")
        if session.form.isTerminal { tell(preset, client, session.diagnostics) }
        return try output.finish(client)
    }

    /// Prints what else a person must know: the note, where to register a client, and the documentation.
    private static func tell(_ preset: Preset, _ client: JSONObject, _ diagnostics: Diagnostics) {
        if let note = preset.titledNote { diagnostics.tell(note) }
        if let hint = Document(client).registrationHint(isLogin: false) { diagnostics.hint(hint) }
        if let page = client["documentation"]?.string { diagnostics.tell("the provider's documentation: \(page)") }
    }

    /// The preset of a provider, and its client document.
    ///
    /// - Parameters:
    ///   - operands: the variables of the preset, each `VAR=VALUE`.
    ///   - command: the command line before the name, for hints.
    /// - Throws: exit 2 for an unknown name or a wrong value, exit 3 or 11 for an invalid preset of the user.
    static func found(
        _ name: String, filling operands: ArraySlice<String>, _ folders: UserFolders, by command: String
    ) throws(Failure) -> (preset: Preset, client: JSONObject) {
        let named = try preset(name, try ownFolder(folders))
        let values = try Arguments.pairs(
            in: Array(operands), refusal: "operands after the provider are VAR=VALUE", hint: named.usage(of: command))
        try refuseUnknown(values.map(\.name), in: named)
        let preset = named.variant(with: values)
        return (preset, try lift(try preset.client(filling: values, by: command)))
    }

    /// Refuses the name of a variable that is near to one of a preset.
    ///
    /// - Throws: exit 2.
    private static func refuseUnknown(_ names: [String], in preset: Preset) throws(Failure) {
        let known = preset.allVariables.map(\.name)
        // A preset without variables takes its own host.
        for name in names where name != "host" && !known.contains(name) {
            let lower = lowerCase(name, among: known + ["host"]).map { "variables are in lower case: \($0)=..." }
            guard let hint = lower ?? nearest(name, among: known).map({ "did you mean \($0)=...?" }) else { continue }
            throw .usage("\(preset.name) has no variable \(Terminal.escaping(name))", hint: hint)
        }
    }

    /// The folder of the user's own presets; nil if there is none, for example without a home.
    ///
    /// - Throws: exit 11 for a folder of another user.
    private static func ownFolder(_ folders: UserFolders) throws(Failure) -> String? {
        guard let folder = try? folders.providers() else { return nil }
        let isThere = try Failure.storing(try PrivateFile.checkFolder(folder))
        return isThere ? folder : nil
    }

    /// The names of the user's own presets.
    private static func names(in own: String?) throws(Failure) -> [String] {
        guard let own else { return [] }
        return try Failure.storing(try FileStore(folder: own).names().map(\.text))
    }

    /// The preset of a name; the user's own take precedence over built-in ones.
    ///
    /// - Throws: exit 2 for an unknown name, exit 3 for an invalid file, exit 11.
    private static func preset(_ name: String, _ own: String?) throws(Failure) -> Preset {
        if let own, (try? TokenName(name)) != nil, access("\(own)/\(name).json", F_OK) == 0 {
            let file = "\(own)/\(name).json"
            let bytes = try Failure.storing(try PrivateFile.read(file, isStrict: false)?.bytes ?? [])
            let members = try Input.object(in: bytes, name: file, exit: .badInput)
            do throws(OAuthError) {
                return try Preset(name, members)
            } catch {
                throw Failure(.badInput, error.kind, "\(file): \(error.message)")
            }
        }
        if let preset = Preset.builtIn.first(where: { $0.isNamed(name) }) { return preset }
        guard !name.isEmpty else { throw .usage("the provider's name is empty", hint: "oap provider lists them") }
        let known = try Preset.builtIn.flatMap(\.names) + names(in: own)
        guard !name.contains("://") else {
            throw .usage(
                "a provider is the name of a preset, not a URL",
                hint: "oap discover \(name.isPlainWord ? name : "URL") finds the endpoints of a server")
        }
        throw .usage(
            "unknown provider \(Terminal.escaping(name))",
            hint: lowerCase(name, among: known).map { "providers are in lower case: \($0)" }
                ?? nearest(name, among: known).map { "did you mean \($0)?" } ?? "oap provider lists them")
    }

    /// Prints one line for each preset: its name, then its title or its file.
    private static func list(_ own: String?, _ session: Session) throws(Failure) -> Exit {
        guard session.arguments.occurrences.isEmpty else {
            let option = session.arguments.occurrences[0].option.name
            throw .usage("\(option) works only with the name of a provider: a list of all is not JSON")
        }
        var titles = Dictionary(uniqueKeysWithValues: Preset.builtIn.map { ($0.name, $0.title) })
        for name in try names(in: own) { titles[name] = "\(own ?? "")/\(name).json" }
        let indent = (titles.keys.map(\.count).max() ?? 0) + 2
        let width = TerminalSize.columns(of: 1).map { max(indent + 12, $0) } ?? .max
        let lines = titles.sorted { $0.key < $1.key }.flatMap { name, title in
            TextLayout.wrap(title, indent: indent, first: name, width: width)
        }
        try ByteSink.print(lines.map { $0 + "\n" }.joined())
        return .done
    }

    /// Refused where the client of a login is meant.
    private static let refused = ["client-id", "scope"].map { (name: String) in
        RefusedOption(
            foreign: name,
            hint: "to log in: oap login NAME --provider PROVIDER --client-id ID; "
                + "to make only a profile: oap provider PROVIDER | oap profile set NAME --client-id ID")
    }

    /// The command.
    static let command = Command(
        "provider", section: "Set up", summary: "list the presets of known providers, or print one",
        description: Manual.provider.description,
        operands: [
            Operand(
                "NAME", isRequired: false, completes: .words(Preset.builtIn.flatMap(\.names)),
                summary: "the provider", details: Manual.provider["NAME"]),
            Operand(
                "VAR=VALUE", isRequired: false, isRepeatable: true, completes: .byFirst(PresetNames.variables),
                summary: "set a variable of the preset",
                details: Manual.provider["VAR=VALUE"]),
        ],
        options: OutputOption.all, refused: refused, examples: Manual.provider.examples,
        sections: [ProviderManual.files],
        seeAlso: [ManualReference("oap-providers", 7), ManualReference("oap-authurl", 1)],
        writesErrorDocuments: false, run: run)
}
