internal import Glibc

/// A file that is its owner's alone: mode 0600, never reached through a symbolic link (contract §7).
package enum PrivateFile {
    /// The most bytes that a file may have.
    package static let limit = 16 << 20

    /// Reads a file.
    ///
    /// - Parameter isStrict: whether a file that others can read is refused.
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
            guard status.st_uid == geteuid() else { throw .unsafe(path: path, reason: "it belongs to another user") }
            guard !isOpenToOthers else { throw .unsafe(path: path, reason: "others can read it") }
        }
        return (try content(of: descriptor, path: path), isOpenToOthers)
    }

    /// Puts bytes in the place of a file: a draft in the same folder, fsync, rename, fsync of the folder. Until the
    /// rename the old file is as it was. Only the holder of a lock may do so: the draft has one name for each file, so
    /// that the draft of a process that was killed is overwritten by the next, and no tokens pile up.
    ///
    /// - Throws: `system`.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        let draft = draft(of: path)
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(path: draft, reason: systemReason()) }
        let isWritten = write(bytes, to: descriptor) && fsync(descriptor) == 0
        let problem = isWritten && rename(draft, path) == 0 ? nil : systemReason()
        close(descriptor)
        if let problem {
            unlink(draft)
            throw .system(path: path, reason: problem)
        }
        synchronize(folder(of: path))
    }

    /// Removes a file, and what is left of a draft of it. One that is not there is as good as removed.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `system`.
    package static func remove(_ path: String) throws(StoreError) -> Bool {
        unlink(draft(of: path))
        if unlink(path) == 0 {
            synchronize(folder(of: path))
            return true
        }
        guard errno == ENOENT else { throw .system(path: path, reason: systemReason()) }
        return false
    }

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

    /// Makes a folder of mode 0700 with all above it, and checks that it is the user's own.
    ///
    /// - Throws: `system`, `unsafe`.
    package static func makeFolder(_ path: String) throws(StoreError) {
        var status = stat()
        if stat(path, &status) != 0 {
            guard errno == ENOENT else { throw .system(path: path, reason: systemReason()) }
            if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeFolder(String(path[..<slash])) }
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(path: path, reason: systemReason()) }
            guard stat(path, &status) == 0 else { throw .system(path: path, reason: systemReason()) }
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .system(path: path, reason: "it is no folder") }
    }

    /// Checks that nobody else can change what is in a folder.
    ///
    /// - Throws: `system`, `unsafe`.
    package static func checkFolder(_ path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(path: path, reason: systemReason()) }
        guard status.st_uid == geteuid() else { throw .unsafe(path: path, reason: "it belongs to another user") }
        guard status.st_mode & 0o022 == 0 else { throw .unsafe(path: path, reason: "others can write to it") }
    }
}

extension PrivateFile {
    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    private static func draft(of path: String) -> String {
        "\(folder(of: path))/.\(path.split(separator: "/").last ?? "").new"
    }

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

    private static func synchronize(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// What the last system call said: lower case, no full stop.
func systemReason() -> String {
    let text = String(cString: strerror(errno))
    return text.prefix(1).lowercased() + text.dropFirst()
}
