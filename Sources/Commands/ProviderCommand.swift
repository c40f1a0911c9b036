internal import CommandSpec
internal import OAuth
internal import System
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// `oap provider`: the presets, as a list or one as a client document.
enum ProviderCommand {
    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (folders, values) = (session.environment.folders, arguments.operands.dropFirst())
        guard let name = arguments.operand(0) else {
            return try list(try PresetFiles.ownFolder(folders), session)
        }
        let output = try session.output()
        let (preset, client) = try PresetFiles.found(name, filling: values, folders, by: "oap provider")
        if session.form.isTerminal { tell(preset, client, session.diagnostics) }
        return try output.finish(client)
    }

    /// Prints what else a person must know: the note, where to register a client, and the documentation.
    private static func tell(_ preset: Preset, _ client: JSONObject, _ diagnostics: Diagnostics) {
        if let note = preset.titledNote { diagnostics.tell(note) }
        if let hint = Document(client).registrationHint(isLogin: false) { diagnostics.hint(hint) }
        if let page = client["documentation"]?.string { diagnostics.tell("the provider's documentation: \(page)") }
    }

    /// Prints one line for each preset: its name, then its title or its file.
    private static func list(_ own: String?, _ session: Session) throws(Failure) -> Exit {
        var titles = Dictionary(uniqueKeysWithValues: Preset.builtIn.map { ($0.name, $0.title) })
        for name in try PresetFiles.names(in: own) { titles[name] = "\(own ?? "")/\(name).json" }
        let indent = (titles.keys.map(\.count).max() ?? 0) + 2
        let width = TerminalSize.columns(of: 1).map { max(indent + 12, $0) } ?? .max
        let lines = titles.sorted { $0.key < $1.key }.flatMap { name, title in
            TextLayout.wrap(title, indent: indent, first: name, width: width)
        }
        try ByteSink.print(lines.map { $0 + "\n" }.joined())
        return .done
    }

    static let command = Command(
        "provider", section: "Set up", summary: "list the presets of known providers, or print one",
        operands: [
            Operand(
                "NAME", isRequired: false, completes: .words(Preset.builtIn.flatMap(\.names)),
                summary: "the provider"),
            Operand(
                "VAR=VALUE", isRequired: false, isRepeatable: true, completes: .byFirst(ProviderCommand.variables),
                summary: "set a variable of the preset"),
        ],
        options: OutputOption.all, rules: [.needs(OutputOption.all, anyOf: [.operand("NAME")])],
        refused: ForeignNames.options("provider"),
        sections: [ProviderManual.files],
        writesErrorDocuments: false, run: run)

    /// The variables of each built-in preset that has any, for the completion of a word.
    static var variables: [Completion.Alternative] {
        Preset.builtIn.compactMap { preset in
            let words = Set(preset.allVariables.map { "\($0.name)=" }).sorted()
            return words.isEmpty ? nil : Completion.Alternative(preset.names, .words(words))
        }
    }
}
