internal import Glibc

/// A new file of mode 0600 in the folder of the one whose place it is to take. Whoever makes it closes its descriptor, and
/// removes it where it takes no place.
package struct TemporaryFile {
    /// Where to write.
    package let descriptor: FileDescriptor
    /// Its own path.
    package let path: String

    /// Makes an empty file (mkstemp(3)).
    package init(beside target: String) throws(Errno) {
        var template = Array("\(target.folderPrefix).oap-XXXXXX".utf8CString)
        let number = mkstemp(&template)
        guard number >= 0 else { throw .current }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        descriptor = FileDescriptor(number)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Makes the draft of a file, which only the holder of its lock may do: it has one name for each file, so that the
    /// draft of a process that was killed goes with the next, and no tokens pile up.
    package init(draftOf target: String) throws(Errno) {
        path = Self.draft(of: target)
        if let kept = Self.reopened(path) {
            descriptor = kept
            return
        }
        unlink(path)
        descriptor = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    }

    /// A draft in which room is reserved, where it is nobody else's.
    private static func reopened(_ path: String) -> FileDescriptor? {
        guard let file = try? FileDescriptor.open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
        if let status = try? FileStatus(file), status.isFile, status.permissions == 0o600, status.isOwn,
            status.links == 1
        {
            return file
        }
        file.close()
        return nil
    }

    /// The path of a file's draft.
    package static func draft(of target: String) -> String { "\(target.folderPrefix).\(target.fileName).new" }

    /// Reserves room on the disk for so many bytes (posix_fallocate(3)).
    package func reserve(_ count: Int) throws(Errno) {
        let code = posix_fallocate(descriptor.number, 0, count)
        guard code == 0 else { throw Errno(code) }
    }

    /// Makes these bytes its content.
    package func write(_ bytes: [UInt8]) throws(Errno) {
        try descriptor.writeAll(bytes)
        guard ftruncate(descriptor.number, bytes.count) == 0 else { throw .current }
    }

    /// Removes it.
    package func remove() { unlink(path) }

    /// How far it came.
    package enum Outcome {
        /// It is in its place, and on the disk.
        case placed
        /// It is on the disk, but not in its place, and why.
        case complete(Errno)
        /// It is not on the disk, and why.
        case incomplete(Errno)
    }

    /// Takes the place of a file: fsync, rename, fsync of the folder. Until the rename the old file is as it was.
    ///
    /// - Parameter replaces: whether there may be a file in the place.
    package func takePlace(of target: String, replaces: Bool = true) -> Outcome {
        guard fsync(descriptor.number) == 0 else { return .incomplete(.current) }
        if replaces {
            guard rename(path, target) == 0 else { return .complete(.current) }
        } else {
            guard link(path, target) == 0 else { return .incomplete(.current) }
            unlink(path)
        }
        Folder.synchronize(of: target)
        return .placed
    }
}
