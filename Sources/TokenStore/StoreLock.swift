internal import Glibc
internal import System

/// A lock on a stored token, held by flock(2) on a file beside it: it ends with the process.
package struct StoreLock: ~Copyable {
    private let file: OpenFile

    /// How long to wait for a lock, in seconds.
    package static let patience = 60

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - path: the lock file; it is made if needed, and never removed.
    ///   - seconds: the longest wait; 0 tries once.
    /// - Throws: `locked` after that time; `system` if the file cannot be made or locked; `unsafe` for a file of another
    ///   user, who could hold the lock forever.
    package init(_ path: String, seconds: Int = patience) throws(StoreError) {
        let file = try Self.opened(path)
        guard let status = try? file.status, status.isOwnOrRoots else {
            throw .unsafe(path: path, .foreign)
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
            // In a folder such as `/tmp` the kernel forbids to follow a link of another user's (protected_symlinks).
            let isLink = (try? FileStatus(ofLink: path))?.isLink ?? false
            if error == .tooManyLinks || isLink { throw .unsafe(path: path, .link) }
            throw .system(path: path, reason: error.description)
        }
    }

    /// Polls every 10 ms: flock(2) has no time limit, and an alarm would reach other threads. A lock is held for as long as
    /// a request to the token endpoint takes, so the delay does not matter.
    ///
    /// - Throws: the error of the last attempt.
    private static func lock(_ descriptor: FileDescriptor, seconds: Int) throws(Errno) {
        let pause: UInt32 = 10_000
        for left in (0...(seconds * 1_000_000 / Int(pause))).reversed() {
            if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 { return }
            let error = Errno.current
            guard error == .wouldBlock || error == .interrupted else { throw error }
            if left > 0 { usleep(pause) }
        }
        throw .wouldBlock
    }
}
