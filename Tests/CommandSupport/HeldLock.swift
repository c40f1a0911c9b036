import Foundation
import Testing

/// The lock of a token, held as another process holds it while it renews the token.
final class HeldLock {
    private let descriptor: Int32

    /// Takes the lock, which is free.
    init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0, "the lock of \(path) is free")
    }

    deinit { close(descriptor) }

    /// Lets the others have it.
    func release() { flock(descriptor, LOCK_UN) }
}
