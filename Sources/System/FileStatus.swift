internal import CProcess
internal import Glibc

/// The status of a file (inode(7)).
package struct FileStatus {
    private let status: stat

    /// The status of a path, links followed (stat(2)).
    package init(at path: String) throws(Errno) { try self.init { stat(path, &$0) } }

    /// The status of a path, a link itself (lstat(2)).
    package init(ofLink path: String) throws(Errno) { try self.init { lstat(path, &$0) } }

    /// The status of an open file (fstat(2)).
    package init(_ descriptor: FileDescriptor) throws(Errno) { try self.init { fstat(descriptor.number, &$0) } }

    private init(_ ask: (inout stat) -> Int32) throws(Errno) {
        var status = stat()
        guard ask(&status) == 0 else { throw .current }
        self.status = status
    }

    /// Whether the file is a regular file.
    package var isFile: Bool { status.st_mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    package var isLink: Bool { status.st_mode & S_IFMT == S_IFLNK }
    package var isPipe: Bool { status.st_mode & S_IFMT == S_IFIFO }
    package var isSocket: Bool { status.st_mode & S_IFMT == S_IFSOCK }

    package var permissions: UInt32 { status.st_mode & 0o7777 }
    /// Whether the mode gives others any permission.
    package var isOpenToOthers: Bool { permissions & 0o077 != 0 }
    package var isWritableByOthers: Bool { permissions & 0o022 != 0 }
    /// Whether others can read it. A file of root's may be for a group: that of a Kubernetes volume (fsGroup), or with an
    /// access list, as systemd's credentials, whose mask takes the place of the group's rights.
    package var isReadableByOthers: Bool { permissions & (owner == 0 ? 0o004 : 0o044) != 0 }
    /// Whether only the owner of a file in this folder may remove it.
    package var isSticky: Bool { permissions & S_ISVTX != 0 }

    /// The device that it lies on, `MAJOR:MINOR`.
    package var device: String { deviceNumbers.map { String($0) }.joined(separator: ":") }
    /// The file's device and number, as proc_locks(5) has them.
    package var placeOfLocks: String {
        deviceNumbers.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) + ":" }.joined() + String(status.st_ino)
    }
    private var deviceNumbers: [UInt32] {
        var (major, minor) = (UInt32(0), UInt32(0))
        oap_device_numbers(status.st_dev, &major, &minor)
        return [major, minor]
    }
    package var owner: UInt32 { status.st_uid }
    /// Whether the file belongs to the user of this process.
    package var isOwn: Bool { owner == geteuid() }
    package var isOwnOrRoots: Bool { isOwn || owner == 0 }

    /// Whether the file belongs to neither the user nor root, in a folder that others can write to.
    ///
    /// - Parameter folder: a path that ends with a slash, or is empty.
    package func isForeign(in folder: String) -> Bool {
        guard !isOwnOrRoots else { return false }
        guard let above = try? FileStatus(at: "\(folder).") else { return true }
        return !above.isOwnOrRoots || above.isWritableByOthers
    }

    package func isSame(as other: FileStatus) -> Bool {
        status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino
    }

    /// The size of the file in bytes.
    package var size: Int { status.st_size }
    package var links: Int { Int(status.st_nlink) }
    /// What tells the file from another file under the same name.
    package var stamp: FileStamp {
        FileStamp(number: UInt(status.st_ino), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }
    /// The time of the last write, in seconds since 1970.
    package var modified: Int { status.st_mtim.tv_sec }
}

extension FileStamp {
    /// The stamp of a file, a link itself; nil if there is none.
    package init?(ofLink path: String) {
        guard let status = try? FileStatus(ofLink: path) else { return nil }
        self = status.stamp
    }
}

/// What tells one file under a name from the next one: its number and the time of its last write.
package struct FileStamp: Sendable, Equatable {
    let number: UInt
    let seconds: Int
    let nanoseconds: Int

    /// The stamp as a text without spaces.
    package var text: String { "\(number).\(seconds).\(nanoseconds)" }
}
