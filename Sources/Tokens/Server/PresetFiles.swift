internal import Glibc
package import OAuth
package import TokenStore
package import Wire
package import Shell

/// The presets: the built-in ones, and files of the user.
package enum PresetFiles {
    /// The preset of a name, filled with operands `VAR=VALUE`; the command is the command line before the name, for
    /// hints. Exit 2 for an unknown name or a wrong value, exit 3 or 11 for an invalid preset of the user.
    package static func found(
        _ name: String, filling operands: ArraySlice<String>, _ folders: UserFolders, by command: String
    ) throws(Failure) -> (preset: Preset, client: JSONObject) {
        let named = try preset(name, try ownFolder(folders))
        let values = try operands.map { operand throws(Failure) in
            guard let (name, value) = operand.cut(at: "=") else {
                throw .usage("operands after the provider are VAR=VALUE", hint: named.usage(of: command))
            }
            return (name: name, value: value)
        }
        try refuseUnknown(values.map(\.name), in: named)
        let preset = named.variant(with: values)
        return (preset, try asFailure(preset.client(filling: values, by: command)))
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
    package static func ownFolder(_ folders: UserFolders) throws(Failure) -> String? {
        guard let folder = try? folders.providers() else { return nil }
        let isThere = try Failure.storing(try PrivateFile.checkFolder(folder))
        return isThere ? folder : nil
    }

    package static func names(in own: String?) throws(Failure) -> [String] {
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
                throw Failure(.badInput, .metadataInvalid, "\(file): \(error.message)")
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
                ?? nearest(name, among: known).map { "did you mean \($0)?" } ?? "oap provider lists them"
        ).unknown(name)
    }
}
