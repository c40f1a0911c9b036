internal import Glibc
internal import TokenStore
internal import Wire

/// The file of `-o`: written whole or not at all (oap-exchange(1)). A temporary file in the same folder takes the bytes;
/// `commit` puts it in the place of the old one. What is no regular file (`/dev/null`, a pipe) is written to directly.
///
/// In a folder that others can write to, nothing that another user has put there takes the bytes: no link, no pipe, no
/// device.
struct OutputFile: ~Copyable {
    /// Where the bytes go.
    let descriptor: Int32
    private let target: String
    private let replaces: Bool
    private var temporary: TemporaryFile?

    /// Makes the temporary file, so that a folder that cannot be written to is known before anything is sent.
    ///
    /// - Parameter replaces: whether a file that is there may be replaced.
    /// - Throws: exit 11.
    init(path: String, replaces: Bool = true) throws(Failure) {
        guard !path.isEmpty else { throw .usage("-o needs the name of a file") }
        let resolved = try LinkedPath.resolved(path, keepsDescriptors: true)
        let isSpecial = DescriptorPath.number(of: resolved) != nil || Self.isSpecial(resolved)
        let made = isSpecial ? nil : TemporaryFile(beside: resolved)
        let opened = isSpecial ? try Self.opened(resolved) : made?.descriptor ?? -1
        guard opened >= 0 else {
            throw .file("cannot write \(path): \(FileAccess.reason())")
        }
        if let made, let problem = Self.obstacle(at: resolved) {
            close(opened)
            unlink(made.path)
            throw .file("cannot write \(path): \(problem)")
        }
        self.replaces = replaces
        target = resolved
        descriptor = opened
        temporary = made
        Signals.removeAtDeath(made?.path)
    }

    /// What will keep a file from being put there, as far as that can be seen: a name that is too long, and another user's
    /// file in a folder such as `/tmp`.
    private static func obstacle(at path: String) -> String? {
        var (file, folder) = (stat(), stat())
        guard lstat(path, &file) == 0 else { return errno == ENOENT ? nil : FileAccess.reason() }
        let isSticky = stat(path.folderPrefix + ".", &folder) == 0 && folder.st_mode & S_ISVTX != 0
        let owners = [0, file.st_uid, folder.st_uid]
        return isSticky && !owners.contains(geteuid()) ? FileAccess.reason(EPERM) : nil
    }

    /// Whether the path names something that is there and no regular file.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Opens what is no regular file, or a descriptor, which takes what is written as it takes it from others.
    ///
    /// - Returns: the descriptor; less than 0 where that fails, and `errno` says why.
    /// - Throws: exit 11 for what another user has put in a folder that others can write to.
    private static func opened(_ path: String) throws(Failure) -> Int32 {
        if let number = DescriptorPath.number(of: path) { return fcntl(number, F_DUPFD_CLOEXEC, 3) }
        // A descriptor of another process is reached by a link that the kernel makes.
        let isDescriptor = DescriptorPath.isOne(path)
        var status = stat()
        // Looked at before, since to open a pipe may wake its reader, and after, since another may be there by then.
        guard isDescriptor || lstat(path, &status) != 0 || !isForeign(status, at: path) else { throw foreign(path) }
        let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (isDescriptor ? 0 : O_NOFOLLOW)
        let descriptor = open(path, flags)
        guard descriptor >= 0, !isDescriptor else { return descriptor }
        guard fstat(descriptor, &status) == 0, !isForeign(status, at: path), status.st_mode & S_IFMT != S_IFREG else {
            close(descriptor)
            throw foreign(path)
        }
        return descriptor
    }

    private static func isForeign(_ status: stat, at path: String) -> Bool {
        LinkedPath.isForeign(status, in: path.folderPrefix)
    }

    private static func foreign(_ path: String) -> Failure {
        .file(
            "cannot write \(path): it belongs to another user, in a folder that others can write to",
            hint: "name a file in a folder of your own")
    }

    /// Puts the file in its place: fsync, rename, fsync of the folder.
    ///
    /// - Throws: exit 11; then the old file is as it was. Where all was written and only the place cannot be taken, as
    ///   with a file that is mounted, the temporary file stays: it may hold a token that cannot be had again.
    consuming func commit() throws(Failure) {
        guard let file = temporary else { return }
        let outcome = file.takePlace(of: target, replaces: replaces)
        let reason = FileAccess.reason()
        guard outcome != .incomplete else { throw .file("cannot write \(target): \(reason)") }
        temporary = nil
        Signals.removeAtDeath(nil)
        guard outcome == .placed else {
            throw .file("cannot put the result in the place of \(target): \(reason)", hint: "it is in \(file.path)")
        }
    }

    deinit {
        close(descriptor)
        guard let temporary else { return }
        unlink(temporary.path)
        Signals.removeAtDeath(nil)
    }
}
