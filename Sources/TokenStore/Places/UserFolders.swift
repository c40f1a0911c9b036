internal import Glibc
internal import System

/// The folders of the user's files (XDG Base Directory Specification).
package struct UserFolders: Sendable {
    private let configHome: String?
    private let stateHome: String?
    private let dataHome: String?
    private let cacheHome: String?

    /// Reads the variables `HOME` and `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_DATA_HOME`, `XDG_CACHE_HOME`. A relative
    /// path counts as unset. Each folder throws `noHome` where it is not known.
    package init(environment: (String) -> String?) {
        func absolute(_ name: String) -> String? { environment(name).flatMap { $0.isAbsolutePath ? $0 : nil } }
        let home = absolute("HOME").map { "\($0)/" }
        configHome = absolute("XDG_CONFIG_HOME") ?? home.map { "\($0).config" }
        stateHome = absolute("XDG_STATE_HOME") ?? home.map { "\($0).local/state" }
        dataHome = absolute("XDG_DATA_HOME") ?? home.map { "\($0).local/share" }
        cacheHome = absolute("XDG_CACHE_HOME") ?? home.map { "\($0).cache" }
    }

    package func profiles() throws(StoreError) -> String { try known(configHome) + "/oap/profiles" }

    package func providers() throws(StoreError) -> String { try known(configHome) + "/oap/providers" }

    package func tokens() throws(StoreError) -> String { try known(stateHome) + "/oap/tokens" }

    /// What a machine has of its own beside the stores that it shares.
    package func shared() throws(StoreError) -> String { try known(stateHome) + "/oap/shared" }

    /// The flows that wait for their redirect.
    package func flows() throws(StoreError) -> String { try known(stateHome) + "/oap/flows" }

    /// The marks of logins that are under way.
    package func logins() throws(StoreError) -> String { try known(stateHome) + "/oap/logins" }

    /// The user's desktop entries.
    package func applications() throws(StoreError) -> String { try known(dataHome) + "/applications" }

    /// The locks of helpers. A helper has one store for each user, whatever the variables of a process say: so the locks
    /// are in `.local/state/oap/locks` of the home in the password database, if that is a folder of the user's.
    package func locks() throws(StoreError) -> String {
        if let home = UserAccount.home, let status = try? FileStatus(at: home), status.isFolder, status.isOwn,
            !status.isWritableByOthers, access(home, W_OK) == 0
        {
            return "\(home)/.local/state/oap/locks"
        }
        return try known(stateHome) + "/oap/locks"
    }

    package func metadata() throws(StoreError) -> String { try known(cacheHome) + "/oap/metadata" }

    package func responses() throws(StoreError) -> String { try known(cacheHome) + "/oap/responses" }

    private func known(_ folder: String?) throws(StoreError) -> String {
        guard let folder else { throw .noHome }
        return folder
    }
}
