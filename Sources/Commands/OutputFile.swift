internal import Glibc
internal import TokenStore

/// The file of `-o`: written whole or not at all (oap-exchange(1)). A temporary file in the same folder takes the bytes;
/// `commit` puts it in the place of the old one. What is no regular file (`/dev/null`, a pipe) is written to directly.
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
        let isSpecial = Self.descriptor(of: path) != nil || Self.isSpecial(path)
        let resolved = isSpecial ? path : Self.resolved(path)
        let made = isSpecial ? nil : TemporaryFile(beside: resolved)
        guard let opened = isSpecial ? Self.opened(path) : made?.descriptor else {
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

    /// The descriptor that a path stands for, which takes what is written as it takes it from others.
    private static func descriptor(of path: String) -> Int32? {
        if path == "/dev/stdout" { return 1 }
        if path == "/dev/stderr" { return 2 }
        let folders = ["/dev/fd/", "/proc/self/fd/"]
        return folders.first(where: path.hasPrefix).flatMap { Int32(path.dropFirst($0.count)) }
    }

    /// What will keep a file from being put there, as far as that can be seen: a name that is too long, and another user's
    /// file in a folder such as `/tmp`.
    private static func obstacle(at path: String) -> String? {
        var (file, folder) = (stat(), stat())
        guard lstat(path, &file) == 0 else { return errno == ENOENT ? nil : FileAccess.reason() }
        let isSticky = stat(Self.folder(of: path) + ".", &folder) == 0 && folder.st_mode & S_ISVTX != 0
        let owners = [0, file.st_uid, folder.st_uid]
        return isSticky && !owners.contains(geteuid()) ? FileAccess.reason(EPERM) : nil
    }

    /// Whether the path names something that is there and no regular file.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    private static func opened(_ path: String) -> Int32? {
        let descriptor = descriptor(of: path).map { fcntl($0, F_DUPFD_CLOEXEC, 3) } ?? open(path, O_WRONLY | O_CLOEXEC)
        return descriptor < 0 ? nil : descriptor
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

    /// The path behind symbolic links, so that a link to the file stays one, whether or not the file is there yet.
    private static func resolved(_ path: String) -> String {
        if let pointer = realpath(path, nil) {
            defer { free(pointer) }
            return String(cString: pointer)
        }
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        guard errno == ENOENT, let count = Optional(readlink(path, &target, target.count)), count > 0 else {
            return path
        }
        let next = String(decoding: target[..<count], as: UTF8.self)
        return resolved(next.hasPrefix("/") ? next : folder(of: path) + next)
    }

    /// The path up to its last slash; empty for a name alone.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}
