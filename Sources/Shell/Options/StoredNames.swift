package import CommandSpec
internal import TokenStore
internal import Wire

/// The names of stored tokens and profiles, for the completion of a word: nothing is written, no server and no other
/// program is asked, and a folder that cannot be read has no names.
package enum StoredNames: String, CaseIterable {
    case tokens, profiles
    case both = "names"

    /// The option of `oap completion` that prints them.
    package static let list = Option(
        "list", argument: "KIND", choices: allCases.map(\.rawValue), section: "General",
        summary: "print what a completion script offers")

    /// The completion by this option.
    package var completion: Completion { .printed(["completion", Self.list.name, rawValue]) }

    /// The hint for a name that is not there: the name that it is near to, if there is one that does not differ by case
    /// alone, and then the usual hint.
    ///
    /// - Parameter store: the value of `--store`.
    package func hint(
        for name: String, in environment: Environment, store: String? = nil, else hint: String? = nil
    ) -> String? {
        let others = names(in: environment, store: store).filter { $0.lowercased() != name.lowercased() }
        guard let near = nearest(name, among: others) else { return hint }
        return "did you mean \(near)?" + (hint.map { " if not: \($0)" } ?? "")
    }

    /// The names, sorted. They need no quoting in a shell (``TokenName``).
    ///
    /// - Parameter store: the value of `--store`.
    package func names(in environment: Environment, store: String? = nil) -> [String] {
        var names: Set<String> = []
        if self != .tokens { names.formUnion(Self.names(in: try? environment.folders.profiles())) }
        if self != .profiles { names.formUnion(Self.names(in: Self.tokenFolder(environment, store))) }
        return names.sorted()
    }

    private static func names(in folder: String?) -> [String] {
        folder.flatMap { try? FileStore(folder: $0).names().map(\.text) } ?? []
    }

    /// The folder of the tokens; nil for a store behind a helper, which may ask for a passphrase.
    private static func tokenFolder(_ environment: Environment, _ store: String?) -> String? {
        guard store != nil || environment.isSet("OAP_STORE") else { return try? environment.folders.tokens() }
        guard let text = try? store ?? environment.value("OAP_STORE"), case .file(let folder)? = try? StoreAddress(text)
        else {
            return nil
        }
        return folder
    }
}
