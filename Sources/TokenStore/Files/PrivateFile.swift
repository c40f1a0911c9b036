internal import Glibc
package import System

/// Files of the user alone: mode 0600, never reached through a symbolic link (oap-store(1), STORES).
package enum PrivateFile {
    /// The largest file, in bytes.
    package static let limit = 16 << 20

    /// The bytes, whether others can read them, and the stamp; nil if it does not exist. With `isStrict` it must belong
    /// to the user and be unreadable for others. Otherwise it may belong to root, and others may read it but not write
    /// to it.
    package static func read(
        _ path: String, isStrict: Bool = true
    ) throws(StoreError) -> (bytes: [UInt8], isOpenToOthers: Bool, stamp: FileStamp)? {
        guard let file = try opened(path, isStrict ? O_NOFOLLOW : 0) else { return nil }
        let status = try StoreError.at(path, try file.status)
        guard status.isFile else { throw .system(path: path, reason: "it is not a regular file") }
        if isStrict {
            guard status.isOwn else { throw .unsafe(path: path, .foreign) }
            guard !status.isOpenToOthers else { throw .unsafe(path: path, .readable(secret: nil)) }
        } else {
            try checkWriters(status, path)
        }
        guard let bytes = try StoreError.at(path, try file.readAll(limit: limit)) else {
            throw .corrupt(path: path, reason: "it is larger than 16 MiB")
        }
        return (bytes, status.isReadableByOthers, status.stamp)
    }

    private static func checkWriters(_ status: FileStatus, _ path: String) throws(StoreError) {
        guard status.isOwnOrRoots else { throw .unsafe(path: path, .foreign) }
        guard !status.isWritableByOthers else { throw .unsafe(path: path, .writable) }
    }

    static func isOpenToOthers(_ path: String) -> Bool { (try? FileStatus(at: path))?.isOpenToOthers ?? false }

    /// Opens a file, without waiting for a pipe or a terminal; nil if it does not exist.
    private static func opened(_ path: String, _ flags: Int32) throws(StoreError) -> OpenFile? {
        do throws(Errno) {
            return try OpenFile(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | flags)
        } catch {
            switch error {
            case .noSuchFile: return nil
            case .tooManyLinks where flags & O_NOFOLLOW != 0: throw .unsafe(path: path, .link)
            default: throw .system(path: path, reason: error.description)
            }
        }
    }

    /// Replaces a file; see ``TemporaryFile``.
    ///
    /// - Throws: `system`; `misplaced` if everything was written and only the rename failed: the content may be a token
    ///   that cannot be requested again.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        try replace(path, with: bytes, by: try StoreError.at(path, try TemporaryFile(beside: path)))
    }

    /// Replaces a file through its draft, in which room may be reserved.
    static func replace(_ path: String, with bytes: [UInt8], under lock: StoreLock) throws(StoreError) {
        try replace(path, with: bytes, by: try draft(of: path))
    }

    private static func replace(_ path: String, with bytes: [UInt8], by file: TemporaryFile) throws(StoreError) {
        defer { file.descriptor.close() }
        guard bytes.count <= limit else {
            file.remove()
            throw .system(path: path, reason: "it would be larger than 16 MiB")
        }
        let outcome: TemporaryFile.Outcome
        do throws(Errno) {
            try file.write(bytes)
            outcome = file.takePlace(of: path)
        } catch {
            outcome = .incomplete(error)
        }
        switch outcome {
        case .placed: return
        case .incomplete(let error):
            file.remove()
            throw .system(path: path, reason: error.description)
        case .complete(let error):
            // Another name, so that the next draft does not replace it.
            let kept = "\(file.path).\(getpid())"
            guard rename(file.path, kept) == 0 else { throw .system(path: path, reason: error.description) }
            throw .misplaced(path: path, at: kept, reason: error.description)
        }
    }

    /// Checks that a file can be replaced by one of this many bytes.
    ///
    /// - Throws: `system`.
    package static func checkRoom(for count: Int, at path: String) throws(StoreError) {
        let file = try StoreError.at(path, try TemporaryFile(beside: path))
        defer { file.remove() }
        try allocate(count, in: file, for: path)
    }

    /// Reserves room on the disk for this many bytes, in the draft of a file.
    ///
    /// - Throws: `system`.
    static func reserve(_ count: Int, at path: String, under lock: StoreLock) throws(StoreError) {
        let file = try draft(of: path)
        do throws(StoreError) {
            try allocate(count, in: file, for: path)
        } catch {
            file.remove()
            throw error
        }
    }

    /// The draft of a file; the error names the draft if another user's is in the way.
    private static func draft(of path: String) throws(StoreError) -> TemporaryFile {
        do throws(Errno) {
            return try TemporaryFile(draftOf: path)
        } catch {
            let file = error == .fileExists ? TemporaryFile.draft(of: path) : path
            throw .system(path: file, reason: error.description)
        }
    }

    /// Removes the draft of a file, also one that a killed process has left.
    static func releaseRoom(at path: String, under lock: StoreLock) { unlink(TemporaryFile.draft(of: path)) }

    private static func allocate(_ count: Int, in file: TemporaryFile, for path: String) throws(StoreError) {
        defer { file.descriptor.close() }
        try StoreError.at(path, try file.reserve(count))
    }

    /// Returns whether it existed.
    package static func remove(_ path: String) throws(StoreError) -> Bool {
        if unlink(path) == 0 {
            Folder.synchronize(of: path)
            return true
        }
        let error = Errno.current
        guard error == .noSuchFile else { throw .system(path: path, reason: error.description) }
        return false
    }
}

extension PrivateFile {
    package static func names(in folder: String) throws(StoreError) -> [String] {
        try StoreError.at(folder, try Folder.names(in: folder))
    }

    /// Makes a folder of mode 0700 and its missing parents.
    ///
    /// - Parameter whole: the folder that is wanted, which the error names.
    /// - Throws: `system`; `unsafe` if a parent belongs to another user, as under `sudo`.
    private static func makeFolder(_ path: String, for whole: String) throws(StoreError) {
        if try status(path) == nil {
            let parent = path.utf8.contains(UInt8(ascii: "/")) ? String(path.folderPrefix.dropLast()) : "."
            if !parent.isEmpty {
                try makeFolder(parent, for: whole)
                let status = try StoreError.at(parent, try FileStatus(at: parent))
                guard status.isOwnOrRoots else { throw .unsafe(path: parent, .foreign) }
            }
            let error = mkdir(path, 0o700) == 0 ? nil : Errno.current
            if let error, error != .fileExists { throw .system(path: whole, reason: error.description) }
        }
        guard try StoreError.at(path, try FileStatus(at: path)).isFolder else {
            throw .system(path: path, reason: "it is not a folder")
        }
    }

    private static func status(_ path: String, ofLink: Bool = false) throws(StoreError) -> FileStatus? {
        do throws(Errno) {
            return ofLink ? try FileStatus(ofLink: path) : try FileStatus(at: path)
        } catch {
            guard error == .noSuchFile else { throw .system(path: path, reason: error.description) }
            return nil
        }
    }

    /// Makes a folder if it does not exist, and checks it otherwise; see ``checkFolder(_:)``.
    ///
    /// - Throws: `system`, `unsafe`.
    package static func prepareFolder(_ path: String) throws(StoreError) {
        if try !checkFolder(path) { try makeFolder(path, for: path) }
    }

    /// Checks that only the user can change the content of a folder.
    ///
    /// - Returns: whether it exists.
    /// - Throws: `system`, `unsafe`.
    package static func checkFolder(_ path: String) throws(StoreError) -> Bool {
        guard let status = try status(path, ofLink: true) else { return false }
        guard !status.isLink else { throw .unsafe(path: path, .link) }
        guard status.isFolder else { throw .system(path: path, reason: "it is not a folder") }
        guard status.isOwn else { throw .unsafe(path: path, .foreign) }
        guard !status.isWritableByOthers else { throw .unsafe(path: path, .writable) }
        let parent = String(path.folderPrefix.dropLast())
        // Another user who can write to the folder above could replace this one.
        if parent.fileName == "oap" { try checkWriters(try StoreError.at(parent, try FileStatus(at: parent)), parent) }
        return true
    }
}
