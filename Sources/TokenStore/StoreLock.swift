internal import Glibc
internal import System

/// A lock on a stored token, held by flock(2) on a file beside it: a process that dies holds nothing.
package struct StoreLock: ~Copyable {
    private let file: OpenFile

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - path: the lock file, which is made and stays.
    ///   - seconds: how long to wait.
    /// - Throws: `locked` when the time is over; `system` where the file cannot be made or the file system knows no locks;
    ///   `unsafe` for a file of another user, who could hold it for good.
    package init(_ path: String, seconds: Int = 60) throws(StoreError) {
        let file = try Self.opened(path)
        guard let status = try? file.status, status.isOwnOrRoots else {
            throw .unsafe(path: path, reason: StoreError.othersOwn)
        }
        do throws(Errno) {
            try Self.lock(file.descriptor, seconds: seconds)
        } catch {
            if error == .wouldBlock { throw .locked(path: path, seconds: seconds) }
            throw .system(path: path, reason: "it cannot be locked: \(error)")
        }
        self.file = file
    }

    private static func opened(_ path: String) throws(StoreError) -> OpenFile {
        do throws(Errno) {
            return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        } catch {
            if error == .tooManyLinks { throw .unsafe(path: path, reason: "it is a symbolic link") }
            throw .system(path: path, reason: error.description)
        }
    }

    /// Asks again and again: flock(2) itself cannot be told when to give up, and an alarm would reach other threads. A lock
    /// is held for as long as a request to the token endpoint takes, so a hundredth of a second more is not felt.
    ///
    /// - Throws: the error of the last try.
    private static func lock(_ descriptor: FileDescriptor, seconds: Int) throws(Errno) {
        let pause: UInt32 = 10_000
        for _ in 0...(seconds * 1_000_000 / Int(pause)) {
            if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 { return }
            let error = Errno.current
            guard error == .wouldBlock || error == .interrupted else { throw error }
            usleep(pause)
        }
        throw .wouldBlock
    }
}
