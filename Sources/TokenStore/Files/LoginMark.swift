package import Errands
internal import Glibc
internal import System

/// The mark of a login in progress for a name. It ends with the process, and does not lock the stored token.
///
/// It is a shared lock of an open file (fcntl(2), `F_OFD_SETLK`): of such a lock can be asked without taking it, and
/// several logins for one name have one each.
package struct LoginMark: ~Copyable {
    package let isSecond: Bool
    private let file: OpenFile

    /// Marks that this process logs in.
    ///
    /// - Parameter folder: the folder of the marks, which is made if needed.
    package init(_ name: TokenName, in folder: String) throws(StoreError) {
        try PrivateFile.prepareFolder(folder)
        let path = "\(folder)/\(name.text).lock"
        let file = try StoreLock.opened(path)
        // Marked first: of two that begin at once, one at least sees the other.
        guard Self.lock(file.descriptor, F_RDLCK, Self.setLock) != nil else {
            throw .system(path: path, reason: "it cannot be locked: \(Errno.current)")
        }
        isSecond = Self.isMarkedByOthers(file.descriptor)
        self.file = file
    }

    package static func isHeld(_ name: TokenName, in folder: String) -> Bool {
        guard let file = try? OpenFile("\(folder)/\(name.text).lock", O_RDWR | O_NOFOLLOW) else { return false }
        return isMarkedByOthers(file.descriptor)
    }

    /// Whether a login of the name has begun here, now or earlier.
    package static func isKnown(_ name: TokenName, in folder: String) -> Bool {
        access("\(folder)/\(name.text).lock", F_OK) == 0
    }

    /// Whether a lock on the whole file would meet one of another opening of it.
    private static func isMarkedByOthers(_ descriptor: FileDescriptor) -> Bool {
        lock(descriptor, F_WRLCK, getLock).map { $0 != F_UNLCK } ?? false
    }

    /// `F_OFD_GETLK` and `F_OFD_SETLK`, which the headers show to GNU sources only.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)

    /// The type of lock that the kernel answers with; nil if it refuses.
    private static func lock(_ descriptor: FileDescriptor, _ type: Int32, _ command: Int32) -> Int32? {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        return fcntl(descriptor.number, command, &lock) == 0 ? Int32(lock.l_type) : nil
    }

    /// The turn of those that log in only where nobody else does; nil while another process has it, or logs in.
    package static func turn(_ name: TokenName, in folder: String) throws(StoreError) -> StoreLock? {
        guard !isHeld(name, in: folder) else { return nil }
        try PrivateFile.prepareFolder(folder)
        do throws(StoreError) { return try StoreLock("\(folder)/=\(name.text).lock") } catch {
            guard case .locked = error else { throw error }
            return nil
        }
    }

    /// Waits for other processes that register a client for this name.
    package static func lock(_ name: TokenName, in folder: String) -> Attempt<StoreLock, StoreError> {
        attempting { () throws(StoreError) in
            try PrivateFile.prepareFolder(folder)
            // No name begins with a plus or an equals sign.
            return StoreLock.hold("\(folder)/+\(name.text).lock")
        }
    }
}
