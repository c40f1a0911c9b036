internal import Glibc
internal import System
internal import TokenStore

/// The file with the access token of a command that runs, in a private folder. Both are removed with the value.
struct TokenFile: ~Copyable {
    let path: String
    private let folder: String

    /// Makes the folder, of mode 0700: in `$XDG_RUNTIME_DIR`, which is not on a disk, else in `$TMPDIR` or `/tmp`.
    ///
    /// - Throws: exit 11.
    init(_ environment: Environment) throws(Failure) {
        var made: String?
        for name in ["XDG_RUNTIME_DIR", "TMPDIR"] where made == nil {
            guard let parent = try environment.value(name), parent.isAbsolutePath else { continue }
            made = try? Folder.makeTemporary("\(parent)/oap-")
        }
        folder =
            if let made { made } else {
                try Failure.system("cannot make a folder for the token", try Folder.makeTemporary("/tmp/oap-"))
            }
        path = "\(folder)/token"
    }

    /// Replaces the content, without a line end: programs send all of it.
    ///
    /// - Throws: exit 11.
    func write(_ token: String) throws(Failure) {
        try Failure.storing(try PrivateFile.replace(path, with: Array(token.utf8)))
    }

    deinit {
        unlink(path)
        rmdir(folder)
    }
}
