internal import Glibc

/// The programs of `PATH`, and the one that this process becomes (execvp(3)).
package enum ProgramSearch {
    /// Why a program cannot be executed, as far as its file shows; nil if it can. It is looked up in `PATH`, unless its name
    /// has a slash.
    package static func obstacle(to name: String) -> Errno? {
        guard !name.isEmpty else { return .noSuchFile }
        if name.utf8.contains(UInt8(ascii: "/")) { return obstacle(at: name) }
        // The default is the one of execvp(3).
        let path = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
        var found = Errno.noSuchFile
        for folder in path.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
            let problem = obstacle(at: folder.isEmpty ? "./\(name)" : "\(Substring(folder))/\(name)")
            guard let problem else { return nil }
            if problem == .notAllowed { found = problem }
        }
        return found
    }

    private static func obstacle(at path: String) -> Errno? {
        do throws(Errno) {
            guard try !FileStatus(at: path).isFolder else { return .notAllowed }
        } catch {
            return error
        }
        return access(path, X_OK) == 0 ? nil : .current
    }

    /// Replaces this process by a program, looked up in `PATH`, with the environment as it is now and SIGXFSZ as it is by
    /// default. Returns why it could not.
    package static func become(_ words: [String]) -> Errno {
        guard let program = words.first else { return .noSuchFile }
        let arguments = words.map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        let before = signal(SIGXFSZ, SIG_DFL)
        execvp(program, arguments)
        let error = Errno.current
        signal(SIGXFSZ, before)
        return error
    }
}
