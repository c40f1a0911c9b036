internal import Glibc
internal import System

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
        guard let file = try opened(path, isStrict ? O_NOFOLLOW : 0) else { return nil }
        let status = try StoreError.at(path, try file.status)
        guard status.isFile else { throw .unsafe(path: path, reason: "it is no regular file") }
        if isStrict {
            guard status.isOwn else { throw .unsafe(path: path, reason: StoreError.othersOwn) }
            guard !status.isOpenToOthers else { throw .unsafe(path: path, reason: "others can read it") }
        } else {
            try checkWriters(status, path)
        }
        return (try content(of: file, path), status.isOpenToOthers)
    }

    /// Whether others can read a file.
    static func isOpenToOthers(_ path: String) -> Bool { (try? FileStatus(at: path))?.isOpenToOthers ?? false }

    /// Reads a file that others may read, and nobody but its owner and the administrator has written.
    ///
    /// - Returns: its bytes and whether others can read it; nil where there is none.
    /// - Throws: `system`, `unsafe`, `corrupt`.
    package static func readTrusted(
        _ path: String
    ) throws(StoreError) -> (bytes: [UInt8], isOpenToOthers: Bool)? {
        guard let file = try opened(path) else { return nil }
        let status = try StoreError.at(path, try file.status)
        guard status.isFile else { throw .system(path: path, reason: "it is no regular file") }
        try checkWriters(status, path)
        return (try content(of: file, path), status.isOpenToOthers)
    }

    /// A file that is open to read, without waiting for one that is none; nil where there is nothing.
    private static func opened(_ path: String, _ flags: Int32 = 0) throws(StoreError) -> OpenFile? {
        do throws(Errno) {
            return try OpenFile(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | flags)
        } catch {
            switch error {
            case .noSuchFile: return nil
            case .tooManyLinks where flags & O_NOFOLLOW != 0: throw .unsafe(path: path, reason: "it is a symbolic link")
            default: throw .system(path: path, reason: error.description)
            }
        }
    }

    private static func content(of file: borrowing OpenFile, _ path: String) throws(StoreError) -> [UInt8] {
        guard let bytes = try StoreError.at(path, try file.readAll(limit: limit)) else {
            throw .corrupt(path: path, reason: "it is larger than 16 MiB")
        }
        return bytes
    }

    /// Puts bytes in the place of a file; see ``TemporaryFile``.
    ///
    /// - Throws: `system`; `misplaced` where all was written and only the place cannot be taken: what is kept may be a token
    ///   that cannot be had again.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        try replace(path, with: bytes, by: try StoreError.at(path, try TemporaryFile(beside: path)))
    }

    /// Puts bytes in the place of a file by its one draft, in which room may be reserved.
    ///
    /// - Parameter lock: the lock of the file.
    /// - Throws: as without one.
    static func replace(_ path: String, with bytes: [UInt8], under lock: borrowing StoreLock) throws(StoreError) {
        try replace(path, with: bytes, by: try StoreError.at(path, try TemporaryFile(draftOf: path)))
    }

    private static func replace(_ path: String, with bytes: [UInt8], by file: TemporaryFile) throws(StoreError) {
        defer { file.descriptor.close() }
        guard bytes.count <= limit else {
            file.remove()
            throw .system(path: path, reason: "more than 16 MiB are not kept")
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
            // Under a name of its own the next draft does not take its place.
            let kept = "\(file.path).\(getpid())"
            guard rename(file.path, kept) == 0 else { throw .system(path: path, reason: error.description) }
            throw .misplaced(path: path, at: kept, reason: error.description)
        }
    }

    /// Makes sure, as far as that can be known, that so many bytes can be put in the place of a file.
    ///
    /// - Throws: `system`.
    package static func checkRoom(for count: Int, at path: String) throws(StoreError) {
        let file = try StoreError.at(path, try TemporaryFile(beside: path))
        defer { file.remove() }
        try allocate(count, in: file, for: path)
    }

    /// Reserves room on the disk for so many bytes, in the draft of a file, until they are written or it is released.
    ///
    /// - Parameter lock: the lock of the file.
    /// - Throws: `system`.
    static func reserve(_ count: Int, at path: String, under lock: borrowing StoreLock) throws(StoreError) {
        let file = try StoreError.at(path, try TemporaryFile(draftOf: path))
        do throws(StoreError) {
            try allocate(count, in: file, for: path)
        } catch {
            file.remove()
            throw error
        }
    }

    /// Gives up the room that is reserved for a file, and whatever a process left there that was killed.
    static func releaseRoom(at path: String, under lock: borrowing StoreLock) { unlink(TemporaryFile.draft(of: path)) }

    private static func allocate(_ count: Int, in file: TemporaryFile, for path: String) throws(StoreError) {
        defer { file.descriptor.close() }
        try StoreError.at(path, try file.reserve(count))
    }

    /// Removes a file. One that is not there is as good as removed.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `system`.
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
    /// The names in a folder, but for those of the folder itself and the one above.
    ///
    /// - Throws: `system`.
    package static func names(in folder: String) throws(StoreError) -> [String] {
        try StoreError.at(folder, try Folder.names(in: folder))
    }

    /// Makes a folder of mode 0700 with all above it, unless it is there.
    ///
    /// - Throws: `system`; `unsafe` where it would come into a folder of another user, as under `sudo`.
    private static func makeFolder(_ path: String) throws(StoreError) {
        if try status(path) == nil {
            let parent = path.utf8.contains(UInt8(ascii: "/")) ? String(path.folderPrefix.dropLast()) : "."
            if !parent.isEmpty {
                try makeFolder(parent)
                let status = try StoreError.at(parent, try FileStatus(at: parent))
                guard status.isOwnOrRoots else { throw .unsafe(path: parent, reason: StoreError.othersOwn) }
            }
            let error = mkdir(path, 0o700) == 0 ? nil : Errno.current
            if let error, error != .fileExists { throw .system(path: path, reason: error.description) }
        }
        guard try StoreError.at(path, try FileStatus(at: path)).isFolder else {
            throw .system(path: path, reason: "it is no folder")
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
        guard let status = try status(path, ofLink: true) else { return false }
        guard !status.isLink else { throw .unsafe(path: path, reason: "it is a symbolic link") }
        guard status.isFolder else { throw .system(path: path, reason: "it is no folder") }
        guard status.isOwn else { throw .unsafe(path: path, reason: StoreError.othersOwn) }
        guard !status.isWritableByOthers else { throw .unsafe(path: path, reason: "others can write to it") }
        return true
    }

    /// Checks that nobody but the user and root can have written what is in a file.
    private static func checkWriters(_ status: FileStatus, _ path: String) throws(StoreError) {
        guard status.isOwnOrRoots else { throw .unsafe(path: path, reason: StoreError.othersOwn) }
        guard !status.isWritableByOthers else { throw .unsafe(path: path, reason: "others can write to it") }
    }
}
