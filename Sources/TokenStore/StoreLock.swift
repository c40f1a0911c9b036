internal import Glibc

/// A lock on a stored token, held by flock(2) on a file beside it: a process that dies holds nothing.
package struct StoreLock: ~Copyable {
    private let descriptor: Int32

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - path: the lock file, which is made and stays.
    ///   - seconds: how long to wait.
    /// - Throws: `locked` when the time is over; `system` where the file cannot be made or the file system knows no locks;
    ///   `unsafe` for a file of another user, who could hold it for good.
    package init(_ path: String, seconds: Int = 60) throws(StoreError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw .unsafe(path: path, reason: "it is a symbolic link") }
            throw .system(path: path, reason: systemReason())
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, [0, geteuid()].contains(status.st_uid) else {
            close(descriptor)
            throw .unsafe(path: path, reason: PrivateFile.othersOwn)
        }
        switch Self.wait(descriptor, seconds: seconds) {
        case 0: return
        case EWOULDBLOCK:
            close(descriptor)
            throw .locked(path: path, seconds: seconds)
        case let code:
            close(descriptor)
            throw .system(path: path, reason: "it cannot be locked: \(systemReason(code))")
        }
    }

    deinit { close(descriptor) }

    /// Asks again and again: flock(2) itself cannot be told when to give up, and an alarm would reach other threads. A lock
    /// is held for as long as a request to the token endpoint takes, so a hundredth of a second more is not felt.
    ///
    /// - Returns: 0, or the `errno` of the last try.
    private static func wait(_ descriptor: Int32, seconds: Int) -> Int32 {
        let pause: UInt32 = 10_000
        for _ in 0...(seconds * 1_000_000 / Int(pause)) {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return 0 }
            guard errno == EWOULDBLOCK || errno == EINTR else { return errno }
            usleep(pause)
        }
        return EWOULDBLOCK
    }
}
