internal import Glibc
internal import Wire

/// A file that is its owner's alone: mode 0600, never reached through a symbolic link (oap-store(1), STORES).
package enum PrivateFile {
    /// The most bytes that a file may have.
    package static let limit = 16 << 20

    /// Reads a file.
    ///
    /// - Parameter isStrict: whether it must be the user's own, and unreadable for others. Otherwise it may be root's, and
    ///   others may read it, but not write to it.
    /// - Returns: its bytes and whether others can read it; nil where there is none.
    /// - Throws: `system`, `unsafe`.
    package static func read(
        _ path: String, isStrict: Bool = true
    ) throws(StoreError) -> (bytes: [UInt8], isOpenToOthers: Bool)? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (isStrict ? O_NOFOLLOW : 0))
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw .unsafe(path: path, reason: "it is a symbolic link") }
            throw .system(path: path, reason: systemReason())
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(path: path, reason: systemReason()) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unsafe(path: path, reason: "it is no regular file") }
        let isOpenToOthers = status.st_mode & 0o077 != 0
        if isStrict {
            guard status.st_uid == geteuid() else { throw .unsafe(path: path, reason: othersOwn) }
            guard !isOpenToOthers else { throw .unsafe(path: path, reason: "others can read it") }
        } else {
            try checkWriters(status, path)
        }
        return (try content(of: descriptor, path: path), isOpenToOthers)
    }

    /// Whether others can read a file.
    static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// Reads a file that others may read, and nobody but its owner and the administrator has written.
    ///
    /// - Returns: its bytes and whether others can read it; nil where there is none.
    /// - Throws: `system`, `unsafe`, `corrupt`.
    package static func readTrusted(
        _ path: String
    ) throws(StoreError) -> (bytes: [UInt8], isOpenToOthers: Bool)? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .system(path: path, reason: systemReason()) }
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(path: path, reason: systemReason()) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .system(path: path, reason: "it is no regular file") }
        try checkWriters(status, path)
        return (try content(of: descriptor, path: path), status.st_mode & 0o077 != 0)
    }

    /// Puts bytes in the place of a file; see ``TemporaryFile``.
    ///
    /// - Throws: `system`; `misplaced` where all was written and only the place cannot be taken: what is kept may be a token
    ///   that cannot be had again.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        try replace(path, with: bytes, by: try temporary(for: path, TemporaryFile(beside: path)))
    }

    /// Puts bytes in the place of a file by its one draft, in which room may be reserved.
    ///
    /// - Parameter lock: the lock of the file.
    /// - Throws: as without one.
    static func replace(_ path: String, with bytes: [UInt8], under lock: borrowing StoreLock) throws(StoreError) {
        try replace(path, with: bytes, by: try temporary(for: path, TemporaryFile(draftOf: path)))
    }

    private static func replace(_ path: String, with bytes: [UInt8], by file: TemporaryFile) throws(StoreError) {
        defer { close(file.descriptor) }
        guard bytes.count <= limit else {
            unlink(file.path)
            throw .system(path: path, reason: "more than 16 MiB are not kept")
        }
        let isWritten = write(bytes, to: file.descriptor) && ftruncate(file.descriptor, bytes.count) == 0
        switch isWritten ? file.takePlace(of: path) : .incomplete {
        case .placed: return
        case .complete:
            let reason = systemReason()
            // Under a name of its own the next draft does not take its place.
            let kept = "\(file.path).\(getpid())"
            guard rename(file.path, kept) == 0 else { throw .system(path: path, reason: reason) }
            throw .misplaced(path: path, at: kept, reason: reason)
        case .incomplete:
            let reason = systemReason()
            unlink(file.path)
            throw .system(path: path, reason: reason)
        }
    }

    /// Makes sure, as far as that can be known, that so many bytes can be put in the place of a file.
    ///
    /// - Throws: `system`.
    package static func checkRoom(for count: Int, at path: String) throws(StoreError) {
        let file = try temporary(for: path, TemporaryFile(beside: path))
        defer { unlink(file.path) }
        try allocate(count, in: file, for: path)
    }

    /// Reserves room on the disk for so many bytes, in the draft of a file, until they are written or it is released.
    ///
    /// - Parameter lock: the lock of the file.
    /// - Throws: `system`.
    static func reserve(_ count: Int, at path: String, under lock: borrowing StoreLock) throws(StoreError) {
        let file = try temporary(for: path, TemporaryFile(draftOf: path))
        do throws(StoreError) {
            try allocate(count, in: file, for: path)
        } catch {
            unlink(file.path)
            throw error
        }
    }

    /// Gives up the room that is reserved for a file, and whatever a process left there that was killed.
    static func releaseRoom(at path: String, under lock: borrowing StoreLock) { unlink(TemporaryFile.draft(of: path)) }

    private static func allocate(_ count: Int, in file: TemporaryFile, for path: String) throws(StoreError) {
        let code = posix_fallocate(file.descriptor, 0, count)
        close(file.descriptor)
        guard code == 0 else { throw .system(path: path, reason: systemReason(code)) }
    }

    private static func temporary(for path: String, _ file: TemporaryFile?) throws(StoreError) -> TemporaryFile {
        guard let file else { throw .system(path: path, reason: systemReason()) }
        return file
    }

    /// Removes a file. One that is not there is as good as removed.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `system`.
    package static func remove(_ path: String) throws(StoreError) -> Bool {
        if unlink(path) == 0 {
            synchronizeFolder(of: path)
            return true
        }
        guard errno == ENOENT else { throw .system(path: path, reason: systemReason()) }
        return false
    }
}

extension PrivateFile {
    /// The names in a folder, but for those of the folder itself and the one above.
    ///
    /// - Throws: `system`.
    package static func names(in folder: String) throws(StoreError) -> [String] {
        guard let stream = opendir(folder) else { throw .system(path: folder, reason: systemReason()) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Makes a folder of mode 0700 with all above it, unless it is there.
    ///
    /// - Throws: `system`; `unsafe` where it would come into a folder of another user, as under `sudo`.
    private static func makeFolder(_ path: String) throws(StoreError) {
        var status = stat()
        if stat(path, &status) != 0 {
            guard errno == ENOENT else { throw .system(path: path, reason: systemReason()) }
            let parent = path.utf8.contains(UInt8(ascii: "/")) ? String(path.folderPrefix.dropLast()) : "."
            if !parent.isEmpty {
                try makeFolder(parent)
                guard stat(parent, &status) == 0 else { throw .system(path: parent, reason: systemReason()) }
                guard [0, geteuid()].contains(status.st_uid) else { throw .unsafe(path: parent, reason: othersOwn) }
            }
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(path: path, reason: systemReason()) }
            guard stat(path, &status) == 0 else { throw .system(path: path, reason: systemReason()) }
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .system(path: path, reason: "it is no folder") }
    }

    /// Makes a folder, unless it is there and nobody else can change what is in it.
    ///
    /// - Throws: `system`, `unsafe`.
    package static func prepareFolder(_ path: String) throws(StoreError) {
        if try !checkFolder(path) { try makeFolder(path) }
    }

    /// Looks for a folder, and checks that nobody else can change what is in it.
    ///
    /// - Returns: whether it is there.
    /// - Throws: `system`, `unsafe`.
    package static func checkFolder(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .system(path: path, reason: systemReason()) }
            return false
        }
        guard status.st_mode & S_IFMT != S_IFLNK else { throw .unsafe(path: path, reason: "it is a symbolic link") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .system(path: path, reason: "it is no folder") }
        guard status.st_uid == geteuid() else { throw .unsafe(path: path, reason: othersOwn) }
        guard status.st_mode & 0o022 == 0 else { throw .unsafe(path: path, reason: "others can write to it") }
        return true
    }

    /// Checks that nobody but the user and root can have written what is in a file.
    private static func checkWriters(_ status: stat, _ path: String) throws(StoreError) {
        guard status.st_uid == geteuid() || status.st_uid == 0 else { throw .unsafe(path: path, reason: othersOwn) }
        guard status.st_mode & 0o022 == 0 else { throw .unsafe(path: path, reason: "others can write to it") }
    }

    static let othersOwn = "it belongs to another user"
}

extension PrivateFile {
    private static func content(of descriptor: Int32, path: String) throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(path: path, reason: systemReason()) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else { throw .corrupt(path: path, reason: "it is larger than 16 MiB") }
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}

/// What the last system call said: lower case, no full stop.
func systemReason(_ code: Int32 = errno) -> String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
}
