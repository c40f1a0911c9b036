internal import Glibc
internal import System

/// The file with the access token of a command that runs, in a folder of its own. Both are removed with the object.
package final class TokenFile {
    package let path: String
    private let folder: String
    private let access: FileAccess?

    /// Makes the folder, of mode 0700: in `$XDG_RUNTIME_DIR`, which is not on a disk, else in `$TMPDIR` or `/tmp`. Others
    /// who may read the file cannot reach it in the first.
    ///
    /// - Throws: exit 11.
    package init(_ environment: Environment, _ access: FileAccess?) throws(Failure) {
        let made = try Self.folder(environment, access)
        (folder, path, self.access) = (made, "\(made)/token", access)
    }

    private static func folder(_ environment: Environment, _ access: FileAccess?) throws(Failure) -> String {
        var made: String?
        for name in access == nil ? ["XDG_RUNTIME_DIR", "TMPDIR"] : ["TMPDIR"] where made == nil {
            guard let named = try environment.value(name), named.isAbsolutePath,
                let parent = try? LinkedPath.resolved(named), isSafe(parent)
            else { continue }
            made = try? Folder.makeTemporary("\(parent)/oap-")
        }
        let folder =
            if let made { made } else {
                try Failure.system("cannot make a folder for the token", try Folder.makeTemporary("/tmp/oap-"))
            }
        do throws(Errno) {
            try access?.open(folder: folder)
        } catch {
            rmdir(folder)
            throw .file("cannot let others read \(folder): \(error)")
        }
        return folder
    }

    /// Whether nobody else can put another folder in the place of one in this folder: it and those above belong to the user
    /// or to root, and of one that others can write to, such as `/tmp`, only the owner removes a file.
    private static func isSafe(_ folder: String) -> Bool {
        guard let status = try? FileStatus(at: folder), status.isOwnOrRoots,
            !status.isWritableByOthers || status.isSticky, let above = try? FileStatus(at: "\(folder)/..")
        else { return false }
        return above.isSame(as: status) || isSafe("\(folder)/..")
    }

    /// Replaces the content, without a line end: programs send all of it.
    ///
    /// - Throws: exit 11.
    package func write(_ token: String) throws(Failure) {
        let file = try OutputFile(path: path, access: access)
        try Failure.system(
            "cannot write \(path)", try FileDescriptor(file.descriptor).writeAll(Array(token.utf8)))
        try file.commit()
    }

    deinit {
        unlink(path)
        rmdir(folder)
    }
}
