internal import CommandSpec
internal import TokenStore

/// The names of stored tokens and profiles, for the completion of a word: nothing is written, no server and no other
/// program is asked, and a folder that cannot be read has no names.
enum StoredNames: String, CaseIterable {
    case tokens, profiles
    case both = "names"

    /// The completion by `oap completion --list`.
    var completion: Completion { .printed(["completion", CompletionCommand.list.name, rawValue]) }

    /// The names, sorted. They need no quoting in a shell (``TokenName``).
    func names(in environment: Environment) -> [String] {
        var names: Set<String> = []
        if self != .tokens { names.formUnion(Self.names(in: try? environment.folders.profiles())) }
        if self != .profiles { names.formUnion(Self.names(in: Self.tokenFolder(environment))) }
        return names.sorted()
    }

    private static func names(in folder: String?) -> [String] {
        folder.flatMap { try? FileStore(folder: $0).names().map(\.text) } ?? []
    }

    /// The folder of the tokens; nil for a store behind a helper, which may ask for a passphrase.
    private static func tokenFolder(_ environment: Environment) -> String? {
        guard environment.isSet("OAP_STORE") else { return try? environment.folders.tokens() }
        guard let text = try? environment.value("OAP_STORE"), case .file(let folder)? = try? StoreAddress(text) else {
            return nil
        }
        return folder
    }
}
