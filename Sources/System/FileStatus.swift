internal import Glibc

/// What the system knows of a file (inode(7)).
package struct FileStatus {
    private let status: stat

    /// What a path leads to (stat(2)).
    package init(at path: String) throws(Errno) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .current }
        self.status = status
    }

    /// What a path names, a link itself (lstat(2)).
    package init(ofLink path: String) throws(Errno) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .current }
        self.status = status
    }

    /// What is open (fstat(2)).
    package init(_ descriptor: FileDescriptor) throws(Errno) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw .current }
        self.status = status
    }

    /// Whether it is a regular file.
    package var isFile: Bool { status.st_mode & S_IFMT == S_IFREG }
    /// Whether it is a folder.
    package var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    /// Whether it is a symbolic link.
    package var isLink: Bool { status.st_mode & S_IFMT == S_IFLNK }
    /// Whether it is a pipe.
    package var isPipe: Bool { status.st_mode & S_IFMT == S_IFIFO }
    /// Whether it is a socket.
    package var isSocket: Bool { status.st_mode & S_IFMT == S_IFSOCK }

    /// The bits of its mode that say who may do what.
    package var permissions: UInt32 { status.st_mode & 0o7777 }
    /// Whether anybody but the owner may do anything with it.
    package var isOpenToOthers: Bool { permissions & 0o077 != 0 }
    /// Whether anybody but the owner may write to it.
    package var isWritableByOthers: Bool { permissions & 0o022 != 0 }
    /// Whether, in a folder, only the owner of a file may remove it.
    package var isSticky: Bool { permissions & S_ISVTX != 0 }

    /// The number of the user whose it is.
    package var owner: UInt32 { status.st_uid }
    /// Whether it belongs to the user of this process.
    package var isOwn: Bool { owner == geteuid() }
    /// Whether it belongs to the user of this process, or to root.
    package var isOwnOrRoots: Bool { isOwn || owner == 0 }

    /// Its bytes.
    package var size: Int { status.st_size }
    /// How many names it has.
    package var links: Int { Int(status.st_nlink) }
    /// When it was last written to, in seconds since 1970.
    package var modified: Int { status.st_mtim.tv_sec }
}
