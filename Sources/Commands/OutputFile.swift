internal import Glibc

/// The file of `-o`: written whole or not at all (contract §3). A temporary file in the same folder takes the bytes;
/// `commit` puts it in the place of the old one. What is no regular file (`/dev/null`, a pipe) is written to directly.
struct OutputFile: ~Copyable {
    /// Where the bytes go.
    let descriptor: Int32
    private let target: String
    private var temporary: String?

    /// Makes the temporary file, so that a folder that cannot be written to is known before anything is sent.
    ///
    /// - Throws: exit 11.
    init(path: String) throws(Failure) {
        guard !path.isEmpty else { throw .usage("-o needs the name of a file") }
        let isSpecial = Self.descriptor(of: path) != nil || Self.isSpecial(path)
        let resolved = isSpecial ? path : Self.resolved(path)
        let opened = isSpecial ? Self.opened(path) : Self.madeBeside(resolved)
        guard let opened else { throw .file("cannot write \(path): \(FileAccess.reason())") }
        if let temporary = opened.temporary, let problem = Self.obstacle(at: resolved) {
            close(opened.descriptor)
            unlink(temporary)
            throw .file("cannot write \(path): \(problem)")
        }
        target = resolved
        descriptor = opened.descriptor
        temporary = opened.temporary
        Signals.removeAtDeath(opened.temporary)
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

    private typealias Opened = (descriptor: Int32, temporary: String?)

    /// Whether the path names something that is there and no regular file.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    private static func opened(_ path: String) -> Opened? {
        let descriptor = descriptor(of: path).map { fcntl($0, F_DUPFD_CLOEXEC, 3) } ?? open(path, O_WRONLY | O_CLOEXEC)
        return descriptor < 0 ? nil : (descriptor, nil)
    }

    /// A new file of mode 0600 in the folder of the path.
    private static func madeBeside(_ path: String) -> Opened? {
        var template = Array("\(folder(of: path)).oap-XXXXXX".utf8CString)
        return template.withUnsafeMutableBufferPointer { buffer -> Opened? in
            guard let name = buffer.baseAddress else { return nil }
            let descriptor = mkstemp(name)
            guard descriptor >= 0 else { return nil }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return (descriptor, String(cString: name))
        }
    }

    /// Puts the file in its place: fsync, rename, fsync of the folder.
    ///
    /// - Throws: exit 11; then the old file is as it was. Where all was written and only the place cannot be taken, as
    ///   with a file that is mounted, the temporary file stays: it may hold a token that cannot be had again.
    consuming func commit() throws(Failure) {
        guard let name = temporary else { return }
        guard fsync(descriptor) == 0 else { throw .file("cannot write \(target): \(FileAccess.reason())") }
        guard rename(name, target) == 0 else {
            let reason = FileAccess.reason()
            temporary = nil
            Signals.removeAtDeath(nil)
            throw .file("cannot put the result in the place of \(target): \(reason)", hint: "it is in \(name)")
        }
        temporary = nil
        Signals.removeAtDeath(nil)
        let folder = open(Self.folder(of: target) + ".", O_RDONLY | O_DIRECTORY)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    deinit {
        close(descriptor)
        guard let temporary else { return }
        unlink(temporary)
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
