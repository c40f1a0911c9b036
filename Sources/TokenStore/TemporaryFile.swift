internal import Glibc
internal import Wire

/// A new file of mode 0600 in the folder of the one whose place it is to take. Whoever makes it closes its descriptor, and
/// removes it where it takes no place.
package struct TemporaryFile {
    /// Where to write.
    package let descriptor: Int32
    /// Its own path.
    package let path: String

    /// Makes an empty file; nil where that cannot be done, and `errno` says why.
    package init?(beside target: String) {
        var template = Array("\(target.folderPrefix).oap-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer -> (Int32, String)? in
            guard let name = buffer.baseAddress else { return nil }
            let descriptor = mkstemp(name)
            return descriptor < 0 ? nil : (descriptor, String(cString: name))
        }
        guard let made else { return nil }
        (descriptor, path) = made
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Makes the draft of a file, which only the holder of its lock may do: it has one name for each file, so that the
    /// draft of a process that was killed goes with the next, and no tokens pile up. Nil as above.
    package init?(draftOf target: String) {
        path = Self.draft(of: target)
        if let kept = Self.reopened(path) {
            descriptor = kept
            return
        }
        unlink(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    /// A draft in which room is kept, where it is nobody else's.
    private static func reopened(_ path: String) -> Int32? {
        let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode == S_IFREG | 0o600, status.st_uid == geteuid(),
            status.st_nlink == 1
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// The path of a file's draft.
    static func draft(of target: String) -> String {
        "\(target.folderPrefix).\(target.fileName).new"
    }

    /// How far it came.
    package enum Outcome {
        /// It is in its place, and on the disk.
        case placed
        /// It is on the disk, but not in its place; `errno` says why.
        case complete
        /// It is not on the disk; `errno` says why.
        case incomplete
    }

    /// Takes the place of a file: fsync, rename, fsync of the folder. Until the rename the old file is as it was.
    ///
    /// - Parameter replaces: whether there may be a file in the place.
    package func takePlace(of target: String, replaces: Bool = true) -> Outcome {
        guard fsync(descriptor) == 0 else { return .incomplete }
        if replaces {
            guard rename(path, target) == 0 else { return .complete }
        } else {
            guard link(path, target) == 0 else { return .incomplete }
            unlink(path)
        }
        synchronizeFolder(of: target)
        return .placed
    }
}

/// Puts what was renamed or removed in the folder of a file on the disk, where the file system can do that.
func synchronizeFolder(of path: String) {
    let descriptor = open(path.folderPrefix + ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
}
