internal import Glibc

/// A new file of mode 0600 in the folder of the file that it will replace. The caller closes its descriptor, and removes it
/// if it does not replace the file.
package struct TemporaryFile {
    package let descriptor: FileDescriptor
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

    /// A file that is open for writing.
    package init(_ descriptor: FileDescriptor, at path: String) { (self.descriptor, self.path) = (descriptor, path) }

    /// Opens the draft of a file; the caller holds the lock of the file. A file has one draft, so the next one overwrites
    /// that of a killed process, and no tokens pile up.
    package init(draftOf target: String) throws(Errno) {
        path = Self.draft(of: target)
        if let kept = Self.reopened(path) {
            descriptor = kept
            return
        }
        unlink(path)
        descriptor = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    }

    /// An existing draft, in which room may be reserved, if it is the user's alone.
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

    package static func draft(of target: String) -> String { "\(target.folderPrefix).\(target.fileName).new" }

    /// Reserves room on the disk for this many bytes (posix_fallocate(3)).
    package func reserve(_ count: Int) throws(Errno) {
        let code = posix_fallocate(descriptor.number, 0, count)
        guard code == 0 else { throw Errno(code) }
    }

    package func write(_ bytes: [UInt8]) throws(Errno) {
        try descriptor.writeAll(bytes)
        guard ftruncate(descriptor.number, bytes.count) == 0 else { throw .current }
    }

    package func remove() { unlink(path) }

    /// The result of ``takePlace(of:replaces:)``.
    package enum Outcome {
        /// The file is replaced, durably.
        case placed
        /// Everything is written, but the file is not replaced; why.
        case complete(Errno)
        /// Not everything is written, or the place is taken; why.
        case incomplete(Errno)
    }

    /// Replaces a file, or makes one unless it `replaces`: fsync, rename, fsync of the folder. Until the rename the old
    /// file has not changed.
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
