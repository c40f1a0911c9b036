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
        let isSpecial = Self.isSpecial(path)
        let resolved = isSpecial ? path : Self.resolved(path)
        let opened = isSpecial ? Self.opened(path) : Self.madeBeside(resolved)
        guard let opened else { throw .file("cannot write \(path): \(FileAccess.reason())") }
        target = resolved
        descriptor = opened.descriptor
        temporary = opened.temporary
        Signals.removeAtDeath(opened.temporary)
    }

    private typealias Opened = (descriptor: Int32, temporary: String?)

    /// Whether the path names something that is there and no regular file.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    private static func opened(_ path: String) -> Opened? {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
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
    /// - Throws: exit 11; then the old file is as it was.
    consuming func commit() throws(Failure) {
        guard let name = temporary else { return }
        guard fsync(descriptor) == 0, rename(name, target) == 0 else {
            throw .file("cannot write \(target): \(FileAccess.reason())")
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
