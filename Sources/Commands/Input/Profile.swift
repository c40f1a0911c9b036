internal import Glibc
internal import OAuth
internal import TokenStore
internal import Wire

/// A profile: a client document that a person keeps under a name (oap(1), FILES).
enum Profile {
    /// Reads a profile.
    ///
    /// - Throws: exit 2 for a bad name, exit 11 where there is none or it cannot be read.
    static func read(_ name: String, in session: Session) throws(Failure) -> JSONObject {
        let path = try path(name, folders: session.folders)
        guard let profile = try find(name, in: session) else {
            throw .file("there is no profile \(name): \(path) is missing", hint: "it holds a client document")
        }
        return profile
    }

    /// Reads a profile that may be missing, as every one is without a home. One with a secret that others can read is used
    /// with a warning.
    ///
    /// - Throws: exit 2 for a bad name, exit 11 for a file that cannot be read.
    static func find(_ name: String, in session: Session) throws(Failure) -> JSONObject? {
        let folders = session.folders
        guard (try? folders.profiles()) != nil else { return nil }
        let path = try path(name, folders: folders)
        let file = try Failure.storing { () throws(StoreError) -> (bytes: [UInt8], isOpenToOthers: Bool)? in
            guard try PrivateFile.checkFolder(try folders.profiles()) else { return nil }
            return try PrivateFile.read(path, isStrict: false)
        }
        guard let file else { return nil }
        let profile = try Input.object(in: file.bytes, name: path, exit: .badInput)
        if file.isOpenToOthers, let secret = Member.secrets.first(where: { profile[$0]?.string != nil }) {
            try session.diagnostics.warn([OAuthWarning(.openFile, "others can read the \(secret) in \(path)")])
        }
        return profile
    }

    /// Writes a profile, in the place of what was there.
    ///
    /// - Throws: exit 2 for a bad name, exit 11.
    static func write(_ client: JSONObject, as name: String, folders: UserFolders) throws(Failure) {
        let path = try writable(name, folders: folders)
        var text: [UInt8] = []
        JSON.object(client).write(to: &text, style: JSONStyle(isPretty: true, isColored: false))
        try Failure.storing { () throws(StoreError) in
            try PrivateFile.replace(path, with: text + [0x0A])
        }
    }

    /// Makes sure, as far as that can be known, that a profile can be written.
    ///
    /// - Returns: the path of its file, that of the file behind a link.
    /// - Throws: exit 2 for a bad name, exit 11.
    @discardableResult
    static func writable(_ name: String, folders: UserFolders) throws(Failure) -> String {
        let path = try LinkedPath.resolved(try path(name, folders: folders))
        try Failure.storing { () throws(StoreError) in
            try PrivateFile.prepareFolder(try folders.profiles())
            try PrivateFile.checkRoom(for: 4096, at: path)
        }
        return path
    }

    private static func path(_ name: String, folders: UserFolders) throws(Failure) -> String {
        try Failure.storing { () throws(StoreError) in
            "\(try folders.profiles())/\(try TokenName(name).text).json"
        }
    }
}

extension Failure {
    /// Runs a step of the token store; what it throws becomes exit 11, or exit 2 for a bad name.
    static func storing<Value: ~Copyable>(_ step: () throws(StoreError) -> Value) throws(Failure) -> Value {
        do throws(StoreError) {
            return try step()
        } catch {
            if case .badName = error { throw .usage(error.message) }
            throw .file(error.message, hint: error.hint)
        }
    }
}
