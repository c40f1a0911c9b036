internal import OAuth
internal import TokenStore
package import Wire
package import Shell

/// The profiles: client documents that the user keeps under names (oap(1), FILES).
package struct Profiles {
    let environment: Environment
    let diagnostics: Diagnostics
    private var folders: UserFolders { environment.folders }

    package func read(_ name: String) throws(Failure) -> JSONObject {
        let path = try path(name)
        guard let profile = try find(name) else {
            let usual =
                name.hasSuffix(".json")
                ? "to read a document from a file, use standard input: < \(name)"
                : """
                oap login \(name) --issuer URL --client-id ID makes the profile; if the server registers clients, use \
                --register instead of --client-id
                """
            throw missing(name, at: path, hint: usual)
        }
        return profile
    }

    /// Reads a profile that may be missing; without a home all are. One with a secret that others can read causes a
    /// warning.
    ///
    /// - Throws: exit 2 for a bad name, exit 11 for a file that cannot be read.
    package func find(_ name: String) throws(Failure) -> JSONObject? {
        guard (try? folders.profiles()) != nil else { return nil }
        let path = try path(name)
        let file = try Failure.storing { () throws(StoreError) in
            try PrivateFile.checkFolder(try folders.profiles())
                ? try PrivateFile.read(path, isStrict: false) : nil
        }
        guard let file else { return nil }
        let object = try Input.object(in: file.bytes, name: path, exit: .badInput)
        let profile = try asFailure(GoogleClientFile.client(in: object)) ?? object
        if file.isOpenToOthers, let secret = Member.secrets.first(where: { profile[$0]?.string != nil }) {
            try diagnostics.warn([.other("other users can read the \(secret) in \(path)")])
        }
        return profile
    }

    /// Checks that the folder of the profiles is known.
    ///
    /// - Throws: exit 11 without a home.
    package func requireHome() throws(Failure) { _ = try Failure.storing(try folders.profiles()) }

    /// Writes a profile; an existing one is replaced.
    ///
    /// - Throws: exit 2 for a bad name, exit 11.
    package func write(_ client: JSONObject, as name: String) throws(Failure) {
        let path = try writable(name)
        var text: [UInt8] = []
        JSON.object(client).write(to: &text, style: JSONStyle(isPretty: true, isColored: false))
        try Failure.storing(try PrivateFile.replace(path, with: text + [0x0A]))
    }

    /// Removes a profile; one behind a symbolic link loses the link alone.
    ///
    /// - Throws: exit 2 for a bad name, exit 11, also without such a profile.
    package func delete(_ name: String) throws(Failure) {
        let path = try path(name)
        let existed = try Failure.storing { () throws(StoreError) in
            guard try PrivateFile.checkFolder(try folders.profiles()) else { return false }
            return try PrivateFile.remove(path)
        }
        guard existed else {
            throw missing(name, at: path, hint: nil)
        }
    }

    private func missing(_ name: String, at path: String, hint usual: String?) -> Failure {
        let hint = StoredNames.profiles.hint(for: name, in: environment, else: usual)
        return .file("there is no profile \(name): \(path) is missing", hint: hint).unknown(name)
    }

    /// The names of the profiles, in order; none without a home.
    ///
    /// - Throws: exit 11.
    package func names() throws(Failure) -> [String] {
        guard let folder = try? folders.profiles() else { return [] }
        return try Failure.storing(try FileStore(folder: folder).names().map(\.text))
    }

    /// Checks, as far as possible, that a profile can be written.
    ///
    /// - Returns: the path of its file, that of the file behind a link.
    /// - Throws: exit 2 for a bad name, exit 11.
    @discardableResult
    package func writable(_ name: String) throws(Failure) -> String {
        let path = try LinkedPath.resolved(try path(name))
        try Failure.storing { () throws(StoreError) in
            try PrivateFile.prepareFolder(try folders.profiles())
            try PrivateFile.checkRoom(for: 4096, at: path)
        }
        return path
    }

    private func path(_ name: String) throws(Failure) -> String {
        try Failure.storing("\(try folders.profiles())/\(try TokenName(name).text).json")
    }
}
