internal import CommandSpec
internal import Glibc
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap provider`: the presets, as a list or one as a client document.
enum ProviderCommand {
    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        guard let name = session.arguments.operand(0) else { return try list(try ownFolder(session), session) }
        let client = try client(of: name, filling: session.arguments.operands.dropFirst(), session: session)
        return try session.output().write(client)
    }

    /// The client document of a provider.
    ///
    /// - Parameter operands: what stands for the places of the preset, each `VAR=VALUE`.
    /// - Throws: exit 2 for an unknown name or a value that is none, exit 3 or 11 for a person's own preset that is none.
    static func client(
        of name: String, filling operands: ArraySlice<String>, session: Session
    ) throws(Failure) -> JSONObject {
        let values = try values(operands)
        let preset = try preset(name, try ownFolder(session))
        return try Failure.lifting { () throws(OAuthError) in try preset.client(filling: values) }
    }

    /// The folder of a person's own presets; nil where there is none, as without a home.
    ///
    /// - Throws: exit 11 for one that is not the user's own.
    private static func ownFolder(_ session: Session) throws(Failure) -> String? {
        guard let folder = try? session.folders.providers() else { return nil }
        let isThere = try Failure.storing { () throws(StoreError) in try PrivateFile.checkFolder(folder) }
        return isThere ? folder : nil
    }

    /// The names of a person's own presets.
    private static func names(in own: String?) throws(Failure) -> [String] {
        guard let own else { return [] }
        return try Failure.storing { () throws(StoreError) in try FileStore(folder: own).names().map(\.text) }
    }

    /// The preset of a name, a person's own before one that the program brings along.
    ///
    /// - Throws: exit 2 for an unknown name, exit 3 for a file that is no preset, exit 11.
    private static func preset(_ name: String, _ own: String?) throws(Failure) -> Preset {
        if let own, (try? TokenName(name)) != nil, access("\(own)/\(name).json", F_OK) == 0 {
            let file = "\(own)/\(name).json"
            let bytes = try Failure.storing { () throws(StoreError) in try PrivateFile.readTrusted(file)?.bytes ?? [] }
            let members = try Input.object(in: bytes, name: file, exit: .badInput)
            do throws(OAuthError) {
                return try Preset(name, members)
            } catch {
                throw Failure(.badInput, error.kind.name, "\(file): \(error.message)")
            }
        }
        if let preset = Preset.builtIn.first(where: { $0.name.isIdentical(to: name) }) { return preset }
        let known = try Preset.builtIn.map(\.name) + names(in: own)
        throw .usage(
            "unknown provider \(Terminal.escaping(name))",
            hint: nearest(name, among: known).map { "did you mean \($0)?" } ?? "oap provider lists them")
    }

    private static func values(
        _ operands: ArraySlice<String>
    ) throws(Failure) -> [(name: String, value: String)] {
        var values: [(name: String, value: String)] = []
        for text in operands {
            guard let equals = text.firstIndex(of: "=") else { throw .usage("behind the provider stands VAR=VALUE") }
            values.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
        }
        return values
    }

    /// Prints one line for each preset: its name, then what it stands for or the file that it is.
    private static func list(_ own: String?, _ session: Session) throws(Failure) -> Exit {
        guard session.arguments.occurrences.isEmpty else {
            throw .usage("\(session.arguments.occurrences[0].option.name) needs a provider: the list is no document")
        }
        var titles = Dictionary(uniqueKeysWithValues: Preset.builtIn.map { ($0.name, $0.title) })
        for name in try names(in: own) { titles[name] = "\(own ?? "")/\(name).json" }
        let width = titles.keys.map(\.count).max() ?? 0
        let lines = titles.sorted { $0.key < $1.key }.map { name, title in
            name + String(repeating: " ", count: width - name.count + 2) + title + "\n"
        }
        try ByteSink.print(lines.joined())
        return .done
    }
}
